// Packet times of Noxim on the same traces. Its links shake hands, so each takes a flit every other
// cycle; head and tail of a packet alone are those of two cycles per hop.
#include "sim/model/Replay.h"

#include "core/support/files/DataPath.h"

#include "gmock/gmock.h"

#include <fstream>
#include <sstream>

using namespace spindle;

namespace {

struct Noxim : ::testing::TestWithParam<std::tuple<const char *, uint32_t>> {
  /// Ours, and the rows of Noxim: packet, source, target, flits, made, injected, head, tail.
  std::vector<Delivery> ours;
  std::vector<std::vector<uint64_t>> rows;

  bool run(const std::string &name, uint32_t side) {
    llvm::Expected<std::string> path =
        PathResolver().find("noc/noxim_" + name + ".delivered.csv", "");
    if (!path)
      return llvm::consumeError(path.takeError()), false;
    std::ifstream file(*path);
    std::string line, cell;
    std::getline(file, line);
    while (std::getline(file, line)) {
      std::istringstream cells(line);
      rows.emplace_back();
      while (std::getline(cells, cell, ','))
        rows.back().push_back(std::stoull(cell));
    }
    Chip chip;
    chip.mesh = {side, side};
    chip.router = {.pipelineCycles = 2, .endCycles = 0, .linkIntervalCycles = 2};
    std::string trace =
        llvm::cantFail(PathResolver().find("noc/traces/" + name + ".trace.csv", ""));
    ours = llvm::cantFail(replay(llvm::cantFail(readPacketTrace(trace, chip.mesh)), chip));
    return true;
  }
};

TEST_F(Noxim, APacketAloneTakesTheSameCycles) {
  if (!run("solo_4x4_s4", 4))
    GTEST_SKIP() << "no folder of data sets: SPINDLE_DATA";
  ASSERT_EQ(rows.size(), 240u);
  for (const std::vector<uint64_t> &row : rows) {
    const Delivery &d = ours.at(row[0]);
    EXPECT_EQ((std::vector<uint64_t>{d.packet, d.source, d.target, d.flits, d.madeCycle,
                                     d.injectedCycle, d.headCycle, d.tailCycle}),
              row);
    EXPECT_EQ(d.headCycle, d.madeCycle + 2 * (d.hops + 1));
    EXPECT_EQ(d.tailCycle, d.headCycle + 2 * (d.flits - 1));
  }
}

TEST_P(Noxim, UnderLoadTheMeanIsWithinOnePercent) {
  auto [name, side] = GetParam();
  if (!run(name, side))
    GTEST_SKIP() << "no folder of data sets: SPINDLE_DATA";
  ASSERT_GT(rows.size(), 1000u);
  double sum = 0, expected = 0;
  size_t exact = 0;
  for (const std::vector<uint64_t> &row : rows) {
    const Delivery &d = ours.at(row[0]);
    sum += double(d.tailCycle - d.madeCycle);
    expected += double(row[7] - row[4]);
    exact += d.headCycle == row[6] && d.tailCycle == row[7];
  }
  EXPECT_NEAR(sum / expected, 1, 0.01);
  EXPECT_GT(double(exact), 0.95 * double(rows.size())) << exact << " of " << rows.size();
}

INSTANTIATE_TEST_SUITE_P(Loads, Noxim,
                         ::testing::Values(std::tuple("uni_4x4_s4_r0.05", 4u),
                                           std::tuple("uni_8x8_s4_r0.05", 8u),
                                           std::tuple("uni_16x16_s4_r0.02", 16u)));

} // namespace
