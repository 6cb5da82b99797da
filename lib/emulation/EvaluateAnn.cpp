#include "lib/emulation/EvaluateAnn.h"

#include "dialects/snn/Answers.h"
#include "lib/emulation/lanes/LoadSamples.h"
#include "lib/emulation/runtime/Tally.h"

#include "fmt/format.h"

#include <deque>

using namespace mlir;

namespace spindle {

using lanes::Batch;
using lanes::CompiledNetwork;
using lanes::kLanes;

static llvm::Expected<Network> readAnn(ModuleOp module) {
  SPINDLE_ASSIGN(Network network, readNetwork(module));
  for (const NetworkOp &each : network.ops)
    if (each.everyStep || isa<snn::EncodeOp, snn::DecodeOp>(each.op))
      return inputError(placeOrNameOf(each.op),
                        fmt::format("{} belongs to a spiking network, expected an "
                                    "ANN",
                                    each.op->getName().getStringRef().str()));
  return network;
}

/// Calls `read(thread, batch, first, count)` after every batch of samples went through the network.
static llvm::Error runAnn(const Network &network, const Samples &samples, size_t threads,
                          const Progress &progress,
                          llvm::function_ref<void(size_t, const Batch &, size_t, size_t)> read) {
  SPINDLE_ASSIGN(InputMapping mapping, InputMapping::match(network, samples));
  SPINDLE_ASSIGN(std::unique_ptr<CompiledNetwork> compiled, CompiledNetwork::compile(network));
  std::deque<Batch> batches; // they do not move
  for (size_t thread = 0; thread < threadsFor(samples.count(), kLanes, threads); ++thread)
    batches.emplace_back(*compiled);
  return forEachBatch(
      samples.count(), kLanes, threads,
      [&](size_t thread, size_t first, size_t count) -> llvm::Error {
        SPINDLE_RETURN_IF_ERROR(
            lanes::loadSamples(batches[thread], network, mapping, samples, first, count));
        batches[thread].setup(first, /*seed=*/0);
        read(thread, batches[thread], first, count);
        return llvm::Error::success();
      },
      progress);
}

llvm::Expected<AnnEvaluation> evaluateAnn(ModuleOp ann, const Samples &samples, size_t threads,
                                          const Progress &progress) {
  SPINDLE_ASSIGN(Network network, readAnn(ann));
  SPINDLE_RETURN_IF_ERROR(checkLabels(network, samples));
  Tally total(1, network.outputs(), 0);
  std::vector<Tally> tallies(threadsFor(samples.count(), kLanes, threads), total);
  SPINDLE_RETURN_IF_ERROR(
      runAnn(network, samples, threads, progress,
             [&](size_t thread, const Batch &batch, size_t first, size_t count) {
               const float *answers = batch.signal(network.output);
               for (size_t lane = 0; lane < count; ++lane)
                 tallies[thread].answer(0, samples.labels[first + lane],
                                        classOf(answers + lane, network.outputs(), kLanes));
             }));
  for (const Tally &tally : tallies)
    total += tally;
  AnnEvaluation evaluation;
  for (const NetworkOp &each : network.ops)
    if (auto synapse = dyn_cast<snn::SynapseOp>(each.op); synapse && synapse.hasWeights()) {
      evaluation.layers.push_back(nameOf(each.op));
      for (Value weights : each.op->getOperands().drop_front(each.sources.size()))
        evaluation.parameters += static_cast<uint64_t>(snn::sizeOf(weights));
    }
  evaluation.samples = samples.count();
  evaluation.correct = total.correctByStep.front();
  evaluation.confusion = std::move(total.confusion);
  SPINDLE_RETURN_IF_ERROR(verify(evaluation));
  return evaluation;
}

llvm::Error checkSamples(ModuleOp ann, const Samples &samples) {
  SPINDLE_ASSIGN(Network network, readAnn(ann));
  return InputMapping::match(network, samples).takeError();
}

llvm::Expected<std::vector<uint32_t>> classify(ModuleOp ann, const Samples &samples,
                                               size_t threads) {
  SPINDLE_ASSIGN(Network network, readAnn(ann));
  SPINDLE_RETURN_IF_ERROR(checkLabels(network, samples));
  std::vector<uint32_t> classes(samples.count());
  SPINDLE_RETURN_IF_ERROR(runAnn(network, samples, threads, /*progress=*/{},
                                 [&](size_t, const Batch &batch, size_t first, size_t count) {
                                   const float *answers = batch.signal(network.output);
                                   for (size_t lane = 0; lane < count; ++lane)
                                     classes[first + lane] =
                                         classOf(answers + lane, network.outputs(), kLanes);
                                 }));
  return classes;
}

namespace {

struct Observed {
  std::string layer;
  Value signal;
};

} // namespace

/// The rectifiers, and the result of the network.
static std::vector<Observed> observedIn(const Network &network) {
  std::vector<Observed> observed;
  for (const NetworkOp &each : network.ops)
    if (isa<snn::ReluOp>(each.op))
      observed.push_back({nameOf(each.op), each.op->getResult(0)});
  if (!snn::answeringRectifier(network.output))
    observed.push_back({snn::answerName(network.output), network.output});
  return observed;
}

llvm::Expected<Activations> collectActivations(ModuleOp ann, const Samples &samples, size_t threads,
                                               const Progress &progress) {
  SPINDLE_ASSIGN(Network network, readAnn(ann));
  std::vector<Observed> observed = observedIn(network);
  Activations activations;
  activations.samples = samples.count();
  std::vector<float> room;
  for (size_t index = 0; !samples.events && index < samples.count(); ++index) {
    SPINDLE_ASSIGN(const float *values, samples.block(index, 1, room));
    for (size_t n = 0; n < samples.size(); ++n)
      activations.inputMaximum = std::max(activations.inputMaximum, values[n]);
  }
  for (const Observed &each : observed) {
    LayerActivations layer{each.layer, snn::shapeOf(each.signal).vec(), {}};
    layer.values.resize(samples.count() * static_cast<size_t>(snn::sizeOf(each.signal)));
    activations.layers.push_back(std::move(layer));
  }
  SPINDLE_RETURN_IF_ERROR(
      runAnn(network, samples, threads, progress,
             [&](size_t, const Batch &batch, size_t first, size_t count) {
               for (auto [each, layer] : llvm::zip_equal(observed, activations.layers)) {
                 const float *signal = batch.signal(each.signal);
                 size_t size = static_cast<size_t>(snn::sizeOf(each.signal));
                 for (size_t lane = 0; lane < count; ++lane)
                   for (size_t n = 0; n < size; ++n)
                     layer.values[(first + lane) * size + n] = signal[n * kLanes + lane];
               }
             }));
  return activations;
}

} // namespace spindle
