#include "hw/hls/lower/kernel/ChooseMemories.h"

#include "dialects/hls/Concurrency.h"
#include "hw/hls/lower/PipelineProblem.h"

#include "llvm/ADT/MapVector.h"
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
    if (!isSmall(memory))
      return;
    mlir::Builder builder(memory.getContext());
    memory.setDistributed(true);
    memory.setPortsAttr(builder.getI64IntegerAttr(readsOf(memory) + 1));
    memory.setReadLatencyAttr(builder.getI64IntegerAttr(isOnCircle(memory) ? 1 : 0));
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

  /// Whether reads are without a register, as far as the size goes.
  bool isSmall(MemoryOp memory) const {
    Traffic traffic = fullest.lookup(memory);
    if (memory.getArgument() || memory.getRegisters() || traffic.stores > 1 || traffic.loads == 0)
      return false;
    return lutsOf(memory, readsOf(memory), traffic.stores == 0) <=
           blocksOf(memory) * int64_t(target.memory.blockLuts);
  }

  int64_t readsOf(MemoryOp memory) const {
    bool readsTwice = fullest.lookup(memory).loads > 1 || readTogether.count(memory);
    return readsTwice ? target.memory.ports : 1;
  }

  /// What leads to the ports of a memory in a pipeline, without a register or a unit between: the
  /// small memories whose words decide about its addresses and conditions.
  llvm::Error findDecisive(PipelineOp pipeline) {
    llvm::MapVector<mlir::Operation *, llvm::SetVector<mlir::Value>> deciding; // by memory
    llvm::SetVector<mlir::Value> decidingAll; // about the whole iteration
    for (mlir::Operation &op : pipeline.getBody().front()) {
      if (auto load = llvm::dyn_cast<LoadOp>(op))
        deciding[memoryOf(&op)].insert_range(load->getOperands());
      if (auto store = llvm::dyn_cast<StoreOp>(op)) {
        deciding[memoryOf(&op)].insert(store.getAddress());
        deciding[memoryOf(&op)].insert(store.getCondition());
      }
      if (auto pop = llvm::dyn_cast<PopOp>(op))
        decidingAll.insert(pop.getCondition());
    }
    for (auto &[memory, values] : deciding) {
      values.insert_range(decidingAll);
      SPINDLE_ASSIGN(std::set<mlir::Operation *> sources, memoriesBehind(pipeline, values));
      behindPorts[memory].insert(sources.begin(), sources.end());
    }
    return llvm::Error::success();
  }

  llvm::Expected<std::set<mlir::Operation *>>
  memoriesBehind(PipelineOp pipeline, llvm::SetVector<mlir::Value> &values) const {
    std::set<mlir::Operation *> sources;
    auto next = llvm::cast<YieldOp>(pipeline.getBody().front().getTerminator()).getValues();
    for (size_t n = 0; n < values.size(); ++n) {
      mlir::Value value = values[n];
      auto argument = llvm::dyn_cast_or_null<mlir::BlockArgument>(value);
      if (argument && argument.getOwner() == &pipeline.getBody().front() &&
          argument.getArgNumber() >= pipeline.getLevels())
        values.insert(next[argument.getArgNumber() - pipeline.getLevels()]);
      mlir::Operation *maker = value ? value.getDefiningOp() : nullptr;
      if (!maker || !pipeline->isAncestor(maker))
        continue;
      if (llvm::isa<LoadOp>(maker)) {
        if (isSmall(memoryOf(maker)))
          sources.insert(memoryOf(maker));
        continue;
      }
      if (maker->getNumOperands() == 0)
        continue;
      SPINDLE_ASSIGN(const FunctionalUnit *unit, unitNeededBy(maker, target, ranges));
      if (!unit)
        values.insert_range(maker->getOperands());
    }
    return sources;
  }

  /// One of its ports could lead to others, in whatever pipelines, and back to it.
  bool isOnCircle(MemoryOp memory) const {
    std::vector<mlir::Operation *> open{memory};
    std::set<mlir::Operation *> seen;
    while (!open.empty()) {
      auto behind = behindPorts.find(open.back());
      open.pop_back();
      if (behind == behindPorts.end())
        continue;
      if (behind->second.count(memory))
        return true;
      for (mlir::Operation *source : behind->second)
        if (seen.insert(source).second)
          open.push_back(source);
    }
    return false;
  }

  static int64_t lutsOf(MemoryOp memory, int64_t reads, bool isConstant) {
    int64_t bits = memory.getElement().getIntOrFloatBitWidth();
    return lutRamLuts(memory.getBankWords(), bits, reads, isConstant);
  }

  static int64_t blocksOf(MemoryOp memory) {
    int64_t bits = memory.getElement().getIntOrFloatBitWidth();
    return int64_t(llvm::divideCeil(uint64_t(memory.getBankWords() * bits), uint64_t(kBlockBits)));
  }

  const Target &target;
  IndexRanges ranges;
  std::vector<PipelineOp> pipelines;
  TrafficOf fullest;
  std::set<mlir::Operation *> readTogether;
  std::map<mlir::Operation *, std::set<mlir::Operation *>> behindPorts; // of a memory
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
