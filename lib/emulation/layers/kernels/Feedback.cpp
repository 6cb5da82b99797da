// Spikes that come back: lists of events in a ring, a list for each step.
#include "lib/emulation/layers/PlanBuilder.h"

namespace spindle::layers {

/// Copies a list of events from a row to the ring or back.
static constexpr llvm::StringLiteral kCopyFeedback = R"(
func.func @$name(%sample: i64, %time: i64, %seed: i64, %ringEntries: !llvm.ptr {llvm.noalias}, %ringEnds: !llvm.ptr {llvm.noalias},
                 %rowEntries: !llvm.ptr {llvm.noalias}, %rowEnds: !llvm.ptr {llvm.noalias}$valuesArguments) {
  %steps = arith.constant $steps : i64
  %capacity = arith.constant $capacity : i64
  %bytesOfEntry = arith.constant $bytes : i64
  %bytesOfValue = arith.constant 4 : i64
  %now = arith.remui %time, %steps : i64
  %listAt = arith.muli %now, %capacity : i64
  %pastEntries = llvm.getelementptr %ringEntries[%listAt] : (!llvm.ptr, i64) -> !llvm.ptr, $type
  %pastEnds = llvm.getelementptr %ringEnds[%now] : (!llvm.ptr, i64) -> !llvm.ptr, i64
  %count = llvm.load $fromEnds : !llvm.ptr -> i64
  llvm.store %count, $toEnds : i64, !llvm.ptr
  %size = arith.muli %count, %bytesOfEntry : i64
  "llvm.intr.memcpy"($toEntries, $fromEntries, %size) <{isVolatile = false}> : (!llvm.ptr, !llvm.ptr, i64) -> ()
  $values
  return
}
)";

static constexpr llvm::StringLiteral kCopyValues = R"(
  %pastValues = llvm.getelementptr %ringValues[%listAt] : (!llvm.ptr, i64) -> !llvm.ptr, f32
  %sizeOfValues = arith.muli %count, %bytesOfValue : i64
  "llvm.intr.memcpy"($toValues, $fromValues, %sizeOfValues) <{isVolatile = false}> : (!llvm.ptr, !llvm.ptr, i64) -> ())";

static constexpr llvm::StringLiteral kExpand = R"(
func.func @$name(%list: !llvm.ptr {llvm.noalias}, %ends: !llvm.ptr {llvm.noalias}, %out: !llvm.ptr {llvm.noalias}$valuesArguments, %rows: i64) {
  %c0 = arith.constant 0 : i64
  %c1 = arith.constant 1 : i64
  %capacity = arith.constant $capacity : i64
  %endsStride = arith.constant $endsStride : i64
  %stride = arith.constant $stride : i64
  %one = arith.constant 1.0 : f32
  %zero = arith.constant 0 : i8
  %bytes = arith.constant $bytes : i64
  scf.for %r = %c0 to %rows step %c1 : i64 {
    %endAt = arith.muli %r, %endsStride : i64
    %endFrom = llvm.getelementptr %ends[%endAt] : (!llvm.ptr, i64) -> !llvm.ptr, i64
    %end = llvm.load %endFrom : !llvm.ptr -> i64
    %listAt = arith.muli %r, %capacity : i64
    %rowAt = arith.muli %r, %stride : i64
    %row = llvm.getelementptr %out[%rowAt] : (!llvm.ptr, i64) -> !llvm.ptr, f32
    "llvm.intr.memset"(%row, %zero, %bytes) <{isVolatile = false}> : (!llvm.ptr, i8, i64) -> ()
    scf.for %e = %c0 to %end step %c1 : i64 {
      %entryAt = arith.addi %listAt, %e : i64
      %from = llvm.getelementptr %list[%entryAt] : (!llvm.ptr, i64) -> !llvm.ptr, $type
      %narrow = llvm.load %from : !llvm.ptr -> $type
      %at = arith.extui %narrow : $type to i64
      %to = llvm.getelementptr %row[%at] : (!llvm.ptr, i64) -> !llvm.ptr, f32
      $load
      llvm.store $value, %to : f32, !llvm.ptr
    }
  }
  return
}
)";

static void addCopy(PlanBuilder &b, const EventRing &ring, const EventList &row, bool reads) {
  std::vector<size_t> buffers{ring.events.entries, ring.events.ends, row.entries, row.ends};
  Names names;
  names.set("steps", ring.steps)
      .set("capacity", int64_t(row.capacity))
      .set("bytes", row.narrow ? 2 : 4)
      .set("type", typeOf(row))
      .set("valuesArguments", "")
      .set("values", "");
  std::string from = reads ? "past" : "row", to = reads ? "row" : "past";
  for (const char *part : {"Ends", "Entries", "Values"})
    names.set("from" + std::string(part), "%" + from + part)
        .set("to" + std::string(part), "%" + to + part);
  if (row.values) {
    buffers.insert(buffers.end(), {*ring.events.values, *row.values});
    names.set("valuesArguments",
              ", %ringValues: !llvm.ptr {llvm.noalias}, %rowValues: !llvm.ptr {llvm.noalias}");
    names.set("values", names.fill(kCopyValues));
  }
  b.addStage(Work::Steps, kCopyFeedback, names, std::move(buffers));
}

EventRing addEventRing(PlanBuilder &b, size_t elements, bool binary, int64_t steps) {
  EventList list = makeEventList(b, Unit::Row, elements, 1, elements - 1, binary);
  EventRing ring{list, elements, steps};
  auto addSlots = [&](size_t buffer) {
    return b.addBuffer(Unit::Slot, size_t(steps) * b.bytesOf(buffer));
  };
  ring.events.entries = addSlots(list.entries);
  ring.events.ends = b.addBuffer(Unit::Slot, size_t(steps) * sizeof(int64_t));
  if (list.values)
    ring.events.values = addSlots(*list.values);
  b.plan.cleared.push_back(ring.events.ends);
  b.plan.mostSteps = std::min(b.plan.mostSteps, size_t(steps));
  return ring;
}

Signal addPast(PlanBuilder &b, const EventRing &ring, bool asRows) {
  bool binary = !ring.events.values;
  EventList row = makeEventList(b, Unit::Row, ring.elements, 1, ring.elements - 1, binary);
  addCopy(b, ring, row, true);
  return addListedSignal(b, row, ring.elements, asRows);
}

Signal addListedSignal(PlanBuilder &b, const EventList &row, size_t elements, bool asRows) {
  bool binary = !row.values;
  Signal output = asRows ? b.addSignal(Unit::Row, elements, binary)
                         : Signal{b.addBuffer(Unit::Row, 1), elements, {elements, {}}, binary};
  b.keepList(output.buffer, 1, naturalNumbers(elements), row);
  if (!asRows)
    return output;
  Names names;
  names.set("capacity", int64_t(row.capacity))
      .set("endsStride", int64_t(b.bytesOf(row.ends) / sizeof(int64_t)))
      .set("stride", int64_t(b.bytesOf(output.buffer) / sizeof(float)))
      .set("bytes", int64_t(elements * sizeof(float)))
      .set("type", typeOf(row))
      .set("valuesArguments", binary ? "" : ", %values: !llvm.ptr {llvm.noalias}")
      .set("value", binary ? "%one" : "%value")
      .set("load", binary ? "" : R"(
      %valueFrom = llvm.getelementptr %values[%entryAt] : (!llvm.ptr, i64) -> !llvm.ptr, f32
      %value = llvm.load %valueFrom : !llvm.ptr -> f32)");
  std::vector<size_t> buffers{row.entries, row.ends, output.buffer};
  if (row.values)
    buffers.push_back(*row.values);
  b.addStage(Work::Rows, kExpand, names, std::move(buffers));
  return output;
}

Signal addGather(PlanBuilder &b, const Signal &part, uint32_t first, size_t elements, bool asRows) {
  EventList own = addEventList(b, part, 1, naturalNumbers(part.elements));
  EventList all = makeEventList(b, Unit::Row, elements, 1, elements - 1, part.binary);
  if (b.plan.stages.back().work != Work::Gather)
    b.plan.stages.push_back({Work::Gather, "", "", {}});
  b.plan.stages.back().gathers.push_back({own, all, first});
  return addListedSignal(b, all, elements, asRows);
}

void addReturn(PlanBuilder &b, const EventRing &ring, const Signal &spikes) {
  addCopy(b, ring, addEventList(b, spikes, 1, naturalNumbers(spikes.elements)), false);
}

} // namespace spindle::layers
