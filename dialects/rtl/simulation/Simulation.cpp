#include "dialects/rtl/simulation/Simulation.h"

#include "dialects/rtl/simulation/Semantics.h"

#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;
using llvm::APInt;

namespace spindle::rtl {

std::vector<APInt> Simulation::valuesOf(ArrayRef<unsigned> indices) const {
  std::vector<APInt> found;
  found.reserve(indices.size());
  for (unsigned index : indices)
    found.push_back(values[index]);
  return found;
}

void Simulation::set(StringRef input, const APInt &value) {
  APInt &port = values[inputPorts.at(input)];
  assert(port.getBitWidth() == value.getBitWidth() && "a value of another width");
  port = value;
  isSettled = false;
}

APInt Simulation::get(StringRef output) {
  settle();
  return values[outputPorts.at(output)];
}

/// What lies beyond the depth is not defined, zero as good as anything.
static APInt wordAt(ArrayRef<APInt> words, const APInt &address) {
  return address.ult(words.size()) ? words[address.getZExtValue()]
                                   : APInt::getZero(words.front().getBitWidth());
}

/// Works through the combinational cells once.
void Simulation::settle() {
  if (isSettled)
    return;
  for (const Cell &cell : cells) {
    if (cell.external >= 0) {
      External &external = externals[cell.external];
      values[cell.output] = external.model->outputs(valuesOf(external.inputs))[cell.port];
    } else if (cell.memory >= 0) {
      values[cell.output] = wordAt(states[cell.memory].contents, values[cell.inputs.front()]);
    } else {
      values[cell.output] =
          cell.op ? evaluate(cell.op, valuesOf(cell.inputs)) : values[cell.inputs.front()];
    }
  }
  isSettled = true;
}

/// Whether an optional control of a register or delay is given and high; `absent` where it is not
/// given.
static bool isHigh(ArrayRef<APInt> inputs, Value control, Operation *op, bool absent) {
  if (!control)
    return absent;
  for (auto [value, operand] : llvm::zip(inputs, op->getOperands()))
    if (operand == control)
      return value.isOne();
  llvm_unreachable("an operand of the operation");
}

using Words = std::vector<APInt>;

static void advance(RegOp op, ArrayRef<APInt> inputs, Words &, Words &outputs) {
  if (isHigh(inputs, op.getReset(), op, false))
    outputs[0] = op.getResetBits();
  else if (isHigh(inputs, op.getEnable(), op, true))
    outputs[0] = inputs[0];
}

static void advance(DelayOp op, ArrayRef<APInt> inputs, Words &stages, Words &outputs) {
  if (isHigh(inputs, op.getReset(), op, false)) {
    llvm::fill(stages, APInt::getZero(widthOf(op)));
  } else if (isHigh(inputs, op.getEnable(), op, true)) {
    std::move_backward(stages.begin(), stages.end() - 1, stages.end());
    stages.front() = inputs[0];
  }
  outputs[0] = stages.back();
}

/// All ports read before any writes.
static void advance(MemoryOp, ArrayRef<APInt> inputs, Words &words, Words &outputs) {
  auto portInputs = [&](size_t port) { return inputs.slice(1 + 4 * port, 4); };
  auto inRange = [&](const APInt &address) { return address.ult(words.size()); };
  for (size_t port = 0; port < outputs.size(); ++port) // none of LUT RAM, which has no clock there
    if (portInputs(port)[0].isOne())
      outputs[port] = wordAt(words, portInputs(port)[2]);
  for (size_t port = 0; port < inputs.size() / 4; ++port) {
    ArrayRef<APInt> in = portInputs(port);
    if (in[0].isOne() && in[1].isOne() && inRange(in[2]))
      words[in[2].getZExtValue()] = in[3];
  }
}

static void advance(MachineOp op, ArrayRef<APInt> inputs, Words &current, Words &outputs) {
  int64_t state = int64_t(current[0].getZExtValue());
  ArrayRef<APInt> conditions = inputs.take_back(op.getConditions().size());
  if (inputs[1].isOne()) {
    state = 0;
  } else if (!op.getEnable() || inputs[2].isOne()) {
    for (size_t i = 0; i < conditions.size(); ++i)
      if (op.getSources()[i] == state && conditions[i].isOne()) {
        state = op.getTargets()[i];
        break;
      }
  }
  current[0] = APInt(32, uint64_t(state));
  for (auto [index, output] : llvm::enumerate(outputs))
    output = APInt(1, int64_t(index) == state);
}

void Simulation::step() {
  settle();
  std::vector<Words> next;
  next.reserve(states.size());
  for (State &state : states) {
    Words outputs = valuesOf(state.outputs), inputs = valuesOf(state.inputs);
    llvm::TypeSwitch<Operation *>(state.op).Case<RegOp, DelayOp, MemoryOp, MachineOp>(
        [&](auto op) { advance(op, inputs, state.contents, outputs); });
    next.push_back(std::move(outputs));
  }
  for (External &external : externals)
    external.model->clock(valuesOf(external.inputs));
  for (auto [state, outputs] : llvm::zip(states, next))
    for (auto [index, value] : llvm::zip(state.outputs, outputs))
      values[index] = value;
  isSettled = false;
}

} // namespace spindle::rtl
