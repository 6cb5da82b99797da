// A program without MPI is the only rank.
#include "lib/emulation/ranks/Ranks.h"

#include "fmt/format.h"

#include <cstdlib>

namespace spindle {

namespace {

class OnlyRank : public Ranks {
public:
  size_t rank() const override { return 0; }
  size_t size() const override { return 1; }
  void send(size_t, const ranks::Bytes &) override {}
  ranks::Bytes receive(size_t) override { return {}; }
  void exchange(std::span<const uint32_t> mine, std::vector<uint32_t> &all,
                std::vector<size_t> &ends) override {
    all.assign(mine.begin(), mine.end());
    ends.assign(1, all.size());
  }
};

} // namespace

llvm::Expected<std::unique_ptr<Ranks>> joinRanks(int &, char **&) {
  for (const char *variable : {"OMPI_COMM_WORLD_SIZE", "PMI_SIZE"})
    if (const char *size = std::getenv(variable); size && std::atoi(size) > 1)
      return inputError("mpirun", fmt::format("{} processes were started of a program without MPI; "
                                              "expected spindle-mpi, which is built where Open MPI "
                                              "is found (apt-get install libopenmpi-dev)",
                                              size));
  return std::make_unique<OnlyRank>();
}

} // namespace spindle
