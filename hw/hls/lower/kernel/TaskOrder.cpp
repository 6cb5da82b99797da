#include "hw/hls/lower/kernel/TaskOrder.h"

#include "dialects/hls/Concurrency.h"

#include "llvm/ADT/StringMap.h"

namespace spindle::hls {

namespace {

/// Memories of a task, and whether it writes them.
llvm::StringMap<bool> accessesOf(mlir::Operation &task) {
  llvm::StringMap<bool> accesses;
  task.walk([&](mlir::Operation *op) {
    if (llvm::isa<LoadOp, StoreOp>(op))
      accesses[memoryOf(op).getSymName()] |= llvm::isa<StoreOp>(op);
    if (llvm::isa<PipelineOp, RepeatOp>(op))
      for (MemoryOp bound : registersAtStart(op))
        accesses[bound.getSymName()] |= false;
  });
  return accesses;
}

bool conflict(const llvm::StringMap<bool> &a, const llvm::StringMap<bool> &b) {
  return llvm::any_of(a, [&](const auto &entry) {
    auto other = b.find(entry.getKey());
    return other != b.end() && (entry.getValue() || other->getValue());
  });
}

} // namespace

void orderAfter(mlir::Operation *task, mlir::Operation *predecessor) {
  llvm::SmallVector<mlir::Attribute> after;
  if (auto known = task->getAttrOfType<mlir::ArrayAttr>("after"))
    after.append(known.begin(), known.end());
  after.push_back(mlir::StringAttr::get(task->getContext(), nameOf(predecessor)));
  task->setAttr("after", mlir::ArrayAttr::get(task->getContext(), after));
}

void orderByMemory(TasksOp tasks) {
  llvm::SmallVector<mlir::Operation *> children;
  llvm::SmallVector<llvm::StringMap<bool>> accesses;
  for (mlir::Operation &task : tasks.getBody().front()) {
    llvm::StringMap<bool> mine = accessesOf(task);
    for (size_t earlier = children.size(); earlier-- > 0;)
      if (conflict(accesses[earlier], mine) && !precedence(tasks)[earlier][children.size()])
        orderAfter(&task, children[earlier]);
    children.push_back(&task);
    accesses.push_back(std::move(mine));
  }
}

} // namespace spindle::hls
