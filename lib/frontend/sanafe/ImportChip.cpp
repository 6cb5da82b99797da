#include "lib/frontend/sanafe/ImportChip.h"

#include "core/support/TextPlace.h"

#include "fmt/format.h"

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <map>
#include <set>

namespace spindle::sanafe {

namespace {

llvm::Expected<const HardwareUnit *> findUnit(const std::vector<HardwareUnit> &units,
                                              const std::string &wanted, const char *part,
                                              const NeuronGroup &group, const CoreKind &core) {
  for (const HardwareUnit &unit : units)
    if (wanted.empty() || unit.isNamed(wanted)) {
      if (unit.refusal.empty())
        return &unit;
      return inputError(
          unit.place, fmt::format("{}; group '{}' uses it", unit.refusal, excerpt(group.name, 40)));
    }
  bool isNumbered = std::ranges::any_of(units, [&](const HardwareUnit &unit) {
    return unit.name.isRange && unit.name.name == wanted;
  });
  return inputError(
      group.place,
      fmt::format("group '{}' uses the {} '{}', which core '{}' does not have{}",
                  excerpt(group.name, 40), part, excerpt(wanted, 40), core.name,
                  isNumbered ? fmt::format("; it has several, as {}[0]", wanted) : ""));
}

/// One unit of each part for all neurons, as far as costs tell.
class Units {
public:
  Units(const Architecture &given, const MappedNetwork &mapped)
      : architecture(given), network(mapped) {}

  llvm::Error add(const NeuronGroup &group, const MappedNeuron &neuron, const HardwareUnit *soma) {
    const CoreKind &core = coreOf(neuron);
    SPINDLE_ASSIGN(const HardwareUnit *synapse,
                   findUnit(core.synapses, network.unitOf(neuron, &MappedUnits::synapse), "synapse",
                            group, core));
    SPINDLE_ASSIGN(const HardwareUnit *dendrite,
                   findUnit(core.dendrites, network.unitOf(neuron, &MappedUnits::dendrite),
                            "dendrite", group, core));
    SPINDLE_RETURN_IF_ERROR(addSynapses(group, synapse));
    SPINDLE_RETURN_IF_ERROR(agree(used.dendrite, dendrite, group, "dendrites"));
    SPINDLE_RETURN_IF_ERROR(agree(used.soma, soma, group, "somas"));
    if (used.core && (used.core->axonIn != core.axonIn || used.core->axonOut != core.axonOut))
      return inputError(core.place,
                        fmt::format("core '{}' has other costs of axons than core '{}', and a chip "
                                    "here has one kind of core; map to one of the two kinds",
                                    core.name, used.core->name));
    if (!used.core || core.mostNeurons > used.core->mostNeurons)
      used.core = &core;
    return llvm::Error::success();
  }
  const CoreKind &coreOf(const MappedNeuron &neuron) const {
    const TileKind &tile = architecture.tileKinds[architecture.tiles[neuron.tile]];
    return architecture.coreKinds[tile.cores[neuron.core]];
  }

  /// The kinds of synapses of all groups, unknown where one price is that of all.
  llvm::Expected<std::vector<SynapseKind>> kindsOfGroups() {
    std::vector<SynapseKind> kinds(network.groups.size(), SynapseKind::Unknown);
    if (synapses.size() < 2)
      return kinds;
    std::vector<SynapseKind> ofUnits;
    for (const HardwareUnit *unit : synapses)
      ofUnits.push_back(kindByName(*unit));
    for (size_t n = 0; n < synapses.size(); ++n) {
      if (ofUnits[n] == SynapseKind::Unknown || used.kinds[size_t(ofUnits[n])])
        ofUnits[n] = freeKind(ofUnits);
      used.kinds[size_t(ofUnits[n])] = synapses[n];
    }
    for (size_t g = 0; g < network.groups.size(); ++g)
      if (auto own = ofGroup.find(&network.groups[g]); own != ofGroup.end())
        kinds[g] = ofUnits[own->second];
    return kinds;
  }

  UsedUnits used;

private:
  static SynapseKind kindByName(const HardwareUnit &unit) {
    for (auto [part, kind] : {std::pair{"conv", SynapseKind::Convolution},
                              {"sparse", SynapseKind::Sparse},
                              {"dense", SynapseKind::Dense}})
      if (unit.name.name.find(part) != std::string::npos)
        return kind;
    return SynapseKind::Unknown;
  }
  /// One that no unit has by its name, nor has been given; with as many units as there are, the
  /// first one takes the price that synapses share.
  SynapseKind freeKind(const std::vector<SynapseKind> &named) const {
    if (named.size() == std::size(kSynapseKinds) && !used.kinds[size_t(SynapseKind::Unknown)])
      return SynapseKind::Unknown;
    for (SynapseKind kind : {SynapseKind::Dense, SynapseKind::Sparse, SynapseKind::Convolution})
      if (!used.kinds[size_t(kind)] && std::ranges::find(named, kind) == named.end())
        return kind;
    for (SynapseKind kind : {SynapseKind::Dense, SynapseKind::Sparse, SynapseKind::Convolution})
      if (!used.kinds[size_t(kind)])
        return kind;
    return SynapseKind::Unknown; // there are no more units than kinds
  }

  /// Up to four prices, one for each group.
  llvm::Error addSynapses(const NeuronGroup &group, const HardwareUnit *unit) {
    auto known = std::ranges::find(synapses, unit->of, &HardwareUnit::of);
    auto place = size_t(known - synapses.begin());
    auto [own, isNew] = ofGroup.try_emplace(&group, place);
    constexpr size_t kMostUnits = std::size(kSynapseKinds);
    if (own->second != place)
      return inputError(
          unit->place,
          fmt::format("group '{}' uses '{}' and '{}' at other costs, and the synapses of a group "
                      "are of one unit here; divide the group, or give them one price",
                      excerpt(group.name, 40), synapses[own->second]->name.name, unit->name.name));
    if (place == kMostUnits)
      return inputError(
          unit->place,
          fmt::format("group '{}' uses '{}' at other costs than {} units that others use, and a "
                      "chip here has prices for {} kinds of synapses; give some of them one price",
                      excerpt(group.name, 40), unit->name.name, kMostUnits, kMostUnits));
    if (known == synapses.end())
      synapses.push_back(unit);
    used.synapse = synapses.front();
    return llvm::Error::success();
  }

  static llvm::Error agree(const HardwareUnit *&chosen, const HardwareUnit *unit,
                           const NeuronGroup &group, const char *parts) {
    if (chosen && chosen->of != unit->of)
      return inputError(
          unit->place,
          fmt::format("group '{}' uses '{}', others use '{}' at other costs, and a chip "
                      "here has one price for {}; let all groups use one of them, or "
                      "give them one price",
                      excerpt(group.name, 40), unit->name.name, chosen->name.name, parts));
    if (!chosen)
      chosen = unit;
    return llvm::Error::success();
  }

  const Architecture &architecture;
  const MappedNetwork &network;
  std::vector<const HardwareUnit *> synapses;    // of different costs, in the order of their use
  std::map<const NeuronGroup *, size_t> ofGroup; // which of them
};

llvm::Error checkCore(const Architecture &architecture, const MappedNetwork &network,
                      const NeuronGroup &group, const MappedNeuron &neuron) {
  if (neuron.tile >= architecture.tiles.size())
    return inputError(network.path, fmt::format("group '{}' is mapped to tile {}, and {} has {}",
                                                excerpt(group.name, 40), neuron.tile,
                                                architecture.path, architecture.tiles.size()));
  size_t cores = architecture.tileKinds[architecture.tiles[neuron.tile]].cores.size();
  if (neuron.core >= cores)
    return inputError(network.path,
                      fmt::format("group '{}' is mapped to core {} of tile {}, which has {}",
                                  excerpt(group.name, 40), neuron.core, neuron.tile, cores));
  return llvm::Error::success();
}

/// A chip alone: what a network uses is not known.
llvm::Expected<UsedCores> firstUnits(const Architecture &architecture,
                                     std::vector<std::string> &notes) {
  UsedCores used;
  for (const CoreKind &core : architecture.coreKinds) {
    if (core.isHost())
      continue;
    auto first = [](const std::vector<HardwareUnit> &list) {
      auto found = std::ranges::find_if(list, [](const HardwareUnit &unit) {
        return unit.model != "input" && unit.refusal.empty();
      });
      return found == list.end() ? nullptr : &*found;
    };
    UsedUnits units = {&core, first(core.synapses), first(core.dendrites), first(core.somas)};
    for (auto [list, unit] : {std::pair{&core.synapses, units.synapse},
                              {&core.dendrites, units.dendrite},
                              {&core.somas, units.soma}})
      if (!unit)
        return inputError(list->front().place, list->front().refusal);
    if (!used.units.core)
      used.units = units;
    for (auto [mine, other] : {std::pair{units.synapse, used.units.synapse},
                               {units.dendrite, used.units.dendrite},
                               {units.soma, used.units.soma}})
      if (mine->of != other->of)
        return inputError(
            mine->place,
            fmt::format("'{}' of core '{}' costs otherwise than '{}' of core '{}', and "
                        "a chip here has one kind of core; give them one price",
                        mine->name.name, core.name, other->name.name, used.units.core->name));
    if (core.axonIn != used.units.core->axonIn || core.axonOut != used.units.core->axonOut)
      return inputError(core.place,
                        fmt::format("core '{}' has other costs of axons than core '{}', and a chip "
                                    "here has one kind of core; give them one price",
                                    core.name, used.units.core->name));
    for (auto [list, chosen] : {std::pair{&core.synapses, units.synapse},
                                {&core.dendrites, units.dendrite},
                                {&core.somas, units.soma}})
      for (const HardwareUnit &unit : *list)
        if (unit.model != "input" && (unit.of != chosen->of || !unit.refusal.empty()))
          notes.push_back(fmt::format("{}: '{}' is left out: without a network a chip here has one "
                                      "unit of each part, the first; with one, those that it uses",
                                      unit.place, unit.name.name));
  }
  if (!used.units.core)
    return inputError(architecture.path, "no core has a soma that computes, expected a model other "
                                         "than input");
  return used;
}

constexpr uint64_t kMostHopCycles = 66; // a link of 64, a switch and its allocation

/// A hop of so many cycles that packets do not wait for each other: what is long is the link.
std::string routerStages(uint64_t hopCycles) {
  if (hopCycles < 3)
    return fmt::format("pipeline_cycles: {}", hopCycles);
  return fmt::format("routing_cycles: 0, vc_allocation_cycles: 1, switch_allocation_cycles: 1, "
                     "speculative: true, switch_cycles: 1, link_cycles: {}",
                     hopCycles - 2);
}

/// A clock whose cycles the times are whole numbers of, as nearly as may be.
class Clock {
public:
  Clock(std::vector<double> times, double hop) {
    for (double megahertz : {1e3, 1e4, 1e5, 1e2, 1e1, 1e0})
      if (holds(times, hop, megahertz) && isWhole(times, hop, megahertz)) {
        mhz = megahertz;
        return;
      }
    for (double megahertz : {1e5, 1e4, 1e3, 1e2, 1e1, 1e0})
      if (holds(times, hop, megahertz)) {
        mhz = megahertz;
        return;
      }
    mhz = 1e-3;
  }
  double mhz = 0;
  double exact(double seconds) const { return seconds * mhz * 1e6; }
  uint64_t cycles(double seconds) const {
    return static_cast<uint64_t>(std::min(std::round(exact(seconds)), 1e6));
  }
  bool isWhole(double seconds) const { return isWholeAt(seconds, mhz); }

private:
  static bool isWholeAt(double seconds, double megahertz) {
    double cycles = seconds * megahertz * 1e6;
    return std::abs(cycles - std::round(cycles)) <= 1e-6 * std::max(1.0, cycles);
  }
  static bool isWhole(const std::vector<double> &times, double hop, double megahertz) {
    return isWholeAt(hop, megahertz) &&
           std::ranges::all_of(times, [&](double s) { return isWholeAt(s, megahertz); });
  }
  /// The limits of chip files.
  static bool holds(const std::vector<double> &times, double hop, double megahertz) {
    return hop * megahertz * 1e6 <= kMostHopCycles + 0.5 &&
           std::ranges::all_of(times, [&](double s) { return s * megahertz * 1e6 <= 1e6; });
  }
};

std::string quoted(const std::string &text) {
  std::string out = "\"";
  for (char c : excerpt(text))
    out += (c == '"' || c == '\\') ? std::string("\\") + c : std::string(1, c);
  return out + "\"";
}

} // namespace

llvm::Expected<const HardwareUnit *> somaOf(const Architecture &architecture,
                                            const MappedNetwork &network, const NeuronGroup &group,
                                            const MappedNeuron &neuron) {
  SPINDLE_RETURN_IF_ERROR(checkCore(architecture, network, group, neuron));
  const TileKind &tile = architecture.tileKinds[architecture.tiles[neuron.tile]];
  const CoreKind &core = architecture.coreKinds[tile.cores[neuron.core]];
  return findUnit(core.somas, network.unitOf(neuron, &MappedUnits::soma), "soma", group, core);
}

llvm::Expected<UsedCores> usedCores(const Architecture &architecture, const MappedNetwork *network,
                                    std::vector<std::string> &notes) {
  if (!network)
    return firstUnits(architecture, notes);
  Units units(architecture, *network);
  std::set<uint32_t> inputTiles, otherTiles;
  bool inputsCost = false;
  for (const NeuronGroup &group : network->groups)
    for (const MappedNeuron &neuron : group.neurons) {
      SPINDLE_ASSIGN(const HardwareUnit *soma, somaOf(architecture, *network, group, neuron));
      if (soma->model != "input") {
        otherTiles.insert(neuron.tile);
        SPINDLE_RETURN_IF_ERROR(units.add(group, neuron, soma));
        continue;
      }
      inputTiles.insert(neuron.tile);
      inputsCost |=
          units.coreOf(neuron).axonOut != EventCost{} || soma->of != std::array<EventCost, 3>{};
    }
  if (!units.used.soma)
    return inputError(network->path, "all neurons are inputs, expected some that compute");
  UsedCores used;
  SPINDLE_ASSIGN(used.kinds, units.kindsOfGroups());
  used.units = units.used;
  used.inputTiles.assign(inputTiles.begin(), inputTiles.end());
  for (uint32_t tile : inputTiles)
    used.tilesOfInputsAlone += !otherTiles.contains(tile);
  if (inputsCost)
    notes.push_back("inputs are in cores of SANA-FE, which charges their spikes and messages; here "
                    "the host makes them without a price");
  if (inputTiles.size() > 1)
    notes.push_back(
        fmt::format("inputs are in {} tiles; here a packet of the host enters at the one "
                    "of them that is nearest to its end",
                    inputTiles.size()));
  return used;
}

uint32_t crossbarOf(const Architecture &architecture, uint32_t tile, uint32_t core) {
  const TileKind &kind = architecture.tileKinds[architecture.tiles[tile]];
  uint32_t number = 0;
  for (uint32_t c = 0; c < core; ++c)
    number += !architecture.coreKinds[kind.cores[c]].isHost();
  return number;
}

std::string chipText(const Architecture &architecture, const UsedCores &used,
                     std::vector<std::string> &notes) {
  const UsedUnits &units = used.units;
  const TileKind &tile = architecture.tileKinds.front();
  std::string file = std::filesystem::path(architecture.path).filename().string();
  uint32_t crossbars = 1;
  for (const TileKind &kind : architecture.tileKinds) {
    uint32_t cores = 0;
    for (uint32_t core : kind.cores)
      cores += !architecture.coreKinds[core].isHost();
    crossbars = std::max(crossbars, cores);
    if (kind.north != tile.north || kind.south != tile.south || kind.east != tile.east ||
        kind.west != tile.west)
      notes.push_back(fmt::format("{}: hops of tile '{}' cost otherwise than those of tile '{}', "
                                  "which are taken for all",
                                  kind.place, kind.name, tile.name));
  }
  auto mean = [](const EventCost &a, const EventCost &b) {
    return EventCost{(a.joules + b.joules) / 2, (a.seconds + b.seconds) / 2};
  };
  EventCost x = mean(tile.east, tile.west), y = mean(tile.north, tile.south);
  if (tile.east != tile.west || tile.north != tile.south || x.seconds != y.seconds)
    notes.push_back(
        fmt::format("{}: hops in different directions cost differently; here along x and "
                    "along y by their means, and all take the mean time",
                    tile.place));
  double hop = (x.seconds + y.seconds) / 2;
  auto withDendrite = [&](const HardwareUnit &unit) {
    return EventCost{unit.of[0].joules + units.dendrite->of[0].joules,
                     unit.of[0].seconds + units.dendrite->of[0].seconds};
  };
  EventCost synapse = withDendrite(*units.synapse);
  const auto &[access, update, spike] = units.soma->of;
  const CoreKind &core = *units.core;
  std::vector<double> times = {core.axonIn.seconds, synapse.seconds, access.seconds,
                               update.seconds,      spike.seconds,   core.axonOut.seconds};
  for (auto [tiles, seconds] : architecture.barrier)
    times.push_back(seconds);
  for (const HardwareUnit *unit : units.kinds)
    if (unit)
      times.push_back(withDendrite(*unit).seconds);
  Clock clock(times, hop);

  std::string out = fmt::format("# An architecture of SANA-FE, version 2. It sets no limit to the "
                                "rows of a core.\nformat: spindle-chip\nversion: 2\nname: {}\n"
                                "mesh: {{columns: {}, rows: {}}}\n",
                                quoted(architecture.name), architecture.width, architecture.height);
  if (!used.inputTiles.empty()) {
    std::string tiles;
    for (uint32_t input : used.inputTiles)
      tiles += fmt::format("{}{}", tiles.empty() ? "" : ", ", ourTile(architecture, input));
    out += fmt::format("host: [{}]\n", tiles);
  }
  uint64_t hopCycles = std::clamp<uint64_t>(clock.cycles(hop), 1, kMostHopCycles);
  if (std::abs(double(hopCycles) - clock.exact(hop)) > 1e-6 * std::max(1.0, clock.exact(hop)))
    notes.push_back(fmt::format("a hop takes {:.6g} ns, here {} cycle{} of {:g} ns", hop * 1e9,
                                hopCycles, hopCycles == 1 ? "" : "s", 1e3 / clock.mhz));
  out += fmt::format("crossbars_per_tile: {}\ncrossbar: {{rows: 1048576, columns: {}, weight_bits: "
                     "32}}\nrouter: {{{}, end_cycles: 0, buffer_flits: {}, "
                     "packets_to: crossbar}}\n",
                     crossbars, std::min(core.mostNeurons, 4096u), routerStages(hopCycles),
                     std::min(architecture.linkBuffer, 64u));
  out +=
      fmt::format("clock_mhz: {{value: {:g}, source: \"assumption: a cycle that divides the times "
                  "of the architecture\"}}\n",
                  clock.mhz);
  auto source = [&](const std::string &part, const char *keys) {
    return quoted(fmt::format("{}: {}, {}", file, excerpt(part, 30), keys));
  };
  auto cycles = [&](const char *key, double seconds, const std::string &where) {
    if (!clock.isWhole(seconds))
      notes.push_back(fmt::format("{} is {:.6g} ns, rounded to {} cycles of {:g} ns", key,
                                  seconds * 1e9, clock.cycles(seconds), 1e3 / clock.mhz));
    return fmt::format("  {}: {{value: {}, source: {}}}\n", key, clock.cycles(seconds), where);
  };
  auto picojoules = [&](const char *key, double joules, const std::string &where) {
    return fmt::format("  {}: {{value: {:.12g}, source: {}}}\n", key, joules * 1e12, where);
  };
  const std::string &soma = units.soma->name.name;
  out += "latency:\n";
  out += cycles("row_read_cycles", core.axonIn.seconds, source(core.name, "latency_message_in"));
  auto addCycles = [&](const std::string &key, const HardwareUnit &unit) {
    out += cycles(key.c_str(), withDendrite(unit).seconds,
                  source(unit.name.name, "latency_process_spike and latency_update of dendrites"));
  };
  auto addPicojoules = [&](const std::string &key, const HardwareUnit &unit) {
    out += picojoules(key.c_str(), withDendrite(unit).joules,
                      source(unit.name.name, "energy_process_spike and energy_update of "
                                             "dendrites"));
  };
  const HardwareUnit *general = units.kinds[size_t(SynapseKind::Unknown)];
  const HardwareUnit &shared = general ? *general : *units.synapse;
  addCycles("synapse_cycles", shared);
  for (SynapseKind kind : llvm::ArrayRef(kSynapseKinds).drop_front())
    if (const HardwareUnit *unit = units.kinds[size_t(kind)])
      addCycles(fmt::format("{}_synapse_cycles", kSynapseKindNames[size_t(kind)]), *unit);
  out += cycles("neuron_access_cycles", access.seconds, source(soma, "latency_access_neuron"));
  out += cycles("neuron_update_cycles", update.seconds, source(soma, "latency_update_neuron"));
  out += cycles("neuron_spike_cycles", spike.seconds, source(soma, "latency_spike_out"));
  out += cycles("axon_out_cycles", core.axonOut.seconds, source(core.name, "latency_message_out"));
  std::string levels,
      cyclesOfLevels; // tiles in use, of which those of inputs alone are not in use here
  uint32_t without = used.tilesOfInputsAlone;
  auto level = [&](uint32_t tiles, double seconds) {
    levels += fmt::format("{}{}", levels.empty() ? "" : ", ", tiles);
    cyclesOfLevels +=
        fmt::format("{}{}", cyclesOfLevels.empty() ? "" : ", ", clock.cycles(seconds));
  };
  level(1, architecture.barrierSeconds(1 + without));
  for (auto [tiles, seconds] : architecture.barrier)
    if (tiles > 1 + without)
      level(tiles - without, seconds);
  out += fmt::format("  step_barrier_levels: {{tiles: [{}], cycles: [{}], source: {}}}\n", levels,
                     cyclesOfLevels, source("attributes", "latency_sync"));
  out += "energy:\n";
  out += picojoules("hop_x_pj", x.joules, source(tile.name, "energy_east_hop, energy_west_hop"));
  out += picojoules("hop_y_pj", y.joules, source(tile.name, "energy_north_hop, energy_south_hop"));
  out += picojoules("axon_out_pj", core.axonOut.joules, source(core.name, "energy_message_out"));
  out += picojoules("axon_in_pj", core.axonIn.joules, source(core.name, "energy_message_in"));
  addPicojoules("synapse_pj", shared);
  for (SynapseKind kind : llvm::ArrayRef(kSynapseKinds).drop_front())
    if (const HardwareUnit *unit = units.kinds[size_t(kind)])
      addPicojoules(fmt::format("{}_synapse_pj", kSynapseKindNames[size_t(kind)]), *unit);
  out += picojoules("neuron_access_pj", access.joules, source(soma, "energy_access_neuron"));
  out += picojoules("neuron_update_pj", update.joules, source(soma, "energy_update_neuron"));
  out += picojoules("neuron_spike_pj", spike.joules, source(soma, "energy_spike_out"));
  return out;
}

} // namespace spindle::sanafe
