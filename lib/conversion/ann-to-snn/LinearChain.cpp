#include "lib/conversion/ann-to-snn/LinearChain.h"

#include "dialects/snn/Location.h"

#include "fmt/format.h"

namespace spindle {

static llvm::Error mixedScales(snn::SynapseOp op) {
  return inputError(snn::placeOf(op->getLoc()),
                    fmt::format("{} mixes channels of different scale; set conversion.per_channel: "
                                "false",
                                op->getName().getStringRef().str()));
}

/// The scale of each output of an operation without weights; every window must agree.
static llvm::Expected<std::vector<float>> forward(snn::SynapseOp op,
                                                  const std::vector<float> &scale) {
  snn::LinearMap map = *op.linearMap(0);
  std::vector<float> result(map.outputs);
  for (uint32_t o = 0; o < map.outputs; ++o) {
    result[o] = scale[map.indices[map.offsets[o]]];
    for (uint64_t k = map.offsets[o]; k < map.offsets[o + 1]; ++k)
      if (scale[map.indices[k]] != result[o])
        return mixedScales(op);
  }
  return result;
}

/// The scale its inputs need so that its outputs come out in `scale`. Inputs that no window reads
/// take 1.
static llvm::Expected<std::vector<float>> backward(snn::SynapseOp op,
                                                   const std::vector<float> &scale) {
  snn::LinearMap map = *op.linearMap(0);
  std::vector<float> result(map.inputs, 0);
  for (uint32_t o = 0; o < map.outputs; ++o)
    for (uint64_t k = map.offsets[o]; k < map.offsets[o + 1]; ++k) {
      float &input = result[map.indices[k]];
      if (input != 0 && input != scale[o])
        return mixedScales(op);
      input = scale[o];
    }
  for (float &value : result)
    value = value == 0 ? 1 : value;
  return result;
}

llvm::Error rescaleChain(llvm::ArrayRef<snn::SynapseOp> chain, std::vector<float> inputScale,
                         std::vector<float> outputScale) {
  auto weighted = [](snn::SynapseOp op) { return op.hasWeights(); };
  auto first = llvm::find_if(chain, weighted);
  if (first == chain.end())
    return checkError("", "a chain without weights cannot be rescaled");
  auto last = chain.end() - 1;
  while (!weighted(*last))
    --last;

  for (auto op = chain.begin(); op != first; ++op) {
    SPINDLE_ASSIGN(inputScale, forward(*op, inputScale));
  }
  for (auto op = chain.end() - 1; op != last; --op) {
    SPINDLE_ASSIGN(outputScale, backward(*op, outputScale));
  }
  for (float &scale : outputScale)
    scale = 1 / scale;

  auto ones = [](mlir::Value signal) { return std::vector<float>(snn::sizeOf(signal), 1); };
  snn::SynapseOp head = *first, tail = *last;
  if (failed(head.rescale(inputScale, first == last ? outputScale : ones(head.getTarget()))))
    return mixedScales(head);
  if (first != last && failed(tail.rescale(ones(tail.getSources()[0]), outputScale)))
    return mixedScales(tail);
  return llvm::Error::success();
}

} // namespace spindle
