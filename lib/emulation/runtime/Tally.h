// What adds up over samples: sums of whole numbers, the same in whatever order batches are done.
#pragma once

#include "core/network/Evaluation.h"

namespace spindle {

/// The class of an answer: the index of the largest value, the lowest one on ties. `stride` is the
/// distance of the values.
template <typename Scalar> uint32_t classOf(const Scalar *values, size_t count, size_t stride = 1) {
  size_t best = 0;
  for (size_t n = 1; n < count; ++n)
    if (values[n * stride] > values[best * stride])
      best = n;
  return static_cast<uint32_t>(best);
}

struct Tally {
  std::vector<uint64_t> correctByStep;
  ConfusionTable confusion;     // label, then answer after the last step; or empty
  std::vector<uint64_t> counts; // spikes per neuron

  Tally(size_t steps, size_t classes, size_t neurons) : correctByStep(steps), counts(neurons) {
    if (classes <= kMostConfused)
      confusion.assign(classes, std::vector<uint64_t>(classes));
  }

  /// Books the answer of one sample after one step.
  void answer(size_t step, uint32_t label, uint32_t found) {
    correctByStep[step] += label == found;
    if (step + 1 == correctByStep.size() && !confusion.empty())
      ++confusion[label][found];
  }

  Tally &operator+=(const Tally &other) {
    auto add = [](std::vector<uint64_t> &to, const std::vector<uint64_t> &from) {
      for (size_t n = 0; n < to.size(); ++n)
        to[n] += from[n];
    };
    add(correctByStep, other.correctByStep);
    for (size_t label = 0; label < confusion.size(); ++label)
      add(confusion[label], other.confusion[label]);
    add(counts, other.counts);
    return *this;
  }
};

} // namespace spindle
