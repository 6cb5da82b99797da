// Threshold crossings within a step: neurons whose membrane has a closed form under constant
// current.
#pragma once

#include "dialects/snn/NeuronModel.h"

#include <algorithm>
#include <cmath>

namespace spindle::interpreter {

/// The course of a membrane within a step, in double: v(t) = v + r·i·t, or towards leak + r·i.
struct MembraneCourse {
  bool leaky;
  double limit; // where it tends to; the slope where it does not leak
  double tau;   // steps

  MembraneCourse(const snn::NeuronModel &model, size_t n, double i)
      : leaky(model.kind == snn::NeuronKind::LeakyIntegrateAndFire),
        limit(double(snn::valueAt(model.resistance, n)) * i),
        tau(leaky ? double(snn::valueAt(model.tau, n)) : 0) {
    if (leaky)
      limit += double(snn::valueAt(model.leak, n));
  }

  /// From v on, after a time in steps.
  double after(double v, double time) const {
    return leaky ? v + (limit - v) * -std::expm1(-time / tau) : v + limit * time;
  }
  /// How long it takes from v up to a threshold that it reaches.
  double timeTo(double threshold, double v) const {
    return leaky ? tau * std::log((limit - v) / (limit - threshold)) : (threshold - v) / limit;
  }
};

/// One step of a neuron: `end` is the membrane after a whole step without threshold. A spike falls
/// where the membrane meets the threshold; the rest of the step goes on from the reset, unless the
/// neuron is refractory. Gives the number of spikes. Compiled and interpreted networks both call
/// this function.
template <typename Scalar>
int64_t crossingStep(const snn::NeuronModel &model, size_t n, Scalar i, Scalar end,
                     Scalar &membrane) {
  Scalar threshold = snn::valueAt(model.threshold, n);
  if (!(membrane >= threshold) && !(end >= threshold)) {
    membrane = end;
    return 0;
  }
  MembraneCourse course(model, n, double(i));
  double v = double(membrane), last = double(end), limit = double(threshold), left = 1;
  int64_t spikes = 0;
  while (spikes < model.maxSpikes && (v >= limit || last >= limit)) {
    double time = v >= limit ? 0 : course.timeTo(limit, v);
    left =
        time <= left ? left - time : 0; // rounding can put the meeting beyond the step, or nowhere
    v = model.resetBySubtraction ? std::max(v, limit) - limit
                                 : double(snn::valueAt(model.reset, n));
    ++spikes;
    last = snn::valueAt(model.refractory, n) > 0 ? v : course.after(v, left);
    if (snn::valueAt(model.refractory, n) > 0)
      break;
  }
  membrane = Scalar(last);
  return spikes;
}

} // namespace spindle::interpreter
