#include "lib/conversion/fixed-point/NarrowNetwork.h"

#include "lib/conversion/trials/PairedLoss.h"

#include "mlir/IR/OwningOpRef.h"

#include "llvm/ADT/STLExtras.h"

#include <algorithm>

using namespace mlir;

namespace spindle {

namespace {

constexpr double kWeightDeviations = 1.645; // as of the search of conversions

/// The class that a spiking network answers for each sample after all steps. All networks see all
/// samples in the same order: encoders at random, which the number of a sample seeds, make the same
/// spikes for each of them.
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

PairedLoss lossOf(llvm::ArrayRef<uint32_t> labels, llvm::ArrayRef<uint32_t> before,
                  llvm::ArrayRef<uint32_t> now) {
  uint64_t lost = 0, gained = 0;
  for (auto [label, old, found] : llvm::zip_equal(labels, before, now)) {
    lost += old == label && found != label;
    gained += old != label && found == label;
  }
  return PairedLoss::of(lost, gained, labels.size());
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
  std::vector<WeightedLayer> layers = weightedLayers(network, options.integers);
  auto judge = [&](const std::map<std::string, int64_t> &bitsOf) -> llvm::Expected<WeightLoss> {
    llvm::Expected<OwningOpRef<ModuleOp>> fixed = narrowed(network, options, use, bitsOf);
    if (!fixed) {
      llvm::consumeError(fixed.takeError());
      return WeightLoss{100, 0, false};
    }
    SPINDLE_ASSIGN(std::vector<uint32_t> found, answersOf(**fixed, samples, use.steps, trials));
    PairedLoss loss = lossOf(samples.labels, answers, found);
    double points = 100 / double(samples.count());
    return WeightLoss{loss.samples * points, kWeightDeviations * loss.deviation * points};
  };
  SPINDLE_ASSIGN(WeightSearch search, searchWeightBits(layers, options.maxLoss, judge));
  if (!search.loss.isExpressed)
    return narrowed(network, options, use, search.bitsOf).takeError();
  return search;
}

} // namespace spindle
