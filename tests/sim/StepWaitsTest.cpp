// What the slots of a simulation wait for, on chips where it is plain.
#include "sim/model/ChipSimulation.h"

#include "tests/sim/ChipCase.h"

#include "gmock/gmock.h"

namespace spindle {
namespace {

using Waits = std::vector<WaitCount>;

ChipStats simulated(const ChipCase &given) {
  return llvm::cantFail(
      simulateChip(given.clustering, given.mapping, given.trace, given.chip, {.samples = 100}));
}

/// Tiles 0 … 3 in a row, a cluster of ten neurons on each; every neuron of 0 and 1 is heard in 2
/// (even ones) or 3 (odd ones).
ChipCase fourInARow(double rowReadCycles) {
  Chip chip = ChipCase::pricedChip({4, 1});
  chip.latency.rowReadCycles.value = rowReadCycles;
  ChipCase made(chip, 0, 40, 4, 3);
  for (NeuronId n = 0; n < 40; ++n)
    made.clustering.units.push_back({n, n / 10, kNone});
  for (NeuronId n = 0; n < 20; ++n)
    made.clustering.clusters[2 + n % 2].axons.push_back({n, 1, 0});
  for (TileId tile = 0; tile < 4; ++tile)
    made.mapping.placements.push_back({tile, 0});
  return made;
}

TEST(StepWaits, ColumnsWhereNothingSpikes) {
  ChipCase given = fourInARow(10);
  given.complete();
  EXPECT_EQ(simulated(given).waits, (Waits{{"columns", 3}}));
}

/// Ten neurons spike in the step in the middle: five rows of ten cycles in tile 2.
TEST(StepWaits, CrossbarsThatReadSlowly) {
  ChipCase given = fourInARow(10);
  for (NeuronId n = 0; n < 10; ++n)
    given.spike(0, 1, n);
  given.complete();
  EXPECT_EQ(simulated(given).waits, (Waits{{"columns", 2}, {"crossbar", 1}}));
}

/// Twenty packets over the link from tile 1 to 2, ten from each tile and ten to each.
TEST(StepWaits, LinksThatAllCross) {
  ChipCase given = fourInARow(1);
  for (NeuronId n = 0; n < 20; ++n)
    given.spike(0, 2, n);
  given.complete();
  EXPECT_EQ(simulated(given).waits, (Waits{{"columns", 2}, {"link", 1}}));
}

/// Ten packets out of tile 1 to both sides of it: none of the links has more than half.
TEST(StepWaits, PortsOfATile) {
  ChipCase given = fourInARow(1);
  given.chip.router.linkIntervalCycles = 2;
  for (uint32_t c = 0; c < 4; ++c)
    given.clustering.clusters[c].axons.clear();
  for (NeuronId n = 10; n < 20; ++n)
    given.clustering.clusters[n % 2 == 0 ? 0 : 2].axons.push_back({n, 1, 0});
  for (NeuronId n = 10; n < 20; ++n)
    given.spike(0, 0, n);
  given.complete();
  EXPECT_EQ(simulated(given).waits, (Waits{{"columns", 2}, {"port", 1}}));
}

TEST(StepWaits, EverySlotWaitsForOnePart) {
  for (uint64_t seed = 1; seed <= 20; ++seed) {
    ChipCase given = ChipCase::random(seed, {3, 3}, 2, 6);
    for (Synchronisation kind : {Synchronisation::Barrier, Synchronisation::Pipeline}) {
      given.chip.synchronisation = kind;
      ChipStats stats = simulated(given);
      uint64_t slots = 0;
      for (const WaitCount &wait : stats.waits)
        slots += wait.slots;
      uint64_t turns = uint64_t(stats.samples) * stats.steps;
      if (kind == Synchronisation::Barrier)
        EXPECT_EQ(slots, turns) << seed;
      else
        EXPECT_GE(slots, turns) << seed; // and those in which the layers fill
    }
  }
}

/// The chip waits for its clock.
TEST(StepWaits, NoneOnAFreeRunningChip) {
  ChipCase given = fourInARow(1);
  given.chip.synchronisation = Synchronisation::Free;
  given.chip.stepUs = {1, "step"};
  given.complete();
  EXPECT_THAT(simulated(given).waits, ::testing::IsEmpty());
}

} // namespace
} // namespace spindle
