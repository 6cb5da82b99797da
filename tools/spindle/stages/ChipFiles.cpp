#include "tools/spindle/stages/ChipFiles.h"

#include "core/run/StageFileNames.h"

#include "fmt/format.h"

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

} // namespace spindle
