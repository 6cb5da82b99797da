#include "hw/cosim/ProgramFile.h"

#include "lib/support/File.h"

#include "fmt/format.h"
#include "mlir/Dialect/Affine/IR/AffineOps.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Bufferization/IR/Bufferization.h"
#include "mlir/Dialect/ControlFlow/IR/ControlFlow.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/Index/IR/IndexDialect.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/Dialect/Tosa/IR/TosaOps.h"
#include "mlir/Dialect/UB/IR/UBOps.h"
#include "mlir/IR/Diagnostics.h"
#include "mlir/Parser/Parser.h"

#include <optional>

using namespace mlir;

namespace spindle::hls {

std::unique_ptr<MLIRContext> makeProgramContext() {
  auto context = std::make_unique<MLIRContext>(MLIRContext::Threading::DISABLED);
  context
      ->loadDialect<affine::AffineDialect, arith::ArithDialect, bufferization::BufferizationDialect,
                    cf::ControlFlowDialect, func::FuncDialect, index::IndexDialect,
                    linalg::LinalgDialect, math::MathDialect, memref::MemRefDialect,
                    scf::SCFDialect, tensor::TensorDialect, tosa::TosaDialect, ub::UBDialect>();
  return context;
}

static std::string placeOf(Location location, const std::string &path) {
  auto line = location->findInstanceOf<FileLineColLoc>();
  return line ? fmt::format("{}:{}:{}", line.getFilename().str(), line.getLine(), line.getColumn())
              : path;
}

llvm::Expected<OwningOpRef<ModuleOp>> parseProgram(MLIRContext &context, const std::string &text,
                                                   const std::string &path) {
  std::optional<std::pair<std::string, std::string>> first; // place, message
  ScopedDiagnosticHandler handler(&context, [&](Diagnostic &diagnostic) {
    if (!first && diagnostic.getSeverity() == DiagnosticSeverity::Error)
      first.emplace(placeOf(diagnostic.getLocation(), path), diagnostic.str());
    return success();
  });
  OwningOpRef<ModuleOp> module = parseSourceString<ModuleOp>(text, ParserConfig(&context), path);
  if (module)
    return module;
  return first ? inputError(first->first, first->second) : inputError(path, "is no MLIR module");
}

llvm::Expected<OwningOpRef<ModuleOp>> readProgram(MLIRContext &context, const std::string &path) {
  SPINDLE_ASSIGN(std::string text, readFile(path));
  return parseProgram(context, text, path);
}

} // namespace spindle::hls
