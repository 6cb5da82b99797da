#include "core/chip/loads/MultiplexedRun.h"

#include "gmock/gmock.h"

namespace spindle {
namespace {

using ::testing::HasSubstr;

/// Three clusters on two crossbars.
MultiplexedRun small() {
  return {"small",
          2,
          4,
          100,
          {{10, "a paper"}, {0.5, "another"}},
          {{{0, 2}, {{1, 0}, {0, 0}}, 20, {200, 300, 12.5, 40, 9}},
           {{1}, {{1, 0}}, 5, {50, 100.5, 0, 8, 1}}},
          4,
          {0, 310, 12, 48, 10}};
}

TEST(MultiplexedRun, IsReadAsItWasWritten) {
  std::string path = testing::TempDir() + "loads.json";
  MultiplexedRun made = small();
  llvm::cantFail(writeMultiplexedRun(path, made));
  EXPECT_EQ(llvm::cantFail(readMultiplexedRun(path)), made);
}

TEST(MultiplexedRun, LoadsComeOneAfterTheOther) {
  SampleCost together = costOf(small());
  EXPECT_EQ(together, (SampleCost{250, 400.5, 12.5, 48, 10}));
  EXPECT_EQ(together.cycles(), 650.5);
  EXPECT_EQ(small().clusters(), 3u);
}

TEST(MultiplexedRun, WrongOnesAreRefused) {
  std::string path = testing::TempDir() + "wrong-loads.json";
  auto errorOf = [&](auto change) {
    MultiplexedRun wrong = small();
    change(wrong);
    EXPECT_THAT(toText(verify(wrong)), HasSubstr("loads on chip 'small'"));
    llvm::cantFail(writeMultiplexedRun(path, wrong));
    return toText(readMultiplexedRun(path).takeError()).substr(path.size());
  };
  const std::string begin = ": error: not a valid list of loads: ";
  EXPECT_EQ(errorOf([](MultiplexedRun &run) { run.loads[1].clusters = {2}; }),
            begin + "cluster 2 of 3 is in two loads, or is none");
  EXPECT_EQ(errorOf([](MultiplexedRun &run) { run.loads[1].clusters = {3}; }),
            begin + "cluster 3 of 3 is in two loads, or is none");
  EXPECT_EQ(errorOf([](MultiplexedRun &run) { run.crossbars = 1; }),
            begin + "a load of 2 clusters for 1 crossbars");
  EXPECT_EQ(errorOf([](MultiplexedRun &run) { run.loads[1].placements.clear(); }),
            begin + "0 places for 1 clusters");
  EXPECT_EQ(errorOf([](MultiplexedRun &run) { run.loads[0].placements = {{1, 0}, {1, 0}}; }),
            begin + "two clusters of a load on crossbar 0 of tile 1");
  EXPECT_EQ(errorOf([](MultiplexedRun &run) { run.loads[0].cost.energyPj = -1; }),
            begin + "a load that takes less than nothing");
  EXPECT_EQ(errorOf([](MultiplexedRun &run) { run.atOnce.packets = -1; }),
            begin + "a network at once that takes less than nothing");
  EXPECT_EQ(errorOf([](MultiplexedRun &run) { run.samples = 0; }),
            begin + "0 samples at 100 MHz, expected more than none of both");
  EXPECT_EQ(errorOf([](MultiplexedRun &run) { run.atOnce.synapticEvents = 49; }),
            begin + "the loads do 48 synaptic events per sample, the network at once 49");
}

} // namespace
} // namespace spindle
