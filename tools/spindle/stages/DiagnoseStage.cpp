// The stage that says which layer of a conversion loses accuracy.
#include "tools/spindle/flow/Stage.h"
#include "tools/spindle/stages/ModuleFile.h"

#include "core/run/StageFileNames.h"
#include "core/support/files/DataPath.h"
#include "lib/emulation/diagnosis/Diagnose.h"

#include "fmt/format.h"
#include "fmt/ranges.h"

#include <algorithm>

namespace spindle {

static std::string lineOf(const Diagnosis &diagnosis) {
  std::string worst = "no layer costs accuracy by itself";
  std::vector<std::string> names;
  for (const DiagnosedLayer *layer : costliestLayers(diagnosis)) {
    names.push_back(layer->name);
    worst = fmt::format("{} cost{} most: {:.2f} points", fmt::join(names, " and "),
                        names.size() == 1 ? "s" : "", *contributionPoints(diagnosis, *layer));
  }
  double rate = hiddenSpikeRate(diagnosis);
  return fmt::format("{:.2f} points lost on {} samples; {}; spike rate {:.1f} %, {} the break-even "
                     "of {:.1f} %",
                     lossPoints(diagnosis), diagnosis.samples, worst, 100 * rate,
                     rate < kBreakEvenSpikeRate ? "below" : "above", 100 * kBreakEvenSpikeRate);
}

llvm::Expected<std::string> runDiagnose(const StageRun &run) {
  SPINDLE_RETURN_IF_ERROR(run.need(run.flow.hasDataset, "dataset"));
  auto context = makeNetworkContext();
  SPINDLE_ASSIGN(auto ann, readModule(*context, run.file(run::kAnnModule)));
  if (isSpiking(*ann))
    return inputError(run.flow.path, "the model spikes already, so that there is no conversion to "
                                     "diagnose; leave out the section diagnosis");
  SPINDLE_ASSIGN(auto snn, readModule(*context, run.file(run::kSnnModule)));
  SPINDLE_ASSIGN(ConversionSummary conversion, readConversionSummary(run.file(run::kConversion)));
  DatasetOptions dataset = run.flow.dataset;
  int64_t most = run.flow.diagnosis.samples;
  dataset.test.limit = std::min(dataset.test.limit.value_or(most), most);
  EmulationOptions options = run.flow.emulation;
  SPINDLE_ASSIGN(EmulationSummary emulated, readEmulationSummary(run.file(run::kEmulation)));
  options.steps = static_cast<int64_t>(emulated.steps); // what is diagnosed is what was emulated
  SPINDLE_ASSIGN(Samples samples, loadDataset(dataset, PathResolver(run.flow.path)));
  SPINDLE_ASSIGN(Diagnosis diagnosis,
                 diagnose(*ann, *snn, conversion, samples, options, run.counting()));
  SPINDLE_RETURN_IF_ERROR(writeDiagnosis(run.output(run::kDiagnosis), diagnosis));
  return lineOf(diagnosis);
}

} // namespace spindle
