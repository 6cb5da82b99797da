#include "dialects/rtl/simulation/CombinationalPaths.h"

#include "llvm/ADT/SetVector.h"

using namespace mlir;

namespace spindle::rtl {

static Operation *targetOf(InstanceOp instance) {
  return SymbolTable::lookupNearestSymbolFrom(instance, instance.getModuleAttr());
}

SmallVector<Value> CombinationalPaths::dependencies(Value value) {
  Operation *op = value.getDefiningOp();
  auto memory = dyn_cast_or_null<MemoryOp>(op);
  if (memory && memory.getDistributed())
    return {memory.getPort(cast<OpResult>(value).getResultNumber()).address};
  if (!op || isa<RegOp, MemoryOp, MachineOp>(op))
    return {};
  if (auto delay = dyn_cast<DelayOp>(op))
    return delay.getStages() == 0 ? SmallVector<Value>{delay.getInput()} : SmallVector<Value>{};
  auto instance = dyn_cast<InstanceOp>(op);
  if (!instance)
    return SmallVector<Value>(op->getOperands());
  SmallVector<Value> inputs;
  Operation *target = targetOf(instance);
  if (!target || (isa<CircuitModuleOp>(target) && !intoModules))
    return inputs;
  const Paths &paths = pathsOf(target);
  unsigned output = cast<OpResult>(value).getResultNumber();
  if (output < paths.size())
    for (unsigned input : paths[output])
      if (input < instance.getInputs().size())
        inputs.push_back(instance.getInputs()[input]);
  return inputs;
}

std::vector<unsigned> CombinationalPaths::inputsReaching(Value output) {
  llvm::SetVector<Value> reached;
  reached.insert(output);
  std::vector<unsigned> inputs;
  for (size_t next = 0; next < reached.size(); ++next) {
    Value value = reached[next];
    if (auto argument = dyn_cast<BlockArgument>(value))
      inputs.push_back(argument.getArgNumber());
    for (Value dependency : dependencies(value))
      reached.insert(dependency);
  }
  llvm::sort(inputs);
  return inputs;
}

const CombinationalPaths::Paths &CombinationalPaths::pathsOf(Operation *module) {
  if (auto found = known.find(module); found != known.end())
    return found->second;
  Interface ports = interfaceOf(module);
  Paths paths(ports.outputNames.size());
  if (auto circuit = dyn_cast<CircuitModuleOp>(module)) {
    for (auto [path, output] : llvm::zip(paths, circuit.getTerminator().getOutputs()))
      path = inputsReaching(output);
  } else if (std::optional<ArrayAttr> pairs = cast<ExternOp>(module).getCombinational()) {
    for (ArrayAttr pair : pairs->getAsRange<ArrayAttr>()) {
      const auto *input = llvm::find(ports.inputNames, pair[0]);
      const auto *output = llvm::find(ports.outputNames, pair[1]);
      paths[output - ports.outputNames.begin()].push_back(input - ports.inputNames.begin());
    }
  }
  return known.try_emplace(module, std::move(paths)).first->second;
}

namespace {

/// A depth-first search along dependencies with its path on an explicit stack.
class CycleSearch {
public:
  explicit CycleSearch(CombinationalPaths &known) : paths(known) {}

  /// The values of a cycle that `start` reaches, in the order of signals; empty without one.
  SmallVector<Value> from(Value start) {
    if (!enter(start))
      return {};
    while (!stack.empty()) {
      Frame &top = stack.back();
      if (top.next == top.dependencies.size()) {
        isOnPath.erase(top.value);
        stack.pop_back();
        continue;
      }
      Value dependency = top.dependencies[top.next++];
      if (isOnPath.contains(dependency))
        return cycleAt(dependency);
      enter(dependency);
    }
    return {};
  }

private:
  struct Frame {
    Value value;
    SmallVector<Value> dependencies;
    size_t next = 0;
  };

  bool enter(Value value) {
    if (!visited.insert(value).second)
      return false;
    isOnPath.insert(value);
    stack.push_back({value, paths.dependencies(value)});
    return true;
  }

  SmallVector<Value> cycleAt(Value value) {
    SmallVector<Value> cycle = {value};
    for (auto frame = stack.rbegin(); frame->value != value; ++frame)
      cycle.push_back(frame->value);
    return cycle;
  }

  CombinationalPaths &paths;
  DenseSet<Value> visited, isOnPath;
  std::vector<Frame> stack;
};

} // namespace

static LogicalResult verifyAcyclic(CircuitModuleOp module, CombinationalPaths &paths) {
  CycleSearch search(paths);
  for (Operation &op : *module.getBodyBlock())
    for (Value result : op.getResults()) {
      SmallVector<Value> cycle = search.from(result);
      if (cycle.empty())
        continue;
      InFlightDiagnostic diagnostic = cycle.front().getDefiningOp()->emitOpError(
          "is in a combinational cycle, expected a register on it");
      for (Value value : llvm::drop_begin(cycle))
        diagnostic.attachNote(value.getLoc())
            << "then through '" << value.getDefiningOp()->getName() << "'";
      return diagnostic;
    }
  return success();
}

LogicalResult verifyNoCombinationalCycle(CircuitModuleOp module) {
  CombinationalPaths paths(/*intoModules=*/false);
  return verifyAcyclic(module, paths);
}

/// Visits modules after those that they instantiate; fails on one that instantiates itself.
static LogicalResult orderModules(CircuitModuleOp module, llvm::SetVector<Operation *> &ordered,
                                  SmallVectorImpl<CircuitModuleOp> &above) {
  if (ordered.contains(module))
    return success();
  above.push_back(module);
  for (auto instance : module.getBodyBlock()->getOps<InstanceOp>()) {
    auto target = dyn_cast_or_null<CircuitModuleOp>(targetOf(instance));
    if (!target)
      continue;
    if (llvm::is_contained(above, target))
      return instance.emitOpError("makes ") << instance.getModuleAttr() << " contain itself";
    if (failed(orderModules(target, ordered, above)))
      return failure();
  }
  above.pop_back();
  ordered.insert(module);
  return success();
}

LogicalResult verifyDesign(ModuleOp design) {
  llvm::SetVector<Operation *> ordered;
  SmallVector<CircuitModuleOp> above;
  for (auto module : design.getOps<CircuitModuleOp>())
    if (failed(orderModules(module, ordered, above)))
      return failure();
  CombinationalPaths paths(/*intoModules=*/true);
  for (Operation *module : ordered)
    if (failed(verifyAcyclic(cast<CircuitModuleOp>(module), paths)))
      return failure();
  return success();
}

} // namespace spindle::rtl
