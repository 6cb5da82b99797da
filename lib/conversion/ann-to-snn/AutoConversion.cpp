#include "lib/conversion/ann-to-snn/AutoConversion.h"

#include "fmt/format.h"

#include <cmath>
#include <optional>

namespace spindle {

namespace {

/// Whether a network is within the loss on the samples that judge, and on others too as far as
/// those can tell.
enum class Verdict { No, Perhaps, Surely };

struct Candidate {
  SpikingNetwork network;
  int64_t steps = 0;
  Verdict verdict = Verdict::No;
  double loss = 0; // points
  double spikesPerSample = 0;

  /// The surer one; then the cheaper of sure ones, the more exact of others.
  bool isBetterThan(const Candidate &other) const {
    if (verdict != other.verdict)
      return verdict > other.verdict;
    if (verdict == Verdict::Perhaps && loss != other.loss)
      return loss < other.loss;
    return spikesPerSample < other.spikesPerSample;
  }
};

/// Keeps the best candidate, and the least loss for the message if there is none.
class Search {
public:
  Search(mlir::ModuleOp model, const Activations &values, const ConversionOptions &choices,
         const ConversionJudge &judging)
      : ann(model), activations(values), base(choices), judge(judging) {}

  llvm::Error tryPlain(double percentile, bool perChannel, double initialMembrane);
  llvm::Error judgeAt(SpikingNetwork network, int64_t steps);
  int64_t mostSteps() const {
    return best && best->verdict == Verdict::Surely ? best->steps : base.steps;
  }
  llvm::Expected<SpikingNetwork> take();

private:
  double lost(uint64_t correct) const { return double(judge.annCorrect) - double(correct); }
  double points(double samples) const { return 100 * samples / double(judge.samples); }
  Verdict verdictOn(uint64_t correct) const;
  void remember(uint64_t correct, int64_t steps);

  mlir::ModuleOp ann;
  const Activations &activations;
  const ConversionOptions &base;
  const ConversionJudge &judge;
  std::optional<Candidate> best;
  double leastLoss = 100;
  int64_t leastLossSteps = 0;
};

} // namespace

/// Wrong answers are few among many samples: as a Poisson count their standard deviation is the
/// root of their number.
Verdict Search::verdictOn(uint64_t correct) const {
  double count = lost(correct), upper = count + std::sqrt(double(judge.samples - correct) + 1);
  if (points(upper) <= base.maxLoss)
    return Verdict::Surely;
  return points(count) <= base.maxLoss ? Verdict::Perhaps : Verdict::No;
}

void Search::remember(uint64_t correct, int64_t steps) {
  if (double loss = points(lost(correct)); loss < leastLoss) {
    leastLoss = loss;
    leastLossSteps = steps;
  }
}

llvm::Error Search::judgeAt(SpikingNetwork network, int64_t steps) {
  SPINDLE_ASSIGN(ConversionScore score, judge.score(*network.module, steps));
  uint64_t correct = score.correctByStep.back();
  remember(correct, steps);
  double loss = points(lost(correct));
  network.summary.heldOut = {judge.samples, loss};
  Candidate candidate{std::move(network), steps, verdictOn(correct), loss, score.spikesPerSample};
  bool isAllowed = candidate.verdict == Verdict::Surely ||
                   (candidate.verdict == Verdict::Perhaps && steps == base.steps);
  if (isAllowed && (!best || candidate.isBetterThan(*best)))
    best = std::move(candidate);
  return llvm::Error::success();
}

/// Stops at the first step from which on the network is surely good enough: a step that is good by
/// chance is followed by worse ones. Where the judge has too few samples to be sure, all steps are
/// spent.
llvm::Error Search::tryPlain(double percentile, bool perChannel, double initialMembrane) {
  ConversionOptions options = base;
  options.method = ConversionMethod::Percentile;
  options.percentile = percentile;
  options.perChannel = perChannel;
  options.initialMembrane = initialMembrane;
  SPINDLE_ASSIGN(SpikingNetwork network, convertAnnToSnn(ann, activations, options));
  SPINDLE_ASSIGN(ConversionScore score, judge.score(*network.module, base.steps));
  auto correctAfter = [&](int64_t step) { return score.correctByStep[size_t(step - 1)]; };
  for (int64_t step = 1; step <= base.steps; ++step)
    remember(correctAfter(step), step);
  Verdict last = verdictOn(correctAfter(base.steps));
  if (last == Verdict::No)
    return llvm::Error::success();
  int64_t step = base.steps;
  while (last == Verdict::Surely && step > 1 && verdictOn(correctAfter(step - 1)) == last)
    --step;
  network.summary.steps = uint64_t(step);
  return judgeAt(std::move(network), step);
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
    SPINDLE_RETURN_IF_ERROR(search.judgeAt(std::move(network), steps));
  }
  return search.take();
}

} // namespace spindle
