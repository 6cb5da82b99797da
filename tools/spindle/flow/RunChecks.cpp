// What is checked of a flow before its first stage works.
#include "tools/spindle/flow/RunStages.h"
#include "tools/spindle/flow/StageOrigins.h"

#include "core/chip/Chip.h"
#include "core/chip/file/PlacementList.h"
#include "lib/dataset/Dataset.h"
#include "lib/emulation/EvaluateAnn.h"
#include "lib/frontend/Import.h"
#include "lib/frontend/ModelFiles.h"
#include "tools/spindle/Commands.h"
#include "tools/spindle/stages/ModuleFile.h"
#include "tools/spindle/stages/RunLoads.h"

#include "fmt/format.h"
#include "mlir/IR/Diagnostics.h"

namespace spindle {

static llvm::Error needSection(const Flow &flow, bool present, const char *section,
                               const Stage &stage) {
  if (present)
    return llvm::Error::success();
  return inputError(flow.path, fmt::format("section '{}' is missing; the stage {} needs it",
                                           section, stage.name));
}

static llvm::Error checkSections(const Flow &flow, const Stage &stage) {
  bool spikesAlready = flow.hasModel && flow.model.spikesAlready();
  if (stage.run == runImport) {
    SPINDLE_RETURN_IF_ERROR(needSection(flow, flow.hasModel, "model", stage));
    if (!spikesAlready)
      SPINDLE_RETURN_IF_ERROR(needSection(flow, flow.hasDataset, "dataset", stage));
  }
  if (stage.run == runConvert && flow.hasDataset && !spikesAlready)
    SPINDLE_RETURN_IF_ERROR(checkCalibration(flow.dataset));
  if (stage.run == runConvert && !spikesAlready)
    SPINDLE_RETURN_IF_ERROR(checkConversionOptions(flow.conversion, flow.path));
  if (stage.run == runConvert && flow.emulation.durationMs && !spikesAlready)
    return inputError(flow.path, "emulation.duration is for spiking models; a conversion is made "
                                 "for emulation.steps");
  return llvm::Error::success();
}

static llvm::Error checkChip(const Flow &flow) {
  if (!flow.hasChip)
    return llvm::Error::success();
  SPINDLE_ASSIGN(Chip chip, readChip(flow.chip));
  return flow.hasLoads ? checkLoadPrices(chip) : llvm::Error::success();
}

static llvm::Error checkSource(const Flow &flow, Source source) {
  PathResolver paths(flow.path);
  switch (source) {
  case Source::Model:
    return flow.hasModel ? checkModelHeader(flow.model) : llvm::Error::success();
  case Source::Dataset:
    return flow.hasDataset ? checkDatasetHeaders(flow.dataset, paths, DatasetPart::Test)
                           : llvm::Error::success();
  case Source::Calibration:
    return flow.hasDataset && flow.dataset.calibration
               ? checkDatasetHeaders(flow.dataset, paths, DatasetPart::Calibration)
               : llvm::Error::success();
  case Source::Chip:
    return checkChip(flow);
  case Source::Placement: {
    if (flow.placement.empty() || !flow.hasChip)
      return llvm::Error::success();
    SPINDLE_ASSIGN(Chip chip, readChip(flow.chip));
    return readPlacementList(flow.placement, chip).takeError();
  }
  case Source::Target:
    return flow.hasHardware ? checkTarget(flow) : llvm::Error::success();
  case Source::Circuits:
    return filesOf(source, flow).takeError();
  }
  llvm_unreachable("all sources are above");
}

llvm::Error checkFlow(const Flow &flow, llvm::ArrayRef<Stage> wanted, bool isLastNamed) {
  for (const Stage *stage : {&wanted.front(), &wanted.back()})
    if (!isAsked(flow, *stage) && (stage == &wanted.front() || isLastNamed))
      return needSection(flow, false, stage->section, *stage);
  for (const Stage &stage : wanted)
    if (isAsked(flow, stage))
      SPINDLE_RETURN_IF_ERROR(checkSections(flow, stage));
  std::vector<Source> checked;
  for (const Stage &stage : wanted) {
    if (!isAsked(flow, stage))
      continue;
    for (Source source : stage.sources)
      if (!llvm::is_contained(checked, source)) {
        SPINDLE_RETURN_IF_ERROR(checkSource(flow, source));
        checked.push_back(source);
      }
  }
  return llvm::Error::success();
}

llvm::Error checkImport(const Flow &flow) {
  if (flow.model.spikesAlready()) // imported without samples
    return llvm::Error::success();
  auto context = makeNetworkContext();
  // The import itself warns.
  mlir::ScopedDiagnosticHandler quiet(context.get(), [](mlir::Diagnostic &diagnostic) {
    return mlir::success(diagnostic.getSeverity() == mlir::DiagnosticSeverity::Warning);
  });
  SPINDLE_ASSIGN(auto ann, importModel(*context, flow.model));
  if (isSpiking(*ann) || !flow.dataset.test.archive.empty())
    return llvm::Error::success();
  DatasetOptions one = flow.dataset;
  one.test.limit = 1;
  SPINDLE_ASSIGN(Samples sample, openDataset(one, PathResolver(flow.path)));
  return checkSamples(*ann, sample);
}

} // namespace spindle
