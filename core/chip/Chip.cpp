#include "core/chip/Chip.h"

#include "core/chip/ChipFiles.h"
#include "core/support/files/File.h"
#include "core/support/formats/Yaml.h"

#include "fmt/format.h"
#include "llvm/ADT/STLExtras.h"

#include <cmath>

namespace spindle {

namespace {

constexpr FileFormat kChipFormat = {"spindle-chip", 1};

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
    {"neuron_update_pj", &EnergyTable::neuronUpdatePj, kMostPj},
    {"neuron_spike_pj", &EnergyTable::neuronSpikePj, kMostPj},
    {"step_barrier_pj", &EnergyTable::stepBarrierPj, kMostPj},
    {"leakage_tile_mw", &EnergyTable::leakageTileMw, kMostMw},
};

constexpr Price<LatencyTable> kLatencyPrices[] = {
    {"row_read_cycles", &LatencyTable::rowReadCycles, kMostCycles},
    {"synapse_cycles", &LatencyTable::synapseCycles, kMostCycles},
    {"neuron_update_cycles", &LatencyTable::neuronUpdateCycles, kMostCycles},
    {"step_barrier_cycles", &LatencyTable::stepBarrierCycles, kMostCycles},
};

void readCount(YamlReader &reader, const char *key, uint32_t &value, int64_t least, int64_t most) {
  int64_t number = value;
  reader.read(key, number, least, most);
  value = static_cast<uint32_t>(number);
}

/// `{value: 3.08, source: "…"}`. `mapping` is the YAML behind `reader`.
void readSourced(YamlReader &reader, const YAML::Node &mapping, const char *key, Sourced &figure,
                 double least, double most) {
  if (!reader.has(key)) {
    reader.section(key); // known, and absent
    return;
  }
  if (mapping[key].IsScalar())
    return reader.fail(key, fmt::format("{} is '{}' without a source: give value and source, e.g. "
                                        "{{value: {}, source: \"author year\"}}",
                                        key, mapping[key].Scalar(), mapping[key].Scalar()));
  YamlReader section = reader.section(key);
  section.require("value");
  section.require("source");
  section.read("value", figure.value, least, most);
  section.read("source", figure.source);
  if (section.has("source") && figure.source.empty())
    section.fail("source", "source is empty: name the publication, or say 'assumption: ...'");
}

template <typename Table, size_t n>
void readPrices(YamlReader reader, const YAML::Node &mapping, const Price<Table> (&prices)[n],
                Table &table) {
  for (const Price<Table> &price : prices)
    readSourced(reader, mapping, price.key, table.*price.member, 0, price.most);
}

void readLatency(YamlReader reader, const YAML::Node &mapping, LatencyTable &latency) {
  for (const char *key : {"row_read_cycles", "neuron_update_cycles", "step_barrier_cycles"})
    reader.require(key);
  readPrices(reader, mapping, kLatencyPrices, latency);
  for (const Price<LatencyTable> &price : kLatencyPrices)
    if (double value = (latency.*price.member).value; value != std::floor(value))
      reader.fail(price.key, fmt::format("{} is {}, expected a whole number of cycles; round it up",
                                         price.key, value));
}

void readRouter(YamlReader reader, Router &router) {
  readCount(reader, "pipeline_cycles", router.pipelineCycles, 1, 64);
  readCount(reader, "end_cycles", router.endCycles, 0, 256);
  readCount(reader, "buffer_flits", router.bufferFlits, 1, 64);
  readCount(reader, "spike_packet_flits", router.spikePacketFlits, 1, 64);
  readCount(reader, "partial_sum_packet_flits", router.partialSumPacketFlits, 1, 64);
}

void readCrossbar(YamlReader reader, Crossbar &crossbar) {
  reader.require("rows");
  reader.require("columns");
  readCount(reader, "rows", crossbar.rows, 1, 4096);
  readCount(reader, "columns", crossbar.columns, 1, 4096);
  readCount(reader, "weight_bits", crossbar.weightBits, 1, 64);
}

void readMesh(YamlReader reader, Mesh &mesh) {
  reader.require("columns");
  reader.require("rows");
  readCount(reader, "columns", mesh.columns, 1, kLongestMeshSide);
  readCount(reader, "rows", mesh.rows, 1, kLongestMeshSide);
}

void readHeader(YamlReader &reader) {
  std::string format = kChipFormat.name;
  int64_t version = kChipFormat.version;
  reader.require("format");
  reader.require("version");
  reader.read("format", format);
  if (format != kChipFormat.name)
    reader.fail("format", fmt::format("format is '{}', expected {}", format, kChipFormat.name));
  reader.read("version", version);
  if (version != kChipFormat.version)
    reader.fail("version", fmt::format("version is {}, expected {}", version, kChipFormat.version));
}

} // namespace

std::vector<std::string> chipNames() {
  std::vector<std::string> names;
  for (auto [name, text] : chip_file::kFiles)
    names.push_back(name);
  return names;
}

bool isChipName(const std::string &name) { return llvm::is_contained(chipNames(), name); }

static llvm::Expected<YamlDocument> loadChip(const std::string &pathOrName) {
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
  readHeader(reader);
  for (const char *key : {"name", "mesh", "crossbar", "clock_mhz", "latency"})
    reader.require(key);
  if (!root.IsMap())
    return reader.finish(); // an error in any case: what is required is missing
  reader.read("name", chip.name);
  readMesh(reader.section("mesh"), chip.mesh);
  readCount(reader, "crossbars_per_tile", chip.crossbarsPerTile, 1, 64);
  readCrossbar(reader.section("crossbar"), chip.crossbar);
  readRouter(reader.section("router"), chip.router);
  readSourced(reader, root, "clock_mhz", chip.clockMhz, 1e-3, kMostMhz);
  readLatency(reader.section("latency"), root["latency"], chip.latency);
  readPrices(reader.section("energy"), root["energy"], kEnergyPrices, chip.energy);
  SPINDLE_RETURN_IF_ERROR(reader.finish());
  return chip;
}

} // namespace spindle
