#include "lib/frontend/sanafe/ExportArchitecture.h"

#include "core/chip/RouterTiming.h"

#include "fmt/format.h"

#include <set>

namespace spindle::sanafe {

namespace {

/// Energy and time of an event.
struct Cost {
  double joules = 0, seconds = 0;
};

class Writer {
public:
  Writer(const Chip &target, const ExtraUnits &units)
      : chip(target), extra(units), cycle(1e-6 / target.clockMhz.value) {}

  std::string text(const Mapping &mapping);

private:
  Cost cost(const Sourced &pj, const Sourced &cycles) const {
    return {pj.value * 1e-12, cycles.value * cycle};
  }
  void line(int indent, const std::string &words) {
    out += std::string(2 * static_cast<size_t>(indent), ' ') + words + "\n";
  }
  void unit(const std::string &section, const std::string &name, const std::string &attributes) {
    line(5, section + ":");
    line(6, fmt::format("- name: {}", name));
    line(7, fmt::format("attributes: {{{}}}", attributes));
  }
  void soma(const std::string &name, const char *model, Cost access, Cost update, Cost spike);
  void addTile(const std::string &name, bool hasHost, const uint32_t *replayed);
  void addCore(const std::string &name, uint32_t replayed);
  void addHost();
  void addUnits(Cost axonIn, Cost synapse);
  void addSynapses(const std::string &name, Cost cost);
  void addAxonOut(Cost axonOut);
  std::string barrier(const Mapping &mapping) const;

  const Chip &chip;
  const ExtraUnits &extra;
  double cycle; // in seconds
  std::string out;
};

void Writer::soma(const std::string &name, const char *model, Cost access, Cost update,
                  Cost spike) {
  line(6, fmt::format("- name: {}", name));
  line(7, "attributes:");
  line(8, fmt::format("model: {}", model));
  for (auto [event, price] :
       {std::pair{"access_neuron", access}, {"update_neuron", update}, {"spike_out", spike}}) {
    line(8, fmt::format("energy_{}: {}", event, digits(price.joules)));
    line(8, fmt::format("latency_{}: {}", event, digits(price.seconds)));
  }
}

void Writer::addUnits(Cost axonIn, Cost synapse) {
  unit("axon_in", "axons",
       fmt::format("energy_message_in: {}, latency_message_in: {}", digits(axonIn.joules),
                   digits(axonIn.seconds)));
  unit("dendrite", "dendrites", "model: accumulator, energy_update: 0.0, latency_update: 0.0");
  line(5, "synapse:");
  addSynapses("synapses", synapse);
}

void Writer::addSynapses(const std::string &name, Cost cost) {
  line(6, fmt::format("- name: {}", name));
  line(7, fmt::format("attributes: {{model: current_based, energy_process_spike: {}, "
                      "latency_process_spike: {}}}",
                      digits(cost.joules), digits(cost.seconds)));
}

void Writer::addAxonOut(Cost axonOut) {
  unit("axon_out", "out",
       fmt::format("energy_message_out: {}, latency_message_out: {}", digits(axonOut.joules),
                   digits(axonOut.seconds)));
}

/// On a chip that does not tell accesses, each neuron is updated in each step: that is what SANA-FE
/// charges for an access.
void Writer::addCore(const std::string &name, uint32_t replayed) {
  const EnergyTable &energy = chip.energy;
  const LatencyTable &latency = chip.latency;
  Cost access = cost(energy.neuronAccessPj, latency.neuronAccessCycles);
  Cost update = cost(energy.neuronUpdatePj, latency.neuronUpdateCycles);
  Cost spike = cost(energy.neuronSpikePj, latency.neuronSpikeCycles);
  if (!chip.countsAccesses()) {
    access = update;
    update = {};
  }
  line(4, fmt::format("- name: {}", name));
  line(5, fmt::format("attributes: {{buffer_position: soma, buffer_inside_unit: false, "
                      "max_neurons_supported: {}}}",
                      chip.crossbar.columns));
  addUnits(cost(energy.axonInPj, latency.rowReadCycles),
           cost(energy.synapsePj, latency.synapseCycles));
  for (SynapseKind kind : kSynapseKinds)
    if (chip.prices(kind))
      addSynapses(synapseUnit(kind),
                  cost({energy.synapsePjOf(kind), ""}, {latency.synapseCyclesOf(kind), ""}));
  line(5, "soma:");
  soma("exact", "truenorth", access, update, spike);
  soma("leaky", "leaky_integrate_fire", access, update, spike);
  if (replayed > 0)
    soma(fmt::format("replay[0..{}]", replayed - 1), "input", access, update, spike);
  addAxonOut(cost(energy.axonOutPj, latency.axonOutCycles));
}

/// Where inputs are: SANA-FE knows spikes of neurons in cores alone.
void Writer::addHost() {
  line(4, "- name: host");
  line(5, fmt::format("attributes: {{buffer_position: soma, buffer_inside_unit: false, "
                      "max_neurons_supported: {}}}",
                      std::max(1u, extra.inputs)));
  addUnits({}, {});
  line(5, "soma:");
  soma(fmt::format("inputs[0..{}]", std::max(1u, extra.inputs) - 1), "input", {}, {}, {});
  addAxonOut({});
}

void Writer::addTile(const std::string &name, bool hasHost, const uint32_t *replayed) {
  const EnergyTable &energy = chip.energy;
  double flits = chip.router.spikePacketFlits, seconds = RouterTiming(chip.router).hop() * cycle;
  line(2, fmt::format("- name: {}", name));
  line(3, "attributes:");
  for (auto [way, price] : {std::pair{"north", &energy.hopYPj},
                            {"south", &energy.hopYPj},
                            {"east", &energy.hopXPj},
                            {"west", &energy.hopXPj}}) {
    line(4, fmt::format("energy_{}_hop: {}", way, digits(price->value * flits * 1e-12)));
    line(4, fmt::format("latency_{}_hop: {}", way, digits(seconds)));
  }
  line(3, "core:");
  bool isPlain = true;
  for (uint32_t c = 0; c < chip.crossbarsPerTile; ++c)
    isPlain &= replayed[c] == 0;
  if (isPlain)
    addCore(fmt::format("core[0..{}]", chip.crossbarsPerTile - 1), 0);
  else
    for (uint32_t c = 0; c < chip.crossbarsPerTile; ++c)
      addCore(fmt::format("core{}", c), replayed[c]);
  if (hasHost)
    addHost();
}

/// By the number of tiles in use, of which the host's is one more there where it holds no cluster.
std::string Writer::barrier(const Mapping &mapping) const {
  if (chip.synchronisation != Synchronisation::Barrier)
    return "    sync_model: fixed\n    latency_sync: 0.0\n";
  std::set<TileId> tiles;
  for (const Placement &placement : mapping.placements)
    tiles.insert(placement.tile);
  if (chip.latency.barrierLevels.empty())
    return fmt::format("    sync_model: fixed\n    latency_sync: {}\n",
                       digits(double(chip.barrierCycles(tiles.size())) * cycle));
  uint32_t host = tiles.contains(chip.mesh.hostTiles.front()) ? 0 : 1;
  std::string levels;
  for (const BarrierLevel &level : chip.latency.barrierLevels)
    levels += fmt::format("{}{}: {}", levels.empty() ? "" : ", ",
                          level.tiles + (level.tiles > 1 ? host : 0),
                          digits(double(level.cycles) * cycle));
  return fmt::format("    sync_model: table\n    latency_sync: {{{}}}\n", levels);
}

std::string Writer::text(const Mapping &mapping) {
  const Mesh &mesh = chip.mesh;
  out = fmt::format("architecture:\n  name: chip\n  attributes:\n    topology: mesh\n    width: "
                    "{}\n    height: {}\n    link_buffer_size: {}\n{}  tile:\n",
                    mesh.columns, mesh.rows, chip.router.bufferFlits, barrier(mapping));
  struct Kind {
    bool hasHost;
    std::vector<uint32_t> replayed;
    bool operator==(const Kind &) const = default;
  };
  std::vector<Kind> kinds(mesh.tiles());
  for (TileId tile = 0; tile < mesh.tiles(); ++tile) {
    auto first = extra.replayed.begin() + tile * chip.crossbarsPerTile;
    kinds[tileNumber(mesh, tile)] = {tile == mesh.hostTiles.front(),
                                     {first, first + chip.crossbarsPerTile}};
  }
  for (size_t begin = 0, end; begin < kinds.size(); begin = end) { // runs of equal tiles
    for (end = begin + 1; end < kinds.size() && kinds[end] == kinds[begin];)
      ++end;
    addTile(end == begin + 1 ? fmt::format("tile{}", begin)
                             : fmt::format("tile[{}..{}]", begin, end - 1),
            kinds[begin].hasHost, kinds[begin].replayed.data());
  }
  return std::move(out);
}

/// Powers and prices that SANA-FE does not know.
bool hasOtherEnergy(const EnergyTable &energy) {
  for (const Sourced *price :
       {&energy.stepBarrierPj, &energy.leakageTileMw, &energy.leakageRouterMw,
        &energy.leakageGatedRouterMw, &energy.routerWakePj, &energy.clockTileMw})
    if (price->value > 0)
      return true;
  return false;
}

llvm::Error checkChip(const Chip &chip) {
  auto refuse = [&](const std::string &message) { return inputError(chip.path, message); };
  if (chip.mesh.topology != Topology::Mesh)
    return refuse(fmt::format("the chip has topology {}, and SANA-FE knows meshes; use topology "
                              "mesh",
                              chip.mesh.topologyName()));
  if (chip.mesh.isJoined())
    return refuse("several chips are joined, and SANA-FE knows links of one length; leave out "
                  "chips, and give the mesh of all as one");
  if (chip.router.hasFaults())
    return refuse(
        "the chip has dead links or tiles, which SANA-FE does not know; leave out faults");
  if (chip.router.multicast != Multicast::Unicast)
    return refuse("packets branch in the routers, and SANA-FE sends one to each core; use "
                  "multicast: unicast");
  return llvm::Error::success();
}

void addNotes(const Chip &chip, std::vector<std::string> &notes) {
  if (chip.router.packetsTo == PacketTarget::Tile)
    notes.push_back("SANA-FE sends a message to each core, that of the neuron included, where "
                    "router.packets_to is tile here: it counts more messages");
  if (chip.router.endCycles > 0 || chip.router.spikePacketFlits > 1)
    notes.push_back(
        "SANA-FE knows times of hops alone: router.end_cycles and the cycles of further "
        "flits are left out");
  if (chip.synchronisation == Synchronisation::Free)
    notes.push_back("steps of SANA-FE end when their work does: step_us is left out");
  if (chip.mesh.hostTiles.size() > 1)
    notes.push_back("inputs of SANA-FE are in one tile, the first of host: their messages may take "
                    "more hops");
  if (hasOtherEnergy(chip.energy))
    notes.push_back("SANA-FE has no energy of barriers, clocks, leakage and sleeping routers: they "
                    "are left out");
}

} // namespace

std::string synapseUnit(SynapseKind kind) {
  return fmt::format("{}_synapses", kSynapseKindNames[size_t(kind)]);
}

std::string digits(double value) {
  std::string text = fmt::format("{}", value);
  return text.find_first_of(".en") == std::string::npos ? text + ".0" : text;
}

llvm::Expected<std::string> architectureText(const Chip &chip, const Mapping &mapping,
                                             const ExtraUnits &extra,
                                             std::vector<std::string> &notes) {
  SPINDLE_RETURN_IF_ERROR(checkChip(chip));
  addNotes(chip, notes);
  return Writer(chip, extra).text(mapping);
}

} // namespace spindle::sanafe
