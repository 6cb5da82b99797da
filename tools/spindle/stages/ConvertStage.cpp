// The stage convert: the ANN and a calibration set become a spiking network.
#include "tools/spindle/flow/Stage.h"
#include "tools/spindle/stages/ModuleFile.h"

#include "core/run/StageFileNames.h"
#include "core/support/files/DataPath.h"
#include "lib/conversion/ann-to-snn/AnnToSnn.h"
#include "lib/conversion/ann-to-snn/AutoConversion.h"
#include "lib/conversion/fixed-point/FixedPointNetwork.h"
#include "lib/emulation/Emulation.h"
#include "lib/emulation/EvaluateAnn.h"
#include "lib/emulation/RecordSignal.h"
#include "lib/emulation/Trials.h"

#include "fmt/format.h"
#include "fmt/ranges.h"

#include <numeric>

namespace spindle {

/// Signals of networks on the calibration samples.
static llvm::Error recordOn(const Samples &calibration, const EmulationOptions &options,
                            mlir::ModuleOp network, const SignalTap &tap, int64_t steps,
                            SignalReader reader) {
  return recordSignal(network, tap, calibration, static_cast<uint32_t>(steps),
                      static_cast<uint64_t>(options.seed), static_cast<size_t>(options.threads),
                      reader);
}

static Samples subset(const Samples &samples, llvm::ArrayRef<size_t> indices) {
  Samples result{samples.shape, {}, {}, {}};
  result.place = samples.place;
  for (size_t index : indices) {
    result.values.insert(result.values.end(), samples.sample(index), samples.sample(index + 1));
    result.labels.push_back(samples.labels[index]);
  }
  return result;
}

/// Samples that judge conversions, those that the ANN answers right apart from the others: what an
/// emulation counts is then how many answers are lost, and how many gained.
struct HeldSamples {
  Samples right, wrong;

  uint64_t count() const { return right.count() + wrong.count(); }
};

static llvm::Expected<HeldSamples> holdBack(mlir::ModuleOp ann, const Samples &samples,
                                            size_t threads) {
  SPINDLE_ASSIGN(std::vector<uint32_t> answers, classify(ann, samples, threads));
  std::vector<size_t> right, wrong;
  for (size_t index = 0; index < samples.count(); ++index)
    (answers[index] == samples.labels[index] ? right : wrong).push_back(index);
  return HeldSamples{subset(samples, right), subset(samples, wrong)};
}

static llvm::Expected<ConversionScore> score(mlir::ModuleOp snn, int64_t steps,
                                             const HeldSamples &held, EmulationOptions options,
                                             Ranks &ranks) {
  options.steps = steps;
  options.recordSamples = 0;
  options.recordMembranes.clear();
  std::vector<uint64_t> none(static_cast<size_t>(steps), 0);
  ConversionScore score{none, none};
  double spikes = 0;
  for (auto [samples, correct] :
       {std::pair{&held.right, &score.keptByStep}, {&held.wrong, &score.gainedByStep}}) {
    if (samples->count() == 0)
      continue;
    SPINDLE_ASSIGN(EmulationResult result, emulate(snn, *samples, options, {}, &ranks));
    *correct = result.summary.correctByStep;
    spikes = std::accumulate(result.summary.spikes.begin(), result.summary.spikes.end(), spikes);
  }
  score.spikesPerSample = spikes / static_cast<double>(held.count());
  return score;
}

/// Fits on the first half of the calibration samples and judges on the second.
static llvm::Expected<SpikingNetwork> search(mlir::ModuleOp ann, const Samples &calibration,
                                             const StageRun &run) {
  const EmulationOptions &emulation = run.flow.emulation;
  size_t half = calibration.count() / 2;
  if (half == 0)
    return inputError(run.flow.path, "conversion.method: auto needs two calibration samples or "
                                     "more; raise dataset.calibration.limit");
  std::vector<size_t> indices(calibration.count());
  std::iota(indices.begin(), indices.end(), size_t{0});
  llvm::ArrayRef<size_t> all = indices;
  Samples fit = subset(calibration, all.take_front(half));
  auto threads = static_cast<size_t>(emulation.threads);
  SPINDLE_ASSIGN(Activations activations, collectActivations(ann, fit, threads));
  SPINDLE_ASSIGN(HeldSamples held,
                 holdBack(ann, subset(calibration, all.drop_front(half)), threads));
  ConversionJudge judge{held.count(), held.right.count(), [&](mlir::ModuleOp snn, int64_t steps) {
                          return score(snn, steps, held, emulation, run.ranks);
                        }};
  return convertAutomatically(
      ann, activations, run.flow.conversion,
      [&](mlir::ModuleOp network, const SignalTap &tap, int64_t steps, SignalReader reader) {
        return recordOn(fit, emulation, network, tap, steps, reader);
      },
      judge);
}

static llvm::Expected<SpikingNetwork> convert(mlir::ModuleOp ann, const Samples &calibration,
                                              const StageRun &run) {
  const ConversionOptions &options = run.flow.conversion;
  const EmulationOptions &emulation = run.flow.emulation;
  if (options.method == ConversionMethod::Auto)
    return search(ann, calibration, run);
  SPINDLE_ASSIGN(Activations activations,
                 collectActivations(ann, calibration, static_cast<size_t>(emulation.threads)));
  if (options.method != ConversionMethod::Calibrated)
    return convertAnnToSnn(ann, activations, options);
  return calibrate(ann, activations, options,
                   [&](mlir::ModuleOp network, const SignalTap &tap, SignalReader reader) {
                     return recordOn(calibration, emulation, network, tap, options.steps, reader);
                   });
}

/// What the section `fixed_point` changed, and what it did not.
static std::string describe(const FixedPointOptions &options, const FixedPointReach &reach) {
  std::vector<std::string> left;
  for (const FixedPointReach::Left &each : reach.left)
    left.push_back(fmt::format("{} ({})", each.population, each.reason));
  return fmt::format(
      "; weights of {} bits, membranes of {} in {}{}{}", options.weightBits, options.membraneBits,
      reach.reached.empty() ? "no population" : fmt::format("{}", fmt::join(reach.reached, ", ")),
      left.empty() ? "" : "; in f32: ", fmt::join(left, ", "));
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

llvm::Expected<std::string> runConvert(const StageRun &run) {
  auto context = makeNetworkContext();
  SPINDLE_ASSIGN(auto ann, readModule(*context, run.file(stage_file::kAnnModule)));
  const FixedPointOptions *fixedPoint = run.flow.hasFixedPoint ? &run.flow.fixedPoint : nullptr;
  std::string numbers;
  if (isSpiking(*ann)) {
    if (fixedPoint) {
      SPINDLE_RETURN_IF_ERROR(toFixedPoint(*ann, *fixedPoint));
      numbers = describe(*fixedPoint, fixedPointReach(*ann));
    }
    SPINDLE_RETURN_IF_ERROR(writeModule(run.output(stage_file::kSnnModule), *ann));
    ConversionSummary summary;
    summary.method = "none";
    SPINDLE_ASSIGN(int64_t steps, stepsOf(run.flow.emulation, *ann));
    summary.steps = static_cast<uint64_t>(steps);
    SPINDLE_RETURN_IF_ERROR(writeConversionSummary(run.output(stage_file::kConversion), summary));
    return "as it is, since it spikes already" + numbers;
  }
  SPINDLE_RETURN_IF_ERROR(run.need(run.flow.hasDataset, "dataset"));
  warnOfRectifierAtEnd(*ann, run.flow.conversion);
  SPINDLE_ASSIGN(Samples calibration,
                 loadCalibration(run.flow.dataset, PathResolver(run.flow.path)));
  SPINDLE_ASSIGN(SpikingNetwork network, convert(*ann, calibration, run));
  if (fixedPoint) {
    SPINDLE_RETURN_IF_ERROR(toFixedPoint(*network.module, *fixedPoint));
    numbers = describe(*fixedPoint, fixedPointReach(*network.module));
  }
  SPINDLE_RETURN_IF_ERROR(writeModule(run.output(stage_file::kSnnModule), *network.module));
  SPINDLE_RETURN_IF_ERROR(
      writeConversionSummary(run.output(stage_file::kConversion), network.summary));
  const ConversionSummary &summary = network.summary;
  return fmt::format("{} populations, {} for {} steps, fitted on {} calibration samples{}{}",
                     summary.layers.size(), summary.method, summary.steps,
                     summary.calibrationSamples, summary.heldOut ? describe(*summary.heldOut) : "",
                     numbers);
}

} // namespace spindle
