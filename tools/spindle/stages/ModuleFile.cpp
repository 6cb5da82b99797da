#include "tools/spindle/stages/ModuleFile.h"

#include "core/support/files/File.h"
#include "dialects/location/Location.h"
#include "dialects/snn/synapses/DelayedSparseOp.h"

#include "mlir/Bytecode/BytecodeWriter.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/IR/Diagnostics.h"
#include "mlir/Parser/Parser.h"

namespace spindle {

std::unique_ptr<mlir::MLIRContext> makeNetworkContext() {
  auto context = std::make_unique<mlir::MLIRContext>(mlir::MLIRContext::Threading::DISABLED);
  context->loadDialect<snn::SnnDialect, mlir::arith::ArithDialect, mlir::func::FuncDialect>();
  context->getDiagEngine().registerHandler([](mlir::Diagnostic &diagnostic) {
    if (diagnostic.getSeverity() != mlir::DiagnosticSeverity::Warning)
      return mlir::failure(); // the next handler's
    llvm::errs() << placeOf(diagnostic.getLocation()) << ": warning: " << diagnostic << "\n";
    return mlir::success();
  });
  return context;
}

llvm::Expected<mlir::OwningOpRef<mlir::ModuleOp>> readModule(mlir::MLIRContext &context,
                                                             const std::string &path) {
  SPINDLE_ASSIGN(std::string text, readFile(path)); // for the better error of an unreadable file
  std::string place = path,
              message = "is not a network of ours; run the stage that writes it again";
  bool first = true;
  mlir::ScopedDiagnosticHandler handler(&context, [&](mlir::Diagnostic &diagnostic) {
    if (diagnostic.getSeverity() != mlir::DiagnosticSeverity::Error || !first)
      return mlir::success();
    first = false;
    place = placeOf(diagnostic.getLocation());
    message = diagnostic.str();
    return mlir::success();
  });
  auto module = mlir::parseSourceString<mlir::ModuleOp>(text, mlir::ParserConfig(&context), path);
  if (!module)
    return inputError(place, message);
  return module;
}

/// Lists of a million numbers are text that nobody reads.
static bool hasManySynapses(mlir::ModuleOp module) {
  constexpr size_t kMany = 1 << 20;
  size_t synapses = 0;
  module.walk([&](snn::SparseOp sparse) { synapses += sparse.getIndices().size(); });
  module.walk([&](snn::DelayedSparseOp sparse) { synapses += sparse.getIndices().size(); });
  return synapses > kMany;
}

llvm::Error writeModule(const std::string &path, mlir::ModuleOp module) {
  std::string text;
  llvm::raw_string_ostream stream(text);
  if (hasManySynapses(module)) {
    if (failed(mlir::writeBytecodeToFile(module, stream)))
      return checkError(path, "the network cannot be written as bytecode");
  } else {
    module->print(stream);
    stream << "\n";
  }
  return writeFile(path, text);
}

bool isSpiking(mlir::ModuleOp module) {
  auto found = module.walk([](mlir::Operation *op) {
    bool runsInTime = mlir::isa<snn::EncodeOp, snn::NeuronOp>(op);
    return runsInTime ? mlir::WalkResult::interrupt() : mlir::WalkResult::advance();
  });
  return found.wasInterrupted();
}

} // namespace spindle
