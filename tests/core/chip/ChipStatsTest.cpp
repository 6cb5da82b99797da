#include "core/chip/ChipStats.h"

#include "core/support/files/File.h"
#include "tests/support/TemporaryFolder.h"

#include "gmock/gmock.h"

using namespace spindle;
using ::testing::HasSubstr;

namespace {

ChipStats twoTiles() {
  ChipStats stats;
  stats.chip = "small";
  stats.mesh = {.columns = 2, .rows = 2};
  stats.samples = 3;
  stats.steps = 4;
  stats.clockMhz = 250.125;
  stats.cycles = UINT64_MAX; // no number passes through a double
  stats.packets = 7;
  stats.spikePackets = 5;
  stats.partialSumPackets = 2;
  stats.deliveries = 11;
  stats.localDeliveries = 1;
  stats.latencyMeanCycles = 1.0 / 3;
  stats.latencyMaxCycles = 9;
  stats.latencyP50Cycles = 1;
  stats.latencyP99Cycles = 8;
  stats.networkLatencyMeanCycles = 1.0 / 7;
  stats.networkLatencyMaxCycles = 6;
  stats.networkLatencyP50Cycles = 2;
  stats.networkLatencyP99Cycles = 5;
  stats.synchronisation = "free";
  stats.steadyCyclesPerSample = 1e3 / 3;
  stats.rowReads = 12;
  stats.lateRowReads = 3;
  stats.latenessMaxCycles = 40;
  stats.traffic = {.fanOutMean = 1.5,
                   .fanOutMax = 3,
                   .flitHops = 11,
                   .hopsMean = 1.25,
                   .flitsPerCycleNode = 0.1,
                   .bufferedFlitsMean = 0.2,
                   .blockedFlitCycles = 17,
                   .isiDistortionMeanCycles = 0.7,
                   .isiDistortionMaxCycles = 9,
                   .isiWorstMeanCycles = 4.5,
                   .isiWorstNeuron = 21,
                   .isiWorstTile = 2,
                   .disorder = 0.125};
  stats.synapticEvents = 30;
  stats.tileSpikes = {1, 0, 2, 0};
  stats.tileSynapticEvents = {10, 20, 0, 0};
  stats.links = {{0, 1, 5, 0.05}, {1, 3, 4, 0.2}, {3, 2, 2, 0.05}};
  stats.energy = {{"hop_x", 7, 0.1, "first"}, {"hop_y", 4, 0.2, "second"}};
  stats.energyTotalPj = 0.1 + 0.2;
  stats.gating = {5, 6, 7, 8, GatingStats::Parts{"flit", 9, 10, 11}};
  stats.tileDynamicPj = {0.05, 0.1, 0, 0.05};
  stats.tileClockPj = {0, 0, 0, 0};
  stats.tileLeakagePj = {0, 0, 0.1, 0};
  stats.energy.push_back({"leakage", 3, 0.1, "third", kEnergyLeakageOn});
  stats.energy[0].pj = 0.05;
  stats.energy[1].pj = 0.15;
  stats.links[0].pj = stats.links[2].pj = 0.025;
  stats.links[1].pj = 0.15;
  stats.tileCelsius = {45, 45.5, 46, 1.0 / 3};
  stats.layers = {{"in", 0.07}, {"out", 0.13}};
  stats.sharedPj = 0.1;
  stats.mostRead = {1, 0, 17, 12, 1e3 / 7};
  return stats;
}

std::string faultOf(const ChipStats &stats) {
  llvm::Error error = verify(stats);
  if (!error)
    return "none";
  EXPECT_EQ(kindOf(error), ErrorKind::Check);
  return toText(std::move(error));
}

TEST(ChipStats, RoundTripKeepsEveryBit) {
  TemporaryFolder folder;
  ASSERT_FALSE(writeChipStats(folder / "chip.json", twoTiles()));
  llvm::Expected<ChipStats> back = readChipStats(folder / "chip.json");
  ASSERT_TRUE(bool(back)) << toText(back.takeError());
  EXPECT_EQ(*back, twoTiles());
}

TEST(ChipStats, TheExampleOfTheDocumentationIsValid) {
  std::string page = llvm::cantFail(readFile("docs/formats/chip-stats.md"));
  size_t begin = page.find("```json\n") + 8;
  TemporaryFolder folder;
  llvm::Expected<ChipStats> stats =
      readChipStats(folder.write("chip.json", page.substr(begin, page.find("```", begin) - begin)));
  ASSERT_TRUE(bool(stats)) << toText(stats.takeError());
}

TEST(ChipStats, TotalsMustAddUp) {
  EXPECT_EQ(faultOf(twoTiles()), "none");
  ChipStats stats = twoTiles();
  stats.packets = 8;
  EXPECT_EQ(faultOf(stats),
            "chip simulation: error: 8 packets, but 5 of spikes and 2 of partial sums");
  stats = twoTiles();
  stats.synapticEvents = 31;
  EXPECT_THAT(faultOf(stats), HasSubstr("31 synaptic events, but the tiles add up to 30"));
  stats = twoTiles();
  stats.tileSpikes.pop_back();
  EXPECT_THAT(faultOf(stats), HasSubstr("figures of 3 and 4 tiles on a mesh of 4"));
  stats = twoTiles();
  stats.energyTotalPj = 0.31;
  EXPECT_THAT(faultOf(stats), HasSubstr("0.31 pJ in total, but the parts add up to 0.3"));
  stats = twoTiles();
  stats.energy[0].pj = -0.1;
  EXPECT_THAT(faultOf(stats), HasSubstr("energy part 'hop_x' is -0.1 pJ"));
  stats = twoTiles();
  stats.samples = 0;
  EXPECT_THAT(faultOf(stats), HasSubstr("0 samples of 4 steps at 250.125 MHz"));
}

/// By tile and kind, by layer, and by link.
TEST(ChipStats, EnergyIsTheSameHoweverItIsDivided) {
  ChipStats stats = twoTiles();
  stats.tileDynamicPj[1] = 0.2;
  EXPECT_THAT(faultOf(stats), HasSubstr("0.30000000000000004 pJ in total, but the tiles add up to "
                                        "0.4"));
  stats = twoTiles();
  std::swap(stats.tileDynamicPj[1], stats.tileLeakagePj[1]);
  EXPECT_THAT(faultOf(stats), HasSubstr("pJ of kind dynamic, but the tiles add up to 0.1"));
  stats = twoTiles();
  stats.tileClockPj.pop_back();
  EXPECT_THAT(faultOf(stats), HasSubstr("clock energies of 3 tiles on a mesh of 4"));
  stats = twoTiles();
  stats.sharedPj = 0;
  EXPECT_THAT(faultOf(stats), HasSubstr("but layers and what they share add up to 0.2"));
  stats = twoTiles();
  stats.links[0].pj = 0;
  EXPECT_THAT(faultOf(stats), HasSubstr("pJ of hops, but the links add up to 0.17"));
  stats = twoTiles();
  stats.tileCelsius.pop_back();
  EXPECT_THAT(faultOf(stats), HasSubstr("temperatures of 3 tiles on a mesh of 4"));
}

TEST(ChipStats, LinksBetweenChipsAreCounted) {
  ChipStats stats = twoTiles();
  uint64_t between = 0;
  stats.mesh.chipColumns = stats.mesh.columns;
  stats.mesh.chipRows = 1;
  for (const LinkLoad &link : stats.links)
    between += stats.mesh.y(link.from) != stats.mesh.y(link.to) ? link.flits : 0;
  stats.energy.push_back({"chip_link", between + 1, 0, "fourth", kEnergyDynamic});
  EXPECT_THAT(faultOf(stats), HasSubstr("energy part 'chip_link' counts"));
  stats.energy.back().events = between;
  EXPECT_EQ(faultOf(stats), "none");
  stats.mesh.chipRows = 0;
  EXPECT_THAT(faultOf(stats), HasSubstr("x0 tiles do not make a mesh of"));
}

TEST(ChipStats, TrafficFitsTheLinks) {
  ChipStats stats = twoTiles();
  stats.traffic.flitHops = 12;
  EXPECT_THAT(faultOf(stats), HasSubstr("12 flit-hops, but the links carry 11"));
  stats = twoTiles();
  stats.networkLatencyP99Cycles = 7;
  EXPECT_THAT(faultOf(stats), HasSubstr("latencies from the injection of 2 cycles at half of the "
                                        "packets, 7 at 99 %, 6 at most, and 9 at most in all"));
  stats = twoTiles();
  stats.traffic.disorder = 1.5;
  EXPECT_THAT(faultOf(stats), HasSubstr("a disorder of 1.5, expected 0 to 1"));
  stats = twoTiles();
  stats.lateRowReads = 13;
  EXPECT_THAT(faultOf(stats), HasSubstr("13 late row reads of 12"));
}

TEST(ChipStats, LatenciesBelongToPackets) {
  ChipStats stats = twoTiles();
  stats.latencyMeanCycles = 10;
  EXPECT_THAT(faultOf(stats),
              HasSubstr("a mean latency of 10 and a maximum of 9 cycles over 7 packets"));
  stats.packets = stats.spikePackets = stats.partialSumPackets = 0;
  EXPECT_THAT(faultOf(stats), HasSubstr("over 0 packets"));
  stats = twoTiles();
  stats.deliveries = 6;
  EXPECT_THAT(faultOf(stats), HasSubstr("7 packets, but 6 deliveries"));
  stats = twoTiles();
  stats.latencyP99Cycles = 10;
  EXPECT_THAT(faultOf(stats),
              HasSubstr("latencies of 1 cycles at half of the packets, 10 at 99 %, 9 at most"));
  stats = twoTiles();
  stats.networkLatencyMeanCycles = 2;
  EXPECT_THAT(faultOf(stats), HasSubstr("2 on average from the injection"));
}

TEST(ChipStats, ATorusHasLinksBetweenItsEnds) {
  ChipStats stats = twoTiles();
  stats.mesh = {.columns = 4, .rows = 1};
  stats.links = {{0, 3, 11, 0.2}};
  stats.energy[0].events = 11;
  stats.energy[1].events = 0;
  EXPECT_THAT(faultOf(stats), HasSubstr("link 0 -> 3 does not join neighbours"));
  stats.mesh.topology = Topology::Torus;
  EXPECT_EQ(faultOf(stats), "none");
  TemporaryFolder folder;
  ASSERT_FALSE(writeChipStats(folder / "chip.json", stats));
  EXPECT_EQ(llvm::cantFail(readChipStats(folder / "chip.json")), stats);
}

TEST(ChipStats, LinksJoinNeighboursInOrder) {
  ChipStats stats = twoTiles();
  stats.links[1] = {1, 2, 4};
  EXPECT_THAT(faultOf(stats), HasSubstr("link 1 -> 2 does not join neighbours"));
  stats = twoTiles();
  stats.links[2] = {3, 4, 2};
  EXPECT_THAT(faultOf(stats), HasSubstr("link 3 -> 4 does not join neighbours"));
  stats = twoTiles();
  stats.links[2].flits = 0;
  EXPECT_THAT(faultOf(stats), HasSubstr("link 3 -> 2 carries nothing"));
  stats = twoTiles();
  std::swap(stats.links[0], stats.links[1]);
  EXPECT_THAT(faultOf(stats), HasSubstr("the links do not ascend at 0 -> 1"));
  stats = twoTiles();
  stats.links[0].flits = 6;
  EXPECT_THAT(faultOf(stats), HasSubstr("energy part 'hop_x' counts 7 hops, the links carry 8 "
                                        "along x and 4 along y"));
}

TEST(ChipStats, WrongFilesAreRefusedAtTheirPath) {
  TemporaryFolder folder;
  std::string path = folder / "chip.json";
  ASSERT_FALSE(writeChipStats(path, twoTiles()));
  Json json = llvm::cantFail(readJson(path));
  auto errorWith = [&](const char *key, const Json &value) {
    Json changed = json;
    changed[key] = value;
    llvm::cantFail(writeJson(path, changed));
    llvm::Error error = readChipStats(path).takeError();
    EXPECT_EQ(kindOf(error), ErrorKind::Input);
    return toText(std::move(error));
  };
  EXPECT_EQ(errorWith("format", "spindle-sdf"), path + ": error: not a spindle-chip-stats file");
  EXPECT_THAT(errorWith("version", 5), HasSubstr("version 5 of spindle-chip-stats, expected"));
  EXPECT_THAT(errorWith("cycles", -1), HasSubstr("cycles is -1, expected a whole number"));
  EXPECT_THAT(errorWith("links", "none"), HasSubstr(path + ": error: not a valid file"));
  EXPECT_EQ(errorWith("packets", 8), path + ": error: not valid chip statistics: 8 packets, but 5 "
                                            "of spikes and 2 of partial sums");
}

} // namespace
