// Sparse layers with a delay for each synapse: an event adds to the sums of the steps in which it
// arrives.
#include "lib/emulation/layers/kernels/synapses/DelayedSparseKernel.h"

#include "lib/emulation/network/Network.h"

#include <numeric>
#include <utility>

namespace spindle::layers {

/// The sums of the steps to come stand in a ring of rows, that of this step at `time` mod $slots. A
/// place is that of a target so many rows further on; it wraps at the end of the ring. The row of
/// this step is put out and left zero, for the step after the longest delay.
static constexpr llvm::StringLiteral kDelayedSparseKernel = R"(
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

static constexpr llvm::StringLiteral kDelayedValue = R"(
    %valueFrom = llvm.getelementptr %values[%e] : (!llvm.ptr, i64) -> !llvm.ptr, f32
    %value = llvm.load %valueFrom : !llvm.ptr -> f32)";

static constexpr llvm::StringLiteral kDelayedBias = R"(
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

/// All but places, and weights where they differ.
static DelayedColumns measureColumns(snn::DelayedSparseOp op) {
  DelayedColumns columns;
  columns.offsets.assign(size_t(snn::sizeOf(op.getInput())) + 1, 0);
  for (int32_t source : op.getIndices())
    ++columns.offsets[size_t(source) + 1];
  std::partial_sum(columns.offsets.begin(), columns.offsets.end(), columns.offsets.begin());
  std::vector<float> weights = constantOf(op.getWeight());
  if (llvm::all_equal(weights))
    columns.weights.assign(1, weights.empty() ? 0 : weights.front());
  return columns;
}

/// Places ascend as delays do.
static void sortColumns(DelayedColumns &columns) {
  std::vector<std::pair<uint32_t, float>> column;
  for (size_t source = 0; source + 1 < columns.offsets.size(); ++source) {
    auto first = size_t(columns.offsets[source]), end = size_t(columns.offsets[source + 1]);
    if (columns.weights.size() <= 1) {
      std::sort(columns.places.begin() + first, columns.places.begin() + end);
      continue;
    }
    column.clear();
    for (size_t k = first; k < end; ++k)
      column.push_back({columns.places[k], columns.weights[k]});
    llvm::sort(column, llvm::less_first());
    for (size_t k = first; k < end; ++k)
      std::tie(columns.places[k], columns.weights[k]) = column[k - first];
  }
}

/// The rest; `row` is the length of a row of the ring.
static void writeColumns(snn::DelayedSparseOp op, size_t row, DelayedColumns &columns) {
  llvm::ArrayRef<int64_t> rows = op.getOffsets();
  llvm::ArrayRef<int32_t> sources = op.getIndices();
  llvm::ArrayRef<int16_t> delays = op.getDelays();
  bool isOne = !columns.weights.empty();
  std::vector<float> weights;
  if (!isOne) {
    weights = constantOf(op.getWeight());
    columns.weights.resize(weights.size());
  }
  columns.places.resize(sources.size());
  std::vector<int64_t> next(columns.offsets);
  for (size_t o = 0; o + 1 < rows.size(); ++o)
    for (auto k = size_t(rows[o]); k < size_t(rows[o + 1]); ++k) {
      auto at = size_t(next[size_t(sources[k])]++);
      columns.places[at] = uint32_t(size_t(delays[k]) * row + o);
      if (!isOne)
        columns.weights[at] = weights[k];
    }
  sortColumns(columns);
}

static size_t slotsOf(snn::DelayedSparseOp op) { return size_t(op.longestDelay()) + 1; }
static size_t rowOf(snn::DelayedSparseOp op) {
  return roundUp(size_t(snn::sizeOf(op.getOutput())), kVector);
}

bool fitsRing(snn::DelayedSparseOp op) { return slotsOf(op) * rowOf(op) <= UINT32_MAX; }

Signal addDelayedSparse(PlanBuilder &b, snn::DelayedSparseOp op, const Signal &input) {
  size_t outputs = size_t(snn::sizeOf(op.getOutput())), slots = slotsOf(op), row = rowOf(op);
  EventList events = addEventList(b, input, 1, naturalNumbers(input.elements));
  auto columns = std::make_shared<DelayedColumns>(measureColumns(op));
  bool isOne = !columns->weights.empty();
  size_t synapses = op.getIndices().size();
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
      .set("weight", isOne ? "%c0" : "%s")
      .set("value", hasValues ? kDelayedValue.str() : "")
      .set("valuesArgument", hasValues ? ", %values: !llvm.ptr {llvm.noalias}" : "")
      .set("product", hasValues ? "%product = arith.mulf %weight, %value : f32" : "")
      .set("term", hasValues ? "%product" : "%weight")
      .set("bias", hasBias ? kDelayedBias.str() : "")
      .set("result", hasBias ? "%biased" : "%sum");
  std::vector<size_t> buffers{
      ring,
      events.entries,
      events.ends,
      b.addParameter(columns->offsets),
      b.addParameter(synapses * sizeof(uint32_t) + 64,
                     [=] {
                       writeColumns(op, row, *columns);
                       return PlanBuilder::bytesOf(std::exchange(columns->places, {}));
                     }),
      b.addParameter((isOne ? 1 : synapses) * sizeof(float) + 64,
                     [=] { return PlanBuilder::bytesOf(columns->weights); }),
      b.addParameter(constantOf(op.getBias())),
      output.buffer};
  if (hasValues)
    buffers.push_back(*events.values);
  b.addStage(Work::Steps, kDelayedSparseKernel, names, std::move(buffers));
  return output;
}

} // namespace spindle::layers
