// The rewrites of snn-compose-linear, by what they merge. Private to this folder.
#pragma once

#include "dialects/snn/Snn.h"

#include "mlir/IR/PatternMatch.h"

namespace spindle::snn {

void addScalePatterns(mlir::RewritePatternSet &patterns);   // ComposeLinearScales.cpp
void addPoolPatterns(mlir::RewritePatternSet &patterns);    // ComposeLinearPools.cpp
void addViewPatterns(mlir::RewritePatternSet &patterns);    // ComposeLinearViews.cpp
void addDensePatterns(mlir::RewritePatternSet &patterns);   // ComposeLinearDense.cpp
void addMaximumPatterns(mlir::RewritePatternSet &patterns); // ComposeLinearMaxima.cpp
void addJoinPatterns(mlir::RewritePatternSet &patterns);    // ComposeLinearJoins.cpp
void addRowPatterns(mlir::RewritePatternSet &patterns);     // ComposeLinearRows.cpp: with `rows`

/// `map` of `input` in place of `second`, whose input comes from `first`.
SparseOp makeRows(mlir::OpBuilder &builder, mlir::Operation *second, mlir::Operation *first,
                  mlir::Value input, const LinearMap &map);

/// Whether a scale of this value is merged into what makes it.
bool takesScale(mlir::Value value);

/// A scale read into vectors of equal length, one value per channel or one per element. Folding
/// computes in double and rounds once, when the constant is made.
struct ScaleValues {
  std::vector<double> factor, bias;

  bool hasBias() const {
    return llvm::any_of(bias, [](double value) { return value != 0; });
  }
  /// Each value repeated so that there are `count`.
  void expand(size_t count);
  /// One value for each of `channels` equal blocks, where both vectors allow it.
  void narrow(size_t channels);
};

/// The values of a scale; fails when they are not constant.
mlir::FailureOr<ScaleValues> valuesOf(ScaleOp scale);

/// The values of a bias operand, `count` zeros where it is absent; fails when they are not
/// constant.
mlir::FailureOr<std::vector<double>> biasOf(mlir::Value bias, size_t count);

/// A scale of `input`: one value per channel where the values allow it, no bias where it is zero.
ScaleOp makeScale(mlir::OpBuilder &builder, mlir::Location location, mlir::Value input,
                  ScaleValues values, mlir::StringAttr layer);

/// A constant vector, or no value where all are zero.
mlir::Value makeBias(mlir::OpBuilder &builder, mlir::Location location,
                     const std::vector<double> &values);

/// Rounds to f32.
std::vector<float> rounded(const std::vector<double> &values);

} // namespace spindle::snn
