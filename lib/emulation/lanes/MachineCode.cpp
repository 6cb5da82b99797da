#include "lib/emulation/lanes/MachineCode.h"

#include "lib/emulation/lanes/HostTarget.h"

#include "mlir/ExecutionEngine/ExecutionEngine.h"

namespace spindle::lanes {

MachineCode::MachineCode() = default;
MachineCode::MachineCode(MachineCode &&) = default;
MachineCode &MachineCode::operator=(MachineCode &&) = default;
MachineCode::~MachineCode() = default;

llvm::Expected<MachineCode> MachineCode::compile(mlir::ModuleOp module,
                                                 const std::vector<std::string> &names,
                                                 Optimisation optimisation,
                                                 const std::vector<Callee> &callees) {
  jit::Options options;
  options.callees = callees;
  if (optimisation == Optimisation::Full) {
    options.level = 3;
    options.generation = llvm::CodeGenOptLevel::Aggressive;
  }
  SPINDLE_ASSIGN(std::unique_ptr<llvm::TargetMachine> target, hostTarget());
  SPINDLE_ASSIGN(auto engine, jit::makeEngine(module, std::move(target), options));
  MachineCode code;
  for (const std::string &name : names) { // the first look-up generates the code
    SPINDLE_ASSIGN(code.functions[name], engine->lookupPacked(name));
  }
  code.engines.push_back(std::move(engine));
  return code;
}

void MachineCode::add(MachineCode &&others) {
  std::move(others.engines.begin(), others.engines.end(), std::back_inserter(engines));
  functions.merge(others.functions);
}

} // namespace spindle::lanes
