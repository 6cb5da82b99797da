#include "sim/model/energy/EnergyAccount.h"

#include "core/chip/routing/GatedParts.h"

#include "fmt/format.h"

#include <iterator>

namespace spindle {

EventCounts &EventCounts::operator+=(const EventCounts &other) {
  constexpr uint64_t EventCounts::*members[] = {
      &EventCounts::hopsX,           &EventCounts::hopsY,          &EventCounts::axonsOut,
      &EventCounts::axonsIn,         &EventCounts::partialSums,    &EventCounts::neuronUpdates,
      &EventCounts::neuronAccesses,  &EventCounts::neuronSpikes,   &EventCounts::tileSteps,
      &EventCounts::tileCycles,      &EventCounts::routerOnCycles, &EventCounts::routerGatedCycles,
      &EventCounts::routerWakes,     &EventCounts::chipLinks,      &EventCounts::partOnCycles,
      &EventCounts::partGatedCycles, &EventCounts::partWakes};
  static_assert(sizeof(EventCounts) ==
                sizeof(uint64_t) * std::size(members) + sizeof(synapticEvents));
  synapticEvents += other.synapticEvents;
  for (auto member : members)
    this->*member += other.*member;
  return *this;
}

double pjOf(const std::vector<EnergyPart> &parts, const std::string &kind) {
  double sum = 0;
  for (const EnergyPart &part : parts)
    sum += kind.empty() || part.kind == kind ? part.pj : 0;
  return sum;
}

std::vector<EnergyPart> priceEvents(const EventCounts &counts, const Chip &chip) {
  const EnergyTable &table = chip.energy;
  double nsPerCycle = 1e3 / chip.clockMhz.value; // 1 mW · 1 ns = 1 pJ
  struct Line {
    std::string name;
    uint64_t events;
    const Sourced &price;
    double unit;
    const char *kind = kEnergyDynamic;
  };
  const uint32_t parts = gatedParts(chip.router);
  const double part = parts == 0 ? 0 : gatedShare(chip) / parts; // of a router
  const double rest = 1 - gatedShare(chip);
  uint64_t sharedSynapses = 0; // without a price of their kind
  std::vector<Line> kinds;
  for (SynapseKind kind : kSynapseKinds) {
    const Sourced &own = table.synapseKindPj[size_t(kind)];
    if (own.source.empty())
      sharedSynapses += counts.synapticEvents[kind];
    else
      kinds.push_back({fmt::format("{}_synapse", kSynapseKindNames[size_t(kind)]),
                       counts.synapticEvents[kind], own, 1});
  }
  const Line lines[] = {
      {"hop_x", counts.hopsX, table.hopXPj, 1},
      {"hop_y", counts.hopsY, table.hopYPj, 1},
      {"axon_out", counts.axonsOut, table.axonOutPj, 1},
      {"axon_in", counts.axonsIn, table.axonInPj, 1},
      {"synapse", sharedSynapses, table.synapsePj, 1},
      {"partial_sum", counts.partialSums, table.partialSumPj, 1},
      {"neuron_update", counts.neuronUpdates, table.neuronUpdatePj, 1},
      {"neuron_spike", counts.neuronSpikes, table.neuronSpikePj, 1},
      {"step_barrier", counts.tileSteps, table.stepBarrierPj, 1},
      {"leakage", counts.tileCycles, table.leakageTileMw, nsPerCycle, kEnergyLeakageOn},
  };
  const Line others[] = {
      {"clock", counts.tileCycles, table.clockTileMw, nsPerCycle, kEnergyClock},
      {"neuron_access", counts.neuronAccesses, table.neuronAccessPj, 1},
      {"chip_link", counts.chipLinks, table.chipLinkPj, 1},
      {"leakage_router", counts.routerOnCycles, table.leakageRouterMw, nsPerCycle * rest,
       kEnergyLeakageOn},
      {"leakage_gated_router", counts.routerGatedCycles, table.leakageGatedRouterMw,
       nsPerCycle * rest, kEnergyLeakageGated},
      {"router_wake", counts.routerWakes, table.routerWakePj, rest},
  };
  const Line ofParts[] = {
      {"leakage_port", counts.partOnCycles, table.leakageRouterMw, nsPerCycle * part,
       kEnergyLeakageOn},
      {"leakage_gated_port", counts.partGatedCycles, table.leakageGatedRouterMw, nsPerCycle * part,
       kEnergyLeakageGated},
      {"port_wake", counts.partWakes, table.routerWakePj, part},
  };
  std::vector<EnergyPart> energies;
  auto add = [&](const Line &line) {
    energies.push_back(
        {line.name, line.events, double(line.events) * line.price.value * line.unit,
         line.price.source.empty() ? "not priced by the chip file" : line.price.source, line.kind});
  };
  for (const Line &line : lines)
    add(line);
  for (const Line &line : kinds)
    add(line);
  for (const Line &line : others)
    if (!line.price.source.empty())
      add(line);
  for (const Line &line : ofParts)
    if (parts > 0 && !line.price.source.empty())
      add(line);
  return energies;
}

} // namespace spindle
