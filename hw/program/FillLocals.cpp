#include "hw/program/FillLocals.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "llvm/ADT/STLExtras.h"

using namespace mlir;

namespace spindle::hls {

static TypedAttr contentsOf(Builder &builder, Type type, LocalContents contents) {
  if (contents == LocalContents::Zeros)
    return builder.getZeroAttr(type);
  unsigned bits = type.isIndex() ? 64 : type.getIntOrFloatBitWidth();
  // Neither small nor near zero, of any type.
  APInt pattern = APInt::getSplat(64, APInt(8, 0x45)).trunc(bits);
  if (auto number = dyn_cast<FloatType>(type))
    return builder.getFloatAttr(type, APFloat(number.getFloatSemantics(), pattern));
  return builder.getIntegerAttr(type, pattern);
}

void fillLocals(ModuleOp module, LocalContents contents) {
  SmallVector<Value> arrays;
  module.walk([&](Operation *op) {
    bool isZero = contents == LocalContents::Zeros && isa<memref::AllocOp>(op);
    if (isa<memref::AllocOp, memref::AllocaOp>(op) && !isZero)
      arrays.push_back(op->getResult(0));
  });
  for (Value array : arrays) {
    Type type = cast<MemRefType>(array.getType()).getElementType();
    if (!type.isIntOrIndexOrFloat())
      continue; // refused later
    OpBuilder builder(module.getContext());
    builder.setInsertionPointAfterValue(array);
    Value value =
        arith::ConstantOp::create(builder, array.getLoc(), contentsOf(builder, type, contents));
    linalg::FillOp::create(builder, array.getLoc(), value, array);
  }
}

static bool isSame(const KernelArray &a, const KernelArray &b) {
  if (a.count() != b.count())
    return false;
  for (size_t n = 0; n < a.count(); ++n)
    if (!isSame(a.type, a.at(n), b.at(n)))
      return false;
  return true;
}

llvm::Expected<bool> dependsOnLocals(ModuleOp module, const std::string &function,
                                     const std::vector<std::vector<KernelArray>> &inputs,
                                     const std::vector<Values> &expected) {
  SPINDLE_ASSIGN(Golden golden,
                 Golden::compile(module, function, GoldenCode::Optimised, LocalContents::Pattern));
  auto areSame = [](const std::vector<KernelArray> &a, const std::vector<KernelArray> &b) {
    return llvm::equal(a, b,
                       [](const auto &left, const auto &right) { return isSame(left, right); });
  };
  for (auto [input, zeros] : llvm::zip_equal(inputs, expected)) {
    llvm::Expected<Values> values = golden.run(input);
    if (!values) { // an access outside of its array, or no end: with zeros there is neither
      llvm::consumeError(values.takeError());
      return true;
    }
    if (!areSame(values->arguments, zeros.arguments) || !areSame(values->results, zeros.results))
      return true;
  }
  return false;
}

} // namespace spindle::hls
