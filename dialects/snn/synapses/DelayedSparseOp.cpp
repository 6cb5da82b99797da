// Compressed rows whose synapses have delays of their own: constraints, and what they are without.
#include "dialects/snn/synapses/DelayedSparseOp.h"

#include "mlir/IR/OpImplementation.h"
#include "llvm/ADT/STLExtras.h"

using namespace mlir;

#define GET_OP_CLASSES
#include "dialects/snn/synapses/DelayedSparseOp.cpp.inc"

namespace spindle::snn {

int64_t DelayedSparseOp::longestDelay() {
  ArrayRef<int16_t> delays = getDelays();
  return delays.empty() ? 0 : *std::max_element(delays.begin(), delays.end());
}

/// delayed_sparse_c3.
static LogicalResult verifyRows(DelayedSparseOp op) {
  ArrayRef<int64_t> offsets = op.getOffsets();
  ArrayRef<int32_t> indices = op.getIndices();
  ArrayRef<int16_t> delays = op.getDelays();
  std::vector<int64_t> lastRow(static_cast<size_t>(sizeOf(op.getInput())), -1);
  for (int64_t o = 0; o + 1 < int64_t(offsets.size()); ++o)
    for (auto first = size_t(offsets[o]), k = first; k < size_t(offsets[o + 1]); ++k) {
      if (indices[k] < 0 || size_t(indices[k]) >= lastRow.size())
        return op.emitOpError("index ") << indices[k] << " of output " << o << " is none of the "
                                        << lastRow.size() << " inputs";
      if (delays[k] < 0)
        return op.emitOpError("delay of output ")
               << o << " is " << delays[k] << ", expected zero or more steps";
      bool follows = k == first || delays[k] < delays[k - 1] ||
                     (delays[k] == delays[k - 1] && indices[k] > indices[k - 1]);
      if (!follows)
        return op.emitOpError("synapses of output ")
               << o << " must stand by descending delays, then by ascending indices";
      if (std::exchange(lastRow[size_t(indices[k])], o) == o)
        return op.emitOpError("output ") << o << " reads input " << indices[k] << " twice";
    }
  return success();
}

LogicalResult DelayedSparseOp::verify() {
  ArrayRef<int64_t> offsets = getOffsets(), weight = shapeOf(getWeight());
  int64_t outputs = sizeOf(getOutput());
  if (weight.size() != 1)
    return emitOpError("weight must have one dimension");
  if (int64_t(offsets.size()) != outputs + 1 || offsets.front() != 0 ||
      offsets.back() != weight[0] || !llvm::is_sorted(offsets))
    return emitOpError("offsets must be ")
           << outputs + 1 << " ascending numbers from 0 to the " << weight[0] << " weights";
  if (int64_t(getIndices().size()) != weight[0] || int64_t(getDelays().size()) != weight[0])
    return emitOpError("there are ") << getIndices().size() << " indices and " << getDelays().size()
                                     << " delays, expected one per weight: " << weight[0];
  if (getBias() && shapeOf(getBias()) != ArrayRef<int64_t>{outputs})
    return emitOpError("bias must have one value per output: ") << outputs;
  return verifyRows(*this);
}

bool DelayedSparseOp::hasWeights() { return true; }

/// As if all delays were zero, as those of `snn.delay`.
FailureOr<LinearMap> DelayedSparseOp::linearMap(unsigned) {
  FailureOr<std::vector<float>> weight = constantFloats(getWeight());
  FailureOr<std::vector<float>> bias =
      getBias() ? constantFloats(getBias()) : FailureOr<std::vector<float>>(std::vector<float>());
  if (failed(weight) || failed(bias))
    return failure();
  int64_t outputs = sizeOf(getOutput());
  LinearMapBuilder builder(sizeOf(getInput()), outputs);
  for (int64_t o = 0; o < outputs; ++o) {
    SmallVector<std::pair<int32_t, float>> row;
    for (int64_t k = getOffsets()[o]; k < getOffsets()[o + 1]; ++k)
      row.push_back({getIndices()[k], (*weight)[k]});
    llvm::sort(row, llvm::less_first());
    for (auto [index, value] : row)
      builder.connect(index, value);
    builder.endOutput(bias->empty() ? 0 : (*bias)[o]);
  }
  return builder.take();
}

} // namespace spindle::snn
