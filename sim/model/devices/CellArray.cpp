#include "sim/model/devices/CellArray.h"

#include "core/support/CounterRandom.h"

#include <algorithm>
#include <cmath>
#include <numbers>

namespace spindle {

std::pair<double, double> standardNormals(uint32_t first, uint32_t second) {
  double radius = std::sqrt(-2 * std::log((double(first) + 0.5) * 0x1p-32));
  double angle = 2 * std::numbers::pi * double(second) * 0x1p-32;
  return {radius * std::cos(angle), radius * std::sin(angle)};
}

CellPair targetsOf(const CellMatrix &weights, double largest, const Device &device) {
  CellPair pair{weights, weights};
  double off = device.offConductance;
  auto target = [&](double weight) { return off + (1 - off) * std::max(weight, 0.0) / largest; };
  for (size_t cell = 0; cell < weights.values.size(); ++cell) {
    pair.positive.values[cell] = target(weights.values[cell]);
    pair.negative.values[cell] = target(-weights.values[cell]);
  }
  return pair;
}

static double levelNearest(double conductance, const Device &device) {
  double off = device.offConductance, steps = device.levels - 1.0;
  return off + (1 - off) * std::round((conductance - off) / (1 - off) * steps) / steps;
}

static double programmedCell(double target, const Device &device, const PhiloxCounter &words) {
  double stuck = double(words[2]) * 0x1p-32;
  if (stuck < device.stuckOn)
    return 1;
  if (stuck < device.stuckOn + device.stuckOff)
    return device.offConductance;
  double conductance = device.levels > 0 ? levelNearest(target, device) : target;
  auto [noise, spread] = standardNormals(words[0], words[1]);
  conductance *= std::max(0.0, 1 + device.programmingNoise * noise);
  const Drift &drift = device.drift;
  if (drift.exponent == 0 && drift.deviation == 0)
    return conductance;
  double exponent = std::max(0.0, drift.exponent + drift.deviation * spread);
  return conductance * std::pow(drift.seconds / drift.referenceSeconds, -exponent);
}

CellPair programmed(const CellPair &targets, const Device &device, uint64_t seed,
                    uint32_t crossbar) {
  CellPair pair = targets;
  PhiloxKey key{uint32_t(seed), uint32_t(seed >> 32)};
  for (CellMatrix *array : {&pair.positive, &pair.negative}) {
    uint32_t side = array == &pair.negative;
    for (size_t cell = 0; cell < array->values.size(); ++cell)
      array->values[cell] = programmedCell(array->values[cell], device,
                                           philox({uint32_t(cell), crossbar, side, 0}, key));
  }
  return pair;
}

} // namespace spindle
