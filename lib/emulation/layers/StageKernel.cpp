#include "lib/emulation/layers/StageKernel.h"

#include "lib/emulation/layers/PlanBuilder.h"

#include "mlir/Dialect/LLVMIR/LLVMDialect.h"

using namespace mlir;

namespace spindle::layers {

Events EventRows::operator[](Number row) const {
  Array list = entries[row], planes = ends[row];
  return {list, planes, values ? std::optional((*values)[row]) : std::nullopt};
}

/// Scalars stand before the buffers of kernels of a step, after those of others.
static constexpr unsigned kScalarsOfStep = 3;

StageKernel::StageKernel(PlanBuilder &plan, Work kind)
    : LoopBuilder(*plan.plan.module->getContext()), work(kind), planned(plan) {
  SmallVector<Type> scalars(work == Work::Steps ? kScalarsOfStep : 1, integer(64));
  function = emit<func::FuncOp>("kernel", builder.getFunctionType(scalars, {}));
  builder.setInsertionPointToStart(function->addEntryBlock());
  builder.setInsertionPoint(emit<func::ReturnOp>());
}

Array StageKernel::array(size_t buffer, Type element) {
  unsigned at = unsigned(bufferNumbers.size()) + (work == Work::Steps ? kScalarsOfStep : 0);
  auto pointer = LLVM::LLVMPointerType::get(builder.getContext());
  auto apart = builder.getNamedAttr("llvm.noalias", builder.getUnitAttr());
  [[maybe_unused]] LogicalResult inserted = function->insertArgument(
      at, pointer, builder.getDictionaryAttr(apart), builder.getUnknownLoc());
  assert(succeeded(inserted));
  bufferNumbers.push_back(buffer);
  return {*this, function->getArgument(at), element};
}

RowArray StageKernel::rows(size_t buffer, Type element) {
  auto bytes = int64_t(planned.bytesOf(buffer));
  return {array(buffer, element), bytes * 8 / int64_t(element.getIntOrFloatBitWidth())};
}

Events StageKernel::events(const EventList &list) {
  Array entries = array(list.entries, integer(bitsOfEntry(list))),
        ends = array(list.ends, integer(64));
  return {entries, ends, list.values ? std::optional(floats(*list.values)) : std::nullopt};
}

EventRows StageKernel::eventRows(const EventList &list) {
  RowArray entries = rows(list.entries, integer(bitsOfEntry(list))),
           ends = rows(list.ends, integer(64));
  return {entries, ends, list.values ? std::optional(floatRows(*list.values)) : std::nullopt};
}

void StageKernel::loop(Range range, llvm::function_ref<void(Number)> body) {
  reduce(range, Numbers(), [&](Number index, Numbers) {
    body(index);
    return Numbers();
  });
}

Number StageKernel::reduce(Range range, Number sum,
                           llvm::function_ref<Number(Number, Number)> body) {
  return reduce(range, Numbers{sum},
                [&](Number index, Numbers sums) { return Numbers{body(index, sums.front())}; })
      .front();
}

Numbers StageKernel::reduce(Range range, Numbers sums,
                            llvm::function_ref<Numbers(Number, Numbers)> body) {
  auto numbersOf = [&](ValueRange values) {
    return llvm::map_to_vector(values, [&](Value value) { return Number(*this, value); });
  };
  auto valuesOf = [](const Numbers &numbers) {
    return Values(llvm::map_range(numbers, [](const Number &each) { return each.value(); }));
  };
  Number first = range.first.value_or(number(0)),
         end = range.end.value_or(number(range.constantEnd));
  return numbersOf(reduceBetween(first.value(), end.value(), number(range.step).value(),
                                 valuesOf(sums), [&](ValueRange index, ValueRange carried) {
                                   return valuesOf(body({*this, index[0]}, numbersOf(carried)));
                                 }));
}

void StageKernel::forBlocks(int64_t extent, int64_t size,
                            llvm::function_ref<void(Number, int64_t)> body) {
  int64_t rest = extent % size, full = extent - rest;
  loop({full, size}, [&](Number place) { body(place, size); });
  if (rest > 0)
    body(number(full), rest);
}

} // namespace spindle::layers
