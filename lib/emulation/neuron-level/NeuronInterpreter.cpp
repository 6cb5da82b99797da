#include "lib/emulation/neuron-level/NeuronInterpreter.h"

#include "lib/emulation/neuron-level/Evaluate.h"

#include "fmt/format.h"
#include "llvm/ADT/DenseMap.h"

using namespace mlir;

namespace spindle::neuron_level {

llvm::Error checkArguments(const Program &program, const std::vector<Value> &arguments) {
  func::FuncOp entry = program.entry;
  if (arguments.size() != entry.getNumArguments())
    return inputError(placeOrNameOf(entry),
                      fmt::format("@{} takes {} arguments, found {}", entry.getName().str(),
                                  entry.getNumArguments(), arguments.size()));
  for (size_t n = 0; n < arguments.size(); ++n)
    if (llvm::Error error =
            checkValue(arguments[n], entry.getArgumentTypes()[n], fmt::format("arg{}", n)))
      return placed(std::move(error), placeOrNameOf(entry));
  return llvm::Error::success();
}

static llvm::Expected<std::vector<Value>> run(func::FuncOp function, std::vector<Value> arguments) {
  // Values stay where they are while others are added: operands are pointers to them.
  llvm::DenseMap<mlir::Value, std::unique_ptr<Value>> values;
  for (auto [argument, value] : llvm::zip(function.getArguments(), arguments))
    values[argument] = std::make_unique<Value>(std::move(value));
  auto read = [&](mlir::ValueRange range) {
    std::vector<const Value *> operands;
    for (mlir::Value value : range)
      operands.push_back(values.find(value)->second.get());
    return operands;
  };
  auto copies = [&](mlir::ValueRange range) {
    std::vector<Value> result;
    for (const Value *value : read(range))
      result.push_back(*value);
    return result;
  };
  Block &body = function.getBody().front();
  for (Operation &op : body.without_terminator()) {
    if (auto call = dyn_cast<func::CallOp>(op)) {
      SPINDLE_ASSIGN(std::vector<Value> results, run(calleeOf(call), copies(op.getOperands())));
      for (auto [result, value] : llvm::zip(op.getResults(), results))
        values[result] = std::make_unique<Value>(std::move(value));
      continue;
    }
    SPINDLE_ASSIGN(Value result, evaluate(&op, read(op.getOperands())));
    values[op.getResult(0)] = std::make_unique<Value>(std::move(result));
  }
  return copies(body.getTerminator()->getOperands());
}

llvm::Expected<std::vector<Value>> interpret(const Program &program, std::vector<Value> arguments) {
  SPINDLE_RETURN_IF_ERROR(checkArguments(program, arguments));
  return run(program.entry, std::move(arguments));
}

} // namespace spindle::neuron_level
