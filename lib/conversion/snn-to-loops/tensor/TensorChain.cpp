#include "lib/conversion/snn-to-loops/tensor/TensorChain.h"

#include "lib/conversion/snn-to-loops/Signal.h"

#include "fmt/format.h"

using namespace mlir;

namespace spindle::snn_to_loops {

namespace {

/// Words run ahead of windows, which take a place in several cycles.
constexpr int64_t kPlacesAhead = 32;

bool isTensor(const CircuitOptions &options, Operation *op) {
  auto own = options.layers.find(snn::nameOf(op));
  return own != options.layers.end() && own->second.kind == LayerKind::Tensor;
}

/// Windows of a pooling are read in as few words as they divide into evenly.
int64_t neighboursOf(int64_t kernel) {
  constexpr int64_t kMost = 8;
  int64_t count = std::min(kernel, kMost);
  while (kernel % count != 0)
    --count;
  return count;
}

/// Of a layer that no one named: all filters, or as many as divide a dense layer's neurons.
int64_t fittingLanes(const TensorLayer &tensor, int64_t most) {
  if (tensor.isWindowed)
    return tensor.outputs;
  int64_t lanes = std::min(most, tensor.outputs);
  while (tensor.outputs % lanes != 0)
    --lanes;
  return lanes;
}

} // namespace

llvm::Error checkTensorLayers(const CircuitOptions &options, Block &network,
                              ArrayRef<TensorLayer> tensors) {
  for (Operation &op : network) {
    bool isOther = isa<snn::DenseOp, snn::Conv2dOp>(op) && isHosts(&op) &&
                   llvm::none_of(tensors, [&](const TensorLayer &each) { return each.op == &op; });
    if (isOther && isTensor(options, &op))
      return layerError(&op, "is to be a tensor kernel (as: tensor), but a layer between it and "
                             "the first spikes is not, expected a chain of them");
  }
  return llvm::Error::success();
}

llvm::Expected<TensorChain> TensorChain::of(ProgramBuilder &program, LayerNames &names,
                                            snn::EncodeOp encode) {
  TensorChain chain;
  SPINDLE_ASSIGN(chain.tensors, tensorLayers(encode, [&](Operation *op) {
                   return isTensor(program.options, op);
                 }));
  SPINDLE_RETURN_IF_ERROR(checkTensorLayers(program.options, *encode->getBlock(), chain.tensors));
  for (const TensorLayer &tensor : ArrayRef(chain.tensors).drop_back())
    chain.layers.push_back(chain.describe(program, names, tensor));
  return chain;
}

HardwareLayer TensorChain::describe(ProgramBuilder &program, LayerNames &names,
                                    const TensorLayer &tensor) {
  HardwareLayer layer;
  layer.name = names.of(tensor.op);
  layer.neurons = snn::sizeOf(tensor.op->getResult(0));
  layer.style = LayerStyle::Event;
  layer.kind = LayerKind::Tensor;
  layer.currentBits = bitsOfPixels(tensor.handedOn);
  if (tensor.isWeighted) {
    LayerOptions options = names.optionsOf(snn::nameOf(tensor.op), layer.neurons, program.options);
    bool isNamed = program.options.layers.count(snn::nameOf(tensor.op));
    layer.lanes = isNamed ? options.lanes : fittingLanes(tensor, options.lanes);
    layer.inputs = options.inputs;
  } else {
    layer.lanes = tensor.outputs;
    layer.inputs = neighboursOf(tensor.axes[1].kernel);
  }
  return layer;
}

llvm::Expected<TensorChain> TensorChain::behind(ProgramBuilder &program, LayerNames &names,
                                                snn::DecodeOp counts, HardwareLayer &last) {
  TensorChain chain;
  chain.counts = counts;
  SPINDLE_ASSIGN(chain.tensors, tensorLayersBehind(counts));
  for (const TensorLayer &tensor : ArrayRef(chain.tensors).drop_back())
    chain.layers.push_back(chain.describe(program, names, tensor));
  last = chain.describe(program, names, chain.tensors.back());
  const snn::IntegerRange &range = chain.tensors.back().handedOn; // compared with a sign
  last.currentBits = bitsFor(int64_t(std::max(-range.lowest, range.highest)));
  return chain;
}

ArrayRef<int64_t> TensorChain::shape() const {
  return snn::shapeOf(tensors.back().op->getResult(0));
}

llvm::Error TensorChain::emit(ProgramBuilder &program, const TensorStreams &out,
                              HardwareLayer &last,
                              function_ref<void(const TensorStreams &)> count) {
  std::vector<TensorStreams> between(tensors.size()); // in front of each
  auto described = [&](size_t n) -> HardwareLayer & {
    return n < layers.size() ? layers[n] : last;
  };
  for (size_t n = 0; n < tensors.size(); ++n) {
    TensorStreams &in = between[n];
    std::optional<ArrayRef<int64_t>> made; // by the circuit
    if (n > 0)
      made = snn::shapeOf(tensors[n - 1].op->getResult(0));
    else if (counts)
      made = snn::shapeOf(counts.getOutput());
    SPINDLE_ASSIGN(in.layout, wordsFor(tensors[n], described(n), made));
    in.bits = bitsOfPixels(tensors[n].pixels);
    std::string name = described(n > 0 ? n - 1 : 0).name + (n > 0    ? ".values"
                                                            : counts ? ".counts"
                                                                     : ".pixels");
    in.words = ValueWords::of(in.layout, in.layout.perWord, in.bits, name, ArrayRole::Pixels,
                              described(n).name);
    // A dense layer takes a sample in its first round: it finds all of it, so that it never waits.
    for (const ValueWords::Part &part : in.words.parts) {
      int64_t all = part.port.shape[1], ahead = tensors[n].isWindowed ? kPlacesAhead : all;
      in.parts.push_back(made ? program.streamToLayer(part.port.name, ahead, all, part.port.bits)
                              : program.streamArgument(part.port));
    }
  }
  if (counts)
    count(between.front());
  else
    program.given = tensors.front().input();
  for (size_t n = 0; n < tensors.size(); ++n)
    SPINDLE_RETURN_IF_ERROR(emitTensorLayer(program, std::move(tensors[n]), between[n],
                                            n + 1 < tensors.size() ? between[n + 1] : out,
                                            described(n)));
  llvm::append_range(program.layers, layers);
  return llvm::Error::success();
}

/// The lanes that dense layers may have which no one named.
static void addLanes(ProgramBuilder &program, ArrayRef<TensorLayer> tensors) {
  for (const TensorLayer &tensor : tensors) {
    std::string name = snn::nameOf(tensor.op);
    if (tensor.isWindowed || program.options.layers.count(name))
      continue;
    for (int64_t lanes = 1; lanes <= tensor.outputs; ++lanes)
      if (tensor.outputs % lanes == 0)
        program.lanes[name].push_back(lanes);
  }
}

llvm::Error emitTensorAnswer(ProgramBuilder &program, LayerNames &names, snn::DecodeOp counts,
                             const SpikeStreams &spikes, const std::string &population) {
  HardwareLayer last;
  SPINDLE_ASSIGN(TensorChain chain, TensorChain::behind(program, names, counts, last));
  addLanes(program, chain.tensors);
  bool divides = last.lanes >= 1 && last.neurons % last.lanes == 0; // else it is refused below
  SpikeWords layout = SpikeWords::ofVector(last.neurons, divides ? last.lanes : 1);
  ValueWords words = ValueWords::of(layout, layout.perWord, last.currentBits, "answer",
                                    ArrayRole::Answer, last.name);
  for (ValueWords::Part &part : words.parts)
    part.port.answer = AnswerKind::Sums;
  AnswerPorts answer(program, words, AnswerKind::Sums);
  Location location = counts.getLoc();
  TensorStreams out{layout, words, answer.ports(), last.currentBits};
  SPINDLE_RETURN_IF_ERROR(chain.emit(program, out, last, [&](const TensorStreams &to) {
    std::string name = names.unique(population + "_counts");
    emitSpikeCounts(program, location, spikes, to, name);
    LayerWork &work = program.work[name];
    work.from = population;
    work.perEvent = 1;
    work.perSample = double(program.options.steps + to.layout.groups);
  }));
  answer.finish(location, last.name);
  program.layers.push_back(std::move(last));
  return llvm::Error::success();
}

} // namespace spindle::snn_to_loops
