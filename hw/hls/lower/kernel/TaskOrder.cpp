#include "hw/hls/lower/kernel/TaskOrder.h"

#include "dialects/hls/Concurrency.h"
#include "dialects/hls/StoredStreams.h"
#include "dialects/location/Location.h"
#include "hw/hls/lower/kernel/SourceNames.h"

#include "fmt/format.h"

#include "llvm/ADT/SetVector.h"
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

/// The streams of a task, by the end that it is at.
struct StreamEnds {
  llvm::SetVector<mlir::Operation *> takes, puts;

  static StreamEnds of(mlir::Operation &task) {
    StreamEnds ends;
    task.walk([&](PopOp pop) { ends.takes.insert(fifoOf(pop)); });
    task.walk([&](PushOp push) { ends.puts.insert(fifoOf(push)); });
    return ends;
  }
};

/// A stream, stored or not, on which `from` puts tokens that `to` takes; null where there is none.
FifoOp streamBetween(const StreamEnds &from, const StreamEnds &to, bool stored) {
  for (mlir::Operation *fifo : to.takes)
    if (from.puts.contains(fifo) && isStored(fifo) == stored)
      return llvm::cast<FifoOp>(fifo);
  return {};
}

/// Tasks that a stream joins run at the same time; only straight code may be done before, with the
/// tokens of one iteration.
llvm::Error checkStreams(TasksOp tasks, llvm::ArrayRef<StreamEnds> ends) {
  std::vector<std::vector<bool>> before = precedence(tasks);
  std::vector<mlir::Operation *> children;
  for (mlir::Operation &task : tasks.getBody().front()) {
    for (auto [n, earlier] : llvm::enumerate(children)) {
      auto pipeline = llvm::dyn_cast<PipelineOp>(earlier);
      FifoOp fifo = streamBetween(ends[n], ends[children.size()], /*stored=*/false);
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
  llvm::SmallVector<StreamEnds> ends;
  for (mlir::Operation &task : tasks.getBody().front()) {
    llvm::StringMap<bool> mine = accessesOf(task);
    ends.push_back(StreamEnds::of(task));
    for (size_t earlier = children.size(); earlier-- > 0;) {
      bool waits = conflict(accesses[earlier], mine) ||
                   streamBetween(ends[earlier], ends.back(), /*stored=*/true);
      if (waits && !precedence(tasks)[earlier][children.size()])
        orderAfter(&task, children[earlier]);
    }
    children.push_back(&task);
    accesses.push_back(std::move(mine));
  }
  return checkStreams(tasks, ends);
}

} // namespace spindle::hls
