// Rescaling weights: how data-based normalisation reaches into an operation.
#include "dialects/snn/Snn.h"

using namespace mlir;

namespace spindle::snn {

bool DenseOp::hasWeights() { return true; }
bool Conv2dOp::hasWeights() { return true; }
bool ScaleOp::hasWeights() { return true; }
bool SparseOp::hasWeights() { return true; }
bool RandomOp::hasWeights() { return true; }

/// The one value of each of `channels` equal blocks; fails when a block is mixed.
static FailureOr<std::vector<float>> perChannel(ArrayRef<float> scale, int64_t channels) {
  std::vector<float> result;
  size_t block = scale.size() / channels;
  for (int64_t k = 0; k < channels; ++k) {
    ArrayRef<float> values = scale.slice(k * block, block);
    if (!llvm::all_equal(values))
      return failure();
    result.push_back(values.front());
  }
  return result;
}

static LogicalResult rescaleBias(OpBuilder &builder, MutableOperandRange bias,
                                 ArrayRef<float> outputScale) {
  if (bias.empty())
    return success();
  Value old = bias[0].get();
  FailureOr<std::vector<float>> values = constantFloats(old);
  if (failed(values))
    return failure();
  for (size_t o = 0; o < values->size(); ++o)
    (*values)[o] *= outputScale[o];
  bias[0].set(makeConstant(builder, old.getLoc(), shapeOf(old), *values));
  return success();
}

LogicalResult DenseOp::rescale(ArrayRef<float> inputScale, ArrayRef<float> outputScale) {
  FailureOr<std::vector<float>> weight = constantFloats(getWeight());
  if (failed(weight))
    return failure();
  size_t inputs = inputScale.size();
  for (size_t k = 0; k < weight->size(); ++k)
    (*weight)[k] = (*weight)[k] * inputScale[k % inputs] * outputScale[k / inputs];
  OpBuilder builder(*this);
  setOperand(1, makeConstant(builder, getLoc(), shapeOf(getWeight()), *weight));
  return rescaleBias(builder, getBiasMutable(), outputScale);
}

LogicalResult Conv2dOp::rescale(ArrayRef<float> inputScale, ArrayRef<float> outputScale) {
  ArrayRef<int64_t> w = shapeOf(getWeight());
  FailureOr<std::vector<float>> weight = constantFloats(getWeight());
  FailureOr<std::vector<float>> in = perChannel(inputScale, shapeOf(getInput())[0]);
  FailureOr<std::vector<float>> out = perChannel(outputScale, w[0]);
  if (failed(weight) || failed(in) || failed(out))
    return failure();
  int64_t filtersPerGroup = w[0] / int64_t(getGroups()), kernel = w[2] * w[3];
  for (int64_t k = 0; k < int64_t(weight->size()); ++k) {
    int64_t filter = k / (kernel * w[1]);
    int64_t channel = filter / filtersPerGroup * w[1] + k / kernel % w[1];
    (*weight)[k] = (*weight)[k] * (*in)[channel] * (*out)[filter];
  }
  OpBuilder builder(*this);
  setOperand(1, makeConstant(builder, getLoc(), w, *weight));
  return rescaleBias(builder, getBiasMutable(), *out);
}

LogicalResult ScaleOp::rescale(ArrayRef<float> inputScale, ArrayRef<float> outputScale) {
  int64_t size = sizeOf(getFactor());
  FailureOr<std::vector<float>> factor = constantFloats(getFactor());
  FailureOr<std::vector<float>> in = perChannel(inputScale, size);
  FailureOr<std::vector<float>> out = perChannel(outputScale, size);
  FailureOr<std::vector<float>> biasScale =
      perChannel(outputScale, getBias() ? sizeOf(getBias()) : size);
  if (failed(factor) || failed(in) || failed(out) || failed(biasScale))
    return failure();
  for (int64_t k = 0; k < size; ++k)
    (*factor)[k] = (*factor)[k] * (*in)[k] * (*out)[k];
  OpBuilder builder(*this);
  setOperand(1, makeConstant(builder, getLoc(), shapeOf(getFactor()), *factor));
  return rescaleBias(builder, getBiasMutable(), *biasScale);
}

LogicalResult SparseOp::rescale(ArrayRef<float> inputScale, ArrayRef<float> outputScale) {
  FailureOr<std::vector<float>> weight = constantFloats(getWeight());
  if (failed(weight))
    return failure();
  for (size_t o = 0; o < outputScale.size(); ++o)
    for (int64_t k = getOffsets()[o]; k < getOffsets()[o + 1]; ++k)
      (*weight)[k] = (*weight)[k] * inputScale[getIndices()[k]] * outputScale[o];
  OpBuilder builder(*this);
  setOperand(1, makeConstant(builder, getLoc(), shapeOf(getWeight()), *weight));
  return rescaleBias(builder, getBiasMutable(), outputScale);
}

} // namespace spindle::snn
