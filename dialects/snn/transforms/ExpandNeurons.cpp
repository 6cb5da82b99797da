// From layers to single neurons with equal spikes.
#include "dialects/snn/synapses/DelayedSparseOp.h"
#include "dialects/snn/transforms/Passes.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/IRMapping.h"

#include <cmath>

using namespace mlir;

namespace spindle::snn {

#define GEN_PASS_DEF_SNNEXPANDNEURONS
#include "dialects/snn/transforms/Passes.h.inc"

namespace {

/// What one neuron receives: trains in the order in which the layer adds them.
struct Row {
  SmallVector<Value> trains;
  SmallVector<float> weights;
  float bias = 0;

  bool isView() const { return weights.size() == 1 && weights[0] == 1 && bias == 0; }
};

/// A signal of the layer level after expansion.
struct Signal {
  Value constant;        // a tensor: the current of every step
  std::vector<Row> rows; // else one per element
};

/// The lowest set bit of a number, as a power of two; 0 for 0.
double lowestBit(double value) {
  if (value == 0)
    return 0;
  int exponent;
  double mantissa = std::frexp(std::abs(value), &exponent);
  int64_t bits = int64_t(std::ldexp(mantissa, 53));
  return std::ldexp(double(bits & -bits), exponent - 53);
}

/// Bits and size of sums: they are exact in any order while size < 2^24 · bit.
struct Grid {
  double bit = std::numeric_limits<double>::infinity(), size = 0;
  void add(double value) {
    if (value != 0)
      bit = std::min(bit, lowestBit(value));
    size += std::abs(value);
  }
};
Grid gridOf(const Row &row) {
  Grid grid;
  for (float weight : row.weights)
    grid.add(weight);
  grid.add(row.bias);
  return grid;
}

class Expansion {
public:
  Expansion(func::FuncOp function, int64_t count)
      : source(function), steps(count), builder(function) {}
  LogicalResult run();
  unsigned neurons = 0;

private:
  LogicalResult expand(Operation &op);
  LogicalResult expandSynapse(SynapseOp op);
  FailureOr<Row> compose(Operation *op, ArrayRef<Row> inputs, const LinearMap &map,
                         uint32_t output);
  LogicalResult expandPopulation(NeuronOp op);
  Value neuron(Location location, const NeuronModel &model, size_t n, const Signal &input,
               ArrayRef<int64_t> shape);
  Value collect(Location location, ArrayRef<Value> trains, ArrayRef<int64_t> shape);
  Signal *signalOf(Value value) {
    auto found = signals.find(value);
    return found == signals.end() ? nullptr : &found->second;
  }

  func::FuncOp source;
  int64_t steps;
  OpBuilder builder;
  IRMapping tensors;             // activations and constants
  llvm::DenseSet<Value> decoded; // and what is computed from it
  llvm::DenseMap<Value, Signal> signals;
  SmallVector<Value> populations;
  std::pair<SmallVector<Value>, Value> lastCollected; // neurons of a dense layer share it
};

Value Expansion::collect(Location location, ArrayRef<Value> trains, ArrayRef<int64_t> shape) {
  auto type = SpikeBundleType::get(builder.getContext(), shape);
  return SpikeBundleCollectOp::create(builder, location, type, trains);
}

/// Output `output` of `map` on rows. Sums of sums are merged only where all of them are exact.
FailureOr<Row> Expansion::compose(Operation *op, ArrayRef<Row> inputs, const LinearMap &map,
                                  uint32_t output) {
  Row row;
  row.bias = map.bias[output];
  uint64_t first = map.offsets[output], last = map.offsets[output + 1];
  bool picks = last - first == 1 && map.weights[first] == 1 && row.bias == 0;
  if (picks)
    return inputs[map.indices[first]];
  bool exact = isa<AvgPool2dOp>(op); // the layer divides the sum, here each weight is divided
  Grid inner, outer;
  outer.add(row.bias);
  for (uint64_t k = first; k < last; ++k) {
    const Row &input = inputs[map.indices[k]];
    exact |= !input.isView();
    Grid grid = gridOf(input);
    inner.bit = std::min(inner.bit, grid.bit);
    inner.size = std::max(inner.size, grid.size);
    outer.add(map.weights[k]);
    for (auto [train, weight] : llvm::zip(input.trains, input.weights)) {
      row.trains.push_back(train);
      row.weights.push_back(map.weights[k] * weight);
    }
    row.bias += map.weights[k] * input.bias;
  }
  if (exact && !(inner.size * outer.size < 0x1p24 * inner.bit * outer.bit && outer.size < 0x1p24))
    return op->emitError("cannot be merged with the linear operation before it, or its weights be "
                         "divided, without rounding; give it a population of its own or quantise "
                         "the weights");
  return row;
}

LogicalResult Expansion::expandSynapse(SynapseOp op) {
  SmallVector<Value> sources = op.getSources();
  if (Value constant =
          sources.size() == 1 && signalOf(sources[0]) ? signalOf(sources[0])->constant : Value()) {
    IRMapping mapping = tensors; // the operation itself, on the tensor of currents
    mapping.map(sources[0], constant);
    Operation *clone = builder.clone(*op, mapping);
    clone->getResult(0).setType(
        RankedTensorType::get(shapeOf(op.getTarget()), builder.getF32Type()));
    signals[op.getTarget()].constant = clone->getResult(0);
    return success();
  }
  if (sources.size() != 1 || !signalOf(sources[0]))
    return op->emitError("cannot be expanded, expected one signal of spikes or encoded current");
  FailureOr<LinearMap> map = op.linearMap(0);
  if (failed(map))
    return op->emitError("has weights that are not constant");
  Signal result;
  for (uint32_t output = 0; output < map->outputs; ++output) {
    FailureOr<Row> row = compose(op, signalOf(sources[0])->rows, *map, output);
    if (failed(row))
      return failure();
    result.rows.push_back(std::move(*row));
  }
  signals[op.getTarget()] = std::move(result);
  return success();
}

Value Expansion::neuron(Location location, const NeuronModel &model, size_t n, const Signal &input,
                        ArrayRef<int64_t> shape) {
  auto train = SpikeTrainType::get(builder.getContext());
  Value weights, bias, bundle;
  if (input.constant) {
    bundle = collect(location, {}, {0});
    SmallVector<Value> position(shape.size());
    for (size_t d = shape.size(), rest = n; d-- > 0; rest /= size_t(shape[d]))
      position[d] = arith::ConstantIndexOp::create(builder, location, int64_t(rest) % shape[d]);
    bias = tensor::ExtractOp::create(builder, location, input.constant, position);
  } else {
    const Row &row = input.rows[n];
    if (!lastCollected.second || lastCollected.first != row.trains)
      lastCollected = {row.trains, collect(location, row.trains, {int64_t(row.trains.size())})};
    bundle = lastCollected.second;
    weights = makeConstant(builder, location, {int64_t(row.weights.size())}, row.weights);
    if (row.bias != 0)
      bias = arith::ConstantOp::create(builder, location, builder.getF32FloatAttr(row.bias));
  }
  OperationState state(location, SingleNeuronOp::getOperationName());
  state.addOperands(bundle);
  for (Value operand : {weights, bias})
    if (operand)
      state.addOperands(operand);
  state.addTypes(train);
  bool leaky = model.kind == NeuronKind::LeakyIntegrateAndFire;
  auto number = [&](StringRef name, float value) {
    state.addAttribute(name, builder.getF32FloatAttr(value));
  };
  number("k", leaky ? valueAt(model.rate, n) : 0);
  number("vth", valueAt(model.threshold, n));
  number("vrest", leaky ? valueAt(model.leak, n) : 0);
  number("v_reset", valueAt(model.reset, n));
  number("initial_membrane", valueAt(model.initial, n));
  number("r", valueAt(model.resistance, n));
  number("refractory", static_cast<float>(valueAt(model.refractory, n)));
  number("step", 1);
  state.addAttribute("steps", builder.getI64IntegerAttr(steps));
  state.addAttribute("max_spikes", builder.getI64IntegerAttr(model.maxSpikes));
  state.addAttribute("reset",
                     ResetAttr::get(builder.getContext(),
                                    model.resetBySubtraction ? Reset::Subtract : Reset::Zero));
  state.addAttribute("operandSegmentSizes",
                     builder.getDenseI32ArrayAttr({1, weights ? 1 : 0, bias ? 1 : 0}));
  ++neurons;
  return builder.create(state)->getResult(0);
}

LogicalResult Expansion::expandPopulation(NeuronOp op) {
  NeuronModel model = op.neuronModel();
  bool known =
      model.kind == NeuronKind::IntegrateAndFire || model.kind == NeuronKind::LeakyIntegrateAndFire;
  if (!known || model.exactCrossing)
    return op->emitError("cannot be expanded, expected snn.if or snn.lif on the grid of steps");
  Signal *input = signalOf(op.getSources()[0]);
  if (!input)
    return op->emitError("reads what does not spike, expected current of spikes or an encoder");
  ArrayRef<int64_t> shape = shapeOf(op.getTarget());
  SmallVector<Value> trains;
  for (size_t n = 0; n < size_t(sizeOf(op.getTarget())); ++n)
    trains.push_back(neuron(op.getLoc(), model, n, *input, shape));
  populations.push_back(collect(op.getLoc(), trains, shape));
  Signal result;
  for (Value train : trains)
    result.rows.push_back({{train}, {1}, 0});
  signals[op.getTarget()] = std::move(result);
  return success();
}

LogicalResult Expansion::expand(Operation &op) {
  if (auto encode = dyn_cast<EncodeOp>(op); encode && encode.getEncoding() == Encoding::Direct) {
    signals[encode.getOutput()].constant = tensors.lookup(encode.getInput());
    return success();
  }
  if (isa<DecodeOp>(op) ||
      llvm::any_of(op.getOperands(), [&](Value operand) { return decoded.contains(operand); })) {
    decoded.insert(op.result_begin(), op.result_end());
    return success(); // what is behind the spikes makes none
  }
  if (isa<IntegratorOp, LiOp, CubaLiOp, EncodeOp>(op))
    return success(); // read-outs do not spike; other encoders have become the argument
  if (auto population = dyn_cast<NeuronOp>(op))
    return expandPopulation(population);
  bool inTime = llvm::any_of(op.getResultTypes(), [](Type type) { return runsInTime(type); });
  if (auto synapse = dyn_cast<SynapseOp>(op);
      synapse && inTime && !isa<DelayOp, DelayedSparseOp>(op))
    return expandSynapse(synapse);
  if (inTime)
    return op.emitError("cannot be expanded, expected linear operations of the same step");
  builder.clone(op, tensors);
  return success();
}

/// The input is the encoded current's tensor, or the spikes that an encoder makes of it.
LogicalResult Expansion::run() {
  if (source.getNumArguments() != 1 || !source.getBody().hasOneBlock())
    return source.emitError("expected a network of one input");
  BlockArgument argument = source.getArgument(0);
  Type input = argument.getType();
  EncodeOp spikes;
  for (Operation &op : source.getBody().front())
    if (auto encode = dyn_cast<EncodeOp>(op); encode && encode.getEncoding() != Encoding::Direct) {
      if (spikes || encode.getInput() != argument || !argument.hasOneUse())
        return encode.emitError("expected a single encoder into spikes, of the input itself");
      spikes = encode;
      input = encode.getOutput().getType();
    }
  auto function = func::FuncOp::create(builder, source.getLoc(), source.getName(),
                                       builder.getFunctionType({input}, {}));
  builder.setInsertionPointToEnd(function.addEntryBlock());
  tensors.map(argument, function.getArgument(0));
  if (spikes) {
    Signal &signal = signals[spikes.getOutput()];
    ArrayRef<int64_t> shape = shapeOf(input);
    for (int64_t n = 0; n < sizeOf(input); ++n) {
      SmallVector<int64_t> position(shape.size());
      for (int64_t d = int64_t(shape.size()) - 1, rest = n; d >= 0; rest /= shape[d--])
        position[d] = rest % shape[d];
      Value train = SpikeBundleSelectOp::create(builder, spikes.getLoc(),
                                                SpikeTrainType::get(builder.getContext()),
                                                function.getArgument(0), position);
      signal.rows.push_back({{train}, {1}, 0});
    }
  }
  for (Operation &op : source.getBody().front().without_terminator())
    if (failed(expand(op)))
      return function.erase(), failure();
  func::ReturnOp::create(builder, source.getLoc(), populations);
  function.setFunctionType(builder.getFunctionType({input}, ValueRange(populations).getTypes()));
  source.erase();
  return success();
}

struct ExpandNeurons : impl::SnnExpandNeuronsBase<ExpandNeurons> {
  using SnnExpandNeuronsBase::SnnExpandNeuronsBase;
  void runOnOperation() override {
    auto function = getOperation().lookupSymbol<func::FuncOp>("main");
    if (!function || function.isExternal() || steps < 1 || steps > SingleNeuron::kMostSteps) {
      getOperation().emitError("expected a function @main and 1 to 16777216 steps");
      return signalPassFailure();
    }
    Expansion expansion(function, steps);
    if (failed(expansion.run()))
      return signalPassFailure();
    if (expansion.neurons == 0) {
      function.emitError("has no populations to expand, expected a spiking network");
      return signalPassFailure();
    }
    neurons += expansion.neurons;
  }
};
} // namespace

} // namespace spindle::snn
