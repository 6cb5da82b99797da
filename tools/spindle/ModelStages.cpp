// Stages that hold networks in MLIR: import, emulate, graph.
#include "tools/spindle/ModuleFile.h"
#include "tools/spindle/Stage.h"

#include "lib/core/SpikeStatistics.h"
#include "lib/core/SpikingGraph.h"
#include "lib/emulation/Emulation.h"
#include "lib/emulation/EvaluateAnn.h"
#include "lib/emulation/ExtractGraph.h"
#include "lib/frontend/Import.h"
#include "lib/support/DataPath.h"

#include "fmt/format.h"
#include "fmt/ranges.h"

namespace spindle {

static Progress report(const StageRun &run) {
  return [&run](size_t done, size_t total) { run.progress.update(done, total); };
}

static double percent(uint64_t part, uint64_t whole) {
  return whole == 0 ? 0 : 100.0 * static_cast<double>(part) / static_cast<double>(whole);
}

llvm::Expected<std::string> runImport(const StageRun &run) {
  SPINDLE_RETURN_IF_ERROR(run.need(run.flow.hasModel, "model"));
  SPINDLE_RETURN_IF_ERROR(run.need(run.flow.hasDataset, "dataset"));
  auto context = makeNetworkContext();
  SPINDLE_ASSIGN(auto ann, importModel(*context, run.flow.model));
  if (isSpiking(*ann)) {
    SPINDLE_RETURN_IF_ERROR(writeModule(run.file("10-ann.mlir"), *ann));
    return "a spiking network, nothing to convert";
  }
  SPINDLE_ASSIGN(Samples samples, loadDataset(run.flow.dataset, PathResolver(run.flow.path)));
  SPINDLE_ASSIGN(AnnEvaluation evaluation,
                 evaluateAnn(*ann, samples, run.flow.emulation.threads, report(run)));
  evaluation.model = run.flow.modelName;
  evaluation.source = llvm::StringRef(run.flow.model.path).ends_with(".onnx") ? "onnx" : "mlir";
  SPINDLE_RETURN_IF_ERROR(writeModule(run.file("10-ann.mlir"), *ann));
  SPINDLE_RETURN_IF_ERROR(writeAnnEvaluation(run.file("10-ann.json"), evaluation));
  return fmt::format("{}; ANN accuracy {:.2f} % of {} samples", fmt::join(evaluation.layers, " - "),
                     percent(evaluation.correct, evaluation.samples), evaluation.samples);
}

llvm::Expected<std::string> runEmulate(const StageRun &run) {
  SPINDLE_RETURN_IF_ERROR(run.need(run.flow.hasDataset, "dataset"));
  auto context = makeNetworkContext();
  SPINDLE_ASSIGN(auto network, readModule(*context, run.file("20-snn.mlir")));
  SPINDLE_ASSIGN(Samples samples, loadDataset(run.flow.dataset, PathResolver(run.flow.path)));
  EmulationOptions options = run.flow.emulation;
  if (run.flow.conversion.method == ConversionMethod::Auto) { // which chose the steps
    SPINDLE_ASSIGN(ConversionSummary conversion, readConversionSummary(run.file("20-snn.json")));
    options.steps = static_cast<int64_t>(conversion.steps);
  }
  SPINDLE_ASSIGN(EmulationResult result,
                 emulate(*network, samples, options, report(run), &run.ranks));
  SPINDLE_RETURN_IF_ERROR(writeSpikeTrace(run.file("30-spikes.h5"), result.trace));
  if (!result.membranes.recordings.empty())
    SPINDLE_RETURN_IF_ERROR(writeMembraneTrace(run.file("30-membranes.h5"), result.membranes));
  SPINDLE_RETURN_IF_ERROR(
      writeSpikeStatistics(run.file("30-statistics.json"), spikeStatistics(result.trace)));
  SPINDLE_RETURN_IF_ERROR(writeEmulationSummary(run.file("30-emulation.json"), result.summary));
  const EmulationSummary &summary = result.summary;
  return fmt::format("{} steps; SNN accuracy {:.2f} %; {:.3g} synaptic events/s", summary.steps,
                     percent(summary.correctByStep.back(), summary.samples),
                     static_cast<double>(summary.synapticEvents) / summary.seconds);
}

llvm::Expected<std::string> runGraph(const StageRun &run) {
  auto context = makeNetworkContext();
  SPINDLE_ASSIGN(auto network, readModule(*context, run.file("20-snn.mlir")));
  SPINDLE_ASSIGN(SpikeTrace trace, readSpikeTrace(run.file("30-spikes.h5")));
  SPINDLE_ASSIGN(SpikingGraph graph, extractGraph(*network, trace));
  SPINDLE_RETURN_IF_ERROR(writeSpikingGraph(run.file("40-graph.h5"), graph));
  return fmt::format("{} neurons, {} synapses", graph.neurons(), graph.synapses());
}

} // namespace spindle
