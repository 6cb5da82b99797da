#include "lib/frontend/sanafe/Architecture.h"

#include "core/chip/Mesh.h"

#include "fmt/format.h"
#include "fmt/ranges.h"
#include "llvm/ADT/STLExtras.h"

#include <map>

namespace spindle::sanafe {

namespace {

constexpr uint32_t kMostCoresOfATile = 64, kMostUnits = 1 << 20,
                   kMostNames = 256;  // which each neuron looks through
constexpr double kMostPerEvent = 1e9; // joules or seconds, of which chips have about 1e-12

/// Keys of SANA-FE before version 2, and those that took their places; empty: none.
const std::map<std::string, std::string> &oldKeys() {
  static const std::map<std::string, std::string> keys = {
      {"energy_north", "energy_north_hop"},
      {"energy_south", "energy_south_hop"},
      {"energy_east", "energy_east_hop"},
      {"energy_west", "energy_west_hop"},
      {"latency_north", "latency_north_hop"},
      {"latency_south", "latency_south_hop"},
      {"latency_east", "latency_east_hop"},
      {"latency_west", "latency_west_hop"},
      {"energy_spike", "energy_process_spike"},
      {"latency_spike", "latency_process_spike"},
      {"energy_inactive", "energy_access_neuron"},
      {"latency_inactive", "latency_access_neuron"},
      {"energy_active", "energy_update_neuron"},
      {"latency_active", "latency_update_neuron"},
      {"energy_spiking", "energy_spike_out"},
      {"latency_spiking", "latency_spike_out"},
      {"energy", "energy_message_out"},
      {"latency", "latency_message_out"},
      {"latency_global_barrier", "latency_sync"},
      {"latency_barrier", "latency_sync"},
      {"energy_memory", ""},
      {"latency_memory", ""},
      {"energy_spike_within_tile", ""},
      {"latency_spike_within_tile", ""},
      {"cost", ""},
      {"blocking", ""},
      {"dimensions", ""},
      {"fan_in", ""},
      {"fan_out", ""},
      {"protocol", ""},
      {"type", ""},
      {"reset", ""},
      {"reverse_reset", ""},
      {"hard_reset", ""},
      {"soft_reset", ""},
      {"weight_bits", ""},
      {"word_bits", ""}};
  return keys;
}

/// The attributes of a part of the architecture, each of which must be known.
class Attributes {
public:
  static llvm::Expected<Attributes> of(const Field &part, std::vector<const char *> known) {
    SPINDLE_ASSIGN(Field section, part.at("attributes"));
    SPINDLE_ASSIGN(auto members, section.members());
    Attributes attributes{section, {}};
    for (const char *word : {"log_energy", "log_latency"}) // what is recorded
      known.push_back(word);
    for (const auto &[key, value] : members) {
      attributes.values.insert_or_assign(key, value);
      bool isForced = llvm::StringRef(key).starts_with("force_"); // updates, and computes the same
      if (llvm::is_contained(known, key) || isForced)
        continue;
      attributes.note(part, key);
      if (attributes.withoutCounterpart.empty())
        return value.fail(refusal(part, key, known));
    }
    return attributes;
  }

  bool has(const std::string &key) const { return values.count(key) > 0; }
  /// Why no neuron here can use the unit.
  std::string withoutCounterpart;
  llvm::Expected<Field> at(const std::string &key) const {
    auto found = values.find(key);
    if (found == values.end())
      return section.fail(fmt::format("{} has no '{}', which SANA-FE needs", section.title(), key));
    return found->second;
  }
  llvm::Expected<double> amount(const std::string &key) const {
    SPINDLE_ASSIGN(Field field, at(key));
    SPINDLE_ASSIGN(double value, field.number());
    if (value < 0)
      return field.fail(fmt::format("{} is {}, expected at least 0", field.title(), value));
    if (value > kMostPerEvent)
      return field.fail(
          fmt::format("{} is {}, expected at most {}", field.title(), value, kMostPerEvent));
    return value;
  }
  /// `energy_EVENT` and `latency_EVENT`.
  llvm::Expected<EventCost> cost(const std::string &event) const {
    EventCost cost;
    SPINDLE_ASSIGN(cost.joules, amount("energy_" + event));
    SPINDLE_ASSIGN(cost.seconds, amount("latency_" + event));
    return cost;
  }
  llvm::Expected<uint32_t> count(const std::string &key, uint32_t most) const {
    SPINDLE_ASSIGN(Field field, at(key));
    SPINDLE_ASSIGN(int64_t value, field.whole(1, most));
    return static_cast<uint32_t>(value);
  }
  llvm::Expected<std::string> word(const std::string &key) const {
    SPINDLE_ASSIGN(Field field, at(key));
    if (!field.isScalar())
      return field.fail(fmt::format("{} is no word", field.title()));
    return field.text();
  }

private:
  Attributes(Field whole, std::map<std::string, Field> found)
      : section(std::move(whole)), values(std::move(found)) {}

  void note(const Field &part, const std::string &key) {
    if (key == "plugin")
      withoutCounterpart = fmt::format("{} is a plugin, whose behaviour is in a library; expected "
                                       "one of SANA-FE's own models",
                                       part.title());
    if (key == "noise" || key == "noise_bits")
      withoutCounterpart = fmt::format("{} adds noise from a file ({}), for which chips here have "
                                       "nothing; leave it out",
                                       part.title(), key);
  }
  static std::string refusal(const Field &part, const std::string &key,
                             const std::vector<const char *> &known) {
    auto old = oldKeys().find(key);
    if (old != oldKeys().end() && old->second.empty())
      return fmt::format("'{}' is a key of SANA-FE before version 2, which has none in its place; "
                         "write the file for version 2",
                         key);
    if (old != oldKeys().end())
      return fmt::format("'{}' is a key of SANA-FE before version 2, where version 2 has '{}'; "
                         "write the file for version 2",
                         key, old->second);
    return fmt::format("unknown attribute '{}' of {}, expected {}", key, part.title(),
                       fmt::join(known, ", "));
  }

  Field section;
  std::map<std::string, Field> values;
};

class ArchitectureReader {
public:
  explicit ArchitectureReader(Architecture &result) : architecture(result) {}
  llvm::Error read(const Field &root);

private:
  llvm::Error readNetwork(const Field &part);
  llvm::Error readBarrier(const Attributes &attributes);
  llvm::Error readTile(const Field &given);
  llvm::Error readCore(const Field &given, TileKind &tile);
  llvm::Error readUnits(const Field &core, const char *section, std::vector<HardwareUnit> &units,
                        llvm::Error (*readUnit)(const Field &, HardwareUnit &));
  /// Of a list of units that all cost the same.
  llvm::Error readAxons(const Field &core, const char *section, const char *event, EventCost &cost);
  static llvm::Expected<std::string> nameOf(const Field &part) {
    SPINDLE_ASSIGN(Field name, part.at("name"));
    return name.isScalar() ? name.text() : std::string();
  }

  Architecture &architecture;
};

/// Reads the model, and why the unit has no counterpart here.
llvm::Error readModel(const Field &part, const Attributes &attributes,
                      const std::vector<const char *> &known, HardwareUnit &unit) {
  SPINDLE_ASSIGN(unit.model, attributes.word("model"));
  unit.refusal = attributes.withoutCounterpart;
  if (unit.refusal.empty() && !llvm::is_contained(known, unit.model))
    unit.refusal = fmt::format("{} has the model '{}', expected {}", part.title(), unit.model,
                               fmt::join(known, ", "));
  return llvm::Error::success();
}

/// Costs of units without a counterpart may have other names.
llvm::Error readCost(const Attributes &attributes, const char *event, const HardwareUnit &unit,
                     EventCost &cost) {
  llvm::Expected<EventCost> found = attributes.cost(event);
  if (found)
    cost = *found;
  else if (unit.refusal.empty())
    return found.takeError();
  else
    llvm::consumeError(found.takeError());
  return llvm::Error::success();
}

llvm::Error readSynapse(const Field &part, HardwareUnit &unit) {
  SPINDLE_ASSIGN(Attributes attributes,
                 Attributes::of(part, {"model", "energy_process_spike", "latency_process_spike",
                                       "update_every_timestep"}));
  SPINDLE_RETURN_IF_ERROR(readModel(part, attributes, {"current_based"}, unit));
  return readCost(attributes, "process_spike", unit, unit.of[0]);
}

llvm::Error readDendrite(const Field &part, HardwareUnit &unit) {
  SPINDLE_ASSIGN(
      Attributes attributes,
      Attributes::of(part, {"model", "energy_update", "latency_update", "update_every_timestep",
                            "energy_access", "latency_access"}));
  SPINDLE_RETURN_IF_ERROR(readModel(part, attributes, {"accumulator"}, unit));
  return readCost(attributes, "update", unit, unit.of[0]);
}

llvm::Error readSoma(const Field &part, HardwareUnit &unit) {
  SPINDLE_ASSIGN(Attributes attributes,
                 Attributes::of(part, {"model", "energy_access_neuron", "latency_access_neuron",
                                       "energy_update_neuron", "latency_update_neuron",
                                       "energy_spike_out", "latency_spike_out"}));
  SPINDLE_RETURN_IF_ERROR(
      readModel(part, attributes, {"leaky_integrate_fire", "truenorth", "input"}, unit));
  const char *events[] = {"access_neuron", "update_neuron", "spike_out"};
  for (size_t event = 0; event < 3; ++event)
    SPINDLE_RETURN_IF_ERROR(readCost(attributes, events[event], unit, unit.of[event]));
  return llvm::Error::success();
}

llvm::Error ArchitectureReader::readUnits(const Field &core, const char *section,
                                          std::vector<HardwareUnit> &units,
                                          llvm::Error (*readUnit)(const Field &, HardwareUnit &)) {
  SPINDLE_ASSIGN(Field list, core.at(section));
  for (const Field &part : list.elements()) {
    HardwareUnit unit;
    unit.place = part.place();
    SPINDLE_ASSIGN(std::string name, nameOf(part));
    SPINDLE_ASSIGN(unit.name, parseRange(part, name, kMostUnits));
    SPINDLE_RETURN_IF_ERROR(readUnit(part.called(fmt::format("{} '{}'", section, name)), unit));
    if (units.size() == kMostNames)
      return part.fail(fmt::format("{} has more than {} entries, the most that are read",
                                   list.title(), kMostNames));
    units.push_back(std::move(unit));
  }
  if (units.empty())
    return list.fail(fmt::format("{} is empty, expected at least one unit", list.title()));
  return llvm::Error::success();
}

llvm::Error ArchitectureReader::readAxons(const Field &core, const char *section, const char *event,
                                          EventCost &cost) {
  SPINDLE_ASSIGN(Field list, core.at(section));
  bool isFirst = true;
  for (const Field &part : list.elements()) {
    SPINDLE_ASSIGN(
        Attributes attributes,
        Attributes::of(
            part,
            {section == std::string("axon_in") ? "energy_message_in" : "energy_message_out",
             section == std::string("axon_in") ? "latency_message_in" : "latency_message_out"}));
    SPINDLE_ASSIGN(EventCost next, attributes.cost(event));
    if (!isFirst && next != cost)
      return part.fail(fmt::format("{} has units of different costs, where SANA-FE takes the first "
                                   "alone; leave the others out",
                                   list.title()));
    cost = next;
    isFirst = false;
  }
  return llvm::Error::success();
}

llvm::Error ArchitectureReader::readCore(const Field &given, TileKind &tile) {
  CoreKind core;
  core.place = given.place();
  SPINDLE_ASSIGN(core.name, nameOf(given));
  Field part = given.called(fmt::format("core '{}'", core.name));
  SPINDLE_ASSIGN(IndexRange range, parseRange(part, core.name, kMostCoresOfATile));
  SPINDLE_ASSIGN(
      Attributes attributes,
      Attributes::of(part, {"buffer_position", "buffer_inside_unit", "max_neurons_supported"}));
  SPINDLE_ASSIGN(Field position, attributes.at("buffer_position"));
  bool isInside = false;
  if (attributes.has("buffer_inside_unit")) {
    SPINDLE_ASSIGN(Field inside, attributes.at("buffer_inside_unit"));
    SPINDLE_ASSIGN(isInside, inside.flag());
  }
  if (!position.isScalar() || position.text() != "soma" || isInside)
    return position.fail(fmt::format(
        "{} keeps what arrives {} its {}, and chips here before the neuron, for the next step; "
        "expected buffer_position: soma and buffer_inside_unit: false",
        part.title(), isInside ? "inside" : "before", position.isScalar() ? position.text() : "?"));
  SPINDLE_ASSIGN(core.mostNeurons, attributes.count("max_neurons_supported", INT32_MAX));
  SPINDLE_RETURN_IF_ERROR(readAxons(part, "axon_in", "message_in", core.axonIn));
  SPINDLE_RETURN_IF_ERROR(readUnits(part, "synapse", core.synapses, readSynapse));
  SPINDLE_RETURN_IF_ERROR(readUnits(part, "dendrite", core.dendrites, readDendrite));
  SPINDLE_RETURN_IF_ERROR(readUnits(part, "soma", core.somas, readSoma));
  SPINDLE_RETURN_IF_ERROR(readAxons(part, "axon_out", "message_out", core.axonOut));
  if (tile.cores.size() + range.count() > kMostCoresOfATile)
    return part.fail(fmt::format("{} has more than {} cores, the most of a tile here", tile.name,
                                 kMostCoresOfATile));
  tile.cores.insert(tile.cores.end(), range.count(),
                    static_cast<uint32_t>(architecture.coreKinds.size()));
  architecture.coreKinds.push_back(std::move(core));
  return llvm::Error::success();
}

llvm::Error ArchitectureReader::readTile(const Field &given) {
  TileKind tile;
  tile.place = given.place();
  SPINDLE_ASSIGN(tile.name, nameOf(given));
  Field part = given.called(fmt::format("tile '{}'", tile.name));
  uint32_t most = architecture.width * architecture.height;
  SPINDLE_ASSIGN(IndexRange range, parseRange(part, tile.name, most));
  SPINDLE_ASSIGN(Attributes attributes,
                 Attributes::of(part, {"energy_north_hop", "latency_north_hop", "energy_south_hop",
                                       "latency_south_hop", "energy_east_hop", "latency_east_hop",
                                       "energy_west_hop", "latency_west_hop"}));
  for (auto [way, cost] : {std::pair{"north_hop", &tile.north},
                           {"south_hop", &tile.south},
                           {"east_hop", &tile.east},
                           {"west_hop", &tile.west}}) {
    SPINDLE_ASSIGN(*cost, attributes.cost(way));
  }
  SPINDLE_ASSIGN(Field cores, part.at("core"));
  for (const Field &core : cores.elements())
    SPINDLE_RETURN_IF_ERROR(readCore(core, tile));
  if (architecture.tiles.size() + range.count() > most)
    return part.fail(fmt::format("there are {} tiles with this one, and the mesh of {} x {} has "
                                 "room for {}",
                                 architecture.tiles.size() + range.count(), architecture.width,
                                 architecture.height, most));
  architecture.tiles.insert(architecture.tiles.end(), range.count(),
                            static_cast<uint32_t>(architecture.tileKinds.size()));
  architecture.tileKinds.push_back(std::move(tile));
  return llvm::Error::success();
}

/// One figure, a list by the number of tiles, or a mapping from numbers of tiles on.
llvm::Error ArchitectureReader::readBarrier(const Attributes &attributes) {
  std::string model = "fixed";
  if (attributes.has("sync_model")) {
    SPINDLE_ASSIGN(model, attributes.word("sync_model"));
  }
  architecture.barrier = {{0, 0.0}};
  if (!attributes.has("latency_sync")) {
    if (model == "fixed")
      return llvm::Error::success();
    return attributes.at("latency_sync").takeError();
  }
  SPINDLE_ASSIGN(Field times, attributes.at("latency_sync"));
  if (model != "fixed" && model != "table")
    return times.fail(fmt::format("sync_model is '{}', expected fixed or table", model));
  if (times.isScalar()) {
    SPINDLE_ASSIGN(architecture.barrier[0].second, attributes.amount("latency_sync"));
    return llvm::Error::success();
  }
  if (model == "fixed")
    return times.fail("latency_sync is a table, expected one figure with sync_model: fixed");
  std::map<uint32_t, double> table;
  auto add = [&](uint32_t tiles, const Field &field) -> llvm::Error {
    SPINDLE_ASSIGN(double seconds, field.number());
    if (seconds < 0)
      return field.fail(fmt::format("{} is {}, expected at least 0", field.title(), seconds));
    table[tiles] = seconds;
    return llvm::Error::success();
  };
  if (times.isList()) {
    for (const Field &element : times.elements())
      SPINDLE_RETURN_IF_ERROR(add(static_cast<uint32_t>(table.size()), element));
  } else {
    SPINDLE_ASSIGN(auto members, times.members());
    for (const auto &[key, value] : members) {
      uint32_t tiles = 0;
      if (llvm::StringRef(key).getAsInteger(10, tiles))
        return value.fail(fmt::format("'{}' is no number of tiles", key));
      SPINDLE_RETURN_IF_ERROR(add(tiles, value));
    }
  }
  if (table.empty())
    return times.fail("latency_sync is empty, expected a time for some number of tiles");
  architecture.barrier.assign(table.begin(), table.end());
  return llvm::Error::success();
}

llvm::Error ArchitectureReader::readNetwork(const Field &part) {
  SPINDLE_ASSIGN(Attributes attributes,
                 Attributes::of(part, {"topology", "width", "height", "link_buffer_size",
                                       "sync_model", "latency_sync"}));
  SPINDLE_ASSIGN(architecture.width, attributes.count("width", kLongestMeshSide));
  SPINDLE_ASSIGN(architecture.height, attributes.count("height", kLongestMeshSide));
  SPINDLE_ASSIGN(architecture.linkBuffer, attributes.count("link_buffer_size", INT32_MAX));
  if (attributes.has("topology")) {
    SPINDLE_ASSIGN(Field topology, attributes.at("topology"));
    if (!topology.isScalar() || topology.text() != "mesh")
      return topology.fail("the topology is no mesh, which is all that SANA-FE moves messages in");
  }
  return readBarrier(attributes);
}

llvm::Error ArchitectureReader::read(const Field &root) {
  SPINDLE_ASSIGN(Field part, root.at("architecture"));
  SPINDLE_ASSIGN(architecture.name, nameOf(part));
  SPINDLE_RETURN_IF_ERROR(readNetwork(part));
  SPINDLE_ASSIGN(Field tiles, part.at("tile"));
  for (const Field &tile : tiles.elements())
    SPINDLE_RETURN_IF_ERROR(readTile(tile));
  if (architecture.tiles.empty())
    return tiles.fail("there are no tiles, expected at least one");
  return llvm::Error::success();
}

} // namespace

bool HardwareUnit::isNamed(const std::string &wanted) const {
  if (!name.isRange)
    return name.name == wanted;
  llvm::StringRef rest = wanted;
  uint32_t index = 0;
  return rest.consume_front(name.name) && rest.consume_front("[") && rest.consume_back("]") &&
         !rest.getAsInteger(10, index) && index >= name.first && index <= name.last;
}

bool CoreKind::isHost() const {
  return llvm::all_of(somas, [](const HardwareUnit &soma) { return soma.model == "input"; });
}

double Architecture::barrierSeconds(uint32_t tilesInUse) const {
  double seconds = barrier.front().second;
  for (auto [from, time] : barrier)
    if (from <= tilesInUse)
      seconds = time;
  return seconds;
}

llvm::Expected<Architecture> readArchitecture(const std::string &path) {
  SPINDLE_ASSIGN(YamlDocument document, YamlDocument::load(path));
  Architecture architecture;
  architecture.path = path;
  SPINDLE_RETURN_IF_ERROR(
      ArchitectureReader(architecture).read(Field(document, document.root(), "the file")));
  return architecture;
}

} // namespace spindle::sanafe
