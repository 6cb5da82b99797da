#include "hw/hls/lower/kernel/TaskOrder.h"

#include "dialects/hls/Concurrency.h"
#include "dialects/location/Location.h"
#include "hw/hls/lower/kernel/SourceNames.h"

#include "fmt/format.h"

#include "llvm/ADT/StringMap.h"

namespace spindle::hls {

namespace {

/// Memories of a task, and whether it writes them. An end of a stream is like a memory that is
/// written.
llvm::StringMap<bool> accessesOf(mlir::Operation &task) {
  llvm::StringMap<bool> accesses;
  task.walk([&](mlir::Operation *op) {
    if (llvm::isa<LoadOp, StoreOp>(op))
      accesses[memoryOf(op).getSymName()] |= llvm::isa<StoreOp>(op);
    if (std::optional<Claim> end = llvm::isa<PopOp, PushOp>(op) ? claimOf(op) : std::nullopt)
      accesses[end->what] = true;
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

/// A stream on which `from` puts tokens that `to` takes; null where there is none.
FifoOp streamBetween(mlir::Operation *from, mlir::Operation *to) {
  FifoOp found;
  from->walk([&](PushOp push) {
    FifoOp fifo = fifoOf(push);
    to->walk([&](PopOp pop) { found = fifoOf(pop) == fifo ? fifo : found; });
  });
  return found;
}

/// Tasks that a stream joins run at the same time; only straight code may be done before, with the
/// tokens of one iteration.
llvm::Error checkStreams(TasksOp tasks) {
  std::vector<std::vector<bool>> before = precedence(tasks);
  std::vector<mlir::Operation *> children;
  for (mlir::Operation &task : tasks.getBody().front()) {
    for (auto [n, earlier] : llvm::enumerate(children)) {
      auto pipeline = llvm::dyn_cast<PipelineOp>(earlier);
      FifoOp fifo = streamBetween(earlier, &task);
      if (before[n][children.size()] && fifo && (!pipeline || pipeline.repeats()))
        return inputError(placeOf(&task),
                          fmt::format("takes tokens of stream '{}' and waits for an array or a "
                                      "value of the loop that puts them there, which ends later: "
                                      "expected processes that share nothing but streams",
                                      streamName(fifo)));
    }
    children.push_back(&task);
  }
  return llvm::Error::success();
}

} // namespace

void orderAfter(mlir::Operation *task, mlir::Operation *predecessor) {
  llvm::SmallVector<mlir::Attribute> after;
  if (auto known = task->getAttrOfType<mlir::ArrayAttr>("after"))
    after.append(known.begin(), known.end());
  after.push_back(mlir::StringAttr::get(task->getContext(), nameOf(predecessor)));
  task->setAttr("after", mlir::ArrayAttr::get(task->getContext(), after));
}

llvm::Error orderByMemory(TasksOp tasks) {
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
  return checkStreams(tasks);
}

} // namespace spindle::hls
