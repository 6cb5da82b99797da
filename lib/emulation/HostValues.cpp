#include "lib/emulation/HostValues.h"

#include "lib/emulation/interpreter/Interpreter.h"
#include "lib/emulation/network/InputMapping.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/IR/IRMapping.h"
#include "mlir/IR/OwningOpRef.h"

using namespace mlir;

namespace spindle {

/// The network up to a signal, which is its answer.
static OwningOpRef<ModuleOp> upTo(ModuleOp network, Value signal) {
  IRMapping mapping;
  OwningOpRef<ModuleOp> part = cast<ModuleOp>(network->clone(mapping));
  auto function = part->lookupSymbol<func::FuncOp>("main");
  Block &body = function.getBody().front();
  Value result = mapping.lookup(signal);
  body.getTerminator()->setOperands(result);
  Builder builder(part->getContext());
  function.setFunctionType(
      builder.getFunctionType(function.getArgumentTypes(), {result.getType()}));
  for (Operation &op : llvm::make_early_inc_range(llvm::reverse(body)))
    if (op.use_empty() && !op.hasTrait<OpTrait::IsTerminator>())
      op.erase();
  return part;
}

llvm::Expected<std::vector<float>> hostValues(ModuleOp whole, Value signal, const Samples &samples,
                                              size_t count) {
  OwningOpRef<ModuleOp> part = upTo(whole, signal);
  SPINDLE_ASSIGN(Network network, readNetwork(*part));
  SPINDLE_ASSIGN(InputMapping mapping, InputMapping::match(network, samples));
  interpreter::Interpreter<float> interpreter(network);
  std::vector<float> values, room, input(network.inputs());
  for (size_t sample = 0; sample < count; ++sample) {
    SPINDLE_ASSIGN(const float *given, samples.block(sample, 1, room));
    mapping.copy(given, input.data());
    SPINDLE_ASSIGN(auto run, interpreter.run(input.data(), sample, 1, 0));
    values.insert(values.end(), run.answers.back().begin(), run.answers.back().end());
  }
  return values;
}

} // namespace spindle
