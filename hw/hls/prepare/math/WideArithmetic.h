// Arithmetic of f64 on values, for functions that are spelled out.
#pragma once

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/IR/ImplicitLocOpBuilder.h"

namespace spindle::hls {

struct WideArithmetic {
  using Value = mlir::Value;
  mlir::ImplicitLocOpBuilder &b;

  Value number(double value) const {
    return mlir::arith::ConstantOp::create(b, b.getF64FloatAttr(value));
  }
  Value plus(Value left, Value right) const { return mlir::arith::AddFOp::create(b, left, right); }
  Value minus(Value left, Value right) const { return mlir::arith::SubFOp::create(b, left, right); }
  Value times(Value left, Value right) const { return mlir::arith::MulFOp::create(b, left, right); }
  Value over(Value left, Value right) const { return mlir::arith::DivFOp::create(b, left, right); }
  /// Coefficients from the constant on, by Horner's rule.
  Value polynomial(llvm::ArrayRef<double> coefficients, Value x) const {
    Value sum = number(coefficients.back());
    for (double coefficient : llvm::reverse(coefficients.drop_back()))
      sum = plus(times(sum, x), number(coefficient));
    return sum;
  }
  Value exp(Value x) const { return mlir::math::ExpOp::create(b, x); }
  Value isBelow(Value x, double border) const {
    return mlir::arith::CmpFOp::create(b, mlir::arith::CmpFPredicate::OLT, x, number(border));
  }
  Value select(Value condition, Value yes, Value no) const {
    return mlir::arith::SelectOp::create(b, condition, yes, no);
  }
};

} // namespace spindle::hls
