// Stages that hold networks in MLIR: import, emulate, graph.
#include "tools/spindle/flow/Stage.h"
#include "tools/spindle/stages/ModuleFile.h"

#include "core/network/SpikeStatistics.h"
#include "core/network/SpikingGraph.h"
#include "core/run/StageFileNames.h"
#include "core/support/files/DataPath.h"
#include "dialects/location/Location.h"
#include "dialects/snn/Snn.h"
#include "lib/emulation/Emulation.h"
#include "lib/emulation/EvaluateAnn.h"
#include "lib/emulation/Trials.h"
#include "lib/emulation/graph/ExtractGraph.h"
#include "lib/frontend/Import.h"

#include "fmt/format.h"
#include "fmt/ranges.h"

#include <set>

namespace spindle {

static double percent(uint64_t part, uint64_t whole) {
  return whole == 0 ? 0 : 100.0 * static_cast<double>(part) / static_cast<double>(whole);
}

/// A data set where the network reads samples, and only there.
static llvm::Error checkDataset(const StageRun &run, mlir::ModuleOp network) {
  if (readsSamples(network))
    return run.need(run.flow.hasDataset, "dataset");
  if (!run.flow.hasDataset)
    return llvm::Error::success();
  return inputError(run.flow.path, "the network drives itself, so that a data set has no effect; "
                                   "leave out section 'dataset' (emulation.samples: trials)");
}

/// Listed spikes that no step of the run makes. Networks in YAML alone have such sources.
static llvm::Error warnOfLateSpikes(const StageRun &run, mlir::ModuleOp network) {
  SPINDLE_ASSIGN(int64_t steps, stepsOf(run.flow.emulation, network));
  double stepMs = stepMsOf(run.flow.emulation, network);
  network.walk([&](snn::EncodeOp encode) {
    bool isListed = snn::layerOf(encode).ends_with(".times") &&
                    mlir::isa<mlir::FileLineColLoc>(encode.getLoc());
    auto last = isListed ? int64_t(encode.getSteps().value_or(0)) : 0;
    if (last > steps)
      mlir::emitWarning(encode.getLoc(),
                        fmt::format("times go up to {:.6g} ms, but the run ends at {:.6g} ms; the "
                                    "spikes behind it are left out",
                                    double(last) * stepMs, double(steps) * stepMs));
  });
  return llvm::Error::success();
}

llvm::Expected<std::string> runImport(const StageRun &run) {
  SPINDLE_RETURN_IF_ERROR(run.need(run.flow.hasModel, "model"));
  if (!run.flow.model.spikesAlready())
    SPINDLE_RETURN_IF_ERROR(run.need(run.flow.hasDataset, "dataset"));
  auto context = makeNetworkContext();
  SPINDLE_ASSIGN(auto ann, importModel(*context, run.flow.model));
  if (isSpiking(*ann)) {
    SPINDLE_RETURN_IF_ERROR(checkDataset(run, *ann));
    if (run.flow.settings.contains("conversion"))
      mlir::emitWarning(locationOf(*context, run.flow.places.at("conversion")),
                        "the model spikes already, so that section 'conversion' has no effect");
    SPINDLE_RETURN_IF_ERROR(warnOfLateSpikes(run, *ann));
    SPINDLE_RETURN_IF_ERROR(writeModule(run.output(run::kAnnModule), *ann));
    return "a spiking network, nothing to convert";
  }
  SPINDLE_ASSIGN(Samples samples, openDataset(run.flow.dataset, PathResolver(run.flow.path)));
  SPINDLE_ASSIGN(AnnEvaluation evaluation,
                 evaluateAnn(*ann, samples, run.flow.emulation.threads, run.counting()));
  evaluation.model = run.flow.modelName;
  evaluation.source = run.flow.model.format() == ModelFormat::Onnx ? "onnx" : "mlir";
  SPINDLE_RETURN_IF_ERROR(writeModule(run.output(run::kAnnModule), *ann));
  SPINDLE_RETURN_IF_ERROR(writeAnnEvaluation(run.output(run::kAnn), evaluation));
  return fmt::format("{}; ANN accuracy {:.2f} % of {} samples", fmt::join(evaluation.layers, " - "),
                     percent(evaluation.correct, evaluation.samples), evaluation.samples);
}

/// How often neurons spike, where there are no answers to judge.
static std::string firingOf(const EmulationResult &result) {
  const EmulationSummary &summary = result.summary;
  double spikes = 0, neurons = 0;
  std::set<std::string> listed; // sources of listed spikes repeat what is called `NAME.times`
  for (const Population &population : summary.populations)
    if (llvm::StringRef name = population.name; name.consume_back(".times"))
      listed.insert(name.str());
  for (auto [population, count] : llvm::zip(summary.populations, summary.spikes))
    if (population.kind == PopulationKind::Neuron && !listed.count(population.name)) {
      spikes += static_cast<double>(count);
      neurons += population.size;
    }
  double seconds = summary.steps * result.trace.stepMs / 1000;
  return fmt::format("{:.0f} spikes, {:.2f} Hz", spikes,
                     spikes / std::max(1.0, neurons) /
                         (seconds * static_cast<double>(summary.samples)));
}

/// In samples, or in steps where there is one sample.
static std::string speedOf(const EmulationSummary &summary) {
  bool isOne = summary.samples == 1;
  double done = static_cast<double>(isOne ? summary.steps : summary.samples);
  return fmt::format("{:.0f} {}/s, {:.3g} synaptic events/s; peak memory {:.0f} MiB",
                     done / summary.seconds, isOne ? "steps" : "samples",
                     static_cast<double>(summary.synapticEvents) / summary.seconds,
                     static_cast<double>(summary.peakBytes) / (1 << 20));
}

/// `cosim` compares the membranes that answer with those of the emulator.
static void recordAnswers(mlir::ModuleOp network, EmulationOptions &options) {
  network.walk([&](snn::FixedLiOp op) {
    if (op.getLayer() && !llvm::is_contained(options.recordMembranes, *op.getLayer()))
      options.recordMembranes.push_back(op.getLayer()->str());
  });
}

llvm::Expected<std::string> runEmulate(const StageRun &run) {
  auto context = makeNetworkContext();
  SPINDLE_ASSIGN(auto network, readModule(*context, run.file(run::kSnnModule)));
  SPINDLE_RETURN_IF_ERROR(checkDataset(run, *network));
  EmulationOptions options = run.flow.emulation;
  if (run.flow.hasHardware && options.recordSamples > 0)
    recordAnswers(*network, options);
  Samples samples;
  if (run.flow.hasDataset) {
    SPINDLE_ASSIGN(samples, openDataset(run.flow.dataset, PathResolver(run.flow.path)));
  } else {
    samples = makeTrials(*network, static_cast<size_t>(options.trials));
  }
  SPINDLE_ASSIGN(options.steps, stepsOf(options, *network));
  if (run.flow.conversion.method == ConversionMethod::Auto) { // which chose the steps
    SPINDLE_ASSIGN(ConversionSummary conversion, readConversionSummary(run.file(run::kConversion)));
    options.steps = static_cast<int64_t>(conversion.steps);
  }
  SPINDLE_ASSIGN(EmulationResult result,
                 emulate(*network, samples, options,
                         run.counting(samples.count() == 1 ? "steps" : "samples"), &run.ranks));
  SPINDLE_RETURN_IF_ERROR(writeSpikeTrace(run.output(run::kSpikes), result.trace));
  if (!result.membranes.recordings.empty())
    SPINDLE_RETURN_IF_ERROR(writeMembraneTrace(run.output(run::kMembranes), result.membranes));
  SPINDLE_RETURN_IF_ERROR(
      writeSpikeStatistics(run.output(run::kStatistics), spikeStatistics(result.trace)));
  SPINDLE_RETURN_IF_ERROR(writeEmulationSummary(run.output(run::kEmulation), result.summary));
  const EmulationSummary &summary = result.summary;
  return fmt::format("{} steps; {}; {}", summary.steps,
                     samples.labelled
                         ? fmt::format("SNN accuracy {:.2f} %",
                                       percent(summary.correctByStep.back(), summary.samples))
                         : firingOf(result),
                     speedOf(summary));
}

llvm::Expected<std::string> runGraph(const StageRun &run) {
  auto context = makeNetworkContext();
  SPINDLE_ASSIGN(auto network, readModule(*context, run.file(run::kSnnModule)));
  SPINDLE_ASSIGN(SpikeTrace trace, readSpikeTrace(run.file(run::kSpikes)));
  if (trace.recorded.empty())
    return inputError(run.file(run::kSpikes),
                      "holds the spikes of no sample, expected at least one; run emulate with "
                      "emulation.record_samples of at least 1");
  SPINDLE_ASSIGN(SpikingGraph graph, extractGraph(*network, trace));
  SPINDLE_RETURN_IF_ERROR(writeSpikingGraph(run.output(run::kGraph), graph));
  return fmt::format("{} neurons, {} synapses", graph.neurons(), graph.synapses());
}

} // namespace spindle
