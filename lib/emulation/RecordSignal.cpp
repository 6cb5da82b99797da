#include "lib/emulation/RecordSignal.h"

#include "lib/emulation/lanes/LoadSamples.h"

#include "fmt/format.h"

#include <deque>

using namespace mlir;

namespace spindle {

using lanes::Batch;
using lanes::CompiledNetwork;
using lanes::kLanes;

/// The operation whose result is at the tap, or whose operand; null where there is none.
static Value signalAt(const Network &network, const SignalTap &tap) {
  if (tap.place == SignalTap::Answer)
    return network.output;
  for (const NetworkOp &each : network.ops) {
    if (snn::layerOf(each.op) != tap.layer)
      continue;
    if (tap.place == SignalTap::Population && isa<snn::NeuronOp>(each.op))
      return each.op->getOperand(0);
    auto synapse = dyn_cast<snn::SynapseOp>(each.op);
    if (tap.place != SignalTap::Population && synapse && synapse.hasWeights())
      return tap.place == SignalTap::Source ? each.op->getOperand(0) : each.op->getResult(0);
  }
  return {};
}

/// Operations that a step has to work for a signal: up to the one that makes it, or all of them
/// where spikes come back from behind it.
static int64_t operationsFor(const Network &network, Value signal) {
  auto makes = [&](const NetworkOp &each) { return each.op->getResult(0) == signal; };
  auto returns = [](const NetworkOp &each) { return isa<snn::FeedbackOp>(each.op); };
  bool comeBack = llvm::any_of(network.ops, returns);
  auto made = comeBack ? network.ops.end() : llvm::find_if(network.ops, makes);
  return std::min(made - network.ops.begin() + 1, int64_t(network.ops.size()));
}

llvm::Error recordSignal(ModuleOp module, const SignalTap &tap, const Samples &samples,
                         uint32_t steps, uint64_t seed, size_t threads, SignalReader reader) {
  SPINDLE_ASSIGN(Network network, readNetwork(module));
  Value value = signalAt(network, tap);
  if (!value)
    return inputError(placeOrNameOf(network.function),
                      fmt::format("no layer is named '{}'", tap.layer));
  SPINDLE_ASSIGN(InputMapping mapping, InputMapping::match(network, samples));
  SPINDLE_ASSIGN(std::unique_ptr<CompiledNetwork> compiled, CompiledNetwork::compile(network));
  bool isAnswer = tap.place == SignalTap::Answer;
  bool inTime = isAnswer ? network.runsInTime : snn::runsInTime(value.getType());
  uint32_t rows = inTime ? steps : 1;
  int64_t operations = operationsFor(network, value);
  size_t elements = static_cast<size_t>(snn::sizeOf(value)), size = rows * elements;
  std::deque<Batch> batches; // they do not move
  std::vector<std::vector<float>> signals;
  for (size_t thread = 0; thread < threadsFor(samples.count(), kLanes, threads); ++thread) {
    batches.emplace_back(*compiled);
    signals.emplace_back(size * size_t(kLanes));
  }
  return forEachBatch(
      samples.count(), kLanes, threads,
      [&](size_t thread, size_t first, size_t count) -> llvm::Error {
        Batch &batch = batches[thread];
        std::vector<float> &lanes = signals[thread];
        SPINDLE_RETURN_IF_ERROR(lanes::loadSamples(batch, network, mapping, samples, first, count));
        batch.setup(first, seed);
        for (uint32_t row = 0; row < rows; ++row) {
          if (inTime)
            batch.step(operations);
          const float *signal = batch.signal(value);
          for (size_t n = 0; n < elements; ++n)
            for (size_t lane = 0; lane < count; ++lane)
              lanes[lane * size + row * elements + n] = signal[n * size_t(kLanes) + lane];
        }
        for (size_t lane = 0; lane < count; ++lane)
          reader(first + lane, llvm::ArrayRef(lanes).slice(lane * size, size));
        return llvm::Error::success();
      },
      {});
}

} // namespace spindle
