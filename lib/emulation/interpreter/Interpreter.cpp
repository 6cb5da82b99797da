#include "lib/emulation/interpreter/Interpreter.h"

#include "dialects/snn/synapses/DelayedSparseOp.h"
#include "lib/emulation/interpreter/Coding.h"
#include "lib/emulation/interpreter/InterpreterSample.h"
#include "lib/emulation/interpreter/Layers.h"
#include "lib/emulation/network/EncoderCheck.h"

using namespace mlir;

namespace spindle::interpreter {

template <typename Scalar> Interpreter<Scalar>::Interpreter(const Network &net) : network(net) {
  for (const NetworkOp &each : net.ops) {
    if (auto neuron = dyn_cast<snn::NeuronOp>(each.op))
      models[each.op] = neuron.neuronModel();
    for (Value operand : each.op->getOperands().drop_front(each.sources.size()))
      constants[operand] = Tensor<float>(snn::shapeOf(operand).vec(), constantOf(operand));
  }
}

template <typename Scalar>
Tensor<Scalar> Interpreter<Scalar>::encode(snn::EncodeOp op, const Tensor<Scalar> &x,
                                           const Sample &sample) const {
  float maximum = op.getMaximum().convertToFloat();
  switch (op.getEncoding()) {
  case snn::Encoding::Direct:
    return encodeDirect(x);
  case snn::Encoding::Poisson:
    return encodePoisson(x, maximum, sample.seed, sample.index, sample.step, firstNeuronOf(op));
  case snn::Encoding::Regular:
    return op.getIntegers() ? encodeRegularIntegers(x, maximum, sample.step)
                            : encodeRegular(x, maximum, sample.step);
  case snn::Encoding::Latency:
    return op.getIntegers()
               ? encodeLatencyIntegers(x, maximum, uint32_t(*op.getSteps()), sample.step)
               : encodeLatency(x, maximum, uint32_t(*op.getSteps()), sample.step);
  case snn::Encoding::Events:
    break;
  }
  return encodeEvents(Tensor<Scalar>(x.shape), sample.events, sample.step);
}

template <typename Scalar>
static Tensor<Scalar> decode(snn::DecodeOp op, const Tensor<Scalar> &x, Memory<Scalar> &memory) {
  switch (op.getDecoding()) {
  case snn::Decoding::Count:
    return decodeCount(x, op.getMaximum(), memory.counts);
  case snn::Decoding::FirstSpike:
    return decodeFirstSpike(x, memory.counts);
  case snn::Decoding::Membrane:
    break;
  }
  return decodeMembrane(x);
}

/// One pure function per operation. Those with a memory change it in `sample`.
template <typename Scalar>
Tensor<Scalar> Interpreter<Scalar>::evaluate(const NetworkOp &each, Sample &sample) const {
  std::vector<const Tensor<Scalar> *> inputs = sample.inputsOf(each);
  Operation *op = each.op;
  Memory<Scalar> &memory = sample.memories[op];
  if (isa<snn::NeuronOp>(op)) {
    const snn::NeuronModel &model = models.find(op)->second;
    if (isa<snn::RectifierOp>(op))
      return rectifierStep(model, *inputs.front(), memory.neurons);
    return isa<snn::FirstSpikeOp>(op)
               ? firstSpikeStep(model, sample.step, *inputs.front(), memory.neurons)
               : neuronStep(model, inputs, memory.neurons);
  }
  if (auto encoder = dyn_cast<snn::EncodeOp>(op))
    return encode(encoder, *inputs.front(), sample);
  if (auto decoder = dyn_cast<snn::DecodeOp>(op))
    return decode(decoder, *inputs.front(), memory);
  if (auto pool = dyn_cast<snn::MaxPool2dOp>(op);
      pool && snn::runsInTime(pool.getInput().getType()))
    return maxPoolInTime(*inputs.front(), poolGeometry(pool), snn::shapeOf(pool.getOutput()).vec(),
                         memory.counts, memory.made);
  if (auto line = dyn_cast<snn::DelayOp>(op)) {
    memory.history.push_back(*inputs.front());
    return delay(memory.history, line.getSteps().vec());
  }
  if (auto feedback = dyn_cast<snn::FeedbackOp>(op)) {
    // This step's spikes of the population may not exist yet; they are not asked for.
    memory.history.emplace_back(snn::shapeOf(feedback.getOutput()).vec());
    return delay(memory.history, {static_cast<int64_t>(feedback.getSteps())});
  }
  if (auto layer = dyn_cast<snn::DelayedSparseOp>(op)) {
    memory.history.push_back(*inputs.front());
    Value bias = layer.getBias();
    return delayedSparse(memory.history, constants.find(layer.getWeight())->second.values,
                         bias ? constants.find(bias)->second.values : std::vector<float>(),
                         {layer.getOffsets().vec(), layer.getIndices().vec()},
                         layer.getDelays().vec(), snn::shapeOf(layer.getOutput()).vec());
  }
  return applyLayer(op, inputs, constants);
}

template <typename Scalar>
llvm::Error Interpreter<Scalar>::work(const NetworkOp &each, Sample &sample) const {
  Tensor<Scalar> result = evaluate(each, sample);
  bool spikes = each.population && isa<snn::SpikeBundleType>(each.op->getResult(0).getType());
  for (size_t n = 0; spikes && n < result.values.size(); ++n)
    for (Scalar left = result.values[n]; left > 0; left -= 1)
      sample.run.spikes.push_back(
          {sample.step, network.populations[*each.population].first + static_cast<NeuronId>(n)});
  if (auto encode = dyn_cast<snn::EncodeOp>(each.op))
    SPINDLE_RETURN_IF_ERROR(
        checkEncoderInput(encode, sample.inputsOf(each).front()->values.data(), sample.index));
  sample.signals[each.op->getResult(0)] = std::move(result);
  return llvm::Error::success();
}

template <typename Scalar>
void Interpreter<Scalar>::reset(const NetworkOp &each, Sample &sample) const {
  Memory<Scalar> &memory = sample.memories[each.op];
  if (auto model = models.find(each.op); model != models.end())
    memory.neurons = NeuronState<Scalar>(model->second, size_t(snn::sizeOf(each.op->getResult(0))));
  if (isa<snn::MaxPool2dOp, snn::DecodeOp>(each.op)) {
    memory.counts.assign(static_cast<size_t>(snn::sizeOf(each.sources.front())), 0);
    memory.made.assign(static_cast<size_t>(snn::sizeOf(each.op->getResult(0))), 0);
  }
}

template <typename Scalar> llvm::Error Interpreter<Scalar>::workStep(Sample &sample) const {
  for (const NetworkOp &each : network.ops)
    if (each.everyStep)
      SPINDLE_RETURN_IF_ERROR(work(each, sample));
  for (const NetworkOp &each : network.ops)
    if (auto feedback = dyn_cast<snn::FeedbackOp>(each.op))
      sample.memories[each.op].history.back() =
          sample.signals.find(populationOf(feedback)->getResult(0))->second;
  return llvm::Error::success();
}

template <typename Scalar>
llvm::Expected<SampleRun<Scalar>>
Interpreter<Scalar>::run(const float *input, uint64_t index, uint32_t steps, uint64_t seed,
                         std::vector<InputEvent> events, const Watch &watch) const {
  Sample sample;
  sample.events = std::move(events);
  sample.index = index;
  sample.seed = seed;
  sample.signals[network.input] =
      Tensor<Scalar>(network.inputShape(), std::vector<Scalar>(input, input + network.inputs()));
  for (const NetworkOp &each : network.ops) {
    reset(each, sample);
    if (!each.everyStep)
      SPINDLE_RETURN_IF_ERROR(work(each, sample));
  }
  for (uint32_t step = 0; step < (network.runsInTime ? steps : 1); ++step) {
    sample.step = step;
    if (network.runsInTime)
      SPINDLE_RETURN_IF_ERROR(workStep(sample));
    for (const NetworkOp &each : network.ops)
      if (watch && each.population)
        watch(step, *each.population, sample.memories[each.op].neurons.membranes);
    sample.run.answers.push_back(sample.signals.find(network.output)->second.values);
  }
  // Program order is the order of neuron ids, so the spikes of a step are ascending already.
  for (const NetworkOp &each : network.ops)
    if (each.population)
      sample.run.membranes.push_back(sample.memories[each.op].neurons.membranes);
  return std::move(sample.run);
}

template class Interpreter<float>;
template class Interpreter<double>;

} // namespace spindle::interpreter
