// Which values of a module are declared, under which names.
#include "dialects/rtl/NameHints.h"
#include "dialects/rtl/simulation/Liveness.h"
#include "dialects/rtl/systemverilog/ModuleEmitter.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;

namespace spindle::rtl {

/// Expressions longer than this get a declaration of their own.
constexpr size_t longestInlined = 72;

/// Characters of a name that a program asks for.
constexpr size_t longestHint = 96;

static bool isCombinational(Operation *op) {
  if (auto delay = dyn_cast<DelayOp>(op))
    return delay.getStages() == 0;
  return !isa<RegOp, MemoryOp, MachineOp, InstanceOp, OutputOp>(op);
}

ModuleEmitter::ModuleEmitter(CircuitModuleOp circuit, raw_ostream &stream, MemoryContents *files)
    : module(circuit), os(stream), contents(files) {
  orderOperations();
  declarePorts();
  declareNamed();
  declareHinted();
  declareStates();
  declareWires();
}

void ModuleEmitter::visit(Operation *op) {
  if (!visited.insert(op))
    return;
  if (isCombinational(op))
    for (Value operand : op->getOperands())
      if (Operation *producer = operand.getDefiningOp())
        visit(producer);
  ordered.push_back(op);
}

void ModuleEmitter::orderOperations() {
  live = liveOperations(module);
  for (Operation &op : *module.getBodyBlock())
    if (live.contains(&op))
      visit(&op);
}

/// What the program calls a value; instances, memories and machines have names of their own.
static NameHint hintOf(Value value) {
  Operation *op = value.getDefiningOp();
  if (!op || isa<InstanceOp, MemoryOp, MachineOp, arith::ConstantOp>(op))
    return {};
  NameHint hint = nameHint(value);
  return {hint.name.take_front(longestHint), hint.isValue};
}

/// What a value without a name is called: after what it is a part of, else after what makes it.
static std::string stemOf(Value value) {
  if (NameHint hint = hintOf(value); !hint.name.empty())
    return hint.name.str();
  Operation *op = value.getDefiningOp();
  return llvm::TypeSwitch<Operation *, std::string>(op)
      .Case([](RegOp) { return "state"; })
      .Case([](DelayOp) { return "delayed"; })
      .Case<arith::AddIOp>([](auto) { return "sum"; })
      .Case<arith::SubIOp>([](auto) { return "difference"; })
      .Case<arith::MulIOp>([](auto) { return "product"; })
      .Case<arith::AndIOp>([](auto) { return "both"; })
      .Case<arith::OrIOp>([](auto) { return "either"; })
      .Case<arith::XOrIOp>([](auto) { return "differs"; })
      .Case<arith::ShLIOp, arith::ShRUIOp, arith::ShRSIOp>([](auto) { return "shifted"; })
      .Case<arith::CmpIOp>([](auto) { return "compared"; })
      .Case<arith::SelectOp, OneHotOp>([](auto) { return "chosen"; })
      .Case<arith::ExtUIOp, arith::ExtSIOp>([](auto) { return "extended"; })
      .Case<arith::TruncIOp, ExtractOp>([](auto) { return "bits"; })
      .Case<ConcatOp>([](auto) { return "joined"; })
      .Case<ReplicateOp>([](auto) { return "mask"; })
      .Case([&](InstanceOp instance) {
        unsigned index = cast<OpResult>(value).getResultNumber();
        return (instance.getInstanceName() + "_" +
                cast<StringAttr>(instance.getOutputNames()[index]).getValue())
            .str();
      })
      .Case([&](MemoryOp memory) {
        return memory.getMemoryName().str() + "_read" +
               std::to_string(cast<OpResult>(value).getResultNumber());
      })
      .Case([&](MachineOp machine) {
        unsigned index = cast<OpResult>(value).getResultNumber();
        return (machine.getMachineName() + "_is_" +
                cast<StringAttr>(machine.getStates()[index]).getValue())
            .str();
      })
      .Default([](auto) { return "value"; });
}

std::string ModuleEmitter::nameFor(Value value, StringRef wish) {
  auto known = explicitNames.find(value);
  return known != explicitNames.end() ? known->second : names.add(wish);
}

const Place &ModuleEmitter::declare(Value value, StringRef wish, unsigned stages) {
  unsigned width = widthOf(value);
  expressions.declare(value, {nameFor(value, wish), (stages - 1) * width, width, stages * width});
  return expressions.placeOf(value);
}

void ModuleEmitter::declarePorts() {
  for (BlockArgument input : module.getBodyBlock()->getArguments()) {
    const Place &place =
        declare(input, cast<StringAttr>(module.getInputNames()[input.getArgNumber()]));
    ports.push_back({place.name, place.width});
  }
  for (StringRef output : module.getOutputNames().getAsValueRange<StringAttr>())
    names.add(output);
}

/// Names that were asked for come before those that are made up.
void ModuleEmitter::declareNamed() {
  for (Operation *op : ordered) {
    if (auto instance = dyn_cast<InstanceOp>(op))
      blockNames[op] = names.add(instance.getInstanceName());
    else if (auto memory = dyn_cast<MemoryOp>(op))
      blockNames[op] = names.add(memory.getMemoryName());
    else if (auto machine = dyn_cast<MachineOp>(op))
      blockNames[op] = names.add(machine.getMachineName());
    else if (auto name = op->getAttrOfType<StringAttr>("name"); name && op->getNumResults() == 1)
      explicitNames[op->getResult(0)] = names.add(name.getValue());
  }
}

/// Names of values of the program come before those of their parts.
void ModuleEmitter::declareHinted() {
  for (const auto &[wish, port] : module.getAliasPairs())
    aliases.push_back({names.add(wish.take_front(longestHint)), module.getInput(port)});
  for (Operation *op : ordered)
    for (Value result : op->getResults())
      if (NameHint hint = hintOf(result); hint.isValue && !explicitNames.count(result))
        explicitNames[result] = names.add(hint.name);
}

void ModuleEmitter::declareStates() {
  for (Operation *op : ordered) {
    if (isCombinational(op) || isa<MachineOp>(op))
      continue;
    auto delay = dyn_cast<DelayOp>(op);
    for (Value result : op->getResults()) {
      if (isa<MemoryOp>(op) && result.use_empty())
        continue;
      const Place &place = declare(result, stemOf(result), delay ? delay.getStages() : 1);
      states.push_back({place.name, place.vectorWidth});
    }
  }
}

bool ModuleEmitter::mustBeDeclared(Value value) {
  if (explicitNames.count(value))
    return true;
  if (value.hasOneUse() && isa<OutputOp>(*value.user_begin()))
    return false; // the port has a name
  unsigned readers = 0;
  bool isConstant = value.getDefiningOp<arith::ConstantOp>() != nullptr;
  for (OpOperand &use : value.getUses()) {
    if (!live.contains(use.getOwner()))
      continue;
    if (Expressions::needsPlace(use) || (++readers > 1 && !isConstant))
      return true;
  }
  return readers > 0 && !isConstant && expressions.lengthOf(value) > longestInlined;
}

void ModuleEmitter::declareWires() {
  for (Operation *op : ordered) {
    if (auto machine = dyn_cast<MachineOp>(op)) {
      std::string prefix = StringRef(blockNames[op]).upper() + "_";
      for (auto [result, state] : llvm::zip(machine.getResults(), machine.getStates()))
        expressions.define(result, blockNames[op] + " == " + prefix +
                                       cast<StringAttr>(state).getValue().upper());
    } else if (!isCombinational(op)) {
      continue;
    }
    for (Value result : op->getResults())
      if (mustBeDeclared(result)) {
        declare(result, stemOf(result));
        wires.push_back(result);
      }
  }
}

} // namespace spindle::rtl
