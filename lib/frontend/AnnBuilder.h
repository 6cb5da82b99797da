// Builds the ANN graph out of the few operations that every model format comes down to. Constants
// are evaluated on the way, so an operation on constants leaves nothing in the graph.
#pragma once

#include "dialects/snn/Snn.h"
#include "lib/frontend/Tensor.h"
#include "lib/support/Error.h"

#include "mlir/IR/BuiltinOps.h"

#include <functional>

namespace spindle {

enum class Arithmetic { Add, Subtract, Multiply, Divide, Maximum };

/// A window over rows and columns.
struct Window {
  Shape kernel; // rows, columns; of a convolution from the weights
  Shape strides = {1, 1};
  Shape padding = {0, 0, 0, 0}; // top, left, bottom, right
  Shape dilations = {1, 1};
};

class AnnBuilder {
public:
  /// Starts `@main`. `shape` is that of the model's input with a batch of one.
  AnnBuilder(mlir::MLIRContext &context, mlir::Location location);

  /// The argument of `@main` as the model sees it: images are channel, row, column outside, in the
  /// model they may be row, column, channel; other inputs are vectors outside. Call once, first.
  llvm::Expected<Tensor> input(const Shape &modelShape, bool channelsLast);
  /// Ends the function with a vector and hands over the verified module.
  llvm::Expected<mlir::OwningOpRef<mlir::ModuleOp>> finish(const Tensor &result);

  /// What follows belongs to one operation of the model: `place` for errors, `layer` its own name
  /// or empty.
  void enter(std::string place, mlir::Location location, llvm::StringRef layer = "");
  /// An input error at the present operation.
  llvm::Error refuse(const std::string &message) const { return inputError(place, message); }
  const std::string &presentPlace() const { return place; }
  mlir::Location presentLocation() const { return location; }

  // Element by element (AnnElementwise.cpp).
  llvm::Expected<Tensor> arithmetic(Arithmetic kind, const Tensor &a, const Tensor &b);
  llvm::Expected<Tensor> relu(const Tensor &x);
  /// A function of constants only; `what` names it in the error.
  llvm::Expected<Tensor> evaluate(const std::string &what, const Tensor &x,
                                  const std::function<double(double)> &function);

  // Arrangements (AnnShapes.cpp).
  llvm::Expected<Tensor> reshape(const Tensor &x, const Shape &shape);
  llvm::Expected<Tensor> transpose(const Tensor &x, const Shape &permutation);
  /// Zeros around an activation, taken up by the window operation that follows.
  llvm::Expected<Tensor> pad(const Tensor &x, const Shape &low, const Shape &high);

  // Sums (AnnLinear.cpp, AnnWindows.cpp).
  /// Matrix product; one side is constant. Leading dimensions of extent one are kept.
  llvm::Expected<Tensor> matmul(const Tensor &a, const Tensor &b);
  /// Images batch, channel, row, column; weight filter, channel, row, column.
  llvm::Expected<Tensor> conv2d(const Tensor &x, const Tensor &weight, Window window,
                                int64_t groups = 1);
  llvm::Expected<Tensor> averagePool(const Tensor &x, Window window, bool countIncludePad);

  /// Extent of the leading dimension in the file; constants that repeat over it are cut to one.
  int64_t batch = 1;

private:
  /// factor · x + bias, in a shape of the same size.
  llvm::Expected<Tensor> scale(const Tensor &x, const Shape &shape, const Tensor &factor,
                               const Tensor &bias);
  llvm::Expected<Tensor> withoutBatch(const Tensor &constant, const Tensor &activation);
  llvm::Error checkPlain(const Tensor &x) const;
  llvm::Error checkSize(const Shape &shape) const;
  /// An activation of the graph as a tensor of the model.
  llvm::Expected<Tensor> activation(mlir::Value value, const Shape &shape);
  /// A constant of f32 in the graph; a vector where no shape is given.
  mlir::Value constant(const std::vector<double> &values, Shape shape = {});
  /// Checks the numbers of a window, takes up the padding of `x` and gives the size of the output.
  llvm::Expected<Shape> slide(const Tensor &x, Window &window) const;

  mlir::OwningOpRef<mlir::ModuleOp> module;
  mlir::OpBuilder builder;
  mlir::Location location;
  mlir::Block *body = nullptr;
  mlir::StringAttr layer;
  std::string place;
};

} // namespace spindle
