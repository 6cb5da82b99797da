// Sparse layers with a delay for each synapse: an event adds to the sums of the steps in which it
// arrives.
#include "lib/emulation/layerwise/DelayedSparseKernel.h"

#include "lib/emulation/Network.h"

#include <numeric>

namespace spindle::layerwise {

/// The sums of the steps to come stand in a ring of rows, that of this step at `time` mod $slots. A
/// place is that of a target so many rows further on; it wraps at the end of the ring. The row of
/// this step is put out and left zero, for the step after the longest delay.
static constexpr llvm::StringLiteral kText = R"(
func.func @$name(%sample: i64, %time: i64, %seed: i64, %ring: !llvm.ptr {llvm.noalias}, %list: !llvm.ptr {llvm.noalias}, %ends: !llvm.ptr {llvm.noalias},
                 %offsets: !llvm.ptr {llvm.noalias}, %places: !llvm.ptr {llvm.noalias}, %weights: !llvm.ptr {llvm.noalias},
                 %biases: !llvm.ptr {llvm.noalias}, %out: !llvm.ptr {llvm.noalias}$valuesArgument) {
  %c0 = arith.constant 0 : i64
  %c1 = arith.constant 1 : i64
  %lanes = arith.constant 16 : i64
  %slots = arith.constant $slots : i64
  %row = arith.constant $row : i64
  %all = arith.constant $all : i64
  %size = arith.constant $size : i64
  %zeros = arith.constant dense<0.0> : vector<16xf32>
  %slot = arith.remui %time, %slots : i64
  %now = arith.muli %slot, %row : i64
  %end = llvm.load %ends : !llvm.ptr -> i64
  scf.for %e = %c0 to %end step %c1 : i64 {
    %entryFrom = llvm.getelementptr %list[%e] : (!llvm.ptr, i64) -> !llvm.ptr, $type
    %narrow = llvm.load %entryFrom : !llvm.ptr -> $type
    %entry = arith.extui %narrow : $type to i64
    %firstFrom = llvm.getelementptr %offsets[%entry] : (!llvm.ptr, i64) -> !llvm.ptr, i64
    %first = llvm.load %firstFrom : !llvm.ptr -> i64
    %lastFrom = llvm.getelementptr %firstFrom[1] : (!llvm.ptr) -> !llvm.ptr, i64
    %last = llvm.load %lastFrom : !llvm.ptr -> i64
    $value
    scf.for %s = %first to %last step %c1 : i64 {
      %placeFrom = llvm.getelementptr %places[%s] : (!llvm.ptr, i64) -> !llvm.ptr, i32
      %place = llvm.load %placeFrom : !llvm.ptr -> i32
      %ahead = arith.extui %place : i32 to i64
      %straight = arith.addi %now, %ahead : i64
      %wrapped = arith.subi %straight, %all : i64
      %isWithin = arith.cmpi ult, %straight, %all : i64
      %at = arith.select %isWithin, %straight, %wrapped : i64
      %weightFrom = llvm.getelementptr %weights[$weight] : (!llvm.ptr, i64) -> !llvm.ptr, f32
      %weight = llvm.load %weightFrom : !llvm.ptr -> f32
      $product
      %sumAt = llvm.getelementptr %ring[%at] : (!llvm.ptr, i64) -> !llvm.ptr, f32
      %before = llvm.load %sumAt : !llvm.ptr -> f32
      %after = arith.addf %before, $term : f32
      llvm.store %after, %sumAt : f32, !llvm.ptr
    }
  }
  %sums = llvm.getelementptr %ring[%now] : (!llvm.ptr, i64) -> !llvm.ptr, f32
  scf.for %i = %c0 to %size step %lanes : i64 {
    %from = llvm.getelementptr %sums[%i] : (!llvm.ptr, i64) -> !llvm.ptr, f32
    %sum = llvm.load %from {alignment = 64 : i64} : !llvm.ptr -> vector<16xf32>
    llvm.store %zeros, %from {alignment = 64 : i64} : vector<16xf32>, !llvm.ptr
    $bias
    %to = llvm.getelementptr %out[%i] : (!llvm.ptr, i64) -> !llvm.ptr, f32
    llvm.store $result, %to {alignment = 64 : i64} : vector<16xf32>, !llvm.ptr
  }
  return
}
)";

static constexpr llvm::StringLiteral kValue = R"(
    %valueFrom = llvm.getelementptr %values[%e] : (!llvm.ptr, i64) -> !llvm.ptr, f32
    %value = llvm.load %valueFrom : !llvm.ptr -> f32)";

static constexpr llvm::StringLiteral kBias = R"(
    %biasFrom = llvm.getelementptr %biases[%i] : (!llvm.ptr, i64) -> !llvm.ptr, f32
    %bias = llvm.load %biasFrom {alignment = 4 : i64} : !llvm.ptr -> vector<16xf32>
    %biased = arith.addf %sum, %bias : vector<16xf32>)";

namespace {

/// The synapses of each source, soonest first, so that an event goes through the ring once.
struct DelayedColumns {
  std::vector<int64_t> offsets;
  std::vector<uint32_t> places;
  std::vector<float> weights; // one for all, or one each
};

} // namespace

static DelayedColumns columnsOf(snn::DelayedSparseOp op, size_t row) {
  llvm::ArrayRef<int64_t> rows = op.getOffsets();
  llvm::ArrayRef<int32_t> sources = op.getIndices();
  llvm::ArrayRef<int16_t> delays = op.getDelays();
  std::vector<float> weights = constantOf(op.getWeight());
  size_t synapses = sources.size();
  DelayedColumns columns;
  columns.offsets.assign(size_t(snn::sizeOf(op.getInput())) + 1, 0);
  for (int32_t source : sources)
    ++columns.offsets[size_t(source) + 1];
  std::partial_sum(columns.offsets.begin(), columns.offsets.end(), columns.offsets.begin());
  // Sorted by delay first, then by source, so that both orders hold within a column.
  std::vector<uint32_t> order(synapses);
  std::vector<size_t> firsts(size_t(op.longestDelay()) + 2, 0);
  for (int16_t delay : delays)
    ++firsts[size_t(delay) + 1];
  std::partial_sum(firsts.begin(), firsts.end(), firsts.begin());
  std::vector<uint32_t> places(synapses);
  for (size_t o = 0; o + 1 < rows.size(); ++o)
    for (auto k = size_t(rows[o]); k < size_t(rows[o + 1]); ++k) {
      order[firsts[size_t(delays[k])]++] = uint32_t(k);
      places[k] = uint32_t(size_t(delays[k]) * row + o);
    }
  bool isOne = llvm::all_equal(weights);
  columns.places.resize(synapses);
  columns.weights.assign(isOne ? 1 : synapses, weights.empty() ? 0 : weights.front());
  std::vector<int64_t> next(columns.offsets);
  for (uint32_t k : order) {
    auto at = size_t(next[size_t(sources[k])]++);
    columns.places[at] = places[k];
    if (!isOne)
      columns.weights[at] = weights[k];
  }
  return columns;
}

Signal addDelayedSparse(PlanBuilder &b, snn::DelayedSparseOp op, const Signal &input) {
  auto outputs = size_t(snn::sizeOf(op.getOutput())), slots = size_t(op.longestDelay()) + 1,
       row = roundUp(outputs, kVector);
  EventList events = addEventList(b, input, 1, naturalNumbers(input.elements));
  DelayedColumns columns = columnsOf(op, row);
  Signal output = b.addSignal(Unit::Row, outputs, false);
  size_t ring = b.addFloats(Unit::Slot, slots * row);
  b.plan.cleared.push_back(ring);
  bool hasBias = bool(op.getBias()), hasValues = events.values.has_value();
  Names names;
  names.set("slots", int64_t(slots))
      .set("row", int64_t(row))
      .set("all", int64_t(slots * row))
      .set("size", int64_t(outputs))
      .set("type", typeOf(events))
      .set("weight", columns.weights.size() <= 1 ? "%c0" : "%s")
      .set("value", hasValues ? kValue.str() : "")
      .set("valuesArgument", hasValues ? ", %values: !llvm.ptr {llvm.noalias}" : "")
      .set("product", hasValues ? "%product = arith.mulf %weight, %value : f32" : "")
      .set("term", hasValues ? "%product" : "%weight")
      .set("bias", hasBias ? kBias.str() : "")
      .set("result", hasBias ? "%biased" : "%sum");
  std::vector<size_t> buffers{ring,
                              events.entries,
                              events.ends,
                              b.addParameter(columns.offsets),
                              b.addParameter(columns.places),
                              b.addParameter(columns.weights),
                              b.addParameter(constantOf(op.getBias())),
                              output.buffer};
  if (hasValues)
    buffers.push_back(*events.values);
  b.addStage(Work::Steps, kText, names, std::move(buffers));
  return output;
}

} // namespace spindle::layerwise
