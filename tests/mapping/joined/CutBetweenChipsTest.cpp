#include "lib/mapping/joined/CutBetweenChips.h"

#include "core/chip/RouterTiming.h"
#include "lib/mapping/Map.h"
#include "tests/mapping/RandomClustering.h"

#include "gmock/gmock.h"

#include <cmath>
#include <map>
#include <set>

namespace spindle {
namespace {

/// `columns` x `rows` chips of so many tiles, with links of 100 cycles.
Chip joinedChip(uint32_t columns, uint32_t rows, uint32_t side, uint32_t crossbarsPerTile = 1) {
  Chip chip = meshChip(columns * side, rows * side, crossbarsPerTile);
  chip.mesh.chipColumns = chip.mesh.chipRows = side;
  chip.router.chipLink = ChipLink{100, 1};
  return chip;
}

/// Groups of clusters that talk much among themselves, and a little to the group after; numbered
/// in turn, so that neighbours in number are of different groups.
Clustering groups(uint32_t groups, uint32_t size) {
  Clustering clustering = randomClustering(1, groups * size, 0);
  clustering.links.clear();
  clustering.cutSpikes = 0;
  for (ClusterId from = 0; from < groups * size; ++from)
    for (ClusterId to = 0; to < groups * size; ++to) {
      bool isSame = from % groups == to % groups;
      bool isNext = from / groups == to / groups && (from + 1) % groups == to % groups;
      if (from != to && (isSame || isNext))
        clustering.links.push_back({from, to, isSame ? 50u : 3u, 0});
    }
  for (const ClusterLink &link : clustering.links)
    clustering.cutSpikes += link.spikes;
  return clustering;
}

uint64_t packetsBetweenChips(const Clustering &clustering, const Mapping &mapping) {
  uint64_t packets = 0;
  for (const ClusterLink &link : clustering.links)
    if (link.from != kNone)
      packets += (link.spikes + link.partialSums) *
                 mapping.mesh.crossings(mapping.placements[link.from].tile,
                                        mapping.placements[link.to].tile);
  return packets;
}

TEST(CutBetweenChips, GroupsStayTogether) {
  Chip chip = joinedChip(2, 2, 3);
  Clustering clustering = groups(4, 9);
  PlacementProblem problem =
      llvm::cantFail(placementProblem(clustering, chip, PlacementObjective::SpikeHops));
  EXPECT_EQ(problem.hopX, 100);
  EXPECT_EQ(problem.chipLink, std::llround(100 * (hopsPerChipLink(chip) - 1)));
  std::vector<uint32_t> chips = llvm::cantFail(cutBetweenChips(problem, {}));
  std::set<uint32_t> used;
  for (uint32_t group = 0; group < 4; ++group)
    for (uint32_t member = 1; member < 9; ++member)
      EXPECT_EQ(chips[group], chips[member * 4 + group]);
  for (uint32_t group = 0; group < 4; ++group)
    used.insert(chips[group]);
  EXPECT_EQ(used.size(), 4u);
  // And in the end each pair of groups that talk lies on neighbours: a ring of four.
  Mapping mapping = llvm::cantFail(map(clustering, chip, {}));
  for (uint32_t group = 0; group < 4; ++group) {
    std::set<uint32_t> chipsOfGroup;
    for (uint32_t member = 0; member < 9; ++member)
      chipsOfGroup.insert(mapping.mesh.chipOf(mapping.placements[member * 4 + group].tile));
    EXPECT_EQ(chipsOfGroup.size(), 1u) << group;
  }
  EXPECT_EQ(packetsBetweenChips(clustering, mapping), 4u * 9 * 3);
}

/// No chip gets more than it holds, also where parts fill it to the last crossbar, and as few
/// chips are taken as can be.
TEST(CutBetweenChips, PartsFit) {
  for (uint64_t seed = 0; seed < 60; ++seed) {
    CounterRandom random(seed, 3);
    uint32_t perTile = 1 + random.below(3), side = 1 + random.below(4);
    Chip chip = joinedChip(1 + random.below(4), 1 + random.below(4), side, perTile);
    uint32_t room = side * side * perTile, chips = chip.mesh.tiles() / (side * side);
    uint32_t clusters = seed % 3 == 0 ? room * chips : 1 + random.below(room * chips);
    Clustering clustering = randomClustering(seed, clusters, 5);
    PlacementProblem problem =
        llvm::cantFail(placementProblem(clustering, chip, PlacementObjective::SpikeHops));
    std::vector<uint32_t> found = llvm::cantFail(cutBetweenChips(problem, {}));
    ASSERT_EQ(found.size(), clusters);
    std::map<uint32_t, uint32_t> sizes;
    for (uint32_t c : found)
      ++sizes[c];
    EXPECT_LE(sizes.size(), (clusters + room - 1) / room);
    for (auto [c, size] : sizes) {
      EXPECT_LT(c, chips);
      EXPECT_LE(size, room);
    }
    MappingOptions options;
    options.moves = 20'000;
    Mapping mapping = llvm::cantFail(map(clustering, chip, options)); // which verifies it
    EXPECT_EQ(mapping.mesh, chip.mesh);
  }
}

TEST(CutBetweenChips, OneChipIsNotCut) {
  Clustering clustering = groups(2, 3);
  PlacementProblem problem =
      llvm::cantFail(placementProblem(clustering, meshChip(3, 2), PlacementObjective::SpikeHops));
  EXPECT_EQ(problem.chipLink, 0);
  EXPECT_TRUE(llvm::cantFail(cutBetweenChips(problem, {})).empty());
}

/// Where faults leave a chip less room than the others need, all begin anywhere.
TEST(CutBetweenChips, FaultsAreLeftOut) {
  Chip chip = joinedChip(2, 1, 2);
  chip.crossbarFaults = {{0, 0, {}, {}, {}}, {1, 0, {}, {}, {}}};
  for (uint32_t clusters : {4u, 6u}) {
    Clustering clustering = randomClustering(clusters, clusters, 3);
    PlacementProblem problem =
        llvm::cantFail(placementProblem(clustering, chip, PlacementObjective::SpikeHops));
    EXPECT_EQ(llvm::cantFail(cutBetweenChips(problem, {})).empty(), clusters == 6);
    Mapping mapping = llvm::cantFail(map(clustering, chip, {}));
    for (const Placement &placement : mapping.placements)
      EXPECT_GT(placement.tile, 1u);
  }
}

/// Lines that are lost count, too: no cluster is promised a crossbar that does not hold it.
TEST(CutBetweenChips, CrossbarsWithoutRoomAreNone) {
  Chip chip = joinedChip(2, 1, 2);
  for (TileId tile : {0u, 1u})
    chip.crossbarFaults.push_back({tile, 0, {}, {}, {}});
  for (CrossbarFault &fault : chip.crossbarFaults)
    for (uint32_t column = 0; column < chip.crossbar.columns; ++column)
      if (column > 0 || fault.tile == 0)
        fault.columns.push_back(column); // tile 1 keeps one column
  Clustering one = randomClustering(1, 6, 3), wide = one;
  wide.columns = 2;
  auto isEmpty = [&](const Clustering &clustering, uint32_t columns) {
    Clustering changed = clustering;
    for (Cluster &cluster : changed.clusters)
      cluster.units = columns;
    PlacementProblem problem =
        llvm::cantFail(placementProblem(changed, chip, PlacementObjective::SpikeHops));
    return llvm::cantFail(cutBetweenChips(problem, {})).empty();
  };
  EXPECT_FALSE(isEmpty(one, 1));
  EXPECT_TRUE(isEmpty(wide, 2));
}

/// Of the random placement, whose mesh is not cut, far less crosses.
TEST(CutBetweenChips, LessCrossesThanAtRandom) {
  Chip chip = joinedChip(3, 3, 4);
  Clustering clustering = groups(8, 16);
  MappingOptions random;
  random.algorithm = PlacementAlgorithm::Random;
  uint64_t cut = packetsBetweenChips(clustering, llvm::cantFail(map(clustering, chip, {})));
  uint64_t drawn = packetsBetweenChips(clustering, llvm::cantFail(map(clustering, chip, random)));
  EXPECT_LT(cut * 20, drawn);
}

} // namespace
} // namespace spindle
