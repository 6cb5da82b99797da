// Emulation of one sample per lane.
#include "lib/emulation/lanes/CompiledNetwork.h"
#include "lib/emulation/lanes/LoadSamples.h"
#include "lib/emulation/network/EncoderCheck.h"
#include "lib/emulation/runtime/SampleRunner.h"

namespace spindle {

namespace {

using lanes::kLanes;

struct LanesRunner {
  const EmulationTask &task;
  std::shared_ptr<lanes::CompiledNetwork> compiled; // shared by the threads
  std::shared_ptr<lanes::Batch> batch;              // of this thread; std::function copies

  llvm::Error operator()(size_t first, size_t count, Tally &tally) {
    SPINDLE_RETURN_IF_ERROR(
        lanes::loadSamples(*batch, task.network, task.mapping, task.samples, first, count));
    batch->setup(task.firstSample + first, static_cast<uint64_t>(task.options.seed));
    SPINDLE_RETURN_IF_ERROR(checkEncoders(first, count));
    size_t outputs = task.network.outputs();
    for (uint32_t step = 0; step < task.options.steps; ++step) {
      batch->step();
      const float *answers = batch->signal(task.network.output);
      for (size_t lane = 0; lane < count; ++lane) {
        tally.answer(step, task.samples.labels[first + lane],
                     classOf(answers + lane, outputs, kLanes));
        if (first + lane < task.recorded.size()) {
          record(step, lane, first + lane);
          recordMembranes(step, lane, first + lane);
        }
      }
      task.progress.add(count);
    }
    addCounts(count, tally.counts);
    return llvm::Error::success();
  }

  llvm::Error checkEncoders(size_t first, size_t count) {
    for (size_t lane = 0; lane < count; ++lane)
      for (const NetworkOp &each : task.network.ops)
        if (auto encode = mlir::dyn_cast<snn::EncodeOp>(each.op))
          SPINDLE_RETURN_IF_ERROR(checkEncoderInput(encode, batch->signal(encode.getInput()) + lane,
                                                    task.firstSample + first + lane, kLanes));
    return llvm::Error::success();
  }

  /// Populations come in the order of their ids, so that spikes are appended ascending.
  void record(uint32_t step, size_t lane, size_t sample) {
    std::vector<Spike> &spikes = task.recorded[sample];
    for (const NetworkOp &each : task.network.ops) {
      mlir::Value target = each.op->getResult(0);
      if (!each.population || !mlir::isa<snn::SpikeBundleType>(target.getType()))
        continue;
      const Population &population = task.network.populations[*each.population];
      const float *signal = batch->signal(target);
      for (uint32_t n = 0; n < population.size; ++n)
        for (float left = signal[n * kLanes + lane]; left > 0; left -= 1)
          spikes.push_back({step, population.first + n});
    }
  }

  void recordMembranes(uint32_t step, size_t lane, size_t sample) {
    for (MembraneRecording &each : task.membranes.recordings) {
      const auto &populations = task.network.populations;
      auto place = std::find(populations.begin(), populations.end(), each.population);
      const float *membranes = batch->membranes(size_t(place - populations.begin()));
      size_t frame = sample * size_t(task.options.steps) + step;
      for (size_t n = 0; n < each.population.size; ++n)
        each.values[frame * each.population.size + n] = membranes[n * kLanes + lane];
    }
  }

  void addCounts(size_t count, std::vector<uint64_t> &totals) {
    for (size_t p = 0; p < task.network.populations.size(); ++p) {
      const Population &population = task.network.populations[p];
      const float *counts = batch->counts(p);
      for (uint32_t n = 0; n < population.size; ++n)
        for (size_t lane = 0; lane < count; ++lane)
          totals[population.first + n] += static_cast<uint64_t>(counts[n * kLanes + lane]);
    }
  }
};

} // namespace

llvm::Expected<EngineInstance> makeLanesEngine(const EmulationTask &task) {
  SPINDLE_ASSIGN(std::shared_ptr<lanes::CompiledNetwork> compiled,
                 lanes::CompiledNetwork::compile(task.network));
  return EngineInstance{
      kLanes, [&task, compiled] {
        return SampleRunner{LanesRunner{task, compiled, std::make_shared<lanes::Batch>(*compiled)}};
      }};
}

} // namespace spindle
