#include "lib/conversion/ann-to-snn/AutoConversion.h"

#include "fmt/format.h"

#include <cmath>
#include <optional>

namespace spindle {

namespace {

/// A true loss above what was counted and so many deviations is met in one search of twenty.
constexpr double kDeviations = 1.645;

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

/// Loss and margin in points, and what they say.
struct Judged {
  double loss = 0, margin = 0;
  Verdict verdict = Verdict::No;
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
  Judged judgedAt(const ConversionScore &score, int64_t step) const;
  void remember(const Judged &judged, int64_t steps);

  mlir::ModuleOp ann;
  const Activations &activations;
  const ConversionOptions &base;
  const ConversionJudge &judge;
  std::optional<Candidate> best;
  double leastLoss = 100;
  int64_t leastLossSteps = 0;
  uint64_t tried = 0;
  std::optional<ConversionSummary::HeldOut::Unproven> unproven; // in the fewest steps
};

} // namespace

Judged Search::judgedAt(const ConversionScore &score, int64_t step) const {
  uint64_t kept = score.keptByStep[size_t(step - 1)], gained = score.gainedByStep[size_t(step - 1)];
  PairedLoss paired = PairedLoss::of(judge.annCorrect - kept, gained, judge.samples);
  double points = 100 / double(judge.samples);
  Judged judged{paired.samples * points, kDeviations * paired.deviation * points};
  if (judged.loss + judged.margin <= base.maxLoss)
    judged.verdict = Verdict::Surely;
  else if (judged.loss <= base.maxLoss)
    judged.verdict = Verdict::Perhaps;
  return judged;
}

void Search::remember(const Judged &judged, int64_t steps) {
  if (judged.loss < leastLoss) {
    leastLoss = judged.loss;
    leastLossSteps = steps;
  }
  bool isFewer = !unproven || uint64_t(steps) < unproven->steps ||
                 (uint64_t(steps) == unproven->steps && judged.loss < unproven->lossPoints);
  if (judged.verdict == Verdict::Perhaps && isFewer)
    unproven = {uint64_t(steps), judged.loss, judged.margin};
}

llvm::Error Search::judgeAt(SpikingNetwork network, int64_t steps) {
  SPINDLE_ASSIGN(ConversionScore score, judge.score(*network.module, steps));
  ++tried;
  Judged judged = judgedAt(score, steps);
  remember(judged, steps);
  network.summary.heldOut = {judge.samples, judged.loss, judged.margin,
                             judged.verdict == Verdict::Surely};
  Candidate candidate{std::move(network), steps, judged.verdict, judged.loss,
                      score.spikesPerSample};
  bool isAllowed = judged.verdict == Verdict::Surely ||
                   (judged.verdict == Verdict::Perhaps && steps == base.steps);
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
  std::vector<Judged> judged;
  for (int64_t step = 1; step <= base.steps; ++step) {
    judged.push_back(judgedAt(score, step));
    remember(judged.back(), step);
  }
  if (judged.back().verdict == Verdict::No) {
    ++tried;
    return llvm::Error::success();
  }
  int64_t step = base.steps;
  while (judged.back().verdict == Verdict::Surely && step > 1 &&
         judged[size_t(step - 2)].verdict == Verdict::Surely)
    --step;
  network.summary.steps = uint64_t(step);
  return judgeAt(std::move(network), step);
}

llvm::Expected<SpikingNetwork> Search::take() {
  if (!best) {
    std::string loss = fmt::format("{:.2f} in {}", leastLoss, leastLossSteps),
                remedy = "raise emulation.steps or conversion.max_loss";
    if (leastLoss <= base.maxLoss) { // by chance perhaps: with more steps it loses more
      loss += fmt::format(", which {} samples do not prove", judge.samples);
      remedy = "give more samples of calibration, or " + remedy;
    }
    return inputError("conversion",
                      fmt::format("no conversion found that loses at most {:.2f} points in {} "
                                  "steps, the best loses {}; {}",
                                  base.maxLoss, base.steps, loss, remedy));
  }
  ConversionSummary::HeldOut &heldOut = *best->network.summary.heldOut;
  heldOut.tried = tried;
  if (unproven && (!heldOut.proven || unproven->steps < uint64_t(best->steps)))
    heldOut.unproven = unproven;
  return std::move(best->network);
}

llvm::Expected<SpikingNetwork> convertAutomatically(
    mlir::ModuleOp ann, const Activations &activations, const ConversionOptions &options,
    llvm::function_ref<llvm::Error(mlir::ModuleOp, const SignalTap &, int64_t, SignalReader)>
        source,
    const ConversionJudge &judge) {
  Search search(ann, activations, options, judge);
  for (double percentile : {80.0, 90.0, 97.0, 99.0, 99.9, 100.0})
    for (bool perChannel : {true, false})
      for (double initialMembrane : {0.25, 0.5})
        SPINDLE_RETURN_IF_ERROR(search.tryPlain(percentile, perChannel, initialMembrane));
  for (int64_t steps = 1; steps <= search.mostSteps(); steps *= 2)
    for (double percentile : {80.0, 90.0, options.percentile}) { // where thresholds start
      ConversionOptions fitted = options;
      fitted.method = ConversionMethod::Calibrated;
      fitted.percentile = percentile;
      fitted.steps = steps;
      SPINDLE_ASSIGN(SpikingNetwork network,
                     calibrate(ann, activations, fitted,
                               [&](mlir::ModuleOp module, const SignalTap &tap, SignalReader read) {
                                 return source(module, tap, steps, read);
                               }));
      SPINDLE_RETURN_IF_ERROR(search.judgeAt(std::move(network), steps));
    }
  return search.take();
}

} // namespace spindle
