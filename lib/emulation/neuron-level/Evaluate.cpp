#include "lib/emulation/neuron-level/Evaluate.h"

#include "lib/emulation/neuron-level/Bundles.h"
#include "lib/emulation/neuron-level/Conversions.h"
#include "lib/emulation/neuron-level/Neuron.h"

#include "fmt/format.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;

namespace spindle::neuron_level {

using Operands = ArrayRef<const Value *>;

template <typename T> static const T &as(const Value *value) { return std::get<T>(*value); }

/// An operation's own result as one of a program.
template <typename T> static llvm::Expected<Value> lift(llvm::Expected<T> result) {
  if (!result)
    return result.takeError();
  return Value(std::move(*result));
}

static Shape vec(ArrayRef<int64_t> numbers) { return Shape(numbers.begin(), numbers.end()); }

/// The static length of the tensor that a conversion makes, −1 where the trains decide.
static int64_t lengthOf(mlir::Value tensor) {
  int64_t extent = snn::shapeOf(tensor).back();
  return ShapedType::isDynamic(extent) ? -1 : extent;
}

static llvm::Expected<Value> constant(arith::ConstantOp op) {
  Attribute attribute = op.getValue();
  if (auto number = dyn_cast<FloatAttr>(attribute))
    return Value(number.getValue().convertToFloat());
  if (auto number = dyn_cast<IntegerAttr>(attribute))
    return Value(number.getInt());
  Shape shape = vec(snn::shapeOf(op.getType()));
  if (FailureOr<std::vector<float>> floats = cast<ShapedType>(op.getType()).getElementType().isF32()
                                                 ? snn::constantFloats(op.getResult())
                                                 : FailureOr<std::vector<float>>(failure());
      succeeded(floats))
    return Value(Floats{shape, std::move(*floats)});
  Indices indices{shape, {}};
  auto dense = dyn_cast<DenseElementsAttr>(attribute);
  if (!dense)
    return dataError("a constant whose numbers are not in the file");
  for (const APInt &value : dense.getValues<APInt>())
    indices.values.push_back(value.getSExtValue());
  return Value(std::move(indices));
}

/// Linear operations on tensors in the order that the dialect defines: inputs ascending from zero,
/// bias last; sources one after the other.
static llvm::Expected<Value> linear(snn::SynapseOp op, Operands operands) {
  Floats y{vec(snn::shapeOf(op.getTarget())), {}};
  y.values.assign(sizeOf(y.shape), 0);
  auto sources = op.getSources();
  for (unsigned source = 0; source < sources.size(); ++source) {
    size_t position = 0; // of the source among the operands
    while (op->getOperand(position) != sources[source])
      ++position;
    const Floats &x = as<Floats>(operands[position]);
    snn::LinearMap map = *op.linearMap(source); // readProgram has asked
    for (uint32_t o = 0; o < map.outputs; ++o) {
      float sum = 0;
      for (uint64_t k = map.offsets[o]; k < map.offsets[o + 1]; ++k)
        sum += map.weights[k] * x.values[map.indices[k]];
      sum = source == 0 ? sum + map.bias[o] : sum;
      y.values[o] = source == 0 ? sum : y.values[o] + sum;
    }
  }
  return Value(std::move(y));
}

static llvm::Expected<Value> extract(const Value &from, ArrayRef<const Value *> indices) {
  const Shape &shape = std::holds_alternative<Floats>(from) ? std::get<Floats>(from).shape
                                                            : std::get<Indices>(from).shape;
  int64_t at = 0;
  for (size_t d = 0; d < shape.size(); ++d) {
    int64_t index = as<int64_t>(indices[d]);
    if (index < 0 || index >= shape[d])
      return dataError(
          fmt::format("extracts index {} of a tensor of shape {}", index, text(shape)));
    at = at * shape[d] + index;
  }
  if (auto *floats = std::get_if<Floats>(&from))
    return Value(floats->values[static_cast<size_t>(at)]);
  return Value(std::get<Indices>(from).values[static_cast<size_t>(at)]);
}

static llvm::Expected<Value> insert(snn::SpikeBundleInsertOp op, Operands operands) {
  const Train *train = std::get_if<Train>(operands[0]);
  Bundle one;
  if (train)
    one.trains = {*train};
  return lift(spikeBundleInsert(train ? one : as<Bundle>(operands[0]), as<Bundle>(operands[1]),
                                op.getAxis(), int64_t(op.getPosition())));
}

static llvm::Expected<Value> collect(snn::SpikeBundleCollectOp op, Operands operands) {
  std::vector<Train> trains;
  for (const Value *train : operands)
    trains.push_back(as<Train>(train));
  Shape shape = vec(snn::shapeOf(op.getBundle()));
  if (shape.size() == 1)
    shape[0] = int64_t(trains.size());
  return Value(spikeBundleCollect(std::move(trains), std::move(shape)));
}

NeuronInputs inputsOf(snn::SingleNeuronOp op, Operands operands) {
  NeuronInputs inputs{nullptr, std::get_if<Train>(operands[0]), nullptr, {}};
  if (auto *bundle = std::get_if<Bundle>(operands[0]))
    inputs.trains = &bundle->trains;
  if (op.getWeights())
    inputs.weights = &as<Floats>(operands[1]).values;
  if (op.getBias())
    inputs.bias = as<float>(operands.back());
  return inputs;
}

static llvm::Expected<Value> neuronOp(snn::SingleNeuronOp op, Operands operands) {
  NeuronInputs inputs = inputsOf(op, operands);
  std::vector<Train> trains = inputs.all();
  if (inputs.weights && inputs.weights->size() != trains.size())
    return weightsDoNotFit(inputs.weights->size(), trains.size());
  return lift(neuron(op.parameters(), trains,
                     inputs.weights ? *inputs.weights : std::vector<float>(), inputs.bias));
}

static llvm::Expected<Value> evaluateHere(Operation *op, Operands operands) {
  using Result = llvm::Expected<Value>;
  auto bundle = [&](size_t n = 0) -> const Bundle & { return as<Bundle>(operands[n]); };
  return llvm::TypeSwitch<Operation *, Result>(op)
      .Case([&](arith::ConstantOp each) { return constant(each); })
      .Case([&](tensor::CastOp) { return Result(*operands[0]); })
      .Case([&](tensor::ExtractOp) { return extract(*operands[0], operands.drop_front()); })
      .Case([&](snn::TensorToSpikeTrainOp) {
        return lift(tensorToSpikeTrain(as<Floats>(operands[0])));
      })
      .Case([&](snn::SpikeTrainToTensorOp each) {
        return lift(spikeTrainToTensor(as<Train>(operands[0]), lengthOf(each.getTimes())));
      })
      .Case([&](snn::TensorToSpikeTrainBundleOp each) {
        return lift(tensorToSpikeTrainBundle(as<Floats>(operands[0]),
                                             snn::shapeOf(each.getBundle()).size()));
      })
      .Case([&](snn::SpikeBundleToTensorOp each) {
        return lift(spikeBundleToTensor(bundle(), snn::shapeOf(each.getTimes()).size(),
                                        lengthOf(each.getTimes())));
      })
      .Case([&](snn::SpikeBundleSelectOp each) {
        return lift(spikeBundleSelect(bundle(), vec(each.getPosition())));
      })
      .Case([&](snn::SpikeBundleCollectOp each) { return collect(each, operands); })
      .Case([&](snn::SpikeBundleInsertOp each) { return insert(each, operands); })
      .Case([&](snn::SpikeBundleRemoveOp each) {
        return lift(spikeBundleRemove(bundle(), each.getAxis(), int64_t(each.getPosition())));
      })
      .Case([&](snn::SpikeBundleSliceOp each) {
        return lift(spikeBundleSlice(bundle(), vec(each.getOffsets()), vec(each.getSizes()),
                                     vec(each.getStrides())));
      })
      .Case([&](snn::SpikeBundlePermuteOp each) {
        return Result(spikeBundlePermute(bundle(), vec(each.getPermutation())));
      })
      .Case([&](snn::GetOrderOp) { return Result(getOrder(bundle())); })
      .Case([&](snn::GetRevOrderOp) { return Result(getRevOrder(bundle())); })
      .Case([&](snn::SingleNeuronOp each) { return neuronOp(each, operands); })
      .Case([&](snn::SynapseOp each) { return linear(each, operands); });
}

llvm::Expected<Value> evaluate(Operation *op, Operands operands) {
  llvm::Expected<Value> result = evaluateHere(op, operands);
  if (!result)
    return placed(result.takeError(), placeOrNameOf(op));
  if (llvm::Error error = checkValue(*result, op->getResult(0).getType(), "the result"))
    return placed(std::move(error), placeOrNameOf(op));
  return result;
}

} // namespace spindle::neuron_level
