#include "lib/conversion/fixed-point/NarrowNetwork.h"

#include "lib/conversion/trials/HeldSamples.h"

#include "mlir/IR/OwningOpRef.h"

#include <algorithm>

using namespace mlir;

namespace spindle {

namespace {

constexpr double kWeightDeviations = 1.645; // as of the search of conversions

/// The class that a spiking network answers for each sample after all steps.
llvm::Expected<std::vector<uint32_t>> answersOf(ModuleOp network, const Samples &samples,
                                                int64_t steps, NetworkTrials &trials) {
  std::vector<uint32_t> answers(samples.count());
  SPINDLE_RETURN_IF_ERROR(trials.record(
      network, {"", SignalTap::Answer}, samples, steps,
      [&](size_t sample, llvm::ArrayRef<float> signal) {
        llvm::ArrayRef<float> last = signal.take_back(signal.size() / size_t(steps));
        answers[sample] = uint32_t(std::max_element(last.begin(), last.end()) - last.begin());
      }));
  return answers;
}

llvm::Expected<OwningOpRef<ModuleOp>> narrowed(ModuleOp network, FixedPointOptions options,
                                               const FixedPointUse &use,
                                               const std::map<std::string, int64_t> &bitsOf) {
  options.bitsOf = bitsOf;
  OwningOpRef<ModuleOp> fixed = network.clone();
  SPINDLE_RETURN_IF_ERROR(toFixedPoint(*fixed, options, use));
  return fixed;
}

} // namespace

llvm::Expected<WeightSearch> searchWeightBits(ModuleOp network, Samples samples,
                                              const FixedPointOptions &options,
                                              const FixedPointUse &use, NetworkTrials &trials) {
  SPINDLE_ASSIGN(std::vector<uint32_t> answers, answersOf(network, samples, use.steps, trials));
  if (!samples.labelled)
    samples.labels = answers;
  HeldSamples held = holdBack(samples, answers);
  std::vector<WeightedLayer> layers = weightedLayers(network);
  bool possible = false;
  auto judge = [&](const std::map<std::string, int64_t> &bitsOf) -> llvm::Expected<WeightLoss> {
    llvm::Expected<OwningOpRef<ModuleOp>> fixed = narrowed(network, options, use, bitsOf);
    if (!fixed) {
      llvm::consumeError(fixed.takeError());
      return WeightLoss{100, 0};
    }
    possible = true;
    SPINDLE_ASSIGN(ConversionScore found, score(**fixed, use.steps, held, trials));
    PairedLoss loss = PairedLoss::of(held.right.count() - found.keptByStep.back(),
                                     found.gainedByStep.back(), held.count());
    double points = 100 / double(held.count());
    return WeightLoss{loss.samples * points, kWeightDeviations * loss.deviation * points};
  };
  SPINDLE_ASSIGN(WeightSearch search, searchWeightBits(layers, options.maxLoss, judge));
  if (!possible)
    return narrowed(network, options, use, search.bitsOf).takeError();
  return search;
}

} // namespace spindle
