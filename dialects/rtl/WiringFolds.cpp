// Simplification of combinational operations.
#include "dialects/rtl/Rtl.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/IR/Matchers.h"

using namespace mlir;

namespace spindle::rtl {

static std::optional<APInt> bitsOf(Attribute constant) {
  if (auto value = dyn_cast_or_null<IntegerAttr>(constant))
    return value.getValue();
  return std::nullopt;
}

static std::optional<APInt> bitsOf(Value value) {
  APInt bits;
  return matchPattern(value, m_ConstantInt(&bits)) ? std::optional(bits) : std::nullopt;
}

OpFoldResult WireOp::fold(FoldAdaptor) {
  if (!getInput() || (*this)->hasAttr("name") || getInput() == getResult())
    return {};
  return getInput();
}

OpFoldResult ConcatOp::fold(FoldAdaptor adaptor) {
  if (getInputs().size() == 1)
    return getInputs().front();
  APInt joined = APInt::getZero(widthOf(getResult()));
  unsigned high = joined.getBitWidth();
  for (Attribute input : adaptor.getInputs()) {
    std::optional<APInt> bits = bitsOf(input);
    if (!bits)
      return {};
    high -= bits->getBitWidth();
    joined.insertBits(*bits, high);
  }
  return IntegerAttr::get(getType(), joined);
}

OpFoldResult ExtractOp::fold(FoldAdaptor adaptor) {
  if (getInput().getType() == getType())
    return getInput();
  if (std::optional<APInt> bits = bitsOf(adaptor.getInput()))
    return IntegerAttr::get(getType(), bits->extractBits(widthOf(getResult()), getLow()));
  return {};
}

OpFoldResult ReplicateOp::fold(FoldAdaptor adaptor) {
  if (getInput().getType() == getType())
    return getInput();
  if (std::optional<APInt> bits = bitsOf(adaptor.getInput()))
    return IntegerAttr::get(getType(), APInt::getSplat(widthOf(getResult()), *bits));
  return {};
}

OpFoldResult OneHotOp::fold(FoldAdaptor) {
  if (getValids().empty())
    return IntegerAttr::get(getType(), 0);
  return {};
}

/// Bits of bits, and bits of one part of a concatenation.
static LogicalResult simplifyExtract(ExtractOp op, PatternRewriter &rewriter) {
  unsigned width = widthOf(op.getResult());
  if (auto inner = op.getInput().getDefiningOp<ExtractOp>()) {
    rewriter.replaceOpWithNewOp<ExtractOp>(op, inner.getInput(), inner.getLow() + op.getLow(),
                                           width);
    return success();
  }
  auto concat = op.getInput().getDefiningOp<ConcatOp>();
  if (!concat)
    return failure();
  uint64_t low = 0;
  for (Value part : llvm::reverse(concat.getInputs())) {
    if (op.getLow() >= low && op.getLow() + width <= low + widthOf(part)) {
      rewriter.replaceOpWithNewOp<ExtractOp>(op, part, op.getLow() - low, width);
      return success();
    }
    low += widthOf(part);
  }
  return failure();
}

void ExtractOp::getCanonicalizationPatterns(RewritePatternSet &patterns, MLIRContext *) {
  patterns.add(simplifyExtract);
}

/// Entries that never count, an entry that always counts, entries of one value, a single entry.
static LogicalResult simplifyOneHot(OneHotOp op, PatternRewriter &rewriter) {
  SmallVector<Value> valids, values;
  for (auto [valid, value] : llvm::zip(op.getValids(), op.getValues())) {
    std::optional<APInt> validBits = bitsOf(valid), valueBits = bitsOf(value);
    if (validBits && validBits->isOne()) {
      rewriter.replaceOp(op, value);
      return success();
    }
    if ((validBits && validBits->isZero()) || (valueBits && valueBits->isZero()))
      continue;
    auto *known = llvm::find(values, value);
    if (known == values.end()) {
      valids.push_back(valid);
      values.push_back(value);
    } else {
      Value &before = valids[known - values.begin()];
      before = arith::OrIOp::create(rewriter, op.getLoc(), before, valid);
    }
  }
  if (values.size() == 1) {
    Value zero =
        arith::ConstantOp::create(rewriter, op.getLoc(), rewriter.getIntegerAttr(op.getType(), 0));
    rewriter.replaceOpWithNewOp<arith::SelectOp>(op, valids[0], values[0], zero);
    return success();
  }
  if (values.size() == op.getValues().size())
    return failure();
  auto smaller = OneHotOp::create(rewriter, op.getLoc(), op.getType(), valids, values);
  smaller->setDiscardableAttrs(op->getDiscardableAttrDictionary());
  rewriter.replaceOp(op, smaller);
  return success();
}

void OneHotOp::getCanonicalizationPatterns(RewritePatternSet &patterns, MLIRContext *) {
  patterns.add(simplifyOneHot);
}

} // namespace spindle::rtl
