// The stage convert: the ANN and a calibration set become a spiking network.
#include "tools/spindle/ModuleFile.h"
#include "tools/spindle/Stage.h"

#include "lib/conversion/ann-to-snn/AnnToSnn.h"
#include "lib/conversion/ann-to-snn/AutoConversion.h"
#include "lib/conversion/fixed-point/FixedPointNetwork.h"
#include "lib/emulation/Emulation.h"
#include "lib/emulation/EvaluateAnn.h"
#include "lib/emulation/RecordSignal.h"
#include "lib/emulation/Trials.h"
#include "lib/support/DataPath.h"

#include "fmt/format.h"

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

static Samples part(const Samples &samples, size_t first, size_t count) {
  Samples result{samples.shape, {}, {}, {}};
  result.values.assign(samples.sample(first), samples.sample(first) + count * samples.size());
  result.labels.assign(samples.labels.begin() + static_cast<ptrdiff_t>(first),
                       samples.labels.begin() + static_cast<ptrdiff_t>(first + count));
  return result;
}

static llvm::Expected<ConversionScore> score(mlir::ModuleOp snn, int64_t steps,
                                             const Samples &samples, EmulationOptions options,
                                             Ranks &ranks) {
  options.steps = steps;
  SPINDLE_ASSIGN(EmulationResult result, emulate(snn, samples, options, {}, &ranks));
  const std::vector<uint64_t> &spikes = result.summary.spikes;
  return ConversionScore{result.summary.correctByStep,
                         std::accumulate(spikes.begin(), spikes.end(), 0.0) /
                             static_cast<double>(samples.count())};
}

/// Fits on the first half of the calibration samples and judges on the second.
static llvm::Expected<SpikingNetwork> search(mlir::ModuleOp ann, const Samples &calibration,
                                             const StageRun &run) {
  const EmulationOptions &emulation = run.flow.emulation;
  size_t half = calibration.count() / 2;
  if (half == 0)
    return inputError(run.flow.path, "conversion.method: auto needs two calibration samples or "
                                     "more; raise dataset.calibration.limit");
  Samples fit = part(calibration, 0, half);
  Samples held = part(calibration, half, calibration.count() - half);
  auto threads = static_cast<size_t>(emulation.threads);
  SPINDLE_ASSIGN(Activations activations, collectActivations(ann, fit, threads));
  SPINDLE_ASSIGN(AnnEvaluation evaluation, evaluateAnn(ann, held, threads));
  ConversionJudge judge{held.count(), evaluation.correct, [&](mlir::ModuleOp snn, int64_t steps) {
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

llvm::Expected<std::string> runConvert(const StageRun &run) {
  auto context = makeNetworkContext();
  SPINDLE_ASSIGN(auto ann, readModule(*context, run.file("10-ann.mlir")));
  const FixedPointOptions *fixedPoint = run.flow.hasFixedPoint ? &run.flow.fixedPoint : nullptr;
  std::string numbers = fixedPoint ? fmt::format("; weights of {} bits, membranes of {}",
                                                 fixedPoint->weightBits, fixedPoint->membraneBits)
                                   : "";
  if (isSpiking(*ann)) {
    if (fixedPoint) {
      SPINDLE_RETURN_IF_ERROR(toFixedPoint(*ann, *fixedPoint));
    }
    SPINDLE_RETURN_IF_ERROR(writeModule(run.file("20-snn.mlir"), *ann));
    ConversionSummary summary;
    summary.method = "none";
    SPINDLE_ASSIGN(int64_t steps, stepsOf(run.flow.emulation, *ann));
    summary.steps = static_cast<uint64_t>(steps);
    SPINDLE_RETURN_IF_ERROR(writeConversionSummary(run.file("20-snn.json"), summary));
    return "as it is, since it spikes already" + numbers;
  }
  SPINDLE_RETURN_IF_ERROR(run.need(run.flow.hasDataset, "dataset"));
  warnOfRectifierAtEnd(*ann, run.flow.conversion);
  SPINDLE_ASSIGN(Samples calibration,
                 loadCalibration(run.flow.dataset, PathResolver(run.flow.path)));
  SPINDLE_ASSIGN(SpikingNetwork network, convert(*ann, calibration, run));
  if (fixedPoint) {
    SPINDLE_RETURN_IF_ERROR(toFixedPoint(*network.module, *fixedPoint));
  }
  SPINDLE_RETURN_IF_ERROR(writeModule(run.file("20-snn.mlir"), *network.module));
  SPINDLE_RETURN_IF_ERROR(writeConversionSummary(run.file("20-snn.json"), network.summary));
  const ConversionSummary &summary = network.summary;
  return fmt::format(
             "{} populations, {} for {} steps, fitted on {} calibration samples{}",
             summary.layers.size(), summary.method, summary.steps, summary.calibrationSamples,
             summary.heldOut ? fmt::format("; {:.2f} points lost on {} others",
                                           summary.heldOut->lossPoints, summary.heldOut->samples)
                             : "") +
         numbers;
}

} // namespace spindle
