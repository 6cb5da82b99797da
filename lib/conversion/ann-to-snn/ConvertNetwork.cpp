#include "lib/conversion/ann-to-snn/ConvertNetwork.h"

#include "lib/conversion/ann-to-snn/AutoConversion.h"
#include "lib/conversion/ann-to-snn/calibration/CalibrationStart.h"
#include "lib/conversion/trials/HeldSamples.h"

#include <algorithm>
#include <numeric>

namespace spindle {

/// Fits on the first half of the calibration samples and judges on the second.
static llvm::Expected<SpikingNetwork> search(mlir::ModuleOp ann, const Samples &calibration,
                                             const ConversionOptions &options,
                                             NetworkTrials &trials, const std::string &place) {
  size_t half = calibration.count() / 2;
  if (half == 0)
    return inputError(place, "conversion.method: auto needs two calibration samples or more; raise "
                             "dataset.calibration.limit");
  std::vector<size_t> indices(calibration.count());
  std::iota(indices.begin(), indices.end(), size_t{0});
  llvm::ArrayRef<size_t> all = indices;
  Samples fit = subset(calibration, all.take_front(half));
  SPINDLE_ASSIGN(Activations activations, trials.activations(ann, fit));
  Samples judging = subset(calibration, all.drop_front(half));
  SPINDLE_ASSIGN(std::vector<uint32_t> answers, trials.classify(ann, judging));
  HeldSamples held = holdBack(judging, answers);
  ConversionJudge judge{held.count(), held.right.count(), [&](mlir::ModuleOp snn, int64_t steps) {
                          return score(snn, steps, held, trials);
                        }};
  auto source = [&](mlir::ModuleOp network, const SignalTap &tap, int64_t steps,
                    SignalReader reader) {
    return trials.record(network, tap, fit, steps, reader);
  };
  return convertAutomatically(ann, activations, options, source, judge);
}

/// From the percentile of the options, or from that of several whose network answers most like the
/// ANN.
static llvm::Expected<SpikingNetwork> calibrateOn(mlir::ModuleOp ann, Samples &samples,
                                                  const Activations &activations,
                                                  const ConversionOptions &options,
                                                  NetworkTrials &trials) {
  auto source = [&](mlir::ModuleOp network, const SignalTap &tap, SignalReader reader) {
    return trials.record(network, tap, samples, options.steps, reader);
  };
  if (options.givesPercentile || !isNarrow(activations))
    return calibrate(ann, activations, options, source);
  std::fill(samples.labels.begin(), samples.labels.end(), 0); // the ANN's answers take their place
  SPINDLE_ASSIGN(samples.labels, trials.classify(ann, samples));
  samples.labelled = true;
  auto differs = [&](mlir::ModuleOp snn) -> llvm::Expected<uint64_t> {
    SPINDLE_ASSIGN(EmulationSummary summary, trials.emulate(snn, samples, options.steps));
    return summary.samples - summary.correctByStep.back();
  };
  return calibrateFromBestStart(ann, activations, options, source, differs);
}

llvm::Expected<SpikingNetwork> convertNetwork(mlir::ModuleOp ann, Samples calibration,
                                              const ConversionOptions &options,
                                              NetworkTrials &trials, const std::string &place) {
  if (options.method == ConversionMethod::Auto)
    return search(ann, calibration, options, trials, place);
  SPINDLE_ASSIGN(Activations activations, trials.activations(ann, calibration));
  if (options.method != ConversionMethod::Calibrated)
    return convertAnnToSnn(ann, activations, options);
  return calibrateOn(ann, calibration, activations, options, trials);
}

} // namespace spindle
