// Emulation layer by layer: one sample per slot, many steps at once.
#include "lib/emulation/EncoderCheck.h"
#include "lib/emulation/SampleRunner.h"
#include "lib/emulation/engine/LoadSamples.h"
#include "lib/emulation/layerwise/LayerwiseNetwork.h"

namespace spindle {

namespace {

using engine::kLanes;
using layerwise::Block;
using layerwise::LayerwiseNetwork;

class LayerwiseRunner {
public:
  LayerwiseRunner(const EmulationTask &given, const LayerwiseNetwork &compiled)
      : task(given), network(compiled), batch(*compiled.compiledPrefix),
        block(compiled, sizeFor(given, compiled), given.ranks) {}

  /// The part before the encoders for a batch, the rest for as many samples as the block holds.
  llvm::Error run(size_t first, size_t count, Tally &tally) {
    SPINDLE_RETURN_IF_ERROR(
        engine::loadSamples(batch, task.network, task.layout, task.samples, first, count));
    batch.setup(task.firstSample + first, static_cast<uint64_t>(task.options.seed));
    SPINDLE_RETURN_IF_ERROR(checkEncoders(first, count));
    for (size_t done = 0; done < count; done += block.slots())
      runSlots(first, done, std::min(block.slots(), count - done), tally);
    return llvm::Error::success();
  }

private:
  /// The smallest block of any rank, with room for no more samples than there are.
  static layerwise::BlockSize sizeFor(const EmulationTask &task, const LayerwiseNetwork &compiled) {
    layerwise::BlockSize size = compiled.blockFor(static_cast<size_t>(task.options.steps));
    size.slots = std::clamp<size_t>(task.samples.count(), 1, size.slots);
    if (!task.ranks)
      return size;
    std::vector<uint32_t> words{uint32_t(size.slots), uint32_t(size.steps)}, all;
    std::vector<size_t> ends;
    task.ranks->exchange(words, all, ends);
    for (size_t k = 0; k < all.size(); k += 2)
      size = {std::min<size_t>(size.slots, all[k]), std::min<size_t>(size.steps, all[k + 1])};
    return size;
  }

  llvm::Error checkEncoders(size_t first, size_t count) {
    for (size_t lane = 0; lane < count; ++lane)
      for (const NetworkOp &each : task.network.ops)
        if (auto encode = mlir::dyn_cast<snn::EncodeOp>(each.op))
          SPINDLE_RETURN_IF_ERROR(checkEncoderInput(encode, batch.signal(encode.getInput()) + lane,
                                                    task.firstSample + first + lane, kLanes));
    return llvm::Error::success();
  }

  void runSlots(size_t first, size_t lane, size_t slots, Tally &tally) {
    for (auto [value, buffer] : network.plan.inputs) {
      const float *signal = batch.signal(value) + lane;
      auto size = static_cast<size_t>(snn::sizeOf(value));
      for (size_t slot = 0; slot < slots; ++slot) {
        float *row = block.floats(buffer, slot);
        for (size_t n = 0; n < size; ++n)
          row[n] = signal[n * kLanes + slot];
      }
    }
    loadEvents(first + lane, slots);
    block.reset(slots);
    size_t all = static_cast<size_t>(task.options.steps);
    for (size_t done = 0; done < all; done += block.steps()) {
      size_t steps = std::min(block.steps(), all - done);
      block.begin(steps);
      writeEvents(slots, done, steps);
      block.run(task.firstSample + first + lane, slots, done,
                static_cast<uint64_t>(task.options.seed));
      for (size_t slot = 0; slot < slots; ++slot)
        for (size_t step = 0; step < steps; ++step)
          book(first + lane + slot, slot, done, step, tally);
      task.progress.add(slots * steps);
    }
    addCounts(slots, tally.counts);
  }

  void loadEvents(size_t first, size_t slots) {
    events.clear();
    for (size_t slot = 0; task.samples.events && slot < slots; ++slot)
      events.push_back(task.layout.events(task.samples, first + slot));
    nextEvent.assign(events.size(), 0);
  }

  /// Rows of recorded events: each adds one to its element.
  void writeEvents(size_t slots, size_t done, size_t steps) {
    for (size_t buffer : network.plan.events)
      for (size_t slot = 0; slot < slots; ++slot)
        for (size_t step = 0; step < steps; ++step)
          std::fill_n(block.floats(buffer, slot, step), task.network.inputs(), 0.0f);
    for (size_t slot = 0; slot < events.size(); ++slot)
      for (size_t &next = nextEvent[slot]; next < events[slot].size(); ++next) {
        const InputEvent &event = events[slot][next];
        if (event.step >= done + steps)
          break;
        for (size_t buffer : network.plan.events)
          block.floats(buffer, slot, event.step - done)[event.element] += 1;
      }
  }

  void book(size_t sample, size_t slot, size_t done, size_t step, Tally &tally) {
    tally.answer(done + step, task.samples.labels[sample],
                 classOf(block.floats(network.plan.output, slot, step), task.network.outputs()));
    bool isRecorded = sample < task.recorded.size();
    for (size_t p = 0; p < task.network.populations.size(); ++p) {
      const Population &population = task.network.populations[p];
      const layerwise::PopulationBuffers &booked = network.plan.populations[p];
      if (booked.events)
        count(*booked.events, slot, step, tally.counts.data() + population.first);
      auto record = [&](size_t n, float spikes) {
        for (float left = spikes; left > 0; left -= 1)
          task.recorded[sample].push_back({uint32_t(done + step), population.first + uint32_t(n)});
      };
      if (isRecorded && booked.events)
        forEvents(*booked.events, slot, step, record);
      else if (isRecorded && booked.rows)
        for (uint32_t n = 0; n < population.size; ++n)
          record(n, block.floats(booked.rows->buffer, slot, step)[n]);
    }
  }

  void count(const layerwise::EventList &list, size_t slot, size_t step, uint64_t *counts) const {
    if (list.values)
      forEvents(list, slot, step, [&](size_t n, float spikes) { counts[n] += uint64_t(spikes); });
    else
      forEvents(list, slot, step, [&](size_t n, float) { ++counts[n]; });
  }

  /// Calls `use(element, value)` for the events of a row.
  template <typename Use>
  void forEvents(const layerwise::EventList &list, size_t slot, size_t step, Use use) const {
    auto found = *reinterpret_cast<const int64_t *>(block.floats(list.ends, slot, step));
    const float *values = list.values ? block.floats(*list.values, slot, step) : nullptr;
    const char *entries = reinterpret_cast<const char *>(block.floats(list.entries, slot, step));
    auto walk = [&](auto *entry) {
      for (int64_t k = 0; k < found; ++k)
        use(size_t(entry[k]), values ? values[k] : 1.0f);
    };
    if (list.narrow)
      walk(reinterpret_cast<const uint16_t *>(entries));
    else
      walk(reinterpret_cast<const uint32_t *>(entries));
  }

  /// Counts that are not taken from events.
  void addCounts(size_t slots, std::vector<uint64_t> &totals) {
    for (size_t p = 0; p < task.network.populations.size(); ++p) {
      const Population &population = task.network.populations[p];
      const layerwise::PopulationBuffers &booked = network.plan.populations[p];
      for (size_t slot = 0; booked.rows && slot < slots; ++slot) {
        const float *counts = block.floats(booked.counts, slot);
        uint64_t *to = totals.data() + population.first;
        for (uint32_t n = 0; n < population.size; ++n)
          to[n] += static_cast<uint64_t>(counts[booked.layout.at(n)]);
      }
    }
  }

  const EmulationTask &task;
  const LayerwiseNetwork &network;
  engine::Batch batch;
  Block block;
  std::vector<std::vector<InputEvent>> events; // by slot, ascending by step
  std::vector<size_t> nextEvent;
};

} // namespace

llvm::Expected<std::optional<EngineInstance>> makeLayerwiseEngine(const EmulationTask &task,
                                                                  std::string &reason) {
  if (!task.options.recordMembranes.empty()) {
    reason = "membranes are recorded after every step";
    return std::nullopt;
  }
  SPINDLE_ASSIGN(std::unique_ptr<LayerwiseNetwork> made,
                 LayerwiseNetwork::compile(task.network, reason));
  if (!made)
    return std::nullopt;
  std::shared_ptr<LayerwiseNetwork> compiled = std::move(made);
  return EngineInstance{kLanes, [&task, compiled]() -> SampleRunner {
                          auto runner = std::make_shared<LayerwiseRunner>(task, *compiled);
                          return [compiled, runner](size_t first, size_t count, Tally &tally) {
                            return runner->run(first, count, tally);
                          };
                        }};
}

} // namespace spindle
