#include "hw/hls/lower/IndexRanges.h"

#include "mlir/Dialect/Arith/IR/Arith.h"

namespace spindle::hls {

namespace {

/// What an index of a circuit has at most.
constexpr IntegerRange unknown{INT32_MIN, INT32_MAX};

mlir::affine::AffineApplyOp comparedForm(mlir::Value index) {
  auto form = index.getDefiningOp<mlir::affine::AffineApplyOp>();
  bool is = form && llvm::any_of(index.getUsers(), llvm::IsaPred<mlir::arith::CmpIOp>);
  return is ? form : mlir::affine::AffineApplyOp();
}

llvm::SmallVector<mlir::AffineMap> mapsOf(mlir::ArrayAttr maps) {
  return llvm::map_to_vector(
      maps, [](mlir::Attribute map) { return llvm::cast<mlir::AffineMapAttr>(map).getValue(); });
}

} // namespace

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

void IndexRanges::addCounters(const NestBounds &bounds, mlir::ValueRange counters) {
  auto known =
      llvm::map_to_vector(bounds.operands, [this](mlir::Value value) { return of(value); });
  for (auto [counter, range] : llvm::zip(counters, counterRanges(bounds, known)))
    ranges.set(counter, range);
}

IndexRanges::IndexRanges(KernelOp kernel) {
  // Everything that an index is made of comes before it.
  kernel.walk<mlir::WalkOrder::PreOrder>([&](mlir::Operation *op) {
    if (auto repeat = llvm::dyn_cast<RepeatOp>(op); repeat && !repeat.isUncounted())
      addCounters(boundsOf(repeat), repeat.getCounter());
    else if (auto pipeline = llvm::dyn_cast<PipelineOp>(op))
      addCounters(boundsOf(pipeline), pipeline.getCounters());
    for (mlir::Value result : op->getResults())
      if (result.getType().isIndex())
        ranges.set(result, of(result));
      else if (result.getType().isInteger())
        ranges.of(result); // found in their order, nothing is deep
  });
}

IntegerRange IndexRanges::of(mlir::Value index) const {
  // What is compared with zero may be the difference of two numbers of 32 bits, or any of 64.
  auto form = comparedForm(index);
  bool isWhole = form && llvm::all_of(form.getMapOperands(), [this](mlir::Value operand) {
                   return ranges.of(operand).within(INT32_MIN, INT32_MAX);
                 });
  return isWhole ? ranges.of(index) : common(unknown, ranges.of(index));
}

unsigned IndexRanges::signedBitsOf(mlir::Value value) const {
  return signedBitsFor(value.getType().isIndex() ? of(value) : ranges.of(value));
}

unsigned IndexRanges::widthOf(mlir::Value index) const { return bitsFor(of(index)); }

} // namespace spindle::hls
