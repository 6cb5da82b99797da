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
  for (const TensorLayer &tensor : ArrayRef(chain.tensors).drop_back()) {
    HardwareLayer layer;
    layer.name = names.of(tensor.op);
    layer.neurons = snn::sizeOf(tensor.op->getResult(0));
    layer.style = LayerStyle::Event;
    layer.kind = LayerKind::Tensor;
    layer.currentBits = bitsOfPixels(tensor.handedOn);
    if (tensor.isWeighted) {
      LayerOptions options =
          names.optionsOf(snn::nameOf(tensor.op), layer.neurons, program.options);
      layer.lanes = options.lanes;
      layer.inputs = options.inputs;
    } else {
      layer.lanes = tensor.outputs;
      layer.inputs = neighboursOf(tensor.axes[1].kernel);
    }
    chain.layers.push_back(std::move(layer));
  }
  return chain;
}

ArrayRef<int64_t> TensorChain::shape() const {
  return snn::shapeOf(tensors.back().op->getResult(0));
}

llvm::Expected<SmallVector<Value>> TensorChain::emit(ProgramBuilder &program,
                                                     const SpikeWords &words,
                                                     const ValueWords &currents,
                                                     HardwareLayer &last) {
  std::vector<TensorStreams> between(tensors.size() + 1); // in front of each, and behind the last
  auto described = [&](size_t n) -> HardwareLayer & {
    return n < layers.size() ? layers[n] : last;
  };
  for (size_t n = 0; n < tensors.size(); ++n) {
    TensorStreams &in = between[n];
    const TensorLayer *before = n > 0 ? &tensors[n - 1] : nullptr;
    SPINDLE_ASSIGN(in.layout, wordsFor(tensors[n], described(n), before));
    in.bits = bitsOfPixels(tensors[n].pixels);
    std::string name = before ? described(n - 1).name + ".values" : described(n).name + ".pixels";
    in.words = ValueWords::of(in.layout, in.layout.perWord, in.bits, name, ArrayRole::Pixels,
                              described(n).name);
    // A dense layer takes a sample in its first round: it finds all of it, so that it never waits.
    for (const ValueWords::Part &part : in.words.parts) {
      int64_t all = part.port.shape[1], ahead = tensors[n].isWindowed ? kPlacesAhead : all;
      in.parts.push_back(before ? program.streamToLayer(part.port.name, ahead, all, part.port.bits)
                                : program.streamArgument(part.port));
    }
  }
  TensorStreams &out = between.back();
  out = {words, currents, {}, last.currentBits};
  for (const ValueWords::Part &part : currents.parts) // those of a sample
    out.parts.push_back(program.stream(part.port.name, part.port.shape[1], part.port.bits));
  program.given = tensors.front().input();
  for (size_t n = 0; n < tensors.size(); ++n)
    SPINDLE_RETURN_IF_ERROR(
        emitTensorLayer(program, std::move(tensors[n]), between[n], between[n + 1], described(n)));
  llvm::append_range(program.layers, layers);
  return out.parts;
}

} // namespace spindle::snn_to_loops
