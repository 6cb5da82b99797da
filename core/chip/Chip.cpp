#include "core/chip/Chip.h"
#include "core/chip/ChipDocument.h"
#include "core/chip/CrossbarRoom.h"
#include "core/chip/file/CrossbarFile.h"
#include "core/chip/file/GatingFile.h"
#include "core/chip/file/JoinedChips.h"
#include "core/chip/file/SourcedFigures.h"

#include "core/chip/ChipFiles.h"
#include "core/support/files/File.h"
#include "core/support/formats/Yaml.h"

#include "fmt/format.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/ErrorHandling.h"

#include <algorithm>
#include <cmath>

namespace spindle {

namespace {

constexpr FileFormat kChipFormat = {"spindle-chip", 2}; // the latest; 1 is read, too

constexpr double kMostMhz = 1e5, kMostPj = 1e9, kMostMw = 1e6, kMostCycles = 1e6;

/// One priced event: its key and where its figure goes.
template <typename Table> struct Price {
  const char *key;
  Sourced Table::*member;
  double most;
};

constexpr Price<EnergyTable> kEnergyPrices[] = {
    {"hop_x_pj", &EnergyTable::hopXPj, kMostPj},
    {"hop_y_pj", &EnergyTable::hopYPj, kMostPj},
    {"axon_out_pj", &EnergyTable::axonOutPj, kMostPj},
    {"axon_in_pj", &EnergyTable::axonInPj, kMostPj},
    {"synapse_pj", &EnergyTable::synapsePj, kMostPj},
    {"partial_sum_pj", &EnergyTable::partialSumPj, kMostPj},
    {"neuron_update_pj", &EnergyTable::neuronUpdatePj, kMostPj},
    {"neuron_spike_pj", &EnergyTable::neuronSpikePj, kMostPj},
    {"step_barrier_pj", &EnergyTable::stepBarrierPj, kMostPj},
    {"leakage_tile_mw", &EnergyTable::leakageTileMw, kMostMw},
    {"leakage_router_mw", &EnergyTable::leakageRouterMw, kMostMw},
    {"leakage_gated_router_mw", &EnergyTable::leakageGatedRouterMw, kMostMw},
    {"router_wake_pj", &EnergyTable::routerWakePj, kMostPj},
    {"leakage_port_mw", &EnergyTable::leakagePortMw, kMostMw},
    {"clock_tile_mw", &EnergyTable::clockTileMw, kMostMw},
    {"neuron_access_pj", &EnergyTable::neuronAccessPj, kMostPj},
};

constexpr Price<LatencyTable> kLatencyPrices[] = {
    {"row_read_cycles", &LatencyTable::rowReadCycles, kMostCycles},
    {"synapse_cycles", &LatencyTable::synapseCycles, kMostCycles},
    {"partial_sum_cycles", &LatencyTable::partialSumCycles, kMostCycles},
    {"neuron_update_cycles", &LatencyTable::neuronUpdateCycles, kMostCycles},
    {"step_barrier_cycles", &LatencyTable::stepBarrierCycles, kMostCycles},
    {"step_barrier_tile_cycles", &LatencyTable::stepBarrierTileCycles, kMostCycles},
    {"neuron_access_cycles", &LatencyTable::neuronAccessCycles, kMostCycles},
    {"neuron_spike_cycles", &LatencyTable::neuronSpikeCycles, kMostCycles},
    {"axon_out_cycles", &LatencyTable::axonOutCycles, kMostCycles},
};

std::string synapseKey(SynapseKind kind, const char *unit) {
  return fmt::format("{}_synapse_{}", kSynapseKindNames[size_t(kind)], unit);
}

template <typename Table, size_t n>
void readPrices(YamlReader &reader, const YAML::Node &mapping, const Price<Table> (&prices)[n],
                Table &table) {
  for (const Price<Table> &price : prices)
    readSourced(reader, mapping, price.key, table.*price.member, 0, price.most);
}

constexpr SynapseKind kKnownKinds[] = {SynapseKind::Convolution, SynapseKind::Sparse,
                                       SynapseKind::Dense};

/// `dense_synapse_pj` and the like.
void readKinds(YamlReader &reader, const YAML::Node &mapping, const char *unit, double most,
               SourcedByKind &figures) {
  for (SynapseKind kind : kKnownKinds)
    readSourced(reader, mapping, synapseKey(kind, unit).c_str(), figures[size_t(kind)], 0, most);
}

/// `{tiles: [1, 4], cycles: [600, 1000], source: "…"}` in the place of one figure.
void readBarrierLevels(YamlReader reader, LatencyTable &latency) {
  std::vector<int64_t> tiles, cycles;
  for (const char *key : {"tiles", "cycles", "source"})
    reader.require(key);
  reader.read("tiles", tiles);
  reader.read("cycles", cycles);
  reader.read("source", latency.stepBarrierCycles.source);
  if (tiles.size() != cycles.size() || tiles.empty())
    return reader.fail("cycles",
                       fmt::format("found {} cycles for {} numbers of tiles, expected one "
                                   "for each",
                                   cycles.size(), tiles.size()));
  for (size_t i = 0; i < tiles.size(); ++i) {
    bool ascends = i == 0 ? tiles[0] == 1 : tiles[i] > tiles[i - 1] && tiles[i] <= UINT32_MAX;
    if (!ascends)
      return reader.fail("tiles", fmt::format("found {} as number {}, expected numbers of tiles "
                                              "that begin with 1 and ascend",
                                              tiles[i], i + 1));
    if (cycles[i] < 0 || double(cycles[i]) > kMostCycles)
      return reader.fail(
          "cycles", fmt::format("found {}, expected 0 to {:g} cycles", cycles[i], kMostCycles));
    latency.barrierLevels.push_back(
        {static_cast<uint32_t>(tiles[i]), static_cast<uint64_t>(cycles[i])});
  }
}

void readLatency(YamlReader reader, const YAML::Node &mapping, LatencyTable &latency) {
  for (const char *key : {"row_read_cycles", "neuron_update_cycles"})
    reader.require(key);
  if (!reader.has("step_barrier_levels"))
    reader.require("step_barrier_cycles");
  else if (reader.has("step_barrier_cycles") || reader.has("step_barrier_tile_cycles"))
    reader.fail("step_barrier_levels", "step_barrier_levels stands in the place of "
                                       "step_barrier_cycles and step_barrier_tile_cycles; give "
                                       "one of the two ways");
  else
    readBarrierLevels(reader.section("step_barrier_levels"), latency);
  readPrices(reader, mapping, kLatencyPrices, latency);
  readKinds(reader, mapping, "cycles", kMostCycles, latency.synapseKindCycles);
  auto checkWhole = [&](const std::string &key, double value) {
    if (value != std::floor(value))
      reader.fail(
          key.c_str(),
          fmt::format("{} is {}, expected a whole number of cycles; round it up", key, value));
  };
  for (const Price<LatencyTable> &price : kLatencyPrices)
    checkWhole(price.key, (latency.*price.member).value);
  for (SynapseKind kind : kKnownKinds)
    checkWhole(synapseKey(kind, "cycles"), latency.synapseKindCycles[size_t(kind)].value);
}

void readEnergy(YamlReader reader, const YAML::Node &mapping, EnergyTable &energy) {
  readPrices(reader, mapping, kEnergyPrices, energy);
  readKinds(reader, mapping, "pj", kMostPj, energy.synapseKindPj);
}

constexpr uint32_t kMostStageCycles = 64;

/// Reads the stages one by one, where one of them is there.
void readStages(YamlReader &reader, Router &router) {
  struct Key {
    const char *name;
    uint32_t StageCycles::*member;
    uint32_t least;
  };
  constexpr Key keys[] = {{"routing_cycles", &StageCycles::routing, 0},
                          {"vc_allocation_cycles", &StageCycles::channelAllocation, 1},
                          {"switch_allocation_cycles", &StageCycles::switchAllocation, 1},
                          {"switch_cycles", &StageCycles::switchTraversal, 1},
                          {"link_cycles", &StageCycles::link, 1},
                          {"credit_cycles", &StageCycles::credit, 0}};
  const char *given = nullptr;
  StageCycles stages;
  for (const Key &key : keys) {
    if (!given && reader.has(key.name))
      given = key.name;
    readCount(reader, key.name, stages.*key.member, key.least, kMostStageCycles);
  }
  if (!given && reader.has("speculative"))
    given = "speculative";
  reader.read("speculative", stages.speculative);
  if (!given)
    return;
  router.stages = stages;
  if (reader.has("pipeline_cycles"))
    reader.fail("pipeline_cycles", fmt::format("pipeline_cycles and {} are both given; the stages "
                                               "one by one, or all of them in one figure",
                                               given));
  if (stages.speculative && (stages.channelAllocation > 1 || stages.switchAllocation > 1))
    reader.fail("speculative", "speculative routers allocate channel and switch in one cycle, but "
                               "vc_allocation_cycles or switch_allocation_cycles is more; leave it "
                               "out");
}

void checkChannels(YamlReader &reader, const Router &router, const Mesh &mesh) {
  uint32_t least = leastChannels(router.routing, mesh.topology);
  if (router.virtualChannels < least)
    reader.fail(reader.has("virtual_channels") ? "virtual_channels" : "routing",
                fmt::format("routing {} on a {} needs at least {} virtual channels, the router has "
                            "{}; set virtual_channels: {}",
                            kRoutingNames[static_cast<size_t>(router.routing)], mesh.topologyName(),
                            least, router.virtualChannels, least));
}

/// Where there is one way only, nothing is to be routed; on a bus there is no router at all.
void checkTopology(YamlReader &reader, const Router &router, const Mesh &mesh) {
  auto refuse = [&](const char *key, const char *why) {
    if (reader.has(key))
      reader.fail(key, fmt::format("{} is given, but {} (topology {}); leave it out", key, why,
                                   mesh.topologyName()));
  };
  if (!mesh.isGrid()) {
    refuse("routing", "there is one way between two tiles");
    refuse("adaptive_options", "there is one way between two tiles");
    if (router.multicast == Multicast::Path)
      reader.fail("multicast", fmt::format("multicast path goes along the columns of a mesh, and "
                                           "the topology is {}; use multicast tree",
                                           mesh.topologyName()));
  }
  if (!mesh.isBus())
    return refuse("bus", "a bus with lanes is a segmented one");
  for (const char *key :
       {"pipeline_cycles", "routing_cycles", "vc_allocation_cycles", "switch_allocation_cycles",
        "switch_cycles", "link_cycles", "credit_cycles", "speculative", "virtual_channels",
        "allocator", "buffer_flits", "multicast_entries", "gating"})
    refuse(key, "a bus has no routers");
}

void readBus(YamlReader reader, BusWires &bus) {
  readCount(reader, "lanes", bus.lanes, 1, 64);
  readCount(reader, "segments_per_cycle", bus.segmentsPerCycle, 0, 1 << 16);
}

/// Trees are made of the ways that dimension order takes in a mesh, or of those that a tree or a
/// bus has, and a router that splits a packet must be able to hold it as a whole
/// (docs/rationale/chip.md).
void checkMulticast(YamlReader &reader, const Router &router, const Mesh &mesh) {
  if (router.multicast == Multicast::Unicast)
    return;
  const char *name = kMulticastNames[static_cast<size_t>(router.multicast)];
  if (router.packetsTo == PacketTarget::Crossbar)
    return reader.fail("packets_to",
                       fmt::format("multicast {} sends one packet for several crossbars, and "
                                   "packets_to: crossbar one to each; use multicast unicast",
                                   name));
  if (mesh.wraps() || (router.routing != Routing::XY && router.routing != Routing::YX))
    return reader.fail("multicast",
                       fmt::format("multicast {} goes along dimension order in a mesh, but routing "
                                   "is {} on a {}; use routing xy and topology mesh, or multicast "
                                   "unicast",
                                   name, kRoutingNames[static_cast<size_t>(router.routing)],
                                   mesh.topologyName()));
  if (!mesh.isBus() && router.spikePacketFlits > router.bufferFlits)
    reader.fail("multicast",
                fmt::format("multicast {} needs buffers that hold a packet of a spike, "
                            "of {} flits, but buffer_flits is {}; set buffer_flits: {}",
                            name, router.spikePacketFlits, router.bufferFlits,
                            router.spikePacketFlits));
}

/// The links that join the ends of rows and columns are a matter of the mesh.
void readRouter(YamlReader reader, Router &router, Mesh &mesh) {
  readCount(reader, "pipeline_cycles", router.pipelineCycles, 1, 64);
  readStages(reader, router);
  readCount(reader, "virtual_channels", router.virtualChannels, 1, kMostChannels);
  reader.readEnum("routing", router.routing, kRoutingNames);
  reader.readEnum("adaptive_options", router.adaptiveOptions, {"first", "all"});
  reader.readEnum("allocator", router.allocator, {"separable", "islip"});
  reader.readEnum("topology", mesh.topology, kTopologyNames);
  readCount(reader, "end_cycles", router.endCycles, 0, 256);
  readCount(reader, "link_interval_cycles", router.linkIntervalCycles, 1, 16);
  readCount(reader, "buffer_flits", router.bufferFlits, 1, 64);
  readCount(reader, "spike_packet_flits", router.spikePacketFlits, 1, 64);
  readCount(reader, "partial_sum_packet_flits", router.partialSumPacketFlits, 1, 64);
  reader.readEnum("multicast", router.multicast, kMulticastNames);
  reader.readEnum("packets_to", router.packetsTo, kPacketTargetNames);
  readCount(reader, "multicast_entries", router.multicastEntries, 1, 1 << 20);
  readGating(reader, router.gating);
  if (reader.has("bus"))
    readBus(reader.section("bus"), router.bus);
  else
    reader.section("bus"); // known, and absent
  checkTopology(reader, router, mesh);
  checkChannels(reader, router, mesh);
  checkMulticast(reader, router, mesh);
}

void readThermal(YamlReader reader, const YAML::Node &mapping, std::optional<Thermal> &thermal) {
  thermal.emplace();
  for (const char *key : {"ambient_c", "to_ambient_k_per_w", "between_tiles_k_per_w"})
    reader.require(key);
  readSourced(reader, mapping, "ambient_c", thermal->ambientC, -273.15, 1000);
  readSourced(reader, mapping, "to_ambient_k_per_w", thermal->toAmbientKPerW, 1e-6, 1e9);
  readSourced(reader, mapping, "between_tiles_k_per_w", thermal->betweenTilesKPerW, 1e-6, 1e9);
}

void readLoad(YamlReader &chip, const YAML::Node &root, LoadPrices &load, int64_t version) {
  if (!chip.has("load")) {
    chip.section("load"); // known, and absent
    return;
  }
  if (version == 1)
    return chip.fail("load", "prices of loads belong to version 2 of the format; set version: 2");
  YamlReader reader = chip.section("load");
  reader.require("row_cycles");
  readSourced(reader, root["load"], "row_cycles", load.rowCycles, 0, kMostCycles);
  readSourced(reader, root["load"], "cell_pj", load.cellPj, 0, kMostPj);
  if (load.rowCycles.value != std::floor(load.rowCycles.value))
    reader.fail("row_cycles", fmt::format("row_cycles is {}, expected a whole number of cycles; "
                                          "round it up",
                                          load.rowCycles.value));
}

void readMesh(YamlReader reader, Mesh &mesh) {
  reader.require("columns");
  reader.require("rows");
  readCount(reader, "columns", mesh.columns, 1, kLongestMeshSide);
  readCount(reader, "rows", mesh.rows, 1, kLongestMeshSide);
}

void readHostTiles(YamlReader &reader, Mesh &mesh) {
  std::vector<int64_t> tiles = {0};
  reader.read("host", tiles);
  if (tiles.empty())
    return reader.fail("host", "host names no tile; name at least one, or leave it out for tile 0");
  mesh.hostTiles.clear();
  for (int64_t tile : tiles) {
    if (tile < 0 || tile >= mesh.tiles())
      return reader.fail("host", fmt::format("host is at tile {}, expected 0 to {}: the mesh has "
                                             "{}x{} tiles",
                                             tile, mesh.tiles() - 1, mesh.columns, mesh.rows));
    if (llvm::is_contained(mesh.hostTiles, tile))
      return reader.fail("host", fmt::format("host names tile {} twice; name it once", tile));
    mesh.hostTiles.push_back(static_cast<TileId>(tile));
  }
}

int64_t readHeader(YamlReader &reader) {
  std::string format = kChipFormat.name;
  int64_t version = kChipFormat.version;
  reader.require("format");
  reader.require("version");
  reader.read("format", format);
  if (format != kChipFormat.name)
    reader.fail("format", fmt::format("format is '{}', expected {}", format, kChipFormat.name));
  reader.read("version", version);
  if (version < 1 || version > kChipFormat.version)
    reader.fail("version",
                fmt::format("version is {}, expected 1 to {}", version, kChipFormat.version));
  return version;
}

} // namespace

uint32_t leastChannels(Routing routing, Topology topology) {
  bool wraps = topology == Topology::Torus;
  switch (routing) {
  case Routing::XY:
  case Routing::YX:
    return wraps ? 2 : 1;
  case Routing::WestFirst:
  case Routing::OddEven:
  case Routing::UpDown:
    return 1;
  case Routing::MinAdaptive:
    return wraps ? 3 : 2;
  case Routing::PlanarAdaptive:
    return 3;
  }
  llvm_unreachable("every routing has a case");
}

double partialSumFlits(const Router &router, double packets, double sums) {
  double value = std::max(1.0, router.partialSumPacketFlits - 1.0);
  return packets * router.partialSumPacketFlits + (sums - packets) * value;
}

std::vector<std::string> chipNames() {
  std::vector<std::string> names;
  for (auto [name, text] : chip_file::kFiles)
    names.push_back(name);
  return names;
}

uint64_t Chip::barrierCycles(uint64_t tilesInUse) const {
  if (latency.barrierLevels.empty())
    return static_cast<uint64_t>(latency.stepBarrierCycles.value +
                                 double(tilesInUse) * latency.stepBarrierTileCycles.value);
  uint64_t cycles = latency.barrierLevels.front().cycles;
  for (const BarrierLevel &level : latency.barrierLevels)
    if (level.tiles <= tilesInUse)
      cycles = level.cycles;
  return cycles;
}

uint32_t Chip::crossbars() const {
  auto dead = static_cast<uint32_t>(router.deadTiles.size()) * crossbarsPerTile;
  for (const CrossbarFault &fault : crossbarFaults)
    dead +=
        !llvm::is_contained(router.deadTiles, fault.tile) && usableSizes(crossbar, fault)->empty();
  return mesh.tiles() * crossbarsPerTile - dead;
}

bool isChipName(const std::string &name) { return llvm::is_contained(chipNames(), name); }

/// With a rest for decimal fractions such as 0.1 µs.
uint64_t Chip::stepCycles() const {
  return static_cast<uint64_t>(stepUs.value * clockMhz.value * (1 + 1e-12));
}

static void readSynchronisation(YamlReader &reader, const YAML::Node &root, Chip &chip) {
  reader.readEnum("synchronisation", chip.synchronisation, kSynchronisationNames);
  readSourced(reader, root, "step_us", chip.stepUs, 0, 1e6);
  bool isFree = chip.synchronisation == Synchronisation::Free;
  if (isFree && !reader.has("step_us"))
    reader.fail("synchronisation", "synchronisation free needs the time of a step; add step_us: "
                                   "{value: 1000, source: \"assumption: real time\"}");
  else if (!isFree && reader.has("step_us"))
    reader.fail("step_us", "step_us is the step of a free-running chip; set synchronisation: free, "
                           "or leave it out");
  else if (isFree && chip.clockMhz.value > 0 && chip.stepUs.value > 0 && chip.stepCycles() == 0)
    reader.fail("step_us",
                fmt::format("step_us is {}, less than a cycle at {} MHz; set at least {}",
                            chip.stepUs.value, chip.clockMhz.value, 1 / chip.clockMhz.value));
}

llvm::Expected<YamlDocument> loadChip(const std::string &pathOrName) {
  for (auto [name, text] : chip_file::kFiles)
    if (name == pathOrName)
      return YamlDocument::parse(text, pathOrName);
  return YamlDocument::load(pathOrName);
}

llvm::Expected<Chip> readChip(const std::string &path) {
  SPINDLE_ASSIGN(YamlDocument document, loadChip(path));
  const YAML::Node &root = document.root();
  YamlReader reader(document);
  Chip chip;
  chip.path = path;
  int64_t version = readHeader(reader);
  for (const char *key : {"name", "mesh", "crossbar", "clock_mhz", "latency"})
    reader.require(key);
  if (!root.IsMap())
    return reader.finish(); // an error in any case: what is required is missing
  reader.read("name", chip.name);
  readMesh(reader.section("mesh"), chip.mesh);
  readJoinedChips(reader, root["chips"], chip, version);
  readHostTiles(reader, chip.mesh);
  readCount(reader, "crossbars_per_tile", chip.crossbarsPerTile, 1, 64);
  readCrossbar(reader.section("crossbar"), root["crossbar"], chip.crossbar, version);
  readRouter(reader.section("router"), chip.router, chip.mesh);
  readFaults(reader.section("faults"), chip);
  checkFaults(reader, chip);
  checkJoinedChips(reader, chip);
  readSourced(reader, root, "clock_mhz", chip.clockMhz, 1e-3, kMostMhz);
  readLatency(reader.section("latency"), root["latency"], chip.latency);
  readEnergy(reader.section("energy"), root["energy"], chip.energy);
  readLoad(reader, root, chip.load, version);
  checkGating(reader, chip);
  if (reader.has("thermal"))
    readThermal(reader.section("thermal"), root["thermal"], chip.thermal);
  readSynchronisation(reader, root, chip);
  SPINDLE_RETURN_IF_ERROR(reader.finish());
  return chip;
}

} // namespace spindle
