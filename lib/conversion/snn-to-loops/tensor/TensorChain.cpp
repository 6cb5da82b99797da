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

/// What the dense layer behind takes at a time; one where there is none.
int64_t takenBehind(const CircuitOptions &options, ArrayRef<TensorLayer> tensors, size_t n) {
  if (n + 1 >= tensors.size() || tensors[n + 1].isWindowed || !tensors[n + 1].isWeighted)
    return 1;
  auto own = options.layers.find(snn::nameOf(tensors[n + 1].op));
  return own == options.layers.end() ? options.others.inputs : own->second.inputs;
}

/// Lanes of a dense layer divide its neurons, and what reads it takes whole shares of them.
bool fits(const TensorLayer &tensor, int64_t lanes, int64_t taken) {
  return tensor.outputs % lanes == 0 && (lanes % taken == 0 || tensor.outputs % taken != 0);
}

/// Of a layer that no one named: all filters, or the most that fit a dense layer.
int64_t fittingLanes(const TensorLayer &tensor, int64_t most, int64_t taken) {
  if (tensor.isWindowed)
    return tensor.outputs;
  int64_t lanes = std::min(most, tensor.outputs);
  while (lanes > 1 && !fits(tensor, lanes, taken))
    --lanes;
  return fits(tensor, lanes, taken) ? lanes : taken;
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
  for (size_t n = 0; n + 1 < chain.tensors.size(); ++n)
    chain.layers.push_back(chain.describe(program, names, n));
  return chain;
}

HardwareLayer TensorChain::describe(ProgramBuilder &program, LayerNames &names, size_t n) {
  const TensorLayer &tensor = tensors[n];
  HardwareLayer layer;
  layer.name = names.of(tensor.op);
  layer.neurons = snn::sizeOf(tensor.op->getResult(0));
  layer.style = LayerStyle::Event;
  layer.kind = LayerKind::Tensor;
  layer.currentBits = bitsOfPixels(tensor.handedOn);
  if (tensor.isWeighted) {
    LayerOptions options = names.optionsOf(snn::nameOf(tensor.op), layer.neurons, program.options);
    bool isNamed = program.options.layers.count(snn::nameOf(tensor.op));
    layer.lanes =
        isNamed ? options.lanes
                : fittingLanes(tensor, options.lanes, takenBehind(program.options, tensors, n));
    layer.inputs = options.inputs;
  } else {
    layer.lanes = tensor.outputs;
    layer.inputs = neighboursOf(tensor.axes[1].kernel);
  }
  return layer;
}

/// Kernels behind the spikes have one style, and do not spike.
static llvm::Error checkStays(const CircuitOptions &options, ArrayRef<TensorLayer> tensors) {
  for (const TensorLayer &tensor : tensors) {
    auto own = options.layers.find(snn::nameOf(tensor.op));
    if (own != options.layers.end() && own->second.isToSpike)
      return layerError(tensor.op, "is to spike (as: spiking), but conversion.tensor names it, "
                                   "expected one of both");
    if (own != options.layers.end() && own->second.style == LayerStyle::Clock)
      return layerError(tensor.op, "has style clock, which has no tensor layers, expected style: "
                                   "event");
  }
  return llvm::Error::success();
}

llvm::Expected<TensorChain> TensorChain::behind(ProgramBuilder &program, LayerNames &names,
                                                snn::DecodeOp counts, HardwareLayer &last) {
  TensorChain chain;
  chain.counts = counts;
  SPINDLE_ASSIGN(chain.tensors, tensorLayersBehind(counts));
  SPINDLE_RETURN_IF_ERROR(checkStays(program.options, chain.tensors));
  for (size_t n = 0; n + 1 < chain.tensors.size(); ++n)
    chain.layers.push_back(chain.describe(program, names, n));
  last = chain.describe(program, names, chain.tensors.size() - 1);
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
  for (size_t n = 0; n < tensors.size(); ++n) {
    std::string name = snn::nameOf(tensors[n].op);
    if (tensors[n].isWindowed || program.options.layers.count(name))
      continue;
    int64_t taken = takenBehind(program.options, tensors, n);
    for (int64_t lanes = 1; lanes <= tensors[n].outputs; ++lanes)
      if (fits(tensors[n], lanes, taken))
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
    int64_t most = counts.getMaximum().value_or(program.options.steps);
    emitSpikeCounts(program, location, spikes, most, to, name);
    LayerWork &work = program.work[name];
    work.takes = {{population}};
    work.perEvent = 1;
    work.perSample = double(program.options.steps + to.layout.groups);
  }));
  answer.finish(location, last.name);
  program.layers.push_back(std::move(last));
  return llvm::Error::success();
}

} // namespace spindle::snn_to_loops
