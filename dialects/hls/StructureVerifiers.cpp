// Whether kernels, memories, units and trees of tasks are well formed.
#include "dialects/hls/Concurrency.h"
#include "dialects/hls/Partition.h"

#include "llvm/ADT/StringSet.h"

namespace spindle::hls {

mlir::LogicalResult KernelOp::verify() {
  if (getArgumentIndex().size() != getBody().getNumArguments())
    return emitOpError("has ") << getArgumentIndex().size() << " argument indices, expected "
                               << getBody().getNumArguments() << " (kernel_c1)";
  if (getBody().front().empty() || !llvm::isa<TasksOp>(getBody().front().back()) ||
      llvm::range_size(getBody().getOps<TasksOp>()) != 1)
    return emitOpError("expected one hls.tasks, at the end (kernel_c2)");
  return mlir::success();
}

mlir::LogicalResult KernelOp::verifyRegions() { return verifyConcurrency(*this); }

mlir::LogicalResult MemoryOp::verify() {
  auto type = llvm::dyn_cast<mlir::MemRefType>(getType());
  if (!type || !type.hasStaticShape() || !type.getLayout().isIdentity())
    return emitOpError("expected a row-major memref of static shape, found ")
           << getType() << " (memory_c1)";
  if (std::optional<mlir::ArrayAttr> partition = getPartition()) {
    if (partition->size() != static_cast<size_t>(type.getRank()))
      return emitOpError("has ") << partition->size() << " partitions for " << type.getRank()
                                 << " dimensions (memory_c2)";
    if (!readPartition(*partition, type.getShape()))
      return emitOpError("expected partitions into 1 to extent banks, found ")
             << *partition << " (memory_c2)";
  }
  if (getDistributed()) {
    if (getArgument() || getRegisters() || static_cast<int64_t>(getPorts()) < 2 ||
        getReadLatency() > 1)
      return emitOpError("is LUT RAM with ")
             << getPorts() << " ports and read latency " << getReadLatency()
             << ", expected an array inside, at least 2 ports and a latency of 0 or 1 (memory_c4)";
    return mlir::success();
  }
  if (static_cast<int64_t>(getPorts()) < 1 || static_cast<int64_t>(getReadLatency()) < 1)
    return emitOpError("has ") << getPorts() << " ports and read latency " << getReadLatency()
                               << ", expected at least 1 of both (memory_c3)";
  return mlir::success();
}

mlir::LogicalResult UnitOp::verify() {
  if (static_cast<int64_t>(getLatency()) < 1 || static_cast<int64_t>(getInterval()) < 1)
    return emitOpError("has latency ") << getLatency() << " and interval " << getInterval()
                                       << ", expected at least 1 of both (unit_c1)";
  auto type = llvm::dyn_cast<mlir::IntegerType>(getType());
  for (int64_t bits : getOperandBits().value_or(llvm::ArrayRef<int64_t>()))
    if (!type || bits < 1 || bits > int64_t(type.getWidth()))
      return emitOpError("looks at ") << bits << " bits of operands of type " << getType()
                                      << ", expected 1 to those of an integer (unit_c2)";
  return mlir::success();
}

mlir::LogicalResult MultiplyPairOp::verify() {
  unsigned bits = getC().getType().getIntOrFloatBitWidth();
  if (getResult().getType().getIntOrFloatBitWidth() != 2 * bits)
    return emitOpError("has a result of type ")
           << getResult().getType() << ", expected i" << 2 * bits << " (multiply_pair_c1)";
  return mlir::success();
}

mlir::LogicalResult TasksOp::verify() {
  llvm::StringSet<> earlier;
  for (mlir::Operation &task : getBody().front()) {
    if (!llvm::isa<PipelineOp, RepeatOp>(task))
      return task.emitOpError("is no task: expected hls.pipeline or hls.repeat (tasks_c1)");
    for (llvm::StringRef name : predecessorsOf(&task))
      if (!earlier.contains(name))
        return task.emitOpError("waits for '") << name << "', expected an earlier task (tasks_c2)";
    if (!earlier.insert(nameOf(&task)).second)
      return task.emitOpError("is the second task named '") << nameOf(&task) << "' (tasks_c1)";
  }
  return mlir::success();
}

static bool isRegister(MemoryOp memory, mlir::Type type) {
  return memory && memory.getRegisters() && memory.getMemRef().getRank() == 0 &&
         memory.getElement() == type;
}

mlir::LogicalResult RepeatOp::verify() {
  if (getBody().getNumArguments() != 1 || !getCounter().getType().isIndex() ||
      llvm::range_size(getBody().getOps<TasksOp>()) != 1 ||
      llvm::range_size(getBody().getOps()) != 1)
    return emitOpError("expected an index argument and one hls.tasks (repeat_c1)");
  for (mlir::AffineMap map : {getLowerBound(), getUpperBound()})
    if (map.getNumInputs() != getBoundOperands().size() || map.getNumSymbols())
      return emitOpError("has ") << getBoundOperands().size() << " operands for the bound "
                                 << mlir::AffineMapAttr::get(map) << " (repeat_c2)";
  auto kernel = (*this)->getParentOfType<KernelOp>();
  auto bit = mlir::IntegerType::get(getContext(), 1);
  if (getCondition() && kernel && !isRegister(kernel.lookupSymbol<MemoryOp>(*getCondition()), bit))
    return emitOpError("expected a register of rank 0 and type i1 as condition (repeat_c3)");
  mlir::AffineMap from = getLowerBound();
  bool startsAtZero = from.isSingleConstant() && from.getSingleConstantResult() == 0;
  if (isUncounted() && (!getCondition() || !getCounter().use_empty() || !startsAtZero))
    return emitOpError("has no upper bound, expected a condition and a counter from 0 that nothing "
                       "uses (repeat_c3)");
  return mlir::success();
}

mlir::LogicalResult HeldOp::verify() {
  if (!isRegister(memoryOf(*this), getResult().getType()))
    return emitOpError("expected a register of rank 0 and type ")
           << getResult().getType() << " (held_c1)";
  return mlir::success();
}

} // namespace spindle::hls
