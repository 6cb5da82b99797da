// Neurons that rest after a spike. While they do, their membrane is no number: whatever it is added
// to, it stays none and reaches no threshold. So the neurons' own kernel needs no counters.
#include "lib/emulation/layers/PlanBuilder.h"

namespace spindle::layers {

/// Sends the neurons of the list to rest; those that have rested long enough get their membrane
/// back. Resting neurons stand in a queue, in the order of their spikes; `counts` says how many are
/// from each of the last steps.
static constexpr llvm::StringLiteral kRefractoryKernel = R"(
func.func @$name(%sample: i64, %time: i64, %seed: i64, %list: !llvm.ptr {llvm.noalias}, %ends: !llvm.ptr {llvm.noalias},
                 %queue: !llvm.ptr {llvm.noalias}, %counts: !llvm.ptr {llvm.noalias}, %cursors: !llvm.ptr {llvm.noalias},
                 %resets: !llvm.ptr {llvm.noalias}, %membranes: !llvm.ptr {llvm.noalias}) {
  %c0 = arith.constant 0 : i64
  %c1 = arith.constant 1 : i64
  %slots = arith.constant $slots : i64
  %size = arith.constant $size : i64
  %none = arith.constant 0x7FC00000 : f32
  %now = arith.remui %time, %slots : i64
  %count = llvm.load %ends : !llvm.ptr -> i64
  %countTo = llvm.getelementptr %counts[%now] : (!llvm.ptr, i64) -> !llvm.ptr, i64
  llvm.store %count, %countTo : i64, !llvm.ptr
  %tailOf = llvm.getelementptr %cursors[1] : (!llvm.ptr) -> !llvm.ptr, i64
  %tail = llvm.load %tailOf : !llvm.ptr -> i64
  %newTail = scf.for %e = %c0 to %count step %c1 iter_args(%at = %tail) -> (i64) : i64 {
    %from = llvm.getelementptr %list[%e] : (!llvm.ptr, i64) -> !llvm.ptr, $type
    %neuron = llvm.load %from : !llvm.ptr -> $type
    %to = llvm.getelementptr %queue[%at] : (!llvm.ptr, i64) -> !llvm.ptr, $type
    llvm.store %neuron, %to : $type, !llvm.ptr
    %number = arith.extui %neuron : $type to i64
    %membrane = llvm.getelementptr %membranes[%number] : (!llvm.ptr, i64) -> !llvm.ptr, f32
    llvm.store %none, %membrane : f32, !llvm.ptr
    $next
    scf.yield %next : i64
  }
  llvm.store %newTail, %tailOf : i64, !llvm.ptr
  %later = arith.addi %time, %c1 : i64
  %first = arith.remui %later, %slots : i64
  %wakeFrom = llvm.getelementptr %counts[%first] : (!llvm.ptr, i64) -> !llvm.ptr, i64
  %wake = llvm.load %wakeFrom : !llvm.ptr -> i64
  %head = llvm.load %cursors : !llvm.ptr -> i64
  %newHead = scf.for %e = %c0 to %wake step %c1 iter_args(%at = %head) -> (i64) : i64 {
    %from = llvm.getelementptr %queue[%at] : (!llvm.ptr, i64) -> !llvm.ptr, $type
    %neuron = llvm.load %from : !llvm.ptr -> $type
    %number = arith.extui %neuron : $type to i64
    %resetFrom = llvm.getelementptr %resets[$reset] : (!llvm.ptr, i64) -> !llvm.ptr, f32
    %reset = llvm.load %resetFrom : !llvm.ptr -> f32
    %membrane = llvm.getelementptr %membranes[%number] : (!llvm.ptr, i64) -> !llvm.ptr, f32
    llvm.store %reset, %membrane : f32, !llvm.ptr
    $next
    scf.yield %next : i64
  }
  llvm.store %newHead, %cursors : i64, !llvm.ptr
  return
}
)";

/// The place behind %at in the queue.
static constexpr llvm::StringLiteral kRefractoryNext = R"(
    %behind = arith.addi %at, %c1 : i64
    %isLast = arith.cmpi eq, %behind, %size : i64
    %next = arith.select %isLast, %c0, %behind : i64)";

/// Counts are kept of as many steps.
constexpr int64_t kLongest = 1 << 16;

bool canRest(const snn::NeuronModel &model) {
  return !model.refractory.empty() && llvm::all_equal(model.refractory) &&
         model.refractory.front() > 0 && model.refractory.front() <= kLongest &&
         !model.resetBySubtraction;
}

void addRest(PlanBuilder &b, const snn::NeuronModel &model, const EventList &spikes,
             size_t elements, size_t membranes) {
  auto slots = size_t(model.refractory.front()) + 1;
  size_t queue = b.addBuffer(Unit::Slot, elements * (spikes.narrow ? 2 : 4)),
         counts = b.addBuffer(Unit::Slot, slots * sizeof(int64_t)),
         cursors = b.addBuffer(Unit::Slot, 2 * sizeof(int64_t));
  b.plan.cleared.insert(b.plan.cleared.end(), {counts, cursors});
  Names names;
  names.set("slots", int64_t(slots))
      .set("size", int64_t(elements)) // nobody rests twice at a time
      .set("type", typeOf(spikes))
      .set("reset", model.reset.size() > 1 ? "%number" : "%c0")
      .set("next", kRefractoryNext.str());
  b.addStage(Work::Steps, kRefractoryKernel, names,
             {spikes.entries, spikes.ends, queue, counts, cursors, b.addParameter(model.reset),
              membranes});
  b.plan.stages.back().joined = true;
}

} // namespace spindle::layers
