#include "lib/emulation/ranks/RestrictNetwork.h"

#include "dialects/snn/synapses/DelayedSparseOp.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/IR/IRMapping.h"
#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;

namespace spindle {

NeuronRange neuronRange(int64_t neurons, size_t rank, size_t ranks) {
  auto border = [&](size_t number) { return neurons * int64_t(number) / int64_t(ranks); };
  return {border(rank), border(rank + 1) - border(rank)};
}

namespace {

/// Whether the synapses onto some elements of a current can be told apart.
bool canSlice(Value current) {
  Operation *op = current.getDefiningOp();
  if (isa_and_nonnull<snn::DenseOp, snn::SparseOp, snn::DelayedSparseOp, snn::RandomOp>(op))
    return true;
  if (isa_and_nonnull<snn::AddOp, snn::DelayOp, snn::ReshapeOp>(op))
    return llvm::all_of(sourcesOf(op), canSlice);
  return false;
}

/// Writes the function of one rank. What is needed as a whole is copied when it is first asked for;
/// slices are made anew for each population.
class Restriction {
public:
  Restriction(const Network &source, size_t ownRank, size_t allRanks)
      : network(source), rank(ownRank), ranks(allRanks), b(source.input.getContext()) {}

  OwningOpRef<ModuleOp> run() {
    func::FuncOp old = network.function;
    OwningOpRef<ModuleOp> module = ModuleOp::create(b, old->getParentOp()->getLoc());
    b.setInsertionPointToEnd(module->getBody());
    auto function = func::FuncOp::create(b, old.getLoc(), old.getName(), old.getFunctionType());
    b.setInsertionPointToEnd(function.addEntryBlock());
    copies.map(network.input, function.getArgument(0));
    for (const NetworkOp &each : network.ops)
      if (each.population) // their order is that of the numbers of neurons
        addPopulation(each.op);
    for (const NetworkOp &each : network.ops)
      if (each.population)
        whole(each.op->getResult(0));
    Value output = whole(network.output);
    func::ReturnOp::create(b, old.getLoc(), output);
    return module;
  }

private:
  void addPopulation(Operation *op) {
    auto neuron = dyn_cast<snn::NeuronOp>(op);
    Value spikes = op->getResult(0);
    bool divides = neuron && neuron.neuronModel().spikes() &&
                   snn::sizeOf(spikes) >= int64_t(ranks) && llvm::all_of(sourcesOf(op), canSlice);
    if (!divides) {
      whole(spikes);
      return;
    }
    range = neuronRange(snn::sizeOf(spikes), rank, ranks);
    OperationState state(op->getLoc(), op->getName());
    for (Value current : sourcesOf(op))
      state.addOperands(slice(current));
    state.addTypes(snn::withShape(spikes.getType(), {range.count}));
    for (NamedAttribute attribute : op->getAttrDictionary())
      state.addAttribute(attribute.getName(), slice(attribute.getValue(), snn::shapeOf(spikes)));
    Operation *part = b.create(state);
    divided[spikes] = part->getResult(0);
  }

  /// All elements of a signal, copied with what it is made of. The spikes of a divided population
  /// are gathered after it as soon as somebody reads them, or at the end.
  Value whole(Value value) {
    if (Value known = copies.lookupOrNull(value))
      return known;
    if (Value part = divided.lookup(value)) {
      Operation *op = value.getDefiningOp();
      StringRef layer = snn::layerOf(op);
      auto gather = snn::GatherOp::create(b, op->getLoc(), value.getType(), part,
                                          neuronRange(snn::sizeOf(value), rank, ranks).first,
                                          layer.empty() ? StringAttr() : b.getStringAttr(layer));
      copies.map(value, gather.getOutput());
      return gather.getOutput();
    }
    Operation *op = value.getDefiningOp();
    for (Value operand : op->getOperands())
      whole(operand);
    b.clone(*op, copies);
    return copies.lookup(value);
  }

  /// The elements of the range of a current, as a vector.
  Value slice(Value value) {
    Operation *op = value.getDefiningOp();
    return TypeSwitch<Operation *, Value>(op)
        .Case<snn::DenseOp>([&](auto dense) { return sliceDense(dense); })
        .Case<snn::SparseOp>([&](auto sparse) { return sliceSparse(sparse); })
        .Case<snn::DelayedSparseOp>([&](auto sparse) { return sliceSparse(sparse); })
        .Case<snn::RandomOp>([&](auto random) { return sliceRandom(random); })
        .Case<snn::AddOp>([&](auto sum) {
          Value left = slice(sum.getLhs()), right = slice(sum.getRhs());
          return snn::AddOp::create(b, op->getLoc(), left.getType(), left, right,
                                    sum.getLayerAttr());
        })
        .Case<snn::DelayOp>([&](auto delay) {
          Value source = slice(delay.getInput());
          auto steps = cast<DenseI64ArrayAttr>(slice(delay.getStepsAttr(), snn::shapeOf(value)));
          return snn::DelayOp::create(b, op->getLoc(), source.getType(), source, steps);
        })
        .Case<snn::ReshapeOp>([&](auto view) { return slice(view.getInput()); });
  }

  Type currentOf(Value value) { return snn::withShape(value.getType(), {range.count}); }

  /// A constant of one value for each output, or none.
  Value slicePerOutput(Value constant) {
    if (!constant)
      return {};
    return snn::makeConstant(b, constant.getLoc(), {range.count},
                             ArrayRef(constantOf(constant)).slice(range.first, range.count));
  }

  Value sliceDense(snn::DenseOp op) {
    Value input = whole(op.getInput());
    int64_t inputs = snn::shapeOf(op.getWeight())[1];
    Value weight = snn::makeConstant(
        b, op.getLoc(), {range.count, inputs},
        ArrayRef(constantOf(op.getWeight())).slice(range.first * inputs, range.count * inputs));
    return snn::DenseOp::create(b, op.getLoc(), currentOf(op.getOutput()), input, weight,
                                slicePerOutput(op.getBias()), op.getLayerAttr());
  }

  /// Compressed rows, with delays or without.
  template <typename Op> Value sliceSparse(Op op) {
    ArrayRef<int64_t> rows = op.getOffsets().slice(range.first, range.count + 1);
    int64_t first = rows.front(), synapses = rows.back() - first;
    std::vector<int64_t> offsets;
    for (int64_t offset : rows)
      offsets.push_back(offset - first);
    OperationState state(op.getLoc(), op->getName());
    state.addOperands(
        {whole(op.getInput()),
         snn::makeConstant(b, op.getLoc(), {synapses},
                           ArrayRef(constantOf(op.getWeight())).slice(first, synapses))});
    if (Value bias = slicePerOutput(op.getBias()))
      state.addOperands(bias);
    state.addTypes(currentOf(op.getOutput()));
    state.addAttributes(op->getAttrDictionary().getValue());
    auto part = cast<Op>(b.create(state));
    part.setOffsets(offsets);
    part.setIndices(op.getIndices().slice(first, synapses));
    if constexpr (std::is_same_v<Op, snn::DelayedSparseOp>)
      part.setDelays(op.getDelays().slice(first, synapses));
    return part.getOutput();
  }

  /// The rule stays; its rows begin further down.
  Value sliceRandom(snn::RandomOp op) {
    OperationState state(op.getLoc(), op->getName());
    state.addOperands({whole(op.getInput()), whole(op.getWeight())});
    if (Value bias = slicePerOutput(op.getBias()))
      state.addOperands(bias);
    state.addTypes(currentOf(op.getOutput()));
    state.addAttributes(op->getAttrDictionary().getValue());
    auto part = cast<snn::RandomOp>(b.create(state));
    part.setFirst(op.getFirst() + uint64_t(range.first));
    return part.getOutput();
  }

  /// Parameters of one value stay; one per channel become one per neuron.
  template <typename Array> Attribute sliceArray(Array array, ArrayRef<int64_t> shape) {
    auto values = array.asArrayRef();
    if (values.size() <= 1)
      return array;
    int64_t neurons = 1;
    for (int64_t extent : shape)
      neurons *= extent;
    int64_t repeats = neurons / int64_t(values.size());
    std::vector<std::decay_t<decltype(values[0])>> part;
    for (int64_t n = range.first; n < range.first + range.count; ++n)
      part.push_back(values[size_t(n / repeats)]);
    return Array::get(array.getContext(), part);
  }

  Attribute slice(Attribute attribute, ArrayRef<int64_t> shape) {
    return TypeSwitch<Attribute, Attribute>(attribute)
        .Case<DenseF32ArrayAttr, DenseI64ArrayAttr>(
            [&](auto array) { return sliceArray(array, shape); })
        .Default([](Attribute other) { return other; });
  }

  const Network &network;
  size_t rank, ranks;
  OpBuilder b;
  IRMapping copies;                     // of whole signals
  llvm::DenseMap<Value, Value> divided; // spikes of populations to those of this rank
  NeuronRange range{0, 0};              // of the population that is being divided
};

} // namespace

OwningOpRef<ModuleOp> restrictNetwork(const Network &network, size_t rank, size_t ranks) {
  return Restriction(network, rank, ranks).run();
}

} // namespace spindle
