// Emulation layer by layer: one sample per slot, many steps at once.
#include "lib/emulation/lanes/LoadSamples.h"
#include "lib/emulation/layers/BlockBooks.h"
#include "lib/emulation/layers/LayersNetwork.h"
#include "lib/emulation/network/EncoderCheck.h"
#include "lib/emulation/runtime/SampleRunner.h"
#include "lib/emulation/runtime/Team.h"

namespace spindle {

namespace {

using lanes::kLanes;
using layers::BlockQueue;
using layers::LayersNetwork;

/// Samples at once, which a thread works alone or with others.
struct Passage {
  Passage(const LayersNetwork &compiled, size_t most, bool isShared)
      : slots(compiled, most), queue(compiled.plan.stages.size() + 1, isShared) {}

  bool hasMore() const { return queue.hasMore(); }

  size_t first = 0, count = 0; // samples
  layers::Slots slots;
  std::vector<std::vector<InputEvent>> events; // by slot, ascending by step; none without events
  BlockQueue queue;                            // of blocks; after its stages it records
};

/// The smallest block of any rank, with room for no more samples than there are.
layers::BlockSize blockSizeOf(const EmulationTask &task, const LayersNetwork &compiled) {
  layers::BlockSize size = compiled.blockFor(static_cast<size_t>(task.options.steps));
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

size_t blocksOf(const EmulationTask &task, const layers::BlockSize &size) {
  return (static_cast<size_t>(task.options.steps) + size.steps - 1) / size.steps;
}

/// Threads that can work a sample.
size_t partsOf(const EmulationTask &task, const LayersNetwork &compiled) {
  if (task.ranks || !compiled.hasPipeline())
    return 1;
  return blocksOf(task, compiled.blockFor(static_cast<size_t>(task.options.steps)));
}

class LayersRunner {
public:
  LayersRunner(const EmulationTask &given, const LayersNetwork &compiled, Team<Passage> &others)
      : task(given), network(compiled), team(others), size(blockSizeOf(given, compiled)),
        block(compiled, size, given.ranks), books(given, compiled.plan, block) {
    team.enroll();
  }

  /// The part before the encoders for a batch, the rest for as many samples as the block holds.
  llvm::Error run(size_t first, size_t count, Tally &tally) {
    if (!batch)
      batch.emplace(*network.compiledPrefix);
    SPINDLE_RETURN_IF_ERROR(
        lanes::loadSamples(*batch, task.network, task.mapping, task.samples, first, count));
    batch->setup(task.firstSample + first, static_cast<uint64_t>(task.options.seed));
    SPINDLE_RETURN_IF_ERROR(checkEncoders(first, count));
    for (size_t done = 0; done < count; done += size.slots)
      runSlots(first, done, std::min(size.slots, count - done), tally);
    return llvm::Error::success();
  }

  void help(Tally &tally) {
    team.help([&](Passage &passage) { return runBlocks(passage, tally); });
  }

private:
  llvm::Error checkEncoders(size_t first, size_t count) {
    for (size_t lane = 0; lane < count; ++lane)
      for (const NetworkOp &each : task.network.ops)
        if (auto encode = mlir::dyn_cast<snn::EncodeOp>(each.op))
          SPINDLE_RETURN_IF_ERROR(checkEncoderInput(encode, batch->signal(encode.getInput()) + lane,
                                                    task.firstSample + first + lane, kLanes));
    return llvm::Error::success();
  }

  void runSlots(size_t first, size_t lane, size_t slots, Tally &tally) {
    if (!own)
      own.emplace(network, size.slots, partsOf(task, network) > 1);
    block.use(own->slots);
    for (auto [value, buffer] : network.plan.inputs) {
      const float *signal = batch->signal(value) + lane;
      auto elements = static_cast<size_t>(snn::sizeOf(value));
      for (size_t slot = 0; slot < slots; ++slot) {
        float *row = block.floats(buffer, slot);
        for (size_t n = 0; n < elements; ++n)
          row[n] = signal[n * kLanes + slot];
      }
    }
    block.reset(slots);
    own->first = first + lane;
    own->count = slots;
    own->events.clear();
    for (size_t slot = 0; task.samples.events && slot < slots; ++slot)
      own->events.push_back(task.mapping.events(task.samples, own->first + slot));
    own->queue.begin(static_cast<uint32_t>(blocksOf(task, size)));
    if (own->queue.isShared())
      team.open(*own);
    runBlocks(*own, tally);
    if (own->queue.isShared())
      team.close(*own);
    books.addCounts(slots, tally);
  }

  /// Blocks that no other thread has taken. Gives how long a helper is to stay away then.
  BlockQueue::Clock::duration runBlocks(Passage &passage, Tally &tally) {
    bool isHelper = &passage != (own ? &*own : nullptr);
    block.use(passage.slots);
    BlockQueue::Clock::duration rest{};
    for (BlockQueue::Turn turn; rest.count() == 0 && passage.queue.take(turn);) {
      runBlock(passage, turn, tally);
      rest = passage.queue.end(turn, isHelper);
    }
    return rest;
  }

  void runBlock(Passage &passage, BlockQueue::Turn &turn, Tally &tally) {
    size_t all = static_cast<size_t>(task.options.steps), recording = network.plan.stages.size();
    size_t done = turn.block * size.steps, steps = std::min(size.steps, all - done);
    block.begin(steps);
    writeEvents(passage, done, steps);
    block.run(task.firstSample + passage.first, passage.count, done,
              static_cast<uint64_t>(task.options.seed), passage.queue, turn);
    books.read(passage.first, passage.count, done, steps, tally);
    passage.queue.await(recording, turn);
    books.record();
    passage.queue.finish(recording, turn);
    task.progress.add(passage.count * steps);
  }

  /// Rows of recorded events: each adds one to its element.
  void writeEvents(const Passage &passage, size_t done, size_t steps) {
    for (size_t buffer : network.plan.events)
      for (size_t slot = 0; slot < passage.count; ++slot)
        for (size_t step = 0; step < steps; ++step)
          std::fill_n(block.floats(buffer, slot, step), task.network.inputs(), 0.0f);
    for (size_t slot = 0; slot < passage.events.size(); ++slot) {
      const std::vector<InputEvent> &events = passage.events[slot];
      auto isBefore = [](const InputEvent &event, size_t step) { return event.step < step; };
      auto next = std::lower_bound(events.begin(), events.end(), done, isBefore);
      for (; next != events.end() && next->step < done + steps; ++next)
        for (size_t buffer : network.plan.events)
          block.floats(buffer, slot, next->step - done)[next->element] += 1;
    }
  }

  const EmulationTask &task;
  const LayersNetwork &network;
  Team<Passage> &team;
  layers::BlockSize size;
  layers::Block block;
  BlockBooks books;
  std::optional<lanes::Batch> batch; // helpers alone need none, nor
  std::optional<Passage> own;
};

} // namespace

llvm::Expected<std::optional<EngineInstance>> makeLayersEngine(const EmulationTask &task,
                                                               std::string &reason) {
  if (!task.options.recordMembranes.empty()) {
    reason = "membranes are recorded after every step";
    return std::nullopt;
  }
  SPINDLE_ASSIGN(std::unique_ptr<LayersNetwork> made, LayersNetwork::compile(task.network, reason));
  if (!made)
    return std::nullopt;
  std::shared_ptr<LayersNetwork> compiled = std::move(made);
  auto team = std::make_shared<Team<Passage>>();
  auto makeRunner = [&task, compiled, team] {
    auto runner = std::make_shared<LayersRunner>(task, *compiled, *team);
    return SampleRunner{[compiled, team, runner](size_t first, size_t count, Tally &tally) {
                          return runner->run(first, count, tally);
                        },
                        [runner](Tally &tally) { runner->help(tally); }};
  };
  return EngineInstance{BatchSizes{1, kLanes}, makeRunner, partsOf(task, *compiled)};
}

} // namespace spindle
