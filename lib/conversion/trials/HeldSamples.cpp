#include "lib/conversion/trials/HeldSamples.h"

#include <numeric>

namespace spindle {

Samples subset(const Samples &samples, llvm::ArrayRef<size_t> indices) {
  Samples result{samples.shape, {}, {}, {}};
  result.place = samples.place;
  for (size_t index : indices) {
    result.values.insert(result.values.end(), samples.sample(index), samples.sample(index + 1));
    result.labels.push_back(samples.labels[index]);
  }
  return result;
}

Samples firstOf(Samples samples, size_t count) {
  samples.labels.resize(count);
  if (samples.events) {
    samples.events->offsets.resize(count + 1);
    samples.events->events.resize(samples.events->offsets.back());
  } else if (!samples.reader) {
    samples.values.resize(count * samples.size());
  }
  return samples;
}

HeldSamples holdBack(const Samples &samples, llvm::ArrayRef<uint32_t> answers) {
  std::vector<size_t> right, wrong;
  for (size_t index = 0; index < samples.count(); ++index)
    (answers[index] == samples.labels[index] ? right : wrong).push_back(index);
  return HeldSamples{subset(samples, right), subset(samples, wrong)};
}

llvm::Expected<ConversionScore> score(mlir::ModuleOp snn, int64_t steps, const HeldSamples &held,
                                      NetworkTrials &trials) {
  std::vector<uint64_t> none(static_cast<size_t>(steps), 0);
  ConversionScore score{none, none};
  double spikes = 0;
  for (auto [samples, correct] :
       {std::pair{&held.right, &score.keptByStep}, {&held.wrong, &score.gainedByStep}}) {
    if (samples->count() == 0)
      continue;
    SPINDLE_ASSIGN(EmulationSummary summary, trials.emulate(snn, *samples, steps));
    *correct = summary.correctByStep;
    spikes = std::accumulate(summary.spikes.begin(), summary.spikes.end(), spikes);
  }
  score.spikesPerSample = spikes / static_cast<double>(held.count());
  return score;
}

} // namespace spindle
