#include "lib/emulation/neuron-level/CompiledProgram.h"

#include "lib/emulation/engine/HostTarget.h"
#include "lib/emulation/engine/LowerKernels.h"
#include "lib/emulation/neuron-level/BuildProgram.h"
#include "lib/emulation/neuron-level/NeuronInterpreter.h"
#include "lib/emulation/neuron-level/NeuronRuntime.h"

#include "mlir/ExecutionEngine/OptUtils.h"
#include "mlir/Target/LLVMIR/Dialect/Builtin/BuiltinToLLVMIRTranslation.h"
#include "mlir/Target/LLVMIR/Dialect/LLVMIR/LLVMToLLVMIRTranslation.h"

namespace spindle::neurons {

llvm::Expected<std::unique_ptr<CompiledProgram>> CompiledProgram::compile(const Program &program) {
  std::unique_ptr<CompiledProgram> result(new CompiledProgram(program));
  mlir::registerBuiltinDialectTranslation(result->context);
  mlir::registerLLVMDialectTranslation(result->context);
  ProgramCode code = buildProgram(program, result->context);
  result->operations = std::move(code.operations);
  SPINDLE_RETURN_IF_ERROR(engine::lowerKernels(*code.module));
  SPINDLE_ASSIGN(std::unique_ptr<llvm::TargetMachine> target, engine::hostTarget());
  auto optimise = mlir::makeOptimizingTransformer(/*optLevel=*/2, /*sizeLevel=*/0, target.get());
  mlir::ExecutionEngineOptions options;
  options.transformer = optimise;
  options.enableGDBNotificationListener = false;
  options.enablePerfNotificationListener = false;
  SPINDLE_ASSIGN(result->engine,
                 mlir::ExecutionEngine::create(*code.module, options, std::move(target)));
  result->engine->registerSymbols(NeuronRuntime::symbols);
  SPINDLE_ASSIGN(result->code, result->engine->lookupPacked("run"));
  return result;
}

llvm::Expected<std::vector<Value>> CompiledProgram::run(std::vector<Value> arguments) const {
  SPINDLE_RETURN_IF_ERROR(checkArguments(program, arguments));
  NeuronRuntime runtime(operations, std::move(arguments));
  void *address = &runtime;
  void *packed[] = {&address};
  code(packed);
  return runtime.take();
}

} // namespace spindle::neurons
