// Builds the ANN graph out of the few operations that every model format comes down to. Constants
// are evaluated on the way, so an operation on constants leaves nothing in the graph.
#pragma once

#include "core/support/Error.h"
#include "dialects/snn/Snn.h"
#include "lib/frontend/Tensor.h"

#include "mlir/IR/BuiltinOps.h"

#include <functional>

namespace spindle {

enum class Arithmetic { Add, Subtract, Multiply, Divide, Maximum, Minimum };

/// A window over rows and columns; over a signal of one dimension a window of one row.
struct Window {
  Shape kernel; // rows, columns; of a convolution from the weights
  Shape strides = {1, 1};
  Shape padding = {0, 0, 0, 0}; // top, left, bottom, right
  Shape dilations = {1, 1};
  /// Positions are counted up: the last window may reach over the edge.
  bool countUp = false;
};

/// Padding so that an image of these rows and columns gives ceil(extent / stride) positions; the
/// odd zero goes to the end, or to the start.
void padToSame(Window &window, const Shape &rowsAndColumns, bool oddAtStart);

/// Whether a value of the graph is never negative; looks a few operations back.
bool isRectified(mlir::Value value);

/// What one dimension of a linear arrangement reads: for each output the inputs, ascending, and
/// their weights. No input: zero.
using AxisMap = std::vector<std::vector<std::pair<int64_t, double>>>;

/// The inputs with these numbers, one by one; −1 stands for zero.
AxisMap takeInputs(const Shape &numbers);
/// All of `extent` inputs.
AxisMap takeAll(int64_t extent);

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
  /// Refuses extents below one and more than `limit` elements: products of extents stay far from
  /// overflow, and a broken file cannot claim all memory.
  llvm::Error checkSize(const Shape &shape, int64_t limit = int64_t(1) << 27) const;
  /// Refuses a computed constant, or an arrangement, which needs a row for each element, of more
  /// elements than real networks have or the file holds of `from`.
  llvm::Error checkComputed(const Shape &shape, const Tensor &from = {}) const;
  const std::string &presentPlace() const { return place; }
  mlir::Location presentLocation() const { return location; }

  // Element by element (AnnElementwise.cpp). Two activations may be added or subtracted.
  llvm::Expected<Tensor> arithmetic(Arithmetic kind, const Tensor &a, const Tensor &b);
  /// (x − mean) / sqrt(variance + epsilon) · scale + bias, along dimension `axis`. Each statistic
  /// is a constant vector.
  struct Statistics {
    Tensor mean, variance, scale, bias;
    double epsilon;
  };
  llvm::Expected<Tensor> normalize(const Tensor &x, size_t axis, const Statistics &statistics);
  /// A function of constants only; `what` names it in the error.
  llvm::Expected<Tensor> evaluate(const std::string &what, const Tensor &x,
                                  const std::function<double(double)> &function);

  // Arrangements (AnnShapes.cpp).
  llvm::Expected<Tensor> reshape(const Tensor &x, const Shape &shape);
  llvm::Expected<Tensor> transpose(const Tensor &x, const Shape &permutation);
  /// A value around an activation; zeros are taken up by the window operation that follows, minus
  /// infinity by a maximum. Negative numbers cut off.
  llvm::Expected<Tensor> pad(const Tensor &x, const Shape &low, const Shape &high,
                             double outside = 0);
  /// `x` with everything that waits at it put into the graph.
  llvm::Expected<Tensor> plain(const Tensor &x);

  // Activation functions (AnnActivations.cpp).
  llvm::Expected<Tensor> relu(const Tensor &x);
  /// min(max(x, least), most); both may be infinite. A rectifier has a `least` of zero.
  llvm::Expected<Tensor> clamp(const Tensor &x, double least, double most);
  /// Rounding down; of an activation only as a part of the clip-floor-shift activation of Bu et al.
  /// 2022.
  llvm::Expected<Tensor> floor(const Tensor &x);
  /// step · clip(round(x / step), least, most), as quantised networks do between layers.
  llvm::Expected<Tensor> quantize(const Tensor &x, double step, double least, double most);
  /// An order-preserving function over all classes, at the end of a network: left out.
  llvm::Expected<Tensor> dropAtEnd(const std::string &what, const Tensor &x, bool atEnd,
                                   const Shape &over);

  // Linear arrangements that are neither window nor permutation (AnnSparse.cpp).
  /// Output (o₀, o₁, …) is Σ weight · x(i₀, i₁, …) with one map per dimension; elements that read
  /// no input are `elsewhere`.
  llvm::Expected<Tensor> arrange(const Tensor &x, const std::vector<AxisMap> &maps,
                                 double elsewhere = 0);
  /// `arrange` along one dimension.
  llvm::Expected<Tensor> arrangeAxis(const Tensor &x, size_t axis, const AxisMap &map);
  /// Joins along a dimension other than the batch.
  llvm::Expected<Tensor> concat(llvm::ArrayRef<Tensor> parts, size_t axis);
  /// Mean or sum over dimensions, which stay with an extent of one.
  llvm::Expected<Tensor> reduce(const Tensor &x, const std::vector<size_t> &axes, bool mean);

  // Sums (AnnLinear.cpp, AnnWindows.cpp).
  /// Matrix product; one side is constant. Leading dimensions of extent one are kept.
  llvm::Expected<Tensor> matmul(const Tensor &a, const Tensor &b);
  /// Images batch, channel, row, column; weight filter, channel, row, column.
  llvm::Expected<Tensor> conv2d(const Tensor &x, const Tensor &weight, Window window,
                                int64_t groups = 1);
  llvm::Expected<Tensor> averagePool(const Tensor &x, Window window, bool countIncludePad);
  llvm::Expected<Tensor> maxPool(const Tensor &x, Window window);

  /// Extent of the leading dimension in the file; constants that repeat over it are cut to one.
  int64_t batch = 1;

private:
  /// factor · x + bias, in a shape of the same size.
  llvm::Expected<Tensor> scale(const Tensor &x, const Shape &shape, const Tensor &factor,
                               const Tensor &bias);
  llvm::Expected<Tensor> joined(Arithmetic kind, const Tensor &a, const Tensor &b);
  llvm::Expected<Tensor> withoutBatch(const Tensor &constant, const Tensor &activation);
  llvm::Expected<Tensor> onEachColumn(const Tensor &weights, const Tensor &x, const Shape &shape);
  llvm::Expected<Tensor> onEachRow(const Tensor &x, const Tensor &weights, const Shape &shape);
  /// The staircase that rounding down the present value makes.
  llvm::Expected<Tensor> resolveFloor(const Tensor &x);
  Tensor rectifier(const Tensor &x, double maximum, int64_t levels);
  /// An activation of the graph as a tensor of the model.
  llvm::Expected<Tensor> activation(mlir::Value value, const Shape &shape);
  /// A constant of f32 in the graph; a vector where no shape is given.
  mlir::Value constant(const std::vector<double> &values, Shape shape = {});
  /// Checks the numbers of a window and gives the number of positions along rows and columns.
  llvm::Expected<Shape> slide(const Tensor &x, Window &window) const;
  /// `x` as an image whose zeros in front of rows and columns belong to the window.
  llvm::Expected<Tensor> imageFor(const Tensor &x, Window &window);
  /// A signal of one dimension (batch, channel, position) as an image of one row, and back.
  llvm::Expected<Tensor> asRow(const Tensor &x);
  llvm::Expected<Tensor> fromRow(const Tensor &x, const Tensor &like);
  llvm::Error checkPool(const Window &window) const;

  mlir::OwningOpRef<mlir::ModuleOp> module;
  mlir::OpBuilder builder;
  mlir::Location location;
  mlir::Block *body = nullptr;
  mlir::StringAttr layer;
  std::string place;
};

} // namespace spindle
