// From modules to the flat list of cells that a simulation works through.
#include "core/support/Error.h"
#include "dialects/rtl/simulation/CombinationalPaths.h"
#include "dialects/rtl/simulation/Simulation.h"

#include "mlir/IR/Verifier.h"

using namespace mlir;
using llvm::APInt;

namespace spindle::rtl {

unsigned Simulation::newValue(Value value) {
  values.push_back(APInt::getZero(widthOf(value)));
  return unsigned(values.size() - 1);
}

void Simulation::addState(Operation *op, ArrayRef<unsigned> inputs, ArrayRef<unsigned> outputs) {
  State state{op, inputs.vec(), outputs.vec(), {}};
  if (auto delay = dyn_cast<DelayOp>(op)) {
    state.contents.assign(delay.getStages(), APInt::getZero(widthOf(delay)));
  } else if (auto memory = dyn_cast<MemoryOp>(op)) {
    state.contents.assign(memory.getDepth(), APInt::getZero(widthOf(memory.getResult(0))));
    if (ElementsAttr initial = memory.getInitialAttr())
      llvm::copy(initial.getValues<APInt>(), state.contents.begin());
  } else if (isa<MachineOp>(op)) {
    state.contents.assign(1, APInt::getZero(32));
    values[outputs.front()] = APInt(1, 1); // the first state
  }
  states.push_back(std::move(state));
}

llvm::Error Simulation::addInstance(InstanceOp instance, ArrayRef<unsigned> inputs,
                                    ArrayRef<unsigned> outputs) {
  Operation *target = SymbolTable::lookupNearestSymbolFrom(instance, instance.getModuleAttr());
  if (auto module = dyn_cast<CircuitModuleOp>(target)) {
    std::vector<unsigned> driven;
    SPINDLE_RETURN_IF_ERROR(elaborate(module, inputs, driven));
    for (auto [from, to] : llvm::zip(driven, outputs))
      cells.push_back({nullptr, {from}, to, -1, 0});
    return llvm::Error::success();
  }
  auto declaration = cast<ExternOp>(target);
  std::unique_ptr<ExternModel> model;
  if (models)
    model = models(declaration, instance.getParameters().value_or(DictionaryAttr()));
  if (!model)
    return checkError("", ("there is no model of @" + declaration.getSymName() +
                           ", expected one for its instance '" + instance.getInstanceName() + "'")
                              .str());
  CombinationalPaths paths(/*intoModules=*/true);
  for (auto [port, result] : llvm::enumerate(instance.getResults())) {
    SmallVector<Value> read = paths.dependencies(result);
    std::vector<unsigned> dependencies;
    for (auto [index, operand] : llvm::zip(inputs, instance.getInputs()))
      if (llvm::is_contained(read, operand))
        dependencies.push_back(index);
    cells.push_back({instance, dependencies, outputs[port], int(externals.size()), int(port)});
  }
  externals.push_back({std::move(model), inputs.vec()});
  return llvm::Error::success();
}

llvm::Error Simulation::elaborate(CircuitModuleOp module, ArrayRef<unsigned> inputs,
                                  std::vector<unsigned> &outputs) {
  DenseMap<Value, unsigned> indices;
  auto indicesOf = [&](ValueRange range) {
    std::vector<unsigned> found;
    for (Value value : range)
      found.push_back(indices.lookup(value));
    return found;
  };
  for (auto [argument, index] : llvm::zip(module.getBodyBlock()->getArguments(), inputs))
    indices[argument] = index;
  for (Operation &op : *module.getBodyBlock())
    for (Value result : op.getResults())
      indices[result] = newValue(result);
  for (Operation &op : *module.getBodyBlock()) {
    std::vector<unsigned> operands = indicesOf(op.getOperands()),
                          results = indicesOf(op.getResults());
    auto delay = dyn_cast<DelayOp>(op);
    if (auto instance = dyn_cast<InstanceOp>(op)) {
      SPINDLE_RETURN_IF_ERROR(addInstance(instance, operands, results));
    } else if (isa<RegOp, MemoryOp, MachineOp>(op) || (delay && delay.getStages() > 0)) {
      auto memory = dyn_cast<MemoryOp>(op);
      bool isLutRam = memory && memory.getDistributed();
      if (isLutRam)
        for (auto [port, result] : llvm::enumerate(results))
          cells.push_back({&op, {operands[3 + 4 * port]}, result, -1, 0, int(states.size())});
      addState(&op, operands, isLutRam ? ArrayRef<unsigned>() : ArrayRef<unsigned>(results));
    } else if (isa<OutputOp>(op)) {
      outputs = operands;
    } else {
      cells.push_back({&op, operands, results.front(), -1, 0});
    }
  }
  return llvm::Error::success();
}

/// Depth first from every cell to those that it reads; verifyDesign() has seen that there are no
/// cycles.
void Simulation::orderCells() {
  std::vector<int> producer(values.size(), -1);
  for (auto [index, cell] : llvm::enumerate(cells))
    producer[cell.output] = int(index);
  std::vector<bool> isPlaced(cells.size()), isOpen(cells.size());
  std::vector<Cell> ordered;
  std::vector<int> stack;
  for (size_t root = 0; root < cells.size(); ++root) {
    stack.push_back(int(root));
    while (!stack.empty()) {
      int index = stack.back();
      if (!isOpen[index]) {
        isOpen[index] = true;
        for (unsigned input : cells[index].inputs)
          if (int before = producer[input]; before >= 0 && !isPlaced[before])
            stack.push_back(before);
        continue;
      }
      stack.pop_back();
      if (!isPlaced[index]) {
        isPlaced[index] = true;
        ordered.push_back(cells[index]);
      }
    }
  }
  cells = std::move(ordered);
}

llvm::Expected<std::unique_ptr<Simulation>> Simulation::create(ModuleOp design, StringRef top,
                                                               ExternModels externs) {
  if (failed(mlir::verify(design)) || failed(verifyDesign(design)))
    return checkError("", "the circuit is not valid");
  auto module = design.lookupSymbol<CircuitModuleOp>(top);
  if (!module)
    return checkError("", ("there is no module @" + top).str());
  auto simulation = std::make_unique<Simulation>();
  simulation->models = std::move(externs);
  std::vector<unsigned> inputs, outputs;
  for (auto [argument, name] : llvm::zip(module.getBodyBlock()->getArguments(),
                                         module.getInputNames().getAsValueRange<StringAttr>())) {
    inputs.push_back(simulation->newValue(argument));
    simulation->inputPorts[name] = inputs.back();
  }
  SPINDLE_RETURN_IF_ERROR(simulation->elaborate(module, inputs, outputs));
  for (auto [index, name] :
       llvm::zip(outputs, module.getOutputNames().getAsValueRange<StringAttr>()))
    simulation->outputPorts[name] = index;
  simulation->orderCells();
  return simulation;
}

} // namespace spindle::rtl
