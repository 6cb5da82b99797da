// Sparse layers: each event adds the synapses of its column.
#include "lib/emulation/layers/PlanBuilder.h"
#include "lib/emulation/layers/kernels/synapses/SynapseColumns.h"

namespace spindle::layers {

static constexpr llvm::StringLiteral kSparseKernel = R"(
func.func @$name(%list: !llvm.ptr {llvm.noalias}, %ends: !llvm.ptr {llvm.noalias}, %offsets: !llvm.ptr {llvm.noalias},
                 %targets: !llvm.ptr {llvm.noalias}, %weights: !llvm.ptr {llvm.noalias}, %biases: !llvm.ptr {llvm.noalias},
                 %out: !llvm.ptr {llvm.noalias}, %spare: !llvm.ptr {llvm.noalias}$valuesArgument, %rows: i64) {
  %c0 = arith.constant 0 : i64
  %c1 = arith.constant 1 : i64
  %lanes = arith.constant 16 : i64
  %capacity = arith.constant $capacity : i64
  %endsStride = arith.constant $endsStride : i64
  %stride = arith.constant $stride : i64
  %size = arith.constant $size : i64
  %zeros = arith.constant dense<0.0> : vector<16xf32>
  %skip = arith.constant -1 : i8
  %atOnce = arith.constant $atOnce : i64
  $one
  scf.for %r = %c0 to %rows step %c1 : i64 {
    %endAt = arith.muli %r, %endsStride : i64
    %endFrom = llvm.getelementptr %ends[%endAt] : (!llvm.ptr, i64) -> !llvm.ptr, i64
    %end = llvm.load %endFrom : !llvm.ptr -> i64
    %listAt = arith.muli %r, %capacity : i64
    %entries = llvm.getelementptr %list[%listAt] : (!llvm.ptr, i64) -> !llvm.ptr, $type
    %rowAt = arith.muli %r, %stride : i64
    %row = llvm.getelementptr %out[%rowAt] : (!llvm.ptr, i64) -> !llvm.ptr, $sumType
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
      $fetch
      $synapses
    }
    $bias
  }
  return
}
)";

/// Fetches the column of the next event while that of this one is added; the processor goes on
/// behind the first lines by itself.
static constexpr llvm::StringLiteral kSparseFetch = R"(
      %behind = arith.addi %e, %c1 : i64
      %isLast = arith.cmpi eq, %behind, %end : i64
      %next = arith.select %isLast, %e, %behind : i64
      %nextEntryFrom = llvm.getelementptr %entries[%next] : (!llvm.ptr, i64) -> !llvm.ptr, $type
      %nextNarrow = llvm.load %nextEntryFrom : !llvm.ptr -> $type
      %nextEntry = arith.extui %nextNarrow : $type to i64
      %nextFirstFrom = llvm.getelementptr %offsets[%nextEntry] : (!llvm.ptr, i64) -> !llvm.ptr, i64
      %nextFirst = llvm.load %nextFirstFrom : !llvm.ptr -> i64
      %nextLastFrom = llvm.getelementptr %nextFirstFrom[1] : (!llvm.ptr) -> !llvm.ptr, i64
      %nextLast = llvm.load %nextLastFrom : !llvm.ptr -> i64
      %nextTargets = llvm.getelementptr %targets[%nextFirst] : (!llvm.ptr, i64) -> !llvm.ptr, $targetType
      %nextCount = arith.subi %nextLast, %nextFirst : i64
      %most = arith.constant $fetched : i64
      %fetched = arith.minsi %nextCount, %most : i64
      %line = arith.constant $line : i64
      scf.for %s = %c0 to %fetched step %line : i64 {
        %lineFrom = llvm.getelementptr %nextTargets[%s] : (!llvm.ptr, i64) -> !llvm.ptr, $targetType
        "llvm.intr.prefetch"(%lineFrom) <{cache = 1 : i32, hint = 3 : i32, rw = 0 : i32}> : (!llvm.ptr) -> ()
      })";

/// Adds to the sums, or counts, of targets that stand as numbers.
static constexpr llvm::StringLiteral kSparseNumbers = R"(
      scf.for %s = %first to %last step %c1 : i64 {
        %targetFrom = llvm.getelementptr %targets[%s] : (!llvm.ptr, i64) -> !llvm.ptr, $targetType
        %target = llvm.load %targetFrom : !llvm.ptr -> $targetType
        %at = arith.extui %target : $targetType to i64
        %weightFrom = llvm.getelementptr %weights[$weight] : (!llvm.ptr, i64) -> !llvm.ptr, f32
        %weight = llvm.load %weightFrom : !llvm.ptr -> f32
        $product
        %sumAt = llvm.getelementptr %row[%at] : (!llvm.ptr, i64) -> !llvm.ptr, $sumType
        %before = llvm.load %sumAt : !llvm.ptr -> $sumType
        %after = arith.$add %before, $term : $sumType
        llvm.store %after, %sumAt : $sumType, !llvm.ptr
      })";

/// Adds to the sums, or counts, of targets that stand as gaps.
static constexpr llvm::StringLiteral kSparseGaps = R"(
      %weight = llvm.load %weights : !llvm.ptr -> f32
      $product
      scf.for %s = %first to %last step %atOnce iter_args(%at0 = %row) -> (!llvm.ptr) : i64 {
        %block = llvm.getelementptr %targets[%s] : (!llvm.ptr, i64) -> !llvm.ptr, i8
        $entries
        scf.yield %at$atOnce : !llvm.ptr
      })";

/// One of those that are worked at once. Where the gap goes on, a place of no target takes the
/// term.
static constexpr llvm::StringLiteral kSparseGap = R"(
        %gapFrom$k = llvm.getelementptr %block[$k] : (!llvm.ptr) -> !llvm.ptr, i8
        %narrowGap$k = llvm.load %gapFrom$k : !llvm.ptr -> i8
        %gap$k = arith.extui %narrowGap$k : i8 to i64
        %at$next = llvm.getelementptr %at$k[%gap$k] : (!llvm.ptr, i64) -> !llvm.ptr, $sumType
        %skips$k = arith.cmpi eq, %narrowGap$k, %skip : i8
        %sumAt$k = arith.select %skips$k, %spare, %at$next : !llvm.ptr
        %before$k = llvm.load %sumAt$k : !llvm.ptr -> $sumType
        %after$k = arith.$add %before$k, $term : $sumType
        llvm.store %after$k, %sumAt$k : $sumType, !llvm.ptr)";

static constexpr llvm::StringLiteral kSparseClear = R"(
    scf.for %i = %c0 to %size step %lanes : i64 {
      %to = llvm.getelementptr %row[%i] : (!llvm.ptr, i64) -> !llvm.ptr, f32
      llvm.store %zeros, %to {alignment = 64 : i64} : vector<16xf32>, !llvm.ptr
    })";

static constexpr llvm::StringLiteral kSparseValue = R"(
      %valueAt = arith.addi %listAt, %e : i64
      %valueFrom = llvm.getelementptr %values[%valueAt] : (!llvm.ptr, i64) -> !llvm.ptr, f32
      %value = llvm.load %valueFrom : !llvm.ptr -> f32)";

static constexpr llvm::StringLiteral kSparseBias = R"(
    scf.for %i = %c0 to %size step %lanes : i64 {
      %biasFrom = llvm.getelementptr %biases[%i] : (!llvm.ptr, i64) -> !llvm.ptr, f32
      %bias = llvm.load %biasFrom {alignment = 4 : i64} : !llvm.ptr -> vector<16xf32>
      %sumAt = llvm.getelementptr %row[%i] : (!llvm.ptr, i64) -> !llvm.ptr, f32
      %sum = llvm.load %sumAt {alignment = 64 : i64} : !llvm.ptr -> vector<16xf32>
      %biased = arith.addf %sum, %bias : vector<16xf32>
      llvm.store %biased, %sumAt {alignment = 64 : i64} : vector<16xf32>, !llvm.ptr
    })";

/// Whether numbers of the one weight stand for the sums, which neurons alone read. Neurons need
/// more instructions for them; that pays where sums leave the first cache.
static std::optional<Counts> countsOf(const SynapseColumns &columns, const EventList &events,
                                      size_t elements, bool taken) {
  constexpr size_t kFewest = 8192;
  if (!taken || events.values || columns.weights.size() != 1 || columns.most > UINT16_MAX ||
      elements < kFewest)
    return std::nullopt;
  return Counts{columns.weights.front(), columns.most};
}

/// Rows of sums, or of counts.
static Signal addRows(PlanBuilder &b, size_t elements, bool taken, std::optional<Counts> counts) {
  Signal output =
      counts
          ? Signal{b.addBuffer(Unit::Row, roundUp(elements, kVector) * (counts->areWide() ? 2 : 1)),
                   elements,
                   {elements, {}},
                   false}
          : b.addSignal(Unit::Row, elements, false);
  output.taken = taken;
  output.counts = counts;
  return output;
}

/// What the kernel adds, and how far apart rows are.
static void nameSums(Names &names, const Signal &output, size_t bytesOfRow, bool hasValues) {
  const std::optional<Counts> &counts = output.counts;
  std::string type = !counts ? "f32" : counts->areWide() ? "i16" : "i8";
  size_t bytes = !counts ? sizeof(float) : counts->areWide() ? 2 : 1;
  names.set("stride", int64_t(bytesOfRow / bytes))
      .set("sumType", type)
      .set("add", counts ? "addi" : "addf")
      .set("one", counts ? "%one = arith.constant 1 : " + type : "")
      .set("product", hasValues ? "%product = arith.mulf %weight, %value : f32" : "")
      .set("term", hasValues ? "%product"
                   : counts  ? "%one"
                             : "%weight");
}

/// Columns that stay in the second cache need no fetching ahead.
static void nameFetch(Names &names, const SynapseColumns &columns) {
  constexpr size_t kCache = size_t(512) << 10;
  int64_t bytes = columns.form == TargetForm::Gaps8       ? 1
                  : columns.form == TargetForm::Numbers16 ? 2
                                                          : 4;
  names.set("fetched", 512 / bytes).set("line", 64 / bytes);
  names.set("fetch", bytesOfTargets(columns) > kCache ? names.fill(kSparseFetch) : "");
}

static std::string gapsText(Names names) {
  std::string entries;
  for (int64_t k = 0; k < kAtOnce; ++k)
    entries += names.set("k", k).set("next", k + 1).fill(kSparseGap);
  return names.set("entries", entries).fill(kSparseGaps);
}

template <typename Op>
static Signal addColumns(PlanBuilder &b, Op op, const Signal &input, bool taken) {
  auto shared = std::make_shared<SynapseColumns>(measureColumns(op));
  const SynapseColumns &columns = *shared;
  mlir::Value bias = op.getBias(), target = op.getOutput();
  EventList events = addEventList(b, input, 1, naturalNumbers(input.elements));
  Signal output = addRows(b, size_t(snn::sizeOf(target)), taken,
                          countsOf(columns, events, size_t(snn::sizeOf(target)), taken));
  Names names;
  names.set("capacity", int64_t(events.capacity))
      .set("endsStride", int64_t(b.bytesOf(events.ends) / sizeof(int64_t)))
      .set("type", typeOf(events))
      .set("size", int64_t(output.elements))
      .set("atOnce", kAtOnce)
      .set("targetType", columns.form == TargetForm::Gaps8       ? "i8"
                         : columns.form == TargetForm::Numbers16 ? "i16"
                                                                 : "i32")
      .set("weight", columns.weights.size() <= 1 ? "%c0" : "%s")
      .set("value", events.values ? kSparseValue.str() : "")
      .set("valuesArgument", events.values ? ", %values: !llvm.ptr {llvm.noalias}" : "")
      .set("clear", taken ? "" : kSparseClear.str())
      .set("bias", bias ? kSparseBias.str() : "");
  nameSums(names, output, b.bytesOf(output.buffer), events.values.has_value());
  nameFetch(names, columns);
  names.set("synapses",
            columns.form == TargetForm::Gaps8 ? gapsText(names) : names.fill(kSparseNumbers));
  std::vector<size_t> buffers{events.entries,
                              events.ends,
                              b.addParameter(columns.offsets),
                              b.addParameter(bytesOfTargets(columns),
                                             [=] {
                                               writeColumns(op, *shared);
                                               return std::move(shared->targets);
                                             }),
                              b.addParameter(columns.weights.size() * sizeof(float) + 64,
                                             [=] { return PlanBuilder::bytesOf(shared->weights); }),
                              b.addParameter(constantOf(bias)),
                              output.buffer,
                              b.addBuffer(Unit::Thread, sizeof(float))};
  if (events.values)
    buffers.push_back(*events.values);
  b.addStage(Work::Rows, kSparseKernel, names, std::move(buffers));
  return output;
}

Signal addSparse(PlanBuilder &b, snn::SparseOp op, const Signal &input, bool taken) {
  return addColumns(b, op, input, taken);
}

Signal addRandom(PlanBuilder &b, snn::RandomOp op, const Signal &input, bool taken) {
  return addColumns(b, op, input, taken);
}

} // namespace spindle::layers
