// A circuit in the place of a crossbar, by hand: what it is told, and when its packets travel.
#include "sim/model/ChipSimulation.h"

#include "tests/sim/ChipCase.h"

#include "gmock/gmock.h"

using namespace spindle;
using ::testing::ElementsAre;
using ::testing::HasSubstr;

namespace {

/// Neuron 0 is the host's; 1 and 2 are a layer that a circuit computes at tile 0, 3 is the next one
/// in a crossbar at tile 5, three hops away. In step 0 neurons 0 and 2 spike.
struct CircuitCase {
  explicit CircuitCase(Synchronisation synchronisation)
      : given(ChipCase::pricedChip({3, 2}), 1, 3, 2, 2) {
    given.trace.populations = {{"in", PopulationKind::Input, {1}, 0, 1},
                               {"one", PopulationKind::Neuron, {2}, 1, 2},
                               {"two", PopulationKind::Neuron, {1}, 3, 1}};
    given.clustering.units = {{1, 0, kNone}, {2, 0, kNone}, {3, 1, kNone}};
    given.clustering.clusters[0].axons = {{0, 2, 0}};
    given.clustering.clusters[1].axons = {{2, 1, 0}};
    given.mapping.placements = {{0, 0}, {5, 0}};
    given.chip.synchronisation = synchronisation;
    given.spike(0, 0, 0);
    given.spike(0, 0, 2);
    given.complete();
    circuit.layer = "one";
    circuit.first = 1;
    circuit.steps = {{.cycles = 9, .circuitCycles = 5, .spikes = 1, .packets = {{2, 5, 7}}},
                     {.cycles = 4, .circuitCycles = 3, .spikes = 0, .packets = {}}};
  }

  llvm::Expected<ChipStats> simulate() {
    return simulateChip(given.clustering, given.mapping, given.trace, given.chip, {}, {},
                        {.circuits = circuit});
  }
  std::string error() {
    llvm::Expected<ChipStats> stats = simulate();
    return stats ? "" : toText(stats.takeError());
  }

  ChipCase given;
  CircuitTile circuit;
};

/// Slot 0: the host's spike is taken in cycle 0. Slot 1, from 1: its packet is made 7 cycles later,
/// there after 14, read in 10. Slot 2: a step without spikes, 4. Slot 3: a column of the last
/// layer.
TEST(CircuitTile, PacketsLeaveInTheCyclesOfTheCircuit) {
  CircuitCase one(Synchronisation::Pipeline);
  llvm::Expected<ChipStats> stats = one.simulate();
  ASSERT_TRUE(bool(stats)) << toText(stats.takeError());
  EXPECT_EQ(stats->cycles, 1u + (7 + 14 + 10) + 4 + 1);
  EXPECT_EQ(stats->rowReads, 1u); // of the crossbar alone
  EXPECT_THAT(one.circuit.begins, ElementsAre(1u, 32u));
  EXPECT_THAT(one.circuit.slots, ElementsAre(1u, 2u));
  EXPECT_THAT(one.circuit.arrivals, ElementsAre(CircuitArrival{0, 0, 0}));
  ASSERT_EQ(stats->circuits.size(), 1u);
  EXPECT_EQ(stats->circuits[0], (CircuitStats{0, "one", 1, 1, {9, 4}, {5, 3}}));
}

/// Layers are a slot behind each other with barriers, too.
TEST(CircuitTile, ABarrierIsAddedToEverySlot) {
  CircuitCase one(Synchronisation::Barrier);
  llvm::Expected<ChipStats> stats = one.simulate();
  ASSERT_TRUE(bool(stats)) << toText(stats.takeError());
  EXPECT_EQ(stats->cycles, 1u + (7 + 14 + 10) + 4 + 1 + 4 * 100);
  EXPECT_THAT(one.circuit.begins, ElementsAre(101u, 232u));
}

/// A circuit that is slow holds up its slot.
TEST(CircuitTile, TheChipWaitsForTheCircuit) {
  CircuitCase one(Synchronisation::Pipeline);
  one.circuit.steps[0].cycles = 500;
  llvm::Expected<ChipStats> stats = one.simulate();
  ASSERT_TRUE(bool(stats)) << toText(stats.takeError());
  EXPECT_EQ(stats->cycles, 1u + 500 + 4 + 1);
}

TEST(CircuitTile, WhatDoesNotFitIsRefused) {
  CircuitCase other(Synchronisation::Pipeline);
  other.circuit.steps[0].packets[0].target = 4;
  EXPECT_THAT(other.error(), HasSubstr("the circuit of layer 'one' does not send the packet of "
                                       "neuron 2 to tile 5"));
  CircuitCase few(Synchronisation::Pipeline);
  few.circuit.steps.pop_back();
  EXPECT_THAT(few.error(), HasSubstr("the circuit of layer 'one' has 1 steps, expected more"));
  CircuitCase free(Synchronisation::Free);
  free.given.chip.stepUs = {1, "test"};
  EXPECT_THAT(free.error(), HasSubstr("synchronisation is free, and a circuit in a tile has to be "
                                      "told when a step ends; use barrier or pipeline"));
  CircuitCase tree(Synchronisation::Pipeline);
  tree.given.chip.router.multicast = Multicast::Tree;
  EXPECT_THAT(tree.error(), HasSubstr("multicast is on, and a circuit in a tile sends a packet to "
                                      "each target; use multicast: unicast"));
  CircuitCase flits(Synchronisation::Pipeline);
  flits.given.chip.router.spikePacketFlits = 2;
  EXPECT_THAT(flits.error(), HasSubstr("a spike is a packet of 2 flits"));
}

} // namespace
