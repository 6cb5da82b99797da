#include "lib/emulation/lanes/MachineCode.h"

#include "lib/emulation/lanes/HostTarget.h"

#include "mlir/ExecutionEngine/ExecutionEngine.h"
#include "mlir/ExecutionEngine/OptUtils.h"

namespace spindle::engine {

MachineCode::MachineCode() = default;
MachineCode::MachineCode(MachineCode &&) = default;
MachineCode &MachineCode::operator=(MachineCode &&) = default;
MachineCode::~MachineCode() = default;

llvm::Expected<MachineCode> MachineCode::compile(mlir::ModuleOp module,
                                                 const std::vector<std::string> &names,
                                                 Optimisation optimisation,
                                                 const std::vector<Callee> &callees) {
  bool isFull = optimisation == Optimisation::Full;
  SPINDLE_ASSIGN(std::unique_ptr<llvm::TargetMachine> target, hostTarget());
  auto optimise = mlir::makeOptimizingTransformer(isFull ? 3 : 2, /*sizeLevel=*/0, target.get());
  mlir::ExecutionEngineOptions options;
  options.transformer = optimise;
  if (isFull)
    options.jitCodeGenOptLevel = llvm::CodeGenOptLevel::Aggressive;
  options.enableGDBNotificationListener = false;
  options.enablePerfNotificationListener = false;
  SPINDLE_ASSIGN(auto engine, mlir::ExecutionEngine::create(module, options, std::move(target)));
  engine->registerSymbols([&](llvm::orc::MangleAndInterner intern) {
    llvm::orc::SymbolMap symbols;
    for (const Callee &callee : callees)
      symbols[intern(callee.name)] = {llvm::orc::ExecutorAddr::fromPtr(callee.address),
                                      llvm::JITSymbolFlags::Exported |
                                          llvm::JITSymbolFlags::Callable};
    return symbols;
  });
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

} // namespace spindle::engine
