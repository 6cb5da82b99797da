// The linear operator that each synapse operation stands for.
#include "dialects/snn/Snn.h"

using namespace mlir;

namespace spindle::snn {

/// The floats of an optional operand; empty where it is absent.
static FailureOr<std::vector<float>> optionalFloats(Value value) {
  return value ? constantFloats(value) : FailureOr<std::vector<float>>(std::vector<float>());
}

static LinearMap identityMap(int64_t size) {
  LinearMapBuilder builder(size, size);
  for (int64_t i = 0; i < size; ++i) {
    builder.connect(i, 1);
    builder.endOutput();
  }
  return builder.take();
}

FailureOr<LinearMap> DenseOp::linearMap(unsigned) {
  FailureOr<std::vector<float>> weight = constantFloats(getWeight());
  FailureOr<std::vector<float>> bias = optionalFloats(getBias());
  if (failed(weight) || failed(bias))
    return failure();
  int64_t inputs = sizeOf(getInput()), outputs = sizeOf(getOutput());
  LinearMapBuilder builder(inputs, outputs);
  for (int64_t o = 0; o < outputs; ++o) {
    for (int64_t i = 0; i < inputs; ++i)
      builder.connect(i, (*weight)[o * inputs + i]);
    builder.endOutput(bias->empty() ? 0 : (*bias)[o]);
  }
  return builder.take();
}

FailureOr<LinearMap> Conv2dOp::linearMap(unsigned) {
  FailureOr<std::vector<float>> weight = constantFloats(getWeight());
  FailureOr<std::vector<float>> bias = optionalFloats(getBias());
  if (failed(weight) || failed(bias))
    return failure();
  ArrayRef<int64_t> in = shapeOf(getInput()), out = shapeOf(getOutput()), w = shapeOf(getWeight());
  ArrayRef<int64_t> pad = getPadding(), stride = getStrides(), dilation = getDilations();
  int64_t filtersPerGroup = out[0] / int64_t(getGroups());
  LinearMapBuilder builder(sizeOf(getInput()), sizeOf(getOutput()));
  for (int64_t f = 0; f < out[0]; ++f)
    for (int64_t r = 0; r < out[1]; ++r)
      for (int64_t c = 0; c < out[2]; ++c) {
        for (int64_t k = 0; k < w[1]; ++k)
          for (int64_t i = 0; i < w[2]; ++i)
            for (int64_t j = 0; j < w[3]; ++j) {
              int64_t channel = f / filtersPerGroup * w[1] + k;
              int64_t row = r * stride[0] + i * dilation[0] - pad[0];
              int64_t column = c * stride[1] + j * dilation[1] - pad[1];
              if (row >= 0 && row < in[1] && column >= 0 && column < in[2])
                builder.connect((channel * in[1] + row) * in[2] + column,
                                (*weight)[((f * w[1] + k) * w[2] + i) * w[3] + j]);
            }
        builder.endOutput(bias->empty() ? 0 : (*bias)[f]);
      }
  return builder.take();
}

FailureOr<LinearMap> ScaleOp::linearMap(unsigned) {
  FailureOr<std::vector<float>> factor = constantFloats(getFactor());
  FailureOr<std::vector<float>> bias = optionalFloats(getBias());
  if (failed(factor) || failed(bias))
    return failure();
  int64_t size = sizeOf(getInput());
  LinearMapBuilder builder(size, size);
  for (int64_t i = 0; i < size; ++i) {
    builder.connect(i, (*factor)[i / (size / int64_t(factor->size()))]);
    builder.endOutput(bias->empty() ? 0 : (*bias)[i / (size / int64_t(bias->size()))]);
  }
  return builder.take();
}

FailureOr<LinearMap> SparseOp::linearMap(unsigned) {
  FailureOr<std::vector<float>> weight = constantFloats(getWeight());
  FailureOr<std::vector<float>> bias = optionalFloats(getBias());
  if (failed(weight) || failed(bias))
    return failure();
  int64_t outputs = sizeOf(getOutput());
  LinearMapBuilder builder(sizeOf(getInput()), outputs);
  for (int64_t o = 0; o < outputs; ++o) {
    for (int64_t k = getOffsets()[o]; k < getOffsets()[o + 1]; ++k)
      builder.connect(getIndices()[k], (*weight)[k]);
    builder.endOutput(bias->empty() ? 0 : (*bias)[o]);
  }
  return builder.take();
}

FailureOr<LinearMap> AddOp::linearMap(unsigned) { return identityMap(sizeOf(getOutput())); }
FailureOr<LinearMap> ReshapeOp::linearMap(unsigned) { return identityMap(sizeOf(getOutput())); }
FailureOr<LinearMap> DelayOp::linearMap(unsigned) { return identityMap(sizeOf(getOutput())); }

FailureOr<LinearMap> ConcatOp::linearMap(unsigned source) {
  size_t axis = getAxis();
  ArrayRef<int64_t> in = shapeOf(getInputs()[source]), out = shapeOf(getOutput());
  int64_t first = 0, inner = 1; // extents before this source, and below the axis
  for (unsigned s = 0; s < source; ++s)
    first += shapeOf(getInputs()[s])[axis];
  for (int64_t extent : out.drop_front(axis + 1))
    inner *= extent;
  int64_t outputs = sizeOf(getOutput());
  LinearMapBuilder builder(sizeOf(getInputs()[source]), outputs);
  for (int64_t o = 0; o < outputs; ++o) {
    int64_t position = o / inner % out[axis] - first;
    if (position >= 0 && position < in[axis])
      builder.connect((o / inner / out[axis] * in[axis] + position) * inner + o % inner, 1);
    builder.endOutput();
  }
  return builder.take();
}

FailureOr<LinearMap> TransposeOp::linearMap(unsigned) {
  ArrayRef<int64_t> in = shapeOf(getInput()), out = shapeOf(getOutput());
  ArrayRef<int64_t> permutation = getPermutation();
  SmallVector<int64_t> inputStride(in.size(), 1), stride;
  for (int64_t d = int64_t(in.size()) - 2; d >= 0; --d)
    inputStride[d] = inputStride[d + 1] * in[d + 1];
  for (int64_t dimension : permutation)
    stride.push_back(inputStride[dimension]);
  int64_t size = sizeOf(getInput());
  LinearMapBuilder builder(size, size);
  for (int64_t o = 0; o < size; ++o) {
    int64_t rest = o, input = 0;
    for (int64_t d = int64_t(out.size()) - 1; d >= 0; --d) {
      input += rest % out[d] * stride[d];
      rest /= out[d];
    }
    builder.connect(input, 1);
    builder.endOutput();
  }
  return builder.take();
}

SmallVector<Value> AddOp::getSources() { return {getLhs(), getRhs()}; }
SmallVector<Value> ConcatOp::getSources() { return SmallVector<Value>(getInputs()); }

OpFoldResult ReshapeOp::fold(FoldAdaptor) {
  if (getInput().getType() == getOutput().getType())
    return getInput();
  return {};
}

OpFoldResult TransposeOp::fold(FoldAdaptor) {
  if (llvm::is_sorted(getPermutation()))
    return getInput();
  return {};
}

} // namespace spindle::snn
