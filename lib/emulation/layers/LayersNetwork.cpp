#include "lib/emulation/layers/LayersNetwork.h"

#include "core/support/GiveBackMemory.h"
#include "lib/emulation/lanes/LowerKernels.h"

#include <algorithm>
#include <cstring>
#include <utility>

namespace spindle::layers {

llvm::Expected<std::unique_ptr<LayersNetwork>> LayersNetwork::compile(const Network &network,
                                                                      std::string &reason) {
  std::unique_ptr<LayersNetwork> result(new LayersNetwork(network));
  std::optional<Plan> plan = makePlan(network, result->context, reason);
  if (!plan)
    return nullptr;
  result->plan = std::move(*plan);
  result->denseModule = *result->plan.denseModule;
  SPINDLE_RETURN_IF_ERROR(lanes::verifyKernels(result->denseModule)); // compiled when it is needed
  SPINDLE_ASSIGN(result->kernels, compileKernels(*result->plan.module));
  for (const Stage &stage : result->plan.stages) {
    auto find = [&](const std::string &name) {
      return name.empty() ? nullptr : result->kernels->find(name);
    };
    result->stages.push_back({find(stage.kernel), find(stage.setup)});
  }
  result->prefix = network;
  llvm::erase_if(result->prefix->ops, [](const NetworkOp &each) { return each.everyStep; });
  SPINDLE_ASSIGN(result->compiledPrefix, lanes::CompiledNetwork::compile(*result->prefix));
  giveBackMemory(); // the compiler's: parameters may be many times as large
  for (Buffer &buffer : result->plan.buffers)
    result->parameters.push_back(buffer.make ? std::exchange(buffer.make, {})()
                                             : std::move(buffer.contents));
  return result;
}

LayersNetwork::Kernel LayersNetwork::denseKernel(size_t stage) const {
  std::call_once(denseCompiled,
                 [&] { denseKernels = llvm::cantFail(compileKernels(denseModule)); });
  return denseKernels->find(plan.stages[stage].dense->kernel);
}

BlockSize LayersNetwork::blockFor(size_t steps) const {
  constexpr size_t kCache = size_t(512) << 10; // half of what a core has for itself
  size_t rowBytes = 1, weights = 0;
  for (const Buffer &buffer : plan.buffers) {
    rowBytes += buffer.unit == Unit::Row ? buffer.bytes : 0;
    weights += buffer.unit == Unit::Shared ? buffer.bytes : 0;
  }
  size_t rows = std::clamp<size_t>(kCache / rowBytes, 1, 128);
  if (weights > kCache)
    rows = std::max<size_t>(rows, 128);
  BlockSize size;
  size.steps = std::min({steps, rows, plan.mostSteps});
  size.slots = std::clamp<size_t>(rows / size.steps, 1, lanes::kLanes);
  return size;
}

Slots::Slots(const LayersNetwork &network, size_t count) {
  for (const Buffer &buffer : network.plan.buffers)
    memory.emplace_back(
        buffer.unit == Unit::Slot ? buffer.bytes * count + kSlackFloats * sizeof(float) : 0);
}

Block::Block(const LayersNetwork &network, BlockSize size, Ranks *others)
    : compiled(network), most(size), ranks(others) {
  for (size_t k = 0; k < network.plan.buffers.size(); ++k) {
    const Buffer &buffer = network.plan.buffers[k];
    size_t copies = buffer.unit == Unit::Row ? most.slots * most.steps : 1;
    if (buffer.unit == Unit::Row || buffer.unit == Unit::Thread)
      memory.emplace_back(buffer.bytes * copies + kSlackFloats * sizeof(float));
    bases.push_back(buffer.unit == Unit::Shared ? network.parameters[k].data()
                    : buffer.unit == Unit::Slot ? nullptr
                                                : memory.back().data());
  }
}

void Block::use(const Slots &slots) {
  if (used == &slots)
    return;
  used = &slots;
  for (size_t k = 0; k < bases.size(); ++k)
    if (compiled.plan.buffers[k].unit == Unit::Slot)
      bases[k] = slots.memory[k].data();
  stepsNow = 0; // addresses have changed
}

char *Block::address(size_t buffer, size_t slot, size_t step) const {
  const Buffer &each = compiled.plan.buffers[buffer];
  size_t copy = each.unit == Unit::Row    ? slot * stepsNow + step
                : each.unit == Unit::Slot ? slot
                                          : 0;
  return bases[buffer] + copy * each.bytes;
}

float *Block::floats(size_t buffer, size_t slot, size_t step) const {
  return reinterpret_cast<float *>(address(buffer, slot, step));
}

Block::Arguments Block::argumentsOf(Work work, const std::vector<size_t> &buffers, size_t slot,
                                    size_t step) {
  Arguments result;
  for (size_t buffer : buffers)
    result.addresses.push_back(address(buffer, slot, step));
  // Scalars stand before the buffers of kernels of a step, after those of others.
  if (work == Work::Steps)
    result.pointers = {&sample, &time, &key};
  for (char *&each : result.addresses)
    result.pointers.push_back(&each);
  if (work != Work::Steps)
    result.pointers.push_back(&count);
  return result;
}

void Block::begin(size_t steps) {
  if (steps == stepsNow)
    return;
  stepsNow = steps;
  arguments.clear();
  denseArguments.clear();
  for (const Stage &stage : compiled.plan.stages) {
    std::vector<Arguments> &calls = arguments.emplace_back();
    size_t rows = stage.work == Work::Steps ? most.slots * steps : 1;
    for (size_t row = 0; row < rows; ++row)
      calls.push_back(argumentsOf(stage.work, stage.buffers, row / steps, row % steps));
    denseArguments.push_back(
        argumentsOf(Work::Rows, stage.dense ? stage.dense->buffers : std::vector<size_t>(), 0, 0));
  }
}

void Block::reset(size_t slots) {
  begin(most.steps);
  for (size_t buffer : compiled.plan.cleared)
    std::memset(bases[buffer], 0, slots * compiled.plan.buffers[buffer].bytes);
  count = slots;
  for (size_t s = 0; s < compiled.stages.size(); ++s) {
    if (compiled.plan.stages[s].work == Work::Slots)
      compiled.stages[s].kernel(arguments[s].front().pointers.data());
    for (size_t slot = 0; compiled.stages[s].setup && slot < slots; ++slot)
      compiled.stages[s].setup(arguments[s][slot * stepsNow].pointers.data());
  }
}

/// Of the rows of this block.
bool Block::isDense(const EventCount &events) const {
  double found = 0;
  for (size_t row = 0; row < count; ++row) {
    auto ends =
        reinterpret_cast<const int64_t *>(address(events.ends, row / stepsNow, row % stepsNow));
    found += double(ends[events.plane]);
  }
  return found > events.share * double(count) * double(events.elements);
}

void Block::runRows(size_t stage) {
  const std::optional<Alternative> &dense = compiled.plan.stages[stage].dense;
  if (dense && isDense(dense->events))
    compiled.denseKernel(stage)(denseArguments[stage].pointers.data());
  else
    compiled.stages[stage].kernel(arguments[stage].front().pointers.data());
}

void Block::run(uint64_t firstSample, size_t slots, uint64_t firstStep, uint64_t seed,
                BlockQueue &queue, BlockQueue::Turn &turn) {
  key = seed;
  count = slots * stepsNow;
  const std::vector<Stage> &stages = compiled.plan.stages;
  for (size_t s = 0, end = 0; s < stages.size(); s = end) {
    for (end = s + 1; end < stages.size() && stages[end].joined;)
      ++end;
    if (stages[s].after)
      queue.await(*stages[s].after, turn);
    if (stages[s].work == Work::Gather)
      gatherSpikes(stages[s].gathers, slots);
    if (stages[s].work == Work::Rows)
      runRows(s);
    for (size_t row = 0; stages[s].work == Work::Steps && row < count; ++row) {
      sample = firstSample + row / stepsNow;
      time = firstStep + row % stepsNow;
      for (size_t each = s; each < end; ++each)
        compiled.stages[each].kernel(arguments[each][row].pointers.data());
    }
    if (stages[s].after)
      queue.finish(s, turn);
  }
}

} // namespace spindle::layers
