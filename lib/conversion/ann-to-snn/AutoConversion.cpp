#include "lib/conversion/ann-to-snn/AutoConversion.h"

#include "fmt/format.h"

#include <optional>

namespace spindle {

namespace {

struct Candidate {
  SpikingNetwork network;
  ConversionOptions options;
  double spikesPerSample = 0;
};

/// Keeps the best candidate, and the least loss for the message if there is none.
class Search {
public:
  Search(mlir::ModuleOp model, const Activations &values, const ConversionOptions &choices,
         const ConversionJudge &judging)
      : ann(model), activations(values), base(choices), judge(judging) {}

  llvm::Error tryPlain(double percentile, bool perChannel, double initialMembrane);
  llvm::Error judgeAt(SpikingNetwork network, const ConversionOptions &options);
  int64_t mostSteps() const { return best ? best->options.steps : base.steps; }
  llvm::Expected<SpikingNetwork> take();

private:
  double loss(uint64_t correct) const {
    return 100.0 * (double(judge.annCorrect) - double(correct)) / double(judge.samples);
  }
  /// Whether it is good enough; remembers the least loss.
  bool accept(uint64_t correct, const ConversionOptions &options);

  mlir::ModuleOp ann;
  const Activations &activations;
  const ConversionOptions &base;
  const ConversionJudge &judge;
  std::optional<Candidate> best;
  double leastLoss = 100;
  int64_t leastLossSteps = 0;
};

} // namespace

bool Search::accept(uint64_t correct, const ConversionOptions &options) {
  if (loss(correct) < leastLoss) {
    leastLoss = loss(correct);
    leastLossSteps = options.steps;
  }
  return loss(correct) <= base.maxLoss;
}

llvm::Error Search::judgeAt(SpikingNetwork network, const ConversionOptions &options) {
  SPINDLE_ASSIGN(ConversionScore score, judge.score(*network.module, options.steps));
  uint64_t correct = score.correctByStep.back();
  if (accept(correct, options) && (!best || score.spikesPerSample < best->spikesPerSample)) {
    network.summary.heldOut = {judge.samples, loss(correct)};
    best = Candidate{std::move(network), options, score.spikesPerSample};
  }
  return llvm::Error::success();
}

llvm::Error Search::tryPlain(double percentile, bool perChannel, double initialMembrane) {
  ConversionOptions options = base;
  options.method = ConversionMethod::Percentile;
  options.percentile = percentile;
  options.perChannel = perChannel;
  options.initialMembrane = initialMembrane;
  SPINDLE_ASSIGN(SpikingNetwork network, convertAnnToSnn(ann, activations, options));
  SPINDLE_ASSIGN(ConversionScore score, judge.score(*network.module, base.steps));
  for (int64_t step = 1; step <= base.steps; ++step) {
    options.steps = step;
    if (!accept(score.correctByStep[size_t(step - 1)], options))
      continue;
    network.summary.steps = uint64_t(step);
    return judgeAt(std::move(network), options);
  }
  return llvm::Error::success();
}

llvm::Expected<SpikingNetwork> Search::take() {
  if (!best)
    return inputError("conversion",
                      fmt::format("no conversion found that loses at most {:.2f} points in {} "
                                  "steps, the best loses {:.2f} in {}; raise emulation.steps or "
                                  "conversion.max_loss",
                                  base.maxLoss, base.steps, leastLoss, leastLossSteps));
  return std::move(best->network);
}

llvm::Expected<SpikingNetwork> convertAutomatically(
    mlir::ModuleOp ann, const Activations &activations, const ConversionOptions &options,
    llvm::function_ref<llvm::Error(mlir::ModuleOp, const SignalTap &, int64_t, SignalReader)>
        source,
    const ConversionJudge &judge) {
  Search search(ann, activations, options, judge);
  for (double percentile : {97.0, 99.0, 99.9, 100.0})
    for (bool perChannel : {true, false})
      for (double initialMembrane : {0.25, 0.5})
        SPINDLE_RETURN_IF_ERROR(search.tryPlain(percentile, perChannel, initialMembrane));
  for (int64_t steps = 1; steps <= search.mostSteps(); steps *= 2) {
    ConversionOptions fitted = options;
    fitted.method = ConversionMethod::Calibrated;
    fitted.steps = steps;
    SPINDLE_ASSIGN(SpikingNetwork network,
                   calibrate(ann, activations, fitted,
                             [&](mlir::ModuleOp network, const SignalTap &tap, SignalReader read) {
                               return source(network, tap, steps, read);
                             }));
    SPINDLE_RETURN_IF_ERROR(search.judgeAt(std::move(network), fitted));
  }
  return search.take();
}

} // namespace spindle
