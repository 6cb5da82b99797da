#include "lib/partition/PartitionOptions.h"

#include "fmt/format.h"
#include "llvm/ADT/StringRef.h"

namespace spindle {

static void readCrossbars(YamlReader &reader, uint32_t &crossbars) {
  std::string word;
  reader.read("crossbars", word);
  if (word.empty())
    return;
  uint32_t number = 0;
  if (word != "all" && (llvm::StringRef(word).getAsInteger(10, number) || number == 0))
    reader.fail("crossbars", fmt::format("crossbars is '{}', expected a number of at least 1, or "
                                         "all",
                                         word));
  crossbars = number;
}

void readPartitionOptions(YamlReader &reader, PartitionOptions &options) {
  int64_t seed = static_cast<int64_t>(options.seed), passes = options.passes;
  reader.readEnum("algorithm", options.algorithm, kAlgorithmNames);
  reader.readEnum("objective", options.objective, kPartitionObjectiveNames);
  readCrossbars(reader, options.crossbars);
  reader.read("multiplex", options.multiplex);
  if (options.multiplex && options.crossbars > 0)
    reader.fail("multiplex",
                fmt::format("loads take all crossbars of the chip, found crossbars: {} "
                            "beside multiplex; leave one of them out",
                            options.crossbars));
  YamlReader fanIn = reader.section("fan_in");
  fanIn.readEnum("shape", options.shape, kFanInShapeNames);
  fanIn.readEnum("sums", options.sums, kPartialSumsNames);
  reader.read("packet_weight", options.packetWeight, 0, 100);
  if (ColumnOrder order; reader.has("column_order")) {
    reader.readEnum("column_order", order = options.order(), kColumnOrderNames);
    options.columnOrder = order;
  }
  reader.readEnum("lists", options.lists, kListsInNames);
  reader.read("seed", seed, 0);
  reader.read("passes", passes, 0, 1000);
  options.seed = static_cast<uint64_t>(seed);
  options.passes = static_cast<uint32_t>(passes);
}

} // namespace spindle
