#include "hw/hls/software-pipelining/PrintCode.h"

#include "hw/hls/software-pipelining/PrintCpp.h"

#include "mlir/Pass/Pass.h" // headers of the conversions rely on it

#include "mlir/Conversion/AffineToStandard/AffineToStandard.h"
#include "mlir/Conversion/ArithToLLVM/ArithToLLVM.h"
#include "mlir/Conversion/ControlFlowToLLVM/ControlFlowToLLVM.h"
#include "mlir/Conversion/FuncToLLVM/ConvertFuncToLLVMPass.h"
#include "mlir/Conversion/MathToLLVM/MathToLLVM.h"
#include "mlir/Conversion/MemRefToLLVM/MemRefToLLVM.h"
#include "mlir/Conversion/ReconcileUnrealizedCasts/ReconcileUnrealizedCasts.h"
#include "mlir/Conversion/SCFToControlFlow/SCFToControlFlow.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/IR/Diagnostics.h"
#include "mlir/IR/OwningOpRef.h"
#include "mlir/Pass/PassManager.h"
#include "mlir/Target/LLVMIR/Dialect/Builtin/BuiltinToLLVMIRTranslation.h"
#include "mlir/Target/LLVMIR/Dialect/LLVMIR/LLVMToLLVMIRTranslation.h"
#include "mlir/Target/LLVMIR/Export.h"
#include "llvm/IR/LLVMContext.h"
#include "llvm/IR/Module.h"

using namespace mlir;

namespace spindle::hls {

namespace {

/// Runs passes on a copy; the first diagnostic goes into the error.
llvm::Expected<OwningOpRef<ModuleOp>> lowered(ModuleOp module, PassManager &passes,
                                              const std::string &into) {
  OwningOpRef<ModuleOp> copy(module.clone());
  std::string first;
  ScopedDiagnosticHandler handler(module.getContext(), [&](Diagnostic &diagnostic) {
    if (first.empty())
      first = diagnostic.str();
    return success();
  });
  if (failed(passes.run(*copy)))
    return inputError("", "cannot be written as " + into + ": " + first);
  return copy;
}

llvm::Expected<std::string> printLlvm(ModuleOp module) {
  PassManager passes(module.getContext());
  passes.addPass(createLowerAffinePass());
  passes.addPass(createSCFToControlFlowPass());
  passes.addPass(createConvertMathToLLVMPass());
  passes.addPass(createArithToLLVMConversionPass());
  passes.addPass(createFinalizeMemRefToLLVMConversionPass());
  passes.addPass(createConvertFuncToLLVMPass());
  passes.addPass(createConvertControlFlowToLLVMPass());
  passes.addPass(createReconcileUnrealizedCastsPass());
  SPINDLE_ASSIGN(OwningOpRef<ModuleOp> copy, lowered(module, passes, "LLVM IR"));
  llvm::LLVMContext context;
  auto code = translateModuleToLLVMIR(*copy, context, "kernel");
  if (!code)
    return checkError("", "LLVM IR cannot be made of the lowered program");
  std::string text;
  llvm::raw_string_ostream stream(text);
  code->print(stream, nullptr);
  return text;
}

llvm::Expected<std::string> printPublicFunction(ModuleOp module) {
  for (auto function : module.getOps<func::FuncOp>())
    if (!function.isPrivate())
      return printCpp(function);
  return inputError("", "no function to write in C++");
}
} // namespace

void registerCodeDialects(DialectRegistry &registry) {
  registry.insert<LLVM::LLVMDialect>();
  registerBuiltinDialectTranslation(registry);
  registerLLVMDialectTranslation(registry);
}

llvm::Expected<std::string> printCode(ModuleOp module, CodeFormat format) {
  if (format == CodeFormat::Llvm)
    return printLlvm(module);
  if (format == CodeFormat::Cpp)
    return printPublicFunction(module);
  std::string text;
  llvm::raw_string_ostream stream(text);
  module.print(stream);
  return text + "\n";
}

} // namespace spindle::hls
