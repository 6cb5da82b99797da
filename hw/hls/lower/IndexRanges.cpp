#include "hw/hls/lower/IndexRanges.h"

#include "mlir/Dialect/Arith/IR/Arith.h"

#include <bit>

namespace spindle::hls {

namespace arith = mlir::arith;

namespace {

constexpr Range unknown{INT32_MIN, INT32_MAX};

llvm::SmallVector<mlir::AffineMap> mapsOf(mlir::ArrayAttr maps) {
  return llvm::map_to_vector(
      maps, [](mlir::Attribute map) { return llvm::cast<mlir::AffineMapAttr>(map).getValue(); });
}

unsigned bitsOf(int64_t value) {
  return 64 - std::countl_zero(static_cast<uint64_t>(value < 0 ? ~value : value));
}

Range rangeOfInteger(mlir::Type type, bool isSigned) {
  unsigned bits = std::min(type.getIntOrFloatBitWidth(), 32u);
  return isSigned ? Range{-(int64_t(1) << (bits - 1)), (int64_t(1) << (bits - 1)) - 1}
                  : Range{0, (int64_t(1) << bits) - 1};
}

} // namespace

unsigned bitsFor(Range range) {
  unsigned bits = std::max(bitsOf(range.least), bitsOf(range.most));
  return std::max(1u, bits + (range.least < 0 ? 1 : 0));
}

NestBounds boundsOf(PipelineOp pipeline) {
  return {llvm::SmallVector<mlir::Value>(pipeline.getBoundOperands()),
          mapsOf(pipeline.getLowerBounds()), mapsOf(pipeline.getUpperBounds()),
          llvm::SmallVector<int64_t>(pipeline.getAtLeast())};
}

NestBounds boundsOf(RepeatOp repeat) {
  return {llvm::SmallVector<mlir::Value>(repeat.getBoundOperands()),
          {repeat.getLowerBound()},
          {repeat.getUpperBound()},
          {1}};
}

IndexRanges::IndexRanges(KernelOp kernel) {
  kernel.walk<mlir::WalkOrder::PreOrder>([&](mlir::Operation *op) {
    if (auto repeat = llvm::dyn_cast<RepeatOp>(op)) {
      if (repeat.isUncounted())
        return;
      ranges[repeat.getCounter()] =
          counterRanges(boundsOf(repeat), rangesOf(repeat.getBoundOperands())).front();
    } else if (auto pipeline = llvm::dyn_cast<PipelineOp>(op)) {
      auto counters = counterRanges(boundsOf(pipeline), rangesOf(pipeline.getBoundOperands()));
      for (auto [counter, range] : llvm::zip(pipeline.getCounters(), counters))
        ranges[counter] = range;
    } else {
      addOperation(op);
    }
  });
}

llvm::SmallVector<Range> IndexRanges::rangesOf(mlir::ValueRange values) const {
  return llvm::map_to_vector(values, [&](mlir::Value value) { return of(value); });
}

Range IndexRanges::of(mlir::Value index) const {
  auto known = ranges.find(index);
  return known == ranges.end() ? unknown : known->second;
}

unsigned IndexRanges::widthOf(mlir::Value index) const { return bitsFor(of(index)); }

void IndexRanges::addOperation(mlir::Operation *op) {
  if (op->getNumResults() != 1 || !op->getResult(0).getType().isIndex())
    return;
  mlir::Value result = op->getResult(0);
  auto operand = [&](unsigned position) { return of(op->getOperand(position)); };
  auto clamp = [](Range range) {
    return Range{std::max(range.least, unknown.least), std::min(range.most, unknown.most)};
  };
  if (auto constant = llvm::dyn_cast<arith::ConstantIndexOp>(op))
    ranges[result] = {constant.value(), constant.value()};
  else if (auto apply = llvm::dyn_cast<mlir::affine::AffineApplyOp>(op)) {
    mlir::AffineMap map = apply.getAffineMap();
    llvm::SmallVector<mlir::AffineExpr> inputs;
    for (unsigned input = 0; input < map.getNumInputs(); ++input)
      inputs.push_back(mlir::getAffineDimExpr(input, op->getContext()));
    llvm::ArrayRef<mlir::AffineExpr> all = inputs;
    mlir::AffineExpr result0 = map.getResult(0).replaceDimsAndSymbols(
        all.take_front(map.getNumDims()), all.drop_front(map.getNumDims()));
    ranges[result] = clamp(rangeOf(result0, rangesOf(op->getOperands())));
  } else if (llvm::isa<arith::IndexCastOp>(op))
    ranges[result] = rangeOfInteger(op->getOperand(0).getType(), true);
  else if (llvm::isa<arith::IndexCastUIOp>(op))
    ranges[result] = rangeOfInteger(op->getOperand(0).getType(), false);
  else if (llvm::isa<arith::AddIOp>(op))
    ranges[result] =
        clamp({operand(0).least + operand(1).least, operand(0).most + operand(1).most});
  else if (llvm::isa<arith::SubIOp>(op))
    ranges[result] =
        clamp({operand(0).least - operand(1).most, operand(0).most - operand(1).least});
  else if (llvm::isa<arith::MaxSIOp>(op))
    ranges[result] = {std::max(operand(0).least, operand(1).least),
                      std::max(operand(0).most, operand(1).most)};
  else if (llvm::isa<arith::MinSIOp>(op))
    ranges[result] = {std::min(operand(0).least, operand(1).least),
                      std::min(operand(0).most, operand(1).most)};
  else if (llvm::isa<arith::SelectOp>(op))
    ranges[result] = {std::min(operand(1).least, operand(2).least),
                      std::max(operand(1).most, operand(2).most)};
}

} // namespace spindle::hls
