#include "core/chip/file/CrossbarFile.h"

#include "core/chip/file/SourcedFigures.h"

#include "fmt/format.h"

#include <tuple>

namespace spindle {

namespace {

constexpr int64_t kMostRowsOf1 = 4096, kMostRowsOf2 = 1 << 20, kMostWords = int64_t(1) << 32,
                  kMostAxonTypes = 16;

void readCoreLimits(YamlReader reader, const YAML::Node &mapping, Crossbar &crossbar) {
  CoreLimits &core = crossbar.core;
  readSourced(reader, mapping, "synapse_words", core.synapseWords, 1, kMostWords);
  readSourced(reader, mapping, "fan_in", core.fanIn, 1, kMostRowsOf2);
  readSourced(reader, mapping, "axons", core.axons, 1, kMostRowsOf2);
  core.wordBits = crossbar.weightBits;
  readCount(reader, "word_bits", core.wordBits, 1, 4096);
  if (core.wordBits < crossbar.weightBits)
    reader.fail("word_bits",
                fmt::format("word_bits is {}, less than a weight of {} bits; use words "
                            "that hold a weight",
                            core.wordBits, crossbar.weightBits));
  reader.readEnum("weight_sharing", core.sharing, {"none", "kernel"});
  reader.readEnum("axons_per", core.axonsPer, {"source", "population"});
  readCount(reader, "axon_types", core.axonTypes, 1, kMostAxonTypes);
  for (auto [key, of, given] :
       {std::tuple{"word_bits", "synapse_words", core.limits(core.synapseWords)},
        {"weight_sharing", "synapse_words", core.limits(core.synapseWords)},
        {"axons_per", "axons", core.limits(core.axons)},
        {"axon_types", "axons", core.limits(core.axons)}})
    if (reader.has(key) && !given)
      reader.fail(key, fmt::format("{} says how {} are counted, which are not limited; give {} as "
                                   "well, or leave it out",
                                   key, of, of));
}

} // namespace

void readCrossbar(YamlReader reader, const YAML::Node &mapping, Crossbar &crossbar,
                  int64_t version) {
  reader.require("rows");
  reader.require("columns");
  readCount(reader, "rows", crossbar.rows, 1, version == 1 ? kMostRowsOf1 : kMostRowsOf2);
  readCount(reader, "columns", crossbar.columns, 1, 4096);
  readCount(reader, "weight_bits", crossbar.weightBits, 1, 64);
  readSourced(reader, mapping, "read_endurance", crossbar.readEndurance, 1, 1e30);
  if (reader.has("limits") && version == 1)
    return reader.fail("limits", "limits of a core belong to version 2 of the format; set version: "
                                 "2");
  if (reader.has("limits"))
    readCoreLimits(reader.section("limits"), mapping["limits"], crossbar);
  if (reader.has("device"))
    readDevice(reader.section("device"), crossbar.device.emplace());
}

} // namespace spindle
