// Ranks of MPI. This is the only file that knows of it.
#include "lib/emulation/ranks/Ranks.h"

#include <mpi.h>

#include <algorithm>
#include <chrono>
#include <thread>

namespace spindle {

namespace {

constexpr int kTag = 1;
constexpr size_t kPiece = size_t(1) << 30; // counts of MPI are of 31 bits
/// Words of the first message of an exchange; the rest follows only where some rank has more.
constexpr size_t kShort = 64;

/// Errors of MPI end the program: that is its default, so no return value is looked at.
class MpiRanks : public Ranks {
public:
  MpiRanks() {
    int number = 0, count = 0;
    MPI_Comm_rank(MPI_COMM_WORLD, &number);
    MPI_Comm_size(MPI_COMM_WORLD, &count);
    mine = static_cast<size_t>(number);
    all = static_cast<size_t>(count);
  }
  ~MpiRanks() override { MPI_Finalize(); }
  MpiRanks(const MpiRanks &) = delete;

  size_t rank() const override { return mine; }
  size_t size() const override { return all; }

  void send(size_t to, const ranks::Bytes &message) override {
    uint64_t size = message.size();
    MPI_Send(&size, 1, MPI_UINT64_T, static_cast<int>(to), kTag, MPI_COMM_WORLD);
    for (size_t done = 0; done < size; done += kPiece)
      MPI_Send(message.data() + done, static_cast<int>(std::min(kPiece, size - done)), MPI_BYTE,
               static_cast<int>(to), kTag, MPI_COMM_WORLD);
  }

  ranks::Bytes receive(size_t from) override {
    awaitMessage(static_cast<int>(from));
    uint64_t size = 0;
    MPI_Recv(&size, 1, MPI_UINT64_T, static_cast<int>(from), kTag, MPI_COMM_WORLD,
             MPI_STATUS_IGNORE);
    ranks::Bytes message(size);
    for (size_t done = 0; done < size; done += kPiece)
      MPI_Recv(message.data() + done, static_cast<int>(std::min(kPiece, size - done)), MPI_BYTE,
               static_cast<int>(from), kTag, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    return message;
  }

  void exchange(std::span<const uint32_t> words, std::vector<uint32_t> &joined,
                std::vector<size_t> &ends) override {
    uint32_t first[kShort] = {static_cast<uint32_t>(words.size())};
    size_t here = std::min(words.size(), kShort - 1);
    std::copy_n(words.begin(), here, first + 1);
    firsts.resize(all * kShort);
    MPI_Allgather(first, kShort, MPI_UINT32_T, firsts.data(), kShort, MPI_UINT32_T, MPI_COMM_WORLD);
    counts.clear();
    places.clear();
    int left = 0;
    for (size_t r = 0; r < all; ++r) {
      size_t count = firsts[r * kShort];
      counts.push_back(static_cast<int>(count - std::min(count, kShort - 1)));
      places.push_back(left);
      left += counts.back();
    }
    rest.resize(static_cast<size_t>(left));
    if (left > 0)
      MPI_Allgatherv(words.data() + here, counts[mine], MPI_UINT32_T, rest.data(), counts.data(),
                     places.data(), MPI_UINT32_T, MPI_COMM_WORLD);
    joined.clear();
    ends.clear();
    for (size_t r = 0; r < all; ++r) {
      const uint32_t *start = firsts.data() + r * kShort;
      joined.insert(joined.end(), start + 1, start + 1 + std::min<size_t>(*start, kShort - 1));
      joined.insert(joined.end(), rest.begin() + places[r], rest.begin() + places[r] + counts[r]);
      ends.push_back(joined.size());
    }
  }

private:
  /// MPI waits by asking again and again; a rank without work leaves the processor to others.
  static void awaitMessage(int from) {
    auto pause = std::chrono::microseconds(1);
    for (int isThere = 0; !isThere;) {
      MPI_Iprobe(from, kTag, MPI_COMM_WORLD, &isThere, MPI_STATUS_IGNORE);
      if (isThere)
        return;
      std::this_thread::sleep_for(pause);
      pause = std::min(2 * pause, std::chrono::microseconds(1000));
    }
  }

  size_t mine = 0, all = 1;
  std::vector<uint32_t> firsts, rest; // kept from one exchange to the next
  std::vector<int> counts, places;
};

} // namespace

llvm::Expected<std::unique_ptr<Ranks>> joinRanks(int &argc, char **&argv) {
  int provided = 0;
  MPI_Init_thread(&argc, &argv, MPI_THREAD_FUNNELED, &provided);
  return std::make_unique<MpiRanks>();
}

} // namespace spindle
