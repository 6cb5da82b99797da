#include "lib/emulation/reference/Interpreter.h"

#include "lib/emulation/PoissonCheck.h"
#include "lib/emulation/reference/Coding.h"
#include "lib/emulation/reference/Neurons.h"
#include "lib/emulation/reference/Synapses.h"
#include "lib/emulation/reference/Views.h"

#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;

namespace spindle::reference {

/// The changing part: signals, and what populations and decoders remember.
template <typename Scalar> struct Interpreter<Scalar>::Sample {
  uint64_t index = 0, seed = 0;
  uint32_t step = 0;
  llvm::DenseMap<Value, Tensor<Scalar>> signals;
  llvm::DenseMap<Operation *, std::vector<Scalar>> states; // membranes or counts
  SampleRun<Scalar> run;
};

template <typename Scalar> Interpreter<Scalar>::Interpreter(const Network &net) : network(net) {
  for (const NetworkOp &each : net.ops) {
    if (auto neuron = dyn_cast<snn::NeuronOp>(each.op))
      models[each.op] = neuron.neuronModel();
    for (Value operand : each.op->getOperands().drop_front())
      constants[operand] = Tensor<float>(snn::shapeOf(operand).vec(), constantOf(operand));
  }
}

/// One pure function per operation. Neurons and decoders change their state in `sample`.
template <typename Scalar>
Tensor<Scalar> Interpreter<Scalar>::evaluate(Operation *op, Sample &sample) const {
  const Tensor<Scalar> &x = sample.signals.find(op->getOperand(0))->second;
  Shape shape = snn::shapeOf(op->getResult(0)).vec();
  auto weights = [&](Value value) -> const Tensor<float> & {
    return constants.find(value)->second;
  };
  auto bias = [&](Value value) { return value ? weights(value).values : std::vector<float>(); };
  return llvm::TypeSwitch<Operation *, Tensor<Scalar>>(op)
      .Case([&](snn::DenseOp layer) {
        return dense(x, weights(layer.getWeight()), bias(layer.getBias()));
      })
      .Case([&](snn::Conv2dOp conv) {
        Conv2dGeometry geometry{conv.getStrides().vec(), conv.getDilations().vec(),
                                conv.getPadding().vec(), static_cast<int64_t>(conv.getGroups())};
        return conv2d(x, weights(conv.getWeight()), bias(conv.getBias()), geometry, shape);
      })
      .Case([&](snn::AvgPool2dOp pool) {
        Pool2dGeometry geometry{pool.getKernel().vec(), pool.getStrides().vec(),
                                pool.getPadding().vec(), pool.getCountIncludePad()};
        return avgPool2d(x, geometry, shape);
      })
      .Case([&](snn::ScaleOp layer) {
        return scale(x, weights(layer.getFactor()).values, bias(layer.getBias()));
      })
      .Case([&](snn::ReshapeOp) { return reshape(x, shape); })
      .Case([&](snn::TransposeOp view) { return transpose(x, view.getPermutation().vec()); })
      .Case([&](snn::ReluOp) { return relu(x); })
      .Case([&](snn::EncodeOp encode) {
        if (encode.getEncoding() == snn::Encoding::Direct)
          return encodeDirect(x);
        return encodePoisson(x, encode.getMaximum().convertToFloat(), sample.seed, sample.index,
                             sample.step);
      })
      .Case([&](snn::DecodeOp decode) {
        if (decode.getDecoding() == snn::Decoding::Membrane)
          return decodeMembrane(x);
        return decodeCount(x, sample.states.find(op)->second);
      })
      .Case([&](snn::IfOp) {
        return ifStep(models.find(op)->second, x, sample.states.find(op)->second);
      })
      .Case([&](snn::LifOp) {
        return lifStep(models.find(op)->second, x, sample.states.find(op)->second);
      })
      .Case([&](snn::IntegratorOp) { return integratorStep(x, sample.states.find(op)->second); });
}

template <typename Scalar>
llvm::Error Interpreter<Scalar>::work(const NetworkOp &each, Sample &sample) const {
  Tensor<Scalar> result = evaluate(each.op, sample);
  bool spikes = each.population && isa<snn::SpikeBundleType>(each.op->getResult(0).getType());
  for (size_t n = 0; spikes && n < result.values.size(); ++n)
    if (result.values[n] != 0)
      sample.run.spikes.push_back(
          {sample.step, network.populations[*each.population].first + static_cast<NeuronId>(n)});
  if (auto encode = dyn_cast<snn::EncodeOp>(each.op)) {
    const Tensor<Scalar> &x = sample.signals.find(encode.getInput())->second;
    for (size_t n = 0; n < x.values.size(); ++n)
      SPINDLE_RETURN_IF_ERROR(
          checkPoissonInput(encode, static_cast<float>(x.values[n]), sample.index, n));
  }
  sample.signals[each.op->getResult(0)] = std::move(result);
  return llvm::Error::success();
}

template <typename Scalar>
std::vector<Scalar> Interpreter<Scalar>::initialMembranes(Operation *op) const {
  std::vector<Scalar> membranes(static_cast<size_t>(snn::sizeOf(op->getResult(0))), 0);
  if (auto model = models.find(op); model != models.end())
    for (size_t n = 0; n < membranes.size(); ++n)
      membranes[n] = snn::valueAt(model->second.initial, n);
  return membranes;
}

template <typename Scalar>
llvm::Expected<SampleRun<Scalar>> Interpreter<Scalar>::run(const float *input, uint64_t index,
                                                           uint32_t steps, uint64_t seed) const {
  Sample sample;
  sample.index = index;
  sample.seed = seed;
  sample.signals[network.input] =
      Tensor<Scalar>(network.inputShape(), std::vector<Scalar>(input, input + network.inputs()));
  for (const NetworkOp &each : network.ops) {
    if (isa<snn::NeuronOp, snn::DecodeOp>(each.op))
      sample.states[each.op] = initialMembranes(each.op); // counts begin at zero
    if (!each.everyStep)
      SPINDLE_RETURN_IF_ERROR(work(each, sample));
  }
  for (uint32_t step = 0; step < (network.runsInTime ? steps : 1); ++step) {
    sample.step = step;
    if (network.runsInTime)
      for (const NetworkOp &each : network.ops)
        if (each.everyStep)
          SPINDLE_RETURN_IF_ERROR(work(each, sample));
    sample.run.answers.push_back(sample.signals.find(network.output)->second.values);
  }
  // Program order is the order of neuron ids, so the spikes of a step are ascending already.
  for (const NetworkOp &each : network.ops)
    if (each.population)
      sample.run.membranes.push_back(isa<snn::NeuronOp>(each.op)
                                         ? sample.states.find(each.op)->second
                                         : std::vector<Scalar>());
  return std::move(sample.run);
}

template class Interpreter<float>;
template class Interpreter<double>;

} // namespace spindle::reference
