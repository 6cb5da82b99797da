#include "lib/emulation/neuron-level/CompiledProgram.h"

#include "lib/emulation/lanes/LowerKernels.h"
#include "lib/emulation/neuron-level/BuildProgram.h"
#include "lib/emulation/neuron-level/NeuronInterpreter.h"
#include "lib/emulation/neuron-level/NeuronRuntime.h"

namespace spindle::neuron_level {

llvm::Expected<std::unique_ptr<CompiledProgram>> CompiledProgram::compile(const Program &program) {
  std::unique_ptr<CompiledProgram> result(new CompiledProgram(program));
  ProgramCode code = buildProgram(program, result->context);
  result->operations = std::move(code.operations);
  SPINDLE_RETURN_IF_ERROR(lanes::lowerKernels(*code.module));
  SPINDLE_ASSIGN(result->code, lanes::MachineCode::compile(*code.module, {"run"},
                                                           lanes::MachineCode::Optimisation::Fast,
                                                           NeuronRuntime::callees()));
  return result;
}

llvm::Expected<std::vector<Value>> CompiledProgram::run(std::vector<Value> arguments) const {
  SPINDLE_RETURN_IF_ERROR(checkArguments(program, arguments));
  NeuronRuntime runtime(operations, std::move(arguments));
  void *address = &runtime;
  void *packed[] = {&address};
  code.find("run")(packed);
  return runtime.take();
}

} // namespace spindle::neuron_level
