// Random rows whose synapses have delays of their own, for networks that tests build.
#pragma once

#include "dialects/snn/synapses/DelayedSparseOp.h"
#include "tests/emulation/NetworkBuilder.h"

namespace spindle::test {

/// Each output reads each input of the present signal with the probability of `density`, after 0 to
/// `longest` steps.
inline NetworkBuilder &addDelayed(NetworkBuilder &n, Shape shape, double density, uint32_t longest,
                                  bool hasBias = false, float weight = 1) {
  mlir::Value input = n.last();
  mlir::OpBuilder builder(input.getContext());
  builder.setInsertionPointToEnd(input.getParentBlock());
  int64_t outputs = 1;
  for (int64_t extent : shape)
    outputs *= extent;
  std::vector<int64_t> offsets{0};
  std::vector<int32_t> indices;
  std::vector<int16_t> delays;
  for (int64_t o = 0; o < outputs; ++o) {
    std::vector<std::pair<int16_t, int32_t>> row; // the longest delay first, then by input
    for (int64_t i = 0; i < snn::sizeOf(input); ++i)
      if (n.random.uniform() < density)
        row.push_back({int16_t(-int64_t(n.random.below(longest + 1))), int32_t(i)});
    llvm::sort(row);
    for (auto [delay, index] : row) {
      delays.push_back(int16_t(-delay));
      indices.push_back(index);
    }
    offsets.push_back(int64_t(indices.size()));
  }
  mlir::Location place = builder.getUnknownLoc();
  mlir::Value bias,
      weights = snn::makeConstant(builder, place, {int64_t(indices.size())},
                                  randomFloats(n.random, indices.size(), -weight, weight));
  if (hasBias)
    bias = snn::makeConstant(builder, place, {outputs}, randomFloats(n.random, size_t(outputs)));
  return n.from(snn::DelayedSparseOp::create(
      builder, place, snn::CurrentType::get(builder.getContext(), shape), input, weights, bias,
      offsets, indices, delays, mlir::StringAttr()));
}

} // namespace spindle::test
