// The stage convert: the ANN and a calibration set become a spiking network.
#include "tools/spindle/flow/Stage.h"
#include "tools/spindle/stages/ModuleFile.h"

#include "core/run/StageFileNames.h"
#include "core/support/files/DataPath.h"
#include "dialects/location/Location.h"
#include "lib/conversion/ann-to-snn/ConvertNetwork.h"
#include "lib/conversion/fixed-point/NarrowNetwork.h"
#include "lib/emulation/Emulation.h"
#include "lib/emulation/EvaluateAnn.h"
#include "lib/emulation/RecordSignal.h"
#include "lib/emulation/Trials.h"
#include "tools/spindle/stages/HybridChoice.h"

#include "fmt/format.h"
#include "fmt/ranges.h"

#include <algorithm>

namespace spindle {

namespace {
/// Conversions are tried by the emulation, as the section `emulation` says.
class EmulatedTrials : public NetworkTrials {
public:
  EmulatedTrials(const EmulationOptions &emulation, Ranks &processes)
      : options(emulation), ranks(processes) {}

  llvm::Expected<Activations> activations(mlir::ModuleOp ann, const Samples &samples) override {
    return collectActivations(ann, samples, threads());
  }
  llvm::Expected<std::vector<uint32_t>> classify(mlir::ModuleOp ann,
                                                 const Samples &samples) override {
    return spindle::classify(ann, samples, threads());
  }
  llvm::Error record(mlir::ModuleOp network, const SignalTap &tap, const Samples &samples,
                     int64_t steps, SignalReader reader) override {
    return recordSignal(network, tap, samples, static_cast<uint32_t>(steps),
                        static_cast<uint64_t>(options.seed), threads(), reader);
  }
  llvm::Expected<EmulationSummary> emulate(mlir::ModuleOp snn, const Samples &samples,
                                           int64_t steps) override {
    EmulationOptions trial = options;
    trial.steps = steps;
    trial.recordSamples = 0;
    trial.recordMembranes.clear();
    SPINDLE_ASSIGN(EmulationResult result, spindle::emulate(snn, samples, trial, {}, &ranks));
    return std::move(result.summary);
  }

private:
  size_t threads() const { return static_cast<size_t>(options.threads); }

  const EmulationOptions &options;
  Ranks &ranks;
};
} // namespace

/// Weights and accumulators of each layer of integers.
static std::string describe(const std::vector<FixedPointLayer> &layers) {
  std::vector<std::string> widths;
  for (const FixedPointLayer &each : layers)
    widths.push_back(
        fmt::format("{} {} and {}", each.layer, each.weightBits, each.accumulatorBits));
  return fmt::format("; bits of weights and accumulators: {}", fmt::join(widths, ", "));
}

/// How sure a search of widths is.
static std::string describe(const WeightSearch &search, uint64_t samples) {
  return fmt::format(
      "; {:.2f} ± {:.2f} points lost by rounding on {} calibration samples, the best "
      "of {} widths tried{}",
      search.loss.points, search.loss.margin, samples, search.tried,
      search.proven ? ""
                    : "; not proven to be within fixed_point.max_loss, so that "
                      "weights have the most bits that can be expressed (raise "
                      "dataset.calibration.limit)");
}

/// The least and the greatest value of samples in memory.
static std::pair<float, float> rangeOf(const Samples &samples) {
  if (samples.values.empty())
    return {0, 0};
  auto [least, greatest] = std::minmax_element(samples.values.begin(), samples.values.end());
  return {*least, *greatest};
}

/// Whether an element of the data set may have several events in a step.
static bool repeatsEvents(const Flow &flow) {
  return flow.hasDataset && flow.dataset.format == DatasetFormat::Events && !flow.dataset.binary;
}

/// What the section `fixed_point` changed, and what it did not.
static std::string describe(const FixedPointOptions &options, const FixedPointReach &reach) {
  std::vector<std::string> left;
  std::string answers;
  for (const FixedPointReach::Left &each : reach.left)
    left.push_back(fmt::format("{} ({})", each.population, each.reason));
  for (const FixedPointReach::Readout &each : reach.readouts)
    answers += fmt::format(", of {} in the answers of {}", each.bits, each.population);
  bool differ = options.searchesBits || !options.bitsOf.empty();
  return fmt::format(
      "; weights of {} bits, membranes of {} in {}{}{}{}",
      differ ? "various" : fmt::format("{}", options.weightBits), options.membraneBits,
      reach.reached.empty() ? "no population" : fmt::format("{}", fmt::join(reach.reached, ", ")),
      answers, left.empty() ? "" : "; in f32: ", fmt::join(left, ", "));
}

/// How sure a search is of its choice.
static std::string describe(const ConversionSummary::HeldOut &heldOut) {
  std::string text =
      fmt::format("; {:.2f} ± {:.2f} points lost on {} others, the best of {} networks tried",
                  heldOut.lossPoints, heldOut.marginPoints, heldOut.samples, heldOut.tried);
  if (!heldOut.proven)
    text += "; not proven to be within conversion.max_loss, so that all steps are spent (raise "
            "dataset.calibration.limit)";
  if (heldOut.unproven)
    text += fmt::format("; not proven for {} steps, where {:.2f} ± {:.2f} are lost",
                        heldOut.unproven->steps, heldOut.unproven->lossPoints,
                        heldOut.unproven->marginPoints);
  return text;
}

/// Which percentile won.
static std::string describe(const SpikingNetwork::Start &start, uint64_t samples) {
  return fmt::format("; thresholds searched from percentile {}, the best of {} ({} of {} answers "
                     "differ from the ANN's)",
                     start.percentile, start.tried, start.differs, samples);
}

/// Which layers stay tensors.
static std::string describe(const Hybrid &hybrid) {
  return fmt::format("; tensors: {}; {:.0f} cycles per sample, {:.2f} points lost on half of the "
                     "calibration samples, the best of {} divisions",
                     hybrid.tensor.empty() ? "none"
                                           : fmt::format("{}", fmt::join(hybrid.tensor, ", ")),
                     hybrid.cycles, hybrid.loss, hybrid.tried);
}

/// The kernels among its layers, as the stage hardware makes them.
static std::vector<ConversionSummary::Kernel> kernelsOf(const Hybrid &hybrid) {
  std::vector<ConversionSummary::Kernel> kernels;
  for (const auto &[name, layer] : hybrid.options.layers)
    if (layer.kind == LayerKind::Tensor)
      kernels.push_back({name, layer.lanes, layer.inputs});
  return kernels;
}

/// A network is better on the samples that it was fitted to than on others.
static void warnOfSharedSamples(mlir::MLIRContext &context, const StageRun &run) {
  const DatasetOptions &dataset = run.flow.dataset;
  std::optional<SharedSamples> shared = sharedSamples(dataset, PathResolver(run.flow.path));
  if (!shared)
    return;
  std::string range = shared->last ? fmt::format("{} to {}", shared->first, *shared->last)
                                   : fmt::format("from {} on", shared->first);
  mlir::emitWarning(
      locationOf(context, dataset.calibration->place),
      fmt::format("dataset.calibration.{0} and dataset.{0} name the same samples, {1}: the network "
                  "is fitted to samples that its accuracy is measured on, which makes the accuracy "
                  "optimistic; take others (dataset.calibration.skip, or other files)",
                  shared->key, range));
}

/// Brings a network into fixed point as the flow says; what it says of it.
static llvm::Expected<std::string> makeFixed(const StageRun &run, mlir::ModuleOp network,
                                             const FixedPointUse &use,
                                             const std::optional<Samples> &judging = {},
                                             NetworkTrials *trials = nullptr) {
  FixedPointOptions options = run.flow.fixedPoint;
  std::string found;
  if (options.searchesBits) {
    if (!judging)
      return inputError(
          "fixed_point",
          "weight_bits: auto needs a network that is converted here, with calibration "
          "samples; give a number, or one for each layer");
    SPINDLE_ASSIGN(WeightSearch search, searchWeightBits(network, *judging, options, use, *trials));
    options.bitsOf = search.bitsOf;
    found = describe(search, judging->count());
  }
  SPINDLE_RETURN_IF_ERROR(toFixedPoint(network, options, use));
  bool lists = options.integers == IntegerReach::All || options.searchesBits;
  return describe(options, fixedPointReach(network)) +
         (lists ? describe(fixedPointLayers(network)) : "") + found;
}

llvm::Expected<std::string> runConvert(const StageRun &run) {
  auto context = makeNetworkContext();
  SPINDLE_ASSIGN(auto ann, readModule(*context, run.file(run::kAnnModule)));
  const FixedPointOptions *fixedPoint = run.flow.hasFixedPoint ? &run.flow.fixedPoint : nullptr;
  std::string numbers;
  if (isSpiking(*ann)) {
    if (run.flow.hasHardware && run.flow.hardware.picksKinds)
      return inputError("hardware", "as: auto looks for the layers that are to spike, and those of "
                                    "this model do already, expected as: given");
    SPINDLE_ASSIGN(int64_t steps, stepsOf(run.flow.emulation, *ann));
    if (fixedPoint) {
      SPINDLE_ASSIGN(numbers, makeFixed(run, *ann, {{}, steps, repeatsEvents(run.flow)}));
    }
    SPINDLE_RETURN_IF_ERROR(writeModule(run.output(run::kSnnModule), *ann));
    ConversionSummary summary;
    summary.method = "none";
    summary.steps = static_cast<uint64_t>(steps);
    SPINDLE_RETURN_IF_ERROR(writeConversionSummary(run.output(run::kConversion), summary));
    return "as it is, since it spikes already" + numbers;
  }
  SPINDLE_RETURN_IF_ERROR(run.need(run.flow.hasDataset, "dataset"));
  warnOfRectifierAtEnd(*ann, run.flow.conversion);
  warnOfSharedSamples(*context, run);
  SPINDLE_ASSIGN(Samples calibration,
                 loadCalibration(run.flow.dataset, PathResolver(run.flow.path)));
  std::optional<Samples> judging; // of widths
  FixedPointUse use{rangeOf(calibration)};
  if (fixedPoint && fixedPoint->searchesBits)
    judging = calibration;
  EmulatedTrials trials(run.flow.emulation, run.ranks);
  ConversionOptions options = run.flow.conversion;
  std::optional<Hybrid> hybrid;
  if (run.flow.hasHardware && run.flow.hardware.picksKinds) {
    SPINDLE_ASSIGN(hybrid, chooseKinds(run, *ann, calibration, use, trials));
    options.tensor = hybrid->tensor;
  }
  SPINDLE_ASSIGN(SpikingNetwork network,
                 convertNetwork(*ann, std::move(calibration), options, trials, run.flow.path));
  if (hybrid) {
    network.summary.kernels = kernelsOf(*hybrid);
    numbers = describe(*hybrid);
  }
  if (fixedPoint) {
    use.steps = int64_t(network.summary.steps);
    SPINDLE_ASSIGN(std::string fixed, makeFixed(run, *network.module, use, judging, &trials));
    numbers += fixed;
  }
  SPINDLE_RETURN_IF_ERROR(writeModule(run.output(run::kSnnModule), *network.module));
  SPINDLE_RETURN_IF_ERROR(writeConversionSummary(run.output(run::kConversion), network.summary));
  const ConversionSummary &summary = network.summary;
  std::string found = summary.heldOut ? describe(*summary.heldOut) : "";
  if (network.start)
    found = describe(*network.start, summary.calibrationSamples);
  auto populations = llvm::count_if(summary.layers, [](const ConversionSummary::Layer &layer) {
    return layer.neuron != "relu" && layer.neuron != kTensorAnswer; // tensor layers have none
  });
  return fmt::format("{} populations, {} for {} steps, fitted on {} calibration samples{}{}",
                     populations, summary.method, summary.steps, summary.calibrationSamples, found,
                     numbers);
}

} // namespace spindle
