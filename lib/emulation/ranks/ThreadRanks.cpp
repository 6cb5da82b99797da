// Ranks as threads of one process.
#include "lib/emulation/ranks/Ranks.h"

#include <barrier>
#include <condition_variable>
#include <deque>
#include <mutex>
#include <thread>

namespace spindle {

namespace {

/// What the threads share: a mailbox for each pair of ranks, and a table for exchanges.
struct Meeting {
  explicit Meeting(size_t count) : size(count), mail(count * count), table(count), barrier(count) {}

  size_t size;
  std::mutex mutex;
  std::condition_variable arrived;
  std::vector<std::deque<ranks::Bytes>> mail; // from × size + to
  std::vector<std::span<const uint32_t>> table;
  std::barrier<> barrier;
};

class ThreadRank : public Ranks {
public:
  ThreadRank(Meeting &shared, size_t number) : meeting(shared), mine(number) {}
  size_t rank() const override { return mine; }
  size_t size() const override { return meeting.size; }

  void send(size_t to, const ranks::Bytes &message) override {
    std::lock_guard lock(meeting.mutex);
    meeting.mail[mine * meeting.size + to].push_back(message);
    meeting.arrived.notify_all();
  }

  ranks::Bytes receive(size_t from) override {
    std::unique_lock lock(meeting.mutex);
    std::deque<ranks::Bytes> &box = meeting.mail[from * meeting.size + mine];
    meeting.arrived.wait(lock, [&] { return !box.empty(); });
    ranks::Bytes message = std::move(box.front());
    box.pop_front();
    return message;
  }

  void exchange(std::span<const uint32_t> words, std::vector<uint32_t> &all,
                std::vector<size_t> &ends) override {
    meeting.table[mine] = words;
    meeting.barrier.arrive_and_wait();
    all.clear();
    ends.clear();
    for (std::span<const uint32_t> each : meeting.table) {
      all.insert(all.end(), each.begin(), each.end());
      ends.push_back(all.size());
    }
    meeting.barrier.arrive_and_wait(); // nobody reads any more
  }

private:
  Meeting &meeting;
  size_t mine;
};

} // namespace

void runThreadRanks(size_t size, llvm::function_ref<void(Ranks &)> lead,
                    llvm::function_ref<void(Ranks &)> serve) {
  Meeting meeting(size);
  std::vector<std::thread> others;
  for (size_t number = 1; number < size; ++number)
    others.emplace_back([&, number] {
      ThreadRank rank(meeting, number);
      serve(rank);
    });
  ThreadRank first(meeting, 0);
  lead(first);
  for (std::thread &other : others)
    other.join();
}

} // namespace spindle
