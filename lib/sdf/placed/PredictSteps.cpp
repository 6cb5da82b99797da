#include "lib/sdf/placed/PredictSteps.h"

#include "core/chip/routing/ChannelDependences.h"
#include "core/network/SpikeTrace.h"
#include "core/network/SpikingGraph.h"
#include "lib/sdf/placed/PlacedStep.h"
#include "core/chip/work/StepWork.h"

#include "fmt/format.h"

#include <algorithm>
#include <numeric>

namespace spindle {

namespace {

/// Steps with neighbouring bounds, and the one that is worked for all of them.
struct Group {
  double bounds = 0; // together
  uint64_t steps = 0;
};

/// Per step the group that it is worked for; kNone: for none.
std::vector<uint32_t> chooseSteps(const std::vector<double> &bounds, uint64_t detailed,
                                  std::vector<Group> &groups) {
  std::vector<uint64_t> order(bounds.size());
  std::iota(order.begin(), order.end(), 0);
  std::stable_sort(order.begin(), order.end(),
                   [&](uint64_t a, uint64_t b) { return bounds[a] < bounds[b]; });
  uint64_t number = std::min<uint64_t>(detailed, bounds.size());
  std::vector<uint32_t> chosen(bounds.size(), kNone);
  for (uint64_t g = 0; g < number; ++g) {
    uint64_t first = g * bounds.size() / number, last = (g + 1) * bounds.size() / number;
    Group &group = groups.emplace_back();
    for (uint64_t i = first; i < last; ++i)
      group.bounds += bounds[order[i]];
    group.steps = last - first;
    chosen[order[(first + last - 1) / 2]] = static_cast<uint32_t>(g);
  }
  return chosen;
}

llvm::Error checkInput(const Clustering &clustering, const Mapping &mapping, const Chip &chip,
                       const SpikingGraph *graph) {
  if (chip.synchronisation == Synchronisation::Free)
    return inputError(chip.path, "synchronisation is free: a step takes what the clock says");
  if (chip.countsAccesses() && !graph)
    return inputError(chip.path, "neurons at rest are accessed and not updated on this chip, and "
                                 "which are takes the graph of the network; run the stage graph");
  SPINDLE_RETURN_IF_ERROR(verify(mapping, clustering, chip));
  return checkDeadlockFree(chip);
}

} // namespace

llvm::Expected<Prediction> predictSteps(const Clustering &clustering, const Mapping &mapping,
                                        const SpikeTrace &trace, const Chip &chip,
                                        uint64_t detailed, const SpikingGraph *graph,
                                        uint64_t mostPacketHops) {
  SPINDLE_RETURN_IF_ERROR(checkInput(clustering, mapping, chip, graph));
  SPINDLE_ASSIGN(StepWork least, stepWork(clustering, trace, chip, graph));
  const std::vector<double> &bounds = least.stepCycles;
  if (bounds.empty() || detailed == 0)
    return inputError("", "no recorded step to predict from; emulate again with record_samples of "
                          "at least 1");
  uint64_t hopsOfStep = 1 + mapping.spikeHops / bounds.size();
  detailed = std::min(detailed, std::max<uint64_t>(1, mostPacketHops / hopsOfStep));
  std::vector<Group> groups;
  std::vector<uint32_t> groupOf = chooseSteps(bounds, detailed, groups);
  PlacedStep placed(clustering, mapping, chip);
  AwakeNeurons awake(clustering.neurons, chip.countsAccesses() ? graph : nullptr);
  std::vector<uint64_t> slowest(std::size(kStepPartNames));
  Prediction result;
  result.chip = chip.name;
  result.steps = bounds.size();
  result.worked = groups.size();
  double cycles = 0;
  std::vector<NeuronId> now;
  for (size_t sample = 0; sample < trace.recorded.size(); ++sample) {
    awake.beginSample();
    auto next = trace.recorded[sample].begin();
    for (uint32_t step = 0; step < trace.steps; ++step) {
      now.clear();
      for (; next != trace.recorded[sample].end() && next->step == step; ++next)
        now.push_back(next->neuron);
      awake.beginStep(now);
      size_t index = sample * trace.steps + step;
      if (uint32_t group = groupOf[index]; group != kNone) {
        SPINDLE_ASSIGN(PlacedWork work, placed.work(now, awake));
        ++slowest[static_cast<size_t>(work.slowest)];
        cycles += bounds[index] > 0 ? double(work.cycles) * (groups[group].bounds / bounds[index])
                                    : double(work.cycles) * double(groups[group].steps);
      }
      awake.endStep(now);
    }
  }
  double perSample = 0;
  if (chip.synchronisation == Synchronisation::Barrier)
    perSample = double(trace.steps) * double(chip.barrierCycles(placed.tilesInUse()));
  result.cycles = cycles / double(trace.recorded.size()) + perSample;
  result.leastCycles = least.cycles + perSample;
  for (size_t part = 0; part < slowest.size(); ++part)
    if (slowest[part] > 0)
      result.waits.push_back({kStepPartNames[part], slowest[part]});
  return result;
}

} // namespace spindle
