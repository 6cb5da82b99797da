#include "lib/frontend/mlir/MlirModel.h"

#include "core/support/files/File.h"
#include "core/support/files/RunApart.h"
#include "dialects/affine/Divisors.h"
#include "dialects/location/Location.h"
#include "dialects/snn/Snn.h"

#include "fmt/format.h"
#include "fmt/ranges.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/ControlFlow/IR/ControlFlow.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/MLProgram/IR/MLProgram.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/Dialect/Tosa/IR/TosaOps.h"
#include "mlir/IR/Diagnostics.h"

using namespace mlir;

namespace spindle {

std::string placeOf(Location location, const std::string &path) {
  auto line = location->findInstanceOf<FileLineColLoc>();
  if (!line)
    return path;
  std::string place = placeOf(line);
  return line.getFilename() == path ? place : fmt::format("{}: {}", path, place);
}

/// Attributes of dialects we do not know, such as `secret.secret`, are allowed while a file is
/// read.
namespace {
class AllowUnknownDialects {
public:
  explicit AllowUnknownDialects(MLIRContext &c)
      : context(c), before(c.allowsUnregisteredDialects()) {
    context.allowUnregisteredDialects();
  }
  ~AllowUnknownDialects() { context.allowUnregisteredDialects(before); }

private:
  MLIRContext &context;
  bool before;
};
} // namespace

/// Whether the text at a diagnostic, or the diagnostic itself, is about tosa.
static bool concernsTosa(StringRef text, const std::string &message, Location location) {
  auto line = location->findInstanceOf<FileLineColLoc>();
  SmallVector<StringRef> lines;
  text.split(lines, '\n');
  return message.find("tosa.") != std::string::npos ||
         (line && line.getLine() >= 1 && line.getLine() <= lines.size() &&
          lines[line.getLine() - 1].contains("tosa."));
}

/// Parses; `report` gets the place and the message of every error.
static OwningOpRef<ModuleOp> parseText(MLIRContext &context, const std::string &text,
                                       const std::string &path,
                                       llvm::function_ref<void(StringRef, StringRef)> report) {
  ScopedDiagnosticHandler handler(&context, [&](Diagnostic &diagnostic) {
    if (diagnostic.getSeverity() != DiagnosticSeverity::Error)
      return success();
    std::string message = StringRef(diagnostic.str()).split('\n').first.str();
    if (concernsTosa(text, message, diagnostic.getLocation()))
      message += " (perhaps written by a TOSA older than 1.0: export it with LLVM 20 or newer)";
    report(placeOf(diagnostic.getLocation(), path), message);
    return success();
  });
  AllowUnknownDialects allow(context);
  return parseWithDivisors(context, text, path);
}

llvm::Expected<OwningOpRef<ModuleOp>> parseMlir(MLIRContext &context, const std::string &path) {
  SPINDLE_ASSIGN(std::string text, readFile(path));
  context.loadDialect<func::FuncDialect, arith::ArithDialect, math::MathDialect,
                      tensor::TensorDialect, linalg::LinalgDialect, tosa::TosaDialect,
                      snn::SnnDialect, cf::ControlFlowDialect, ml_program::MLProgramDialect>();
  // MLIR's parser itself crashes on some texts (`permutation = [1 0]`), mostly after its message.
  auto refused = [&](const Refusal &refuse) {
    if (!parseText(context, text, path, refuse))
      refuse(path, "is no MLIR module");
    return std::string();
  };
  SPINDLE_RETURN_IF_ERROR(
      runApart({path, "MLIR's parser", "write the model another way"}, refused).takeError());
  OwningOpRef<ModuleOp> module = parseText(context, text, path, [](StringRef, StringRef) {});
  if (!module)
    return inputError(path, "is no MLIR module");
  return module;
}

llvm::Expected<func::FuncOp> findFunction(ModuleOp module, const std::string &name,
                                          const std::string &path) {
  std::vector<std::string> names;
  func::FuncOp chosen;
  size_t bodies = 0;
  for (auto function : module.getOps<func::FuncOp>()) {
    if (function.isExternal())
      continue;
    std::string own = function.getSymName().str();
    names.push_back(own);
    if (own == (name.empty() ? "main" : name))
      return function;
    if (function.isPublic()) {
      chosen = function;
      ++bodies;
    }
  }
  if (name.empty() && bodies == 1)
    return chosen;
  std::string there = names.empty() ? "none" : fmt::format("{}", fmt::join(names, ", "));
  if (name.empty())
    return inputError(path,
                      fmt::format("which function is the network? choose one by model.function; "
                                  "there: {}",
                                  there));
  return inputError(path, fmt::format("function '{}' is absent; there: {}", name, there));
}

llvm::Expected<Shape> staticShape(Type type, const std::string &place) {
  auto tensor = dyn_cast<RankedTensorType>(type);
  if (!tensor || !tensor.hasStaticShape()) {
    std::string text;
    llvm::raw_string_ostream(text) << type;
    return inputError(place, fmt::format("type {} is not supported, expected a tensor of static "
                                         "shape",
                                         text));
  }
  return Shape(tensor.getShape().begin(), tensor.getShape().end());
}

} // namespace spindle
