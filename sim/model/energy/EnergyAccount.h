// Energy = events × price, part by part.
#pragma once

#include "core/chip/Chip.h"
#include "core/chip/ChipStats.h"

namespace spindle {

/// What happened on the chip, counted by the simulation.
struct EventCounts {
  uint64_t hopsX = 0, hopsY = 0; // flits × links
  uint64_t chipLinks = 0;        // of those, between chips
  uint64_t axonsOut = 0;         // packets made in a tile; the host's are not
  uint64_t axonsIn = 0;          // packets received by a tile
  SynapsesByKind<uint64_t> synapticEvents;
  uint64_t partialSums = 0; // added to a column of another crossbar
  uint64_t neuronUpdates = 0;
  uint64_t neuronAccesses = 0;
  uint64_t neuronSpikes = 0;
  uint64_t tileSteps = 0;         // tiles in use × steps
  uint64_t tileCycles = 0;        // tiles in use × cycles
  uint64_t routerOnCycles = 0;    // of routers that carry packets …
  uint64_t routerGatedCycles = 0; // … while they are switched off
  uint64_t routerWakes = 0;
  /// Of the parts that sleep by themselves, of routers that carry packets.
  uint64_t partOnCycles = 0, partGatedCycles = 0, partWakes = 0;
  EventCounts &operator+=(const EventCounts &other);
  bool operator==(const EventCounts &) const = default;
};

/// One part for each kind of event, unpriced ones at zero: hop_x, hop_y, axon_out, axon_in,
/// synapse, partial_sum, neuron_update, neuron_spike, step_barrier, leakage (events: tile cycles);
/// where they are priced, those of a kind of synapses (`dense_synapse`), which are not among the
/// others then, clock, neuron_access, chip_link, leakage_router and leakage_gated_router (router
/// cycles), router_wake; where parts of routers sleep by themselves (cycles of parts, which those
/// of routers are without then) leakage_port, leakage_gated_port, port_wake.
std::vector<EnergyPart> priceEvents(const EventCounts &counts, const Chip &chip);

/// Energies of one kind among parts, "" for all: in their order.
double pjOf(const std::vector<EnergyPart> &parts, const std::string &kind);

} // namespace spindle
