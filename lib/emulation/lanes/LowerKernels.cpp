#include "lib/emulation/lanes/LowerKernels.h"

#include "dialects/jit/Jit.h"

#include "mlir/Conversion/ArithToLLVM/ArithToLLVM.h"
#include "mlir/Conversion/ControlFlowToLLVM/ControlFlowToLLVM.h"
#include "mlir/Conversion/FuncToLLVM/ConvertFuncToLLVMPass.h"
#include "mlir/Conversion/MathToLLVM/MathToLLVM.h"
#include "mlir/Conversion/MemRefToLLVM/MemRefToLLVM.h"
#include "mlir/Conversion/ReconcileUnrealizedCasts/ReconcileUnrealizedCasts.h"
#include "mlir/Conversion/SCFToControlFlow/SCFToControlFlow.h"
#include "mlir/Conversion/VectorToLLVM/ConvertVectorToLLVMPass.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/IR/Diagnostics.h"
#include "mlir/IR/Verifier.h"
#include "mlir/Pass/PassManager.h"
#include "mlir/Transforms/Passes.h"

using namespace mlir;

namespace spindle::lanes {

/// MLIR prints unless someone listens: what it says is the error.
static llvm::Error listen(ModuleOp module, llvm::StringRef failure,
                          llvm::function_ref<LogicalResult()> work) {
  std::string messages;
  ScopedDiagnosticHandler listener(module.getContext(), [&](Diagnostic &diagnostic) {
    llvm::raw_string_ostream(messages) << (messages.empty() ? "" : "; ") << diagnostic;
    return success();
  });
  if (failed(work()))
    return checkError("emulation kernels", failure.str() + ": " + messages);
  return llvm::Error::success();
}

llvm::Error verifyKernels(ModuleOp module) {
  return listen(module, "the verifier refuses them", [&] { return verify(module); });
}

llvm::Error lowerKernels(ModuleOp module) {
  SPINDLE_RETURN_IF_ERROR(verifyKernels(module)); // passes take this for granted
  jit::registerTranslations(*module.getContext());
  PassManager passes(module.getContext());
  passes.addPass(createCanonicalizerPass());
  passes.addPass(createCSEPass());
  passes.addPass(createSCFToControlFlowPass());
  passes.addPass(createConvertMathToLLVMPass());
  passes.addPass(createConvertVectorToLLVMPass());
  passes.addPass(createArithToLLVMConversionPass());
  passes.addPass(createFinalizeMemRefToLLVMConversionPass());
  passes.addPass(createConvertControlFlowToLLVMPass());
  ConvertFuncToLLVMPassOptions options;
  options.useBarePtrCallConv = true;
  passes.addPass(createConvertFuncToLLVMPass(options));
  passes.addPass(createReconcileUnrealizedCastsPass());
  return listen(module, "lowering to LLVM failed", [&] { return passes.run(module); });
}

} // namespace spindle::lanes
