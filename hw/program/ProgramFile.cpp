#include "hw/program/ProgramFile.h"

#include "core/support/files/File.h"
#include "core/support/files/RunApart.h"
#include "dialects/affine/Divisors.h"
#include "dialects/hls/Hls.h"
#include "dialects/location/Location.h"

#include "fmt/format.h"
#include "mlir/Dialect/Affine/IR/AffineOps.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Bufferization/IR/Bufferization.h"
#include "mlir/Dialect/ControlFlow/IR/ControlFlow.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/Index/IR/IndexDialect.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/MLProgram/IR/MLProgram.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/Dialect/Tosa/IR/TosaOps.h"
#include "mlir/Dialect/UB/IR/UBOps.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"
#include "mlir/IR/Diagnostics.h"

using namespace mlir;

namespace spindle::hls {

std::unique_ptr<MLIRContext> makeProgramContext() {
  auto context = std::make_unique<MLIRContext>(MLIRContext::Threading::DISABLED);
  context->loadDialect<
      affine::AffineDialect, arith::ArithDialect, bufferization::BufferizationDialect,
      cf::ControlFlowDialect, func::FuncDialect, index::IndexDialect, HlsDialect,
      linalg::LinalgDialect, math::MathDialect, memref::MemRefDialect, scf::SCFDialect,
      tensor::TensorDialect, tosa::TosaDialect, ub::UBDialect, vector::VectorDialect>();
  // What front ends leave beside a program: #llvm.linkage, ml_program.global.
  DialectRegistry registry;
  registry.insert<LLVM::LLVMDialect, ml_program::MLProgramDialect>();
  context->appendDialectRegistry(registry);
  context->allowUnregisteredDialects(); // attributes of other tools, dlti.dl_spec of any version;
                                        // operations are refused
  return context;
}

/// Parses; the first error goes to `report`.
static OwningOpRef<ModuleOp>
parseText(MLIRContext &context, const std::string &text, const std::string &path,
          llvm::function_ref<void(const std::string &, const std::string &)> report) {
  ScopedDiagnosticHandler handler(&context, [&](Diagnostic &diagnostic) {
    auto line = diagnostic.getLocation()->findInstanceOf<FileLineColLoc>();
    if (diagnostic.getSeverity() == DiagnosticSeverity::Error)
      report(line ? placeOf(line) : path, diagnostic.str());
    return success();
  });
  return parseWithDivisors(context, text, path);
}

llvm::Expected<OwningOpRef<ModuleOp>> parseProgram(MLIRContext &context, const std::string &text,
                                                   const std::string &path) {
  // MLIR's parser itself crashes on some texts (`permutation = [1 0]`), mostly after its message.
  SPINDLE_RETURN_IF_ERROR(runApart({path, "MLIR's parser", "write the program another way"},
                                   [&](const Refusal &refuse) {
                                     if (!parseText(context, text, path, refuse))
                                       refuse(path, "is no MLIR module");
                                     return std::string();
                                   })
                              .takeError());
  OwningOpRef<ModuleOp> module =
      parseText(context, text, path, [](const std::string &, const std::string &) {});
  assert(module && "the text was parsed in a process of its own before");
  return module;
}

llvm::Expected<OwningOpRef<ModuleOp>> readProgram(MLIRContext &context, const std::string &path) {
  SPINDLE_ASSIGN(std::string text, readFile(path));
  return parseProgram(context, text, path);
}

} // namespace spindle::hls
