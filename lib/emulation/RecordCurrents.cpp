#include "lib/emulation/RecordCurrents.h"

#include "lib/emulation/engine/LoadSamples.h"

#include "fmt/format.h"

#include <deque>

using namespace mlir;

namespace spindle {

using engine::Batch;
using engine::CompiledNetwork;
using engine::kLanes;

llvm::Error recordCurrents(ModuleOp snn, const std::string &layer, const Samples &samples,
                           uint32_t steps, uint64_t seed, size_t threads, CurrentReader reader) {
  SPINDLE_ASSIGN(Network network, readNetwork(snn));
  Value current;
  for (const NetworkOp &each : network.ops)
    if (isa<snn::NeuronOp>(each.op) && snn::layerOf(each.op) == layer)
      current = each.op->getOperand(0);
  if (!current)
    return inputError(placeOf(network.function), fmt::format("no population is named '{}'", layer));
  SPINDLE_ASSIGN(InputLayout layout, InputLayout::match(network, samples));
  SPINDLE_ASSIGN(std::unique_ptr<CompiledNetwork> compiled, CompiledNetwork::compile(network));
  std::deque<Batch> batches; // they do not move
  std::vector<std::vector<float>> currents;
  size_t neurons = static_cast<size_t>(snn::sizeOf(current));
  for (size_t thread = 0; thread < threadsFor(samples.count(), kLanes, threads); ++thread) {
    batches.emplace_back(*compiled);
    currents.emplace_back(neurons * steps * size_t(kLanes));
  }
  return forEachBatch(samples.count(), kLanes, threads,
                      [&](size_t thread, size_t first, size_t count) {
                        Batch &batch = batches[thread];
                        std::vector<float> &lanes = currents[thread];
                        engine::loadSamples(batch, network, layout, samples, first, count);
                        batch.setup(first, seed);
                        for (uint32_t step = 0; step < steps; ++step) {
                          batch.step();
                          const float *signal = batch.signal(current);
                          for (size_t lane = 0; lane < count; ++lane)
                            for (size_t n = 0; n < neurons; ++n)
                              lanes[(lane * steps + step) * neurons + n] =
                                  signal[n * size_t(kLanes) + lane];
                        }
                        for (size_t lane = 0; lane < count; ++lane)
                          reader(first + lane, llvm::ArrayRef(lanes).slice(lane * steps * neurons,
                                                                           steps * neurons));
                        return llvm::Error::success();
                      },
                      {});
}

} // namespace spindle
