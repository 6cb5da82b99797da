#include "hw/hls/lower/kernel/ChooseMemories.h"

#include "dialects/hls/Concurrency.h"
#include "hw/hls/lower/PipelineProblem.h"

#include "llvm/ADT/SetVector.h"
#include "llvm/Support/MathExtras.h"

#include <set>

namespace spindle::hls {

namespace {

constexpr int64_t kBlockBits = 18 * 1024;

/// Accesses of the fullest bank of a memory in an iteration.
struct Traffic {
  int64_t loads = 0, stores = 0;
};

using TrafficOf = llvm::DenseMap<mlir::Operation *, Traffic>; // by memory

TrafficOf trafficOf(PipelineOp pipeline) {
  std::map<std::pair<mlir::Operation *, int64_t>, Traffic> byBank;
  for (mlir::Operation &op : pipeline.getBody().front())
    if (llvm::isa<LoadOp, StoreOp>(op)) {
      int64_t bank = op.getAttrOfType<mlir::IntegerAttr>("bank").getInt();
      Traffic &traffic = byBank[{memoryOf(&op), bank}];
      ++(llvm::isa<LoadOp>(op) ? traffic.loads : traffic.stores);
    }
  TrafficOf fullest;
  for (const auto &[place, traffic] : byBank) {
    Traffic &most = fullest[place.first];
    most.loads = std::max(most.loads, traffic.loads);
    most.stores = std::max(most.stores, traffic.stores);
  }
  return fullest;
}

std::set<mlir::Operation *> memoriesRead(mlir::Operation &task) {
  std::set<mlir::Operation *> memories;
  task.walk([&](LoadOp load) { memories.insert(memoryOf(load)); });
  return memories;
}

class Choice {
public:
  Choice(KernelOp kernel, const Target &hardware) : target(hardware), ranges(kernel) {
    kernel.walk([&](PipelineOp pipeline) {
      for (const auto &[memory, traffic] : trafficOf(pipeline)) {
        Traffic &most = fullest[memory];
        most.loads = std::max(most.loads, traffic.loads);
        most.stores = std::max(most.stores, traffic.stores);
      }
      pipelines.push_back(pipeline);
    });
    kernel.walk([&](TasksOp tasks) { findMeetings(tasks); });
  }

  llvm::Error findDecisive() {
    for (PipelineOp pipeline : pipelines)
      SPINDLE_RETURN_IF_ERROR(findDecisive(pipeline));
    return llvm::Error::success();
  }

  void choose(MemoryOp memory) {
    Traffic traffic = fullest.lookup(memory);
    if (memory.getArgument() || memory.getRegisters() || traffic.stores > 1 || traffic.loads == 0)
      return;
    bool readsTwice = traffic.loads > 1 || readTogether.count(memory);
    int64_t reads = readsTwice ? target.memory.ports : 1;
    if (lutsOf(memory, reads) > blocksOf(memory) * int64_t(target.memory.blockLuts))
      return;
    mlir::Builder builder(memory.getContext());
    memory.setDistributed(true);
    memory.setPortsAttr(builder.getI64IntegerAttr(reads + 1));
    memory.setReadLatencyAttr(builder.getI64IntegerAttr(decisive.count(memory) ? 1 : 0));
  }

private:
  /// Memories that two tasks read which may run at the same time.
  void findMeetings(TasksOp tasks) {
    std::vector<std::set<mlir::Operation *>> earlier;
    std::vector<std::vector<bool>> before = precedence(tasks);
    for (mlir::Operation &task : tasks.getBody().front()) {
      std::set<mlir::Operation *> mine = memoriesRead(task);
      for (size_t n = 0; n < earlier.size(); ++n)
        if (!before[n][earlier.size()])
          for (mlir::Operation *memory : mine)
            if (earlier[n].count(memory))
              readTogether.insert(memory);
      earlier.push_back(std::move(mine));
    }
  }

  /// Memories whose words decide about addresses and conditions without a unit or a memory between:
  /// read without a register, one port could lead to another and back.
  llvm::Error findDecisive(PipelineOp pipeline) {
    llvm::SetVector<mlir::Value> deciding;
    auto next = llvm::cast<YieldOp>(pipeline.getBody().front().getTerminator()).getValues();
    for (mlir::Operation &op : pipeline.getBody().front()) {
      if (auto load = llvm::dyn_cast<LoadOp>(op))
        deciding.insert_range(load->getOperands());
      if (auto store = llvm::dyn_cast<StoreOp>(op)) {
        deciding.insert(store.getAddress());
        deciding.insert(store.getCondition());
      }
    }
    for (size_t n = 0; n < deciding.size(); ++n) {
      mlir::Value value = deciding[n];
      auto argument = llvm::dyn_cast_or_null<mlir::BlockArgument>(value);
      if (argument && argument.getOwner() == &pipeline.getBody().front() &&
          argument.getArgNumber() >= pipeline.getLevels())
        deciding.insert(next[argument.getArgNumber() - pipeline.getLevels()]);
      mlir::Operation *maker = value ? value.getDefiningOp() : nullptr;
      if (!maker || !pipeline->isAncestor(maker))
        continue;
      if (llvm::isa<LoadOp>(maker)) {
        decisive.insert(memoryOf(maker));
        continue;
      }
      if (maker->getNumOperands() == 0)
        continue;
      SPINDLE_ASSIGN(const FunctionalUnit *unit, unitNeededBy(maker, target, ranges));
      if (!unit)
        deciding.insert_range(maker->getOperands());
    }
    return llvm::Error::success();
  }

  static int64_t lutsOf(MemoryOp memory, int64_t reads) {
    int64_t bits = memory.getElement().getIntOrFloatBitWidth();
    return lutRamLuts(memory.getBankWords(), bits, reads, bool(memory.getInitial()));
  }

  static int64_t blocksOf(MemoryOp memory) {
    int64_t bits = memory.getElement().getIntOrFloatBitWidth();
    return int64_t(llvm::divideCeil(uint64_t(memory.getBankWords() * bits), uint64_t(kBlockBits)));
  }

  const Target &target;
  IndexRanges ranges;
  std::vector<PipelineOp> pipelines;
  TrafficOf fullest;
  std::set<mlir::Operation *> readTogether, decisive;
};

} // namespace

llvm::Error chooseMemories(KernelOp kernel, const Target &target) {
  Choice choice(kernel, target);
  SPINDLE_RETURN_IF_ERROR(choice.findDecisive());
  for (MemoryOp memory : kernel.getOps<MemoryOp>())
    choice.choose(memory);
  return llvm::Error::success();
}

} // namespace spindle::hls
