#include "dialects/jit/Jit.h"

#include "mlir/ExecutionEngine/ExecutionEngine.h"
#include "mlir/ExecutionEngine/OptUtils.h"
#include "mlir/Target/LLVMIR/Dialect/Builtin/BuiltinToLLVMIRTranslation.h"
#include "mlir/Target/LLVMIR/Dialect/LLVMIR/LLVMToLLVMIRTranslation.h"
#include "llvm/ExecutionEngine/Orc/JITTargetMachineBuilder.h"
#include "llvm/Support/TargetSelect.h"
#include "llvm/Target/TargetMachine.h"

#include <mutex>

namespace spindle::jit {

/// Once: LLVM's list of targets is not made for several threads at a time.
static void registerTargets() {
  static std::once_flag registered;
  std::call_once(registered, [] {
    llvm::InitializeNativeTarget();
    llvm::InitializeNativeTargetAsmPrinter();
  });
}

llvm::Expected<llvm::orc::JITTargetMachineBuilder> hostBuilder(llvm::CodeGenOptLevel level) {
  registerTargets();
  SPINDLE_ASSIGN(llvm::orc::JITTargetMachineBuilder builder,
                 llvm::orc::JITTargetMachineBuilder::detectHost());
  builder.setCodeGenOptLevel(level);
  builder.getOptions().AllowFPOpFusion = llvm::FPOpFusion::Strict;
  if (builder.getTargetTriple().isX86()) // conversions to bf16 that make zeros of subnormal numbers
    for (const char *feature : {"avx512bf16", "avxneconvert"})
      builder.getFeatures().AddFeature(feature, false);
  return builder;
}

void registerTranslations(mlir::MLIRContext &context) {
  mlir::registerBuiltinDialectTranslation(context);
  mlir::registerLLVMDialectTranslation(context);
}

llvm::Expected<std::unique_ptr<mlir::ExecutionEngine>>
makeEngine(mlir::ModuleOp module, std::unique_ptr<llvm::TargetMachine> target,
           const Options &options) {
  auto optimise = mlir::makeOptimizingTransformer(options.level, /*sizeLevel=*/0, target.get());
  mlir::ExecutionEngineOptions settings;
  settings.transformer = optimise;
  settings.jitCodeGenOptLevel = options.generation;
  settings.enableGDBNotificationListener = false;
  settings.enablePerfNotificationListener = false;
  SPINDLE_ASSIGN(auto engine, mlir::ExecutionEngine::create(module, settings, std::move(target)));
  engine->registerSymbols([&](llvm::orc::MangleAndInterner intern) {
    llvm::orc::SymbolMap symbols;
    for (const Callee &callee : options.callees)
      symbols[intern(callee.name)] = {llvm::orc::ExecutorAddr::fromPtr(callee.address),
                                      llvm::JITSymbolFlags::Exported |
                                          llvm::JITSymbolFlags::Callable};
    return symbols;
  });
  return engine;
}

} // namespace spindle::jit
