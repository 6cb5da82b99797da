#include "hw/synthesis/VariableBits.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/IR/Matchers.h"
#include "llvm/ADT/TypeSwitch.h"

namespace spindle::hls {

namespace arith = mlir::arith;
using llvm::APInt;

/// The value of a constant, as zeros and ones.
static std::optional<APInt> constantOf(mlir::Value value) {
  mlir::IntegerAttr constant;
  if (mlir::matchPattern(value, mlir::m_Constant(&constant)))
    return constant.getValue();
  return std::nullopt;
}

APInt VariableBits::of(mlir::Value value) {
  auto place = known.find(value);
  if (place != known.end())
    return place->second;
  APInt bits = find(value);
  return known[value] = std::move(bits);
}

APInt VariableBits::find(mlir::Value value) {
  unsigned width = value.getType().getIntOrFloatBitWidth();
  if (constantOf(value))
    return APInt::getZero(width);
  mlir::Operation *op = value.getDefiningOp();
  if (!op)
    return APInt::getAllOnes(width);
  auto shiftOf = [](mlir::Operation *shift) -> std::optional<unsigned> {
    std::optional<APInt> by = constantOf(shift->getOperand(1));
    return by ? std::optional<unsigned>(unsigned(by->getLimitedValue(by->getBitWidth())))
              : std::nullopt;
  };
  return llvm::TypeSwitch<mlir::Operation *, APInt>(op)
      .Case([&](arith::ExtUIOp extension) { return of(extension.getIn()).zext(width); })
      .Case([&](arith::ExtSIOp extension) { return of(extension.getIn()).sext(width); })
      .Case([&](arith::TruncIOp cut) { return of(cut.getIn()).trunc(width); })
      .Case<arith::ShLIOp, arith::ShRUIOp>([&](mlir::Operation *shift) {
        std::optional<unsigned> by = shiftOf(shift);
        if (!by)
          return APInt::getAllOnes(width);
        APInt bits = of(shift->getOperand(0));
        return llvm::isa<arith::ShLIOp>(shift) ? bits.shl(*by) : bits.lshr(*by);
      })
      .Case([&](arith::AndIOp both) {
        APInt bits = of(both.getLhs()) | of(both.getRhs());
        for (mlir::Value operand : both->getOperands())
          if (std::optional<APInt> mask = constantOf(operand))
            bits &= *mask;
        return bits;
      })
      .Case<arith::OrIOp, arith::XOrIOp>([&](mlir::Operation *either) {
        return of(either->getOperand(0)) | of(either->getOperand(1));
      })
      .Case([&](arith::SelectOp choice) {
        APInt bits = of(choice.getTrueValue()) | of(choice.getFalseValue());
        std::optional<APInt> a = constantOf(choice.getTrueValue()),
                             b = constantOf(choice.getFalseValue());
        return a && b ? *a ^ *b : a || b ? bits | (a ? *a : *b) : bits;
      })
      .Default([&](mlir::Operation *) { return APInt::getAllOnes(width); });
}

} // namespace spindle::hls
