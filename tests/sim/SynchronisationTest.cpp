// When steps begin and end, by hand: with a barrier, in a pipeline, by the clock.
#include "sim/model/ChipSimulation.h"

#include "core/support/formats/Yaml.h"
#include "sim/model/SlotSchedule.h"
#include "tests/sim/ChipCase.h"
#include "tests/sim/EnergyEvents.h"

#include "gmock/gmock.h"

using namespace spindle;
using ::testing::ElementsAre;

namespace {

/// Neuron 0 is the host's; 1 and 2 are a layer in cluster 0 at tile 0, 3 is the next layer in
/// cluster 1 at tile 5, three hops away. In step 0 neurons 0 and 2 spike.
ChipCase twoLayers(Synchronisation synchronisation, uint32_t samples = 1) {
  ChipCase made(ChipCase::pricedChip({3, 2}), 1, 3, 2, 2);
  made.trace.populations = {{"in", PopulationKind::Input, {1}, 0, 1},
                            {"one", PopulationKind::Neuron, {2}, 1, 2},
                            {"two", PopulationKind::Neuron, {1}, 3, 1}};
  made.clustering.units = {{1, 0, kNone}, {2, 0, kNone}, {3, 1, kNone}};
  made.clustering.clusters[0].axons = {{0, 2, 0}};
  made.clustering.clusters[1].axons = {{2, 1, 0}};
  made.mapping.placements = {{0, 0}, {5, 0}};
  made.chip.synchronisation = synchronisation;
  made.trace.recorded.resize(samples);
  for (uint32_t sample = 0; sample < samples; ++sample) {
    made.spike(sample, 0, 0);
    made.spike(sample, 0, 2);
  }
  made.complete();
  return made;
}

ChipStats simulated(const ChipCase &given, PacketLog *log = nullptr) {
  return llvm::cantFail(
      simulateChip(given.clustering, given.mapping, given.trace, given.chip, {}, {}, {.log = log}));
}

TEST(Synchronisation, ABarrierCostsMoreTheMoreTilesAreInUse) {
  ChipCase given = twoLayers(Synchronisation::Barrier);
  given.chip.latency.stepBarrierTileCycles = {7, "tree"};
  ChipStats stats = simulated(given);
  // As ChipSimulation.OneSpikeAcrossTheMesh, two tiles.
  EXPECT_EQ(stats.cycles, 2u + 14 + 10 + 2 + 2 * (100 + 2 * 7));
  EXPECT_EQ(stats.steadyCyclesPerSample, double(stats.cycles));
  EXPECT_EQ(stats.synchronisation, "barrier");
}

TEST(Synchronisation, LayersOfAPipelineAreOneSlotBehindEachOther) {
  ChipCase given = twoLayers(Synchronisation::Pipeline);
  PacketLog log;
  ChipStats stats = simulated(given, &log);
  // Slot 0: the host's row is read until 10. Slot 1: the spike of step 0 leaves in 10 + 2, is there
  // 14 later and read in 10. Then two slots of two columns: the network is two layers deep.
  EXPECT_EQ(stats.cycles, 10u + (2 + 14 + 10) + 2 + 2);
  EXPECT_EQ(stats.steadyCyclesPerSample, 0); // two steps do not fill it
  EXPECT_EQ(eventsOf(stats, "neuron_update"), 3u * 2);
  EXPECT_EQ(eventsOf(stats, "step_barrier"), 0u);
  ASSERT_EQ(log.packets.origins.size(), 1u);
  EXPECT_EQ(log.packets.origins[0], (PacketOrigin{2, 0, 0, PacketKind::Spike}));
  EXPECT_EQ(log.packets.packets[0].madeCycle, 12u);
}

/// The second sample follows without a gap: slots 2 and 3 hold its host's spike and the layer's.
TEST(Synchronisation, SamplesOverlapInAPipeline) {
  ChipStats stats = simulated(twoLayers(Synchronisation::Pipeline, 2));
  EXPECT_EQ(stats.cycles, 2 * (10u + 26) + 2 + 2);
  EXPECT_EQ(stats.steadyCyclesPerSample, 10 + 26); // slots 2 and 3 of six
  EXPECT_EQ(eventsOf(stats, "neuron_update"), 3u * 2 * 2);
}

TEST(Synchronisation, AFreeRunningChipCountsWhatIsLate) {
  ChipCase given = twoLayers(Synchronisation::Free);
  given.chip.stepUs = {0.1, "assumption"}; // 50 cycles of 2 ns
  ChipStats stats = simulated(given);
  EXPECT_EQ(stats.cycles, 4u * 50);
  EXPECT_EQ(stats.rowReads, 2u);
  EXPECT_EQ(stats.lateRowReads, 0u);
  // Twelve cycles: the spike of slot 1 is read until 12 + 2 + 14 + 10, which is due by 24.
  given.chip.stepUs.value = 0.024;
  stats = simulated(given);
  EXPECT_EQ(stats.cycles, 4u * 12);
  EXPECT_EQ(stats.lateRowReads, 1u);
  EXPECT_EQ(stats.latenessMaxCycles, 38u - 24);
  // Of one sample with one step the last work comes after the last slot.
  given.trace.steps = given.clustering.steps = 1;
  EXPECT_EQ(simulated(given).cycles, 38u);
}

TEST(Synchronisation, AStepTooShortForTheColumnsIsRefused) {
  ChipCase given = twoLayers(Synchronisation::Free);
  given.chip.path = "chip.yaml";
  given.chip.stepUs = {0.002, "assumption"};
  EXPECT_EQ(
      toText(
          simulateChip(given.clustering, given.mapping, given.trace, given.chip, {}).takeError()),
      "chip.yaml: error: the columns of a crossbar are updated in 2 cycles, but a step of "
      "0.002 µs has 1; set step_us to 0.004 or more");
}

TEST(Synchronisation, DepthsAreLongestWaysThroughTheLayers) {
  ChipCase given = twoLayers(Synchronisation::Pipeline);
  EXPECT_THAT(layerDepths(given.clustering, given.trace.populations), ElementsAre(0, 1, 2));
  // A layer that hears the host as well stays behind the other one; what it tells itself or earlier
  // layers comes a step later in any case.
  given.clustering.clusters[1].axons = {{0, 1, 0}, {2, 1, 0}, {3, 1, 0}};
  given.clustering.clusters[0].axons = {{0, 2, 0}, {3, 1, 0}};
  EXPECT_THAT(layerDepths(given.clustering, given.trace.populations), ElementsAre(0, 1, 2));
}

/// Whatever the synchronisation, the same spikes are sent and received.
TEST(Synchronisation, EventsAreTheSame) {
  for (uint64_t seed = 0; seed < 4; ++seed) {
    ChipCase given = ChipCase::random(seed, {4, 4}, 2, 12);
    ChipStats barrier = simulated(given);
    for (Synchronisation other : {Synchronisation::Pipeline, Synchronisation::Free}) {
      given.chip.synchronisation = other;
      given.chip.stepUs = {1, "assumption"};
      ChipStats stats = simulated(given);
      EXPECT_EQ(stats.spikePackets, barrier.spikePackets);
      EXPECT_EQ(stats.synapticEvents, barrier.synapticEvents);
      EXPECT_EQ(stats.tileSpikes, barrier.tileSpikes);
      EXPECT_EQ(eventsOf(stats, "neuron_update"), eventsOf(barrier, "neuron_update"));
    }
  }
}

} // namespace
