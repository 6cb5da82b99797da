// Neurons that a trace knows to be silent, and their weights.
#include "dialects/snn/transforms/Passes.h"

#include "core/network/SpikeTrace.h"
#include "dialects/snn/Names.h"

using namespace mlir;

namespace spindle::snn {

#define GEN_PASS_DEF_SNNREMOVEDEADNEURONS
#include "dialects/snn/transforms/Passes.h.inc"

namespace {

/// The channels of one population that stay. A channel is an entry of the first dimension.
struct Channels {
  std::vector<int64_t> kept;
  int64_t all;

  int64_t removed() const { return all - int64_t(kept.size()); }

  /// Of `values`, `outer` times all · n entries, those of kept channels.
  template <typename T> std::vector<T> of(ArrayRef<T> values, int64_t outer = 1) const {
    std::vector<T> result;
    int64_t block = int64_t(values.size()) / (outer * all);
    for (int64_t o = 0; o < outer; ++o)
      for (int64_t channel : kept) {
        ArrayRef<T> part = values.slice(size_t((o * all + channel) * block), size_t(block));
        result.insert(result.end(), part.begin(), part.end());
      }
    return result;
  }
};

/// What changes when channels go; nothing does before all of it is known to be possible.
struct Removal {
  SmallVector<Operation *> shrinking; // results lose channels: the population, poolings, views
  SmallVector<Operation *> readers;   // weights lose columns
  Operation *producer = nullptr;      // weights lose rows
};

/// A pooling or a view that keeps the channels apart, in their order; or a current that is encoded.
bool keepsChannels(Operation *op, int64_t channels) {
  if (auto encode = dyn_cast<EncodeOp>(op))
    return encode.getEncoding() == Encoding::Direct;
  if (isa<AvgPool2dOp, SumPool2dOp, MaxPool2dOp>(op))
    return true;
  if (!isa<ReshapeOp>(op))
    return false;
  ArrayRef<int64_t> after = shapeOf(op->getResult(0));
  return after.size() == 1 || after[0] == channels;
}

bool isConstant(Value value) { return succeeded(constantFloats(value)); }

/// Follows spikes forward to the weights that read them.
bool findReaders(Value spikes, int64_t channels, Removal &removal) {
  if (!spikes.hasOneUse())
    return false;
  Operation *reader = *spikes.user_begin();
  auto conv = dyn_cast<Conv2dOp>(reader);
  if (isa<DenseOp>(reader) || (conv && conv.getGroups() == 1)) {
    removal.readers.push_back(reader);
    return isConstant(reader->getOperand(1));
  }
  if (!keepsChannels(reader, channels))
    return false;
  removal.shrinking.push_back(reader);
  return findReaders(reader->getResult(0), channels, removal);
}

/// Follows the current back to the weights that make it.
bool findProducer(Value current, int64_t channels, Removal &removal) {
  Operation *op = current.getDefiningOp();
  if (!op || !current.hasOneUse())
    return false;
  removal.shrinking.push_back(op);
  auto conv = dyn_cast<Conv2dOp>(op);
  if (isa<DenseOp>(op) || (conv && conv.getGroups() == 1)) {
    removal.producer = op;
    return llvm::all_of(op->getOperands().drop_front(), isConstant);
  }
  bool sameChannels = !isa<ReshapeOp>(op) || shapeOf(op->getOperand(0))[0] == channels;
  return keepsChannels(op, channels) && sameChannels &&
         findProducer(op->getOperand(0), channels, removal);
}

void replaceConstant(Operation *op, unsigned operand, SmallVector<int64_t> shape,
                     const std::vector<float> &values) {
  OpBuilder builder(op);
  Value old = op->getOperand(operand);
  op->setOperand(operand, makeConstant(builder, old.getLoc(), shape, values));
  if (old.use_empty())
    old.getDefiningOp()->erase();
}

/// Parameters of one value per channel or neuron.
void shrinkParameters(Operation *op, const Channels &channels) {
  for (NamedAttribute attribute : op->getAttrDictionary()) {
    if (auto floats = dyn_cast<DenseF32ArrayAttr>(attribute.getValue());
        floats && floats.size() > 1)
      op->setAttr(attribute.getName(),
                  DenseF32ArrayAttr::get(op->getContext(), channels.of(floats.asArrayRef())));
    if (auto counts = dyn_cast<DenseI64ArrayAttr>(attribute.getValue());
        counts && counts.size() > 1)
      op->setAttr(attribute.getName(),
                  DenseI64ArrayAttr::get(op->getContext(), channels.of(counts.asArrayRef())));
  }
}

void apply(const Removal &removal, NeuronOp population, const Channels &channels) {
  auto kept = int64_t(channels.kept.size());
  Operation *producer = removal.producer;
  for (unsigned n = 1; n < producer->getNumOperands(); ++n) {
    SmallVector<int64_t> shape(shapeOf(producer->getOperand(n)));
    shape[0] = kept;
    replaceConstant(producer, n, shape,
                    channels.of(ArrayRef<float>(*constantFloats(producer->getOperand(n)))));
  }
  for (Operation *reader : removal.readers) {
    SmallVector<int64_t> shape(shapeOf(reader->getOperand(1)));
    std::vector<float> weights = *constantFloats(reader->getOperand(1));
    int64_t rows = shape[0];
    shape[1] = shape[1] / channels.all * kept;
    replaceConstant(reader, 1, shape, channels.of(ArrayRef<float>(weights), rows));
  }
  shrinkParameters(population, channels);
  auto shrink = [&](Operation *op) {
    Value result = op->getResult(0);
    SmallVector<int64_t> shape(shapeOf(result));
    shape[0] = shape[0] / channels.all * kept;
    result.setType(withShape(result.getType(), shape));
  };
  shrink(population);
  llvm::for_each(removal.shrinking, shrink);
}

struct RemoveDeadNeurons : impl::SnnRemoveDeadNeuronsBase<RemoveDeadNeurons> {
  using SnnRemoveDeadNeuronsBase::SnnRemoveDeadNeuronsBase;

  /// Without a dump of the module.
  InFlightDiagnostic emitError(const llvm::Twine &message) {
    return mlir::emitError(getOperation().getLoc(), message);
  }

  LogicalResult check(const SpikeTrace &spikes, ArrayRef<Operation *> populations) {
    bool same = spikes.populations.size() == populations.size();
    for (size_t p = 0; same && p < populations.size(); ++p) {
      StringRef layer = layerOf(populations[p]);
      same = shapeOf(populations[p]->getResult(0)) == ArrayRef(spikes.populations[p].shape) &&
             (layer.empty() || StringRef(spikes.populations[p].name).starts_with(layer));
    }
    if (!same)
      return emitError("is not the network of the trace ")
             << trace << ", expected the populations of @main in program order";
    return success();
  }

  void remove(NeuronOp population, ArrayRef<uint64_t> counts) {
    ArrayRef<int64_t> shape = shapeOf(population.getTarget());
    Channels channels{{}, shape[0]};
    size_t block = counts.size() / size_t(shape[0]);
    for (int64_t c = 0; c < shape[0]; ++c)
      if (llvm::any_of(counts.slice(size_t(c) * block, block), [](uint64_t n) { return n > 0; }))
        channels.kept.push_back(c);
    if (channels.kept.empty())
      channels.kept = {0};
    Removal removal;
    if (channels.removed() == 0 || population.getSources().size() != 1 ||
        !findReaders(population.getTarget(), shape[0], removal) ||
        !findProducer(population.getSources()[0], shape[0], removal))
      return;
    for (Operation &op : *population->getBlock()) // comes back: its neurons are counted on
      if (auto feedback = dyn_cast<FeedbackOp>(op);
          feedback && feedback.getPopulation() == layerOf(population))
        return;
    apply(removal, population, channels);
    removed += unsigned(channels.removed() * int64_t(block));
  }

  void runOnOperation() override {
    auto function = getOperation().lookupSymbol<func::FuncOp>("main");
    if (!function || function.isExternal()) {
      emitError("has no function @main");
      return signalPassFailure();
    }
    if (trace.empty()) {
      emitError("has no trace to remove neurons by, expected the option trace=30-spikes.h5 of a "
                "run of this network");
      return signalPassFailure();
    }
    llvm::Expected<SpikeTrace> spikes = readSpikeTrace(trace);
    if (!spikes) {
      emitError("cannot read the trace: ") << toText(spikes.takeError());
      return signalPassFailure();
    }
    SmallVector<Operation *> populations;
    for (Operation &op : function.getBody().front())
      if (isPopulation(&op))
        populations.push_back(&op);
    if (failed(check(*spikes, populations)))
      return signalPassFailure();
    for (auto [op, population] : llvm::zip(populations, spikes->populations))
      if (auto neurons = dyn_cast<NeuronOp>(op); neurons && neurons.neuronModel().spikes())
        remove(neurons, ArrayRef(spikes->counts).slice(population.first, population.size));
  }
};
} // namespace

} // namespace spindle::snn
