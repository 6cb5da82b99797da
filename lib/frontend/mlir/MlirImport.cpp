// From the function of an MLIR file to the ANN graph.
#include "lib/frontend/Import.h"
#include "lib/frontend/mlir/MlirLifter.h"
#include "lib/frontend/mlir/MlirModel.h"

#include "fmt/format.h"
#include "mlir/Dialect/Arith/IR/Arith.h"

using namespace mlir;

namespace spindle {

/// The leading dimension of a matrix or of images is the batch; a lone column is a vector.
static int64_t batchOf(const Shape &shape) {
  bool column = shape.size() == 2 && shape[1] == 1;
  return shape.size() >= 2 && shape.size() != 3 && !column ? shape[0] : 1;
}

static bool holdsSnn(func::FuncOp function) {
  return function
      .walk([](Operation *op) {
        return isa_and_present<snn::SnnDialect>(op->getDialect()) ? WalkResult::interrupt()
                                                                  : WalkResult::advance();
      })
      .wasInterrupted();
}

/// A stage file, or one written by hand, is taken as it is.
static llvm::Expected<OwningOpRef<ModuleOp>> adopt(func::FuncOp function, const std::string &path) {
  if (function.getNumArguments() != 1 || function.getNumResults() != 1)
    return inputError(placeOf(function.getLoc(), path),
                      fmt::format("function '{}' has {} arguments and {} results, expected one of "
                                  "each",
                                  function.getSymName().str(), function.getNumArguments(),
                                  function.getNumResults()));
  Operation *strange = nullptr;
  function.getBody().walk([&](Operation *op) {
    bool known = isa<snn::SynapseOp, snn::ReluOp, arith::ConstantOp, func::ReturnOp>(op);
    if (!known && !strange)
      strange = op;
  });
  if (strange)
    return inputError(placeOf(strange->getLoc(), path),
                      fmt::format("operation '{}' is not part of an ANN graph; expected synapse "
                                  "operations of the snn dialect, snn.relu and constants",
                                  strange->getName().getStringRef().str()));
  OwningOpRef<ModuleOp> module = ModuleOp::create(function.getLoc());
  auto copy = cast<func::FuncOp>(function->clone());
  copy.setSymName("main");
  copy.setPublic();
  module->push_back(copy);
  return module;
}

llvm::Expected<OwningOpRef<ModuleOp>> importMlir(MLIRContext &context,
                                                 const ModelOptions &options) {
  const std::string &path = options.path;
  SPINDLE_ASSIGN(OwningOpRef<ModuleOp> module, parseMlir(context, path));
  SPINDLE_ASSIGN(func::FuncOp function, findFunction(*module, options.function, path));
  if (holdsSnn(function))
    return adopt(function, path);

  std::string place = placeOf(function.getLoc(), path);
  SPINDLE_ASSIGN(Arguments arguments, bindArguments(function, options.arguments, place));
  Type type = function.getArgumentTypes()[arguments.input];
  SPINDLE_ASSIGN(Shape shape, staticShape(type, place));
  if (!cast<RankedTensorType>(type).getElementType().isF32() || shape.empty())
    return inputError(
        place, fmt::format("argument {} is the input, expected a tensor of f32", arguments.input));
  AnnBuilder builder(context, function.getLoc());
  builder.enter(place, function.getLoc());
  builder.batch = batchOf(shape);
  if (builder.batch != 1)
    shape[0] = 1;
  SPINDLE_ASSIGN(arguments.values[arguments.input],
                 builder.input(shape, isChannelsLast(options.inputLayout, shape)));
  SPINDLE_RETURN_IF_ERROR(prepareMlir(function, builder.batch, path));
  MlirLifter lifter(builder, path);
  SPINDLE_ASSIGN(Tensor result, lifter.lift(function, arguments.values));
  return builder.finish(result);
}

} // namespace spindle
