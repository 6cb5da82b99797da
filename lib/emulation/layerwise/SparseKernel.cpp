// Sparse layers: each event adds the synapses of its column.
#include "lib/emulation/layerwise/PlanBuilder.h"

#include "mlir/IR/Matchers.h"

#include <algorithm>
#include <numeric>

namespace spindle::layerwise {

static constexpr llvm::StringLiteral kText = R"(
func.func @$name(%list: !llvm.ptr {llvm.noalias}, %ends: !llvm.ptr {llvm.noalias}, %offsets: !llvm.ptr {llvm.noalias},
                 %targets: !llvm.ptr {llvm.noalias}, %weights: !llvm.ptr {llvm.noalias}, %biases: !llvm.ptr {llvm.noalias},
                 %out: !llvm.ptr {llvm.noalias}$valuesArgument, %rows: i64) {
  %c0 = arith.constant 0 : i64
  %c1 = arith.constant 1 : i64
  %lanes = arith.constant 16 : i64
  %capacity = arith.constant $capacity : i64
  %endsStride = arith.constant $endsStride : i64
  %stride = arith.constant $stride : i64
  %size = arith.constant $size : i64
  %zeros = arith.constant dense<0.0> : vector<16xf32>
  scf.for %r = %c0 to %rows step %c1 : i64 {
    %endAt = arith.muli %r, %endsStride : i64
    %endFrom = llvm.getelementptr %ends[%endAt] : (!llvm.ptr, i64) -> !llvm.ptr, i64
    %end = llvm.load %endFrom : !llvm.ptr -> i64
    %listAt = arith.muli %r, %capacity : i64
    %entries = llvm.getelementptr %list[%listAt] : (!llvm.ptr, i64) -> !llvm.ptr, $type
    %rowAt = arith.muli %r, %stride : i64
    %row = llvm.getelementptr %out[%rowAt] : (!llvm.ptr, i64) -> !llvm.ptr, f32
    $clear
    scf.for %e = %c0 to %end step %c1 : i64 {
      %entryFrom = llvm.getelementptr %entries[%e] : (!llvm.ptr, i64) -> !llvm.ptr, $type
      %narrow = llvm.load %entryFrom : !llvm.ptr -> $type
      %entry = arith.extui %narrow : $type to i64
      %firstFrom = llvm.getelementptr %offsets[%entry] : (!llvm.ptr, i64) -> !llvm.ptr, i64
      %first = llvm.load %firstFrom : !llvm.ptr -> i64
      %lastFrom = llvm.getelementptr %firstFrom[1] : (!llvm.ptr) -> !llvm.ptr, i64
      %last = llvm.load %lastFrom : !llvm.ptr -> i64
      $value
      scf.for %s = %first to %last step %c1 : i64 {
        %targetFrom = llvm.getelementptr %targets[%s] : (!llvm.ptr, i64) -> !llvm.ptr, $targetType
        %target = llvm.load %targetFrom : !llvm.ptr -> $targetType
        %at = arith.extui %target : $targetType to i64
        %weightFrom = llvm.getelementptr %weights[$weight] : (!llvm.ptr, i64) -> !llvm.ptr, f32
        %weight = llvm.load %weightFrom : !llvm.ptr -> f32
        $product
        %sumAt = llvm.getelementptr %row[%at] : (!llvm.ptr, i64) -> !llvm.ptr, f32
        %before = llvm.load %sumAt : !llvm.ptr -> f32
        %after = arith.addf %before, $term : f32
        llvm.store %after, %sumAt : f32, !llvm.ptr
      }
    }
    $bias
  }
  return
}
)";

static constexpr llvm::StringLiteral kClear = R"(
    scf.for %i = %c0 to %size step %lanes : i64 {
      %to = llvm.getelementptr %row[%i] : (!llvm.ptr, i64) -> !llvm.ptr, f32
      llvm.store %zeros, %to {alignment = 64 : i64} : vector<16xf32>, !llvm.ptr
    })";

static constexpr llvm::StringLiteral kValue = R"(
      %valueAt = arith.addi %listAt, %e : i64
      %valueFrom = llvm.getelementptr %values[%valueAt] : (!llvm.ptr, i64) -> !llvm.ptr, f32
      %value = llvm.load %valueFrom : !llvm.ptr -> f32)";

static constexpr llvm::StringLiteral kBias = R"(
    scf.for %i = %c0 to %size step %lanes : i64 {
      %biasFrom = llvm.getelementptr %biases[%i] : (!llvm.ptr, i64) -> !llvm.ptr, f32
      %bias = llvm.load %biasFrom {alignment = 4 : i64} : !llvm.ptr -> vector<16xf32>
      %sumAt = llvm.getelementptr %row[%i] : (!llvm.ptr, i64) -> !llvm.ptr, f32
      %sum = llvm.load %sumAt {alignment = 64 : i64} : !llvm.ptr -> vector<16xf32>
      %biased = arith.addf %sum, %bias : vector<16xf32>
      llvm.store %biased, %sumAt {alignment = 64 : i64} : vector<16xf32>, !llvm.ptr
    })";

namespace {

/// The synapses of each input, targets ascending.
template <typename Target> struct Columns {
  std::vector<int64_t> offsets;
  std::vector<Target> targets;
  std::vector<float> weights; // a single one where all are equal
};

/// The weights, or the one that all synapses share.
std::vector<float> weightsOf(snn::SparseOp op) {
  mlir::DenseElementsAttr values;
  if (matchPattern(op.getWeight(), mlir::m_Constant(&values)) && values.isSplat())
    return {values.getSplatValue<float>()};
  return constantOf(op.getWeight());
}

template <typename Target> Columns<Target> transposed(snn::SparseOp op) {
  llvm::ArrayRef<int64_t> rows = op.getOffsets();
  llvm::ArrayRef<int32_t> sources = op.getIndices();
  std::vector<float> weights = weightsOf(op);
  bool isUniform = llvm::all_equal(weights);
  Columns<Target> columns;
  columns.offsets.assign(size_t(snn::sizeOf(op.getInput())) + 1, 0);
  for (int32_t source : sources)
    ++columns.offsets[size_t(source) + 1];
  std::partial_sum(columns.offsets.begin(), columns.offsets.end(), columns.offsets.begin());
  std::vector<int64_t> next(columns.offsets);
  columns.targets.resize(sources.size());
  columns.weights.resize(isUniform ? std::min<size_t>(1, weights.size()) : weights.size());
  std::copy_n(weights.begin(), isUniform ? columns.weights.size() : 0, columns.weights.begin());
  for (size_t row = 0; row + 1 < rows.size(); ++row)
    for (auto k = size_t(rows[row]); k < size_t(rows[row + 1]); ++k) {
      auto place = size_t(next[size_t(sources[k])]++);
      columns.targets[place] = Target(row);
      if (!isUniform)
        columns.weights[place] = weights[k];
    }
  return columns;
}

/// Their parameters.
struct ColumnBuffers {
  size_t offsets, targets, weights;
  bool isUniform;
};

template <typename Target> ColumnBuffers addColumns(PlanBuilder &b, snn::SparseOp op) {
  Columns<Target> columns = transposed<Target>(op);
  return {b.addParameter(columns.offsets), b.addParameter(columns.targets),
          b.addParameter(columns.weights), columns.weights.size() <= 1};
}

} // namespace

Signal addSparse(PlanBuilder &b, snn::SparseOp op, const Signal &input, bool taken) {
  EventList events = addEventList(b, input, 1, naturalNumbers(input.elements));
  Signal output = b.addSignal(Unit::Row, size_t(snn::sizeOf(op.getOutput())), false);
  output.taken = taken;
  bool isNarrow = output.elements <= size_t(UINT16_MAX) + 1;
  ColumnBuffers columns = isNarrow ? addColumns<uint16_t>(b, op) : addColumns<uint32_t>(b, op);
  Names names;
  names.set("capacity", int64_t(events.capacity))
      .set("endsStride", int64_t(b.bytesOf(events.ends) / sizeof(int64_t)))
      .set("type", typeOf(events))
      .set("stride", int64_t(b.bytesOf(output.buffer) / sizeof(float)))
      .set("size", int64_t(output.elements))
      .set("targetType", isNarrow ? "i16" : "i32")
      .set("weight", columns.isUniform ? "%c0" : "%s")
      .set("value", events.values ? kValue.str() : "")
      .set("valuesArgument", events.values ? ", %values: !llvm.ptr {llvm.noalias}" : "")
      .set("product", events.values ? "%product = arith.mulf %weight, %value : f32" : "")
      .set("term", events.values ? "%product" : "%weight")
      .set("clear", taken ? "" : kClear.str())
      .set("bias", op.getBias() ? kBias.str() : "");
  std::vector<size_t> buffers{events.entries,  events.ends,
                              columns.offsets, columns.targets,
                              columns.weights, b.addParameter(constantOf(op.getBias())),
                              output.buffer};
  if (events.values)
    buffers.push_back(*events.values);
  b.addStage(Work::Rows, kText, names, std::move(buffers));
  return output;
}

} // namespace spindle::layerwise
