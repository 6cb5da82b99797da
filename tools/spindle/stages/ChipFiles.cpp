#include "tools/spindle/stages/ChipFiles.h"

#include "core/run/StageFileNames.h"

#include "fmt/format.h"

#include <filesystem>

namespace spindle {

llvm::Expected<Mapping> readMappingOf(const StageRun &run, const Clustering &clustering,
                                      const Chip &chip) {
  std::string file = run.file(run::kMapping);
  SPINDLE_ASSIGN(Mapping mapping, readMapping(file));
  if (mapping.chip != chip.name || !(mapping.mesh == chip.mesh))
    return inputError(chip.path,
                      fmt::format("chip '{}' of {}x{} tiles{}, but the mapping was made for "
                                  "'{}' of {}x{}{}; map again for this chip",
                                  chip.name, chip.mesh.columns, chip.mesh.rows, hostText(chip.mesh),
                                  mapping.chip, mapping.mesh.columns, mapping.mesh.rows,
                                  hostText(mapping.mesh)));
  llvm::Error fault =
      llvm::handleErrors(verify(mapping, clustering, chip), [&](const SpindleError &error) {
        return inputError(file, fmt::format("does not fit to {}: {}; map again: --from map",
                                            run::kClusters, error.message));
      });
  if (fault)
    return fault;
  return mapping;
}

llvm::Expected<std::optional<SpikeTrace>>
readTraceFor(const PartitionOptions &options, const std::string &path, const SpikingGraph &graph) {
  if (options.objective != PartitionObjective::Time || !std::filesystem::exists(path))
    return std::nullopt;
  SPINDLE_ASSIGN(SpikeTrace trace, readSpikeTrace(path));
  if (trace.populations != graph.populations)
    return inputError(path, fmt::format("is of another network than {}; make both again: --from "
                                        "emulate",
                                        run::kGraph));
  return trace;
}

} // namespace spindle
