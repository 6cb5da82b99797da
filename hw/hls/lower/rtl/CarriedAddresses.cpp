#include "hw/hls/lower/rtl/CarriedAddresses.h"

#include "hw/hls/body/ConstantProduct.h"

#include "mlir/Dialect/Affine/IR/AffineOps.h"
#include "llvm/ADT/DenseSet.h"
#include "llvm/Support/MathExtras.h"

namespace spindle::hls {

namespace {

using mlir::affine::AffineApplyOp;

/// From so many stages on a delay is a shift register in LUTs, of up to so many stages in each.
constexpr int64_t kLeastShift = 3, kMostShift = 32;

/// LUTs.
int64_t delayCost(int64_t bits, int64_t stages) {
  return bits * int64_t(llvm::divideCeil(uint64_t(stages), uint64_t(kMostShift)));
}

/// Adders in an expression; quotients and remainders count as many as a product does.
int64_t addersOf(mlir::AffineExpr expression) {
  auto binary = llvm::dyn_cast<mlir::AffineBinaryOpExpr>(expression);
  if (!binary)
    return 0;
  int64_t inside = addersOf(binary.getLHS()) + addersOf(binary.getRHS());
  if (binary.getKind() == mlir::AffineExprKind::Add)
    return inside + 1;
  auto constant = llvm::dyn_cast<mlir::AffineConstantExpr>(binary.getRHS());
  return inside + (constant ? ShiftedSum(signedDigits(constant.getValue())).adders : 0);
}

class Choice {
public:
  Choice(PipelineOp body, const IndexRanges &known) : pipeline(body), ranges(known) {
    for (mlir::Operation &op : body.getBody().front().without_terminator())
      if (!llvm::isa<AffineApplyOp>(op))
        for (mlir::Value operand : op.getOperands())
          if (operand.getType().isIndex())
            needed.insert({operand, startOf(&op)});
  }

  /// Whether `later` is to wait for `first` rather than for its operands.
  bool waits(AffineApplyOp later, AffineApplyOp first) {
    int64_t from = startOf(first), to = startOf(later);
    if (from >= to)
      return false; // in one cycle they are one in any case
    int64_t bits = ranges.widthOf(later.getResult());
    if (to - from < kLeastShift) // flip-flops
      return bits * (to - from) <= flipFlopsFor(later, from, to);
    int64_t carried = delayCost(bits, to - from), operands = 0;
    llvm::DenseSet<mlir::Value> seen;
    for (mlir::Value operand : later.getOperands())
      if (seen.insert(operand).second && !needed.count({operand, to}))
        operands += delayCost(ranges.widthOf(operand), waitOf(operand, from, to));
    int64_t adders = bits * addersOf(later.getAffineMap().getResult(0));
    return carried < operands + adders;
  }

private:
  /// Flip-flops in which operands wait for nobody else.
  int64_t flipFlopsFor(AffineApplyOp later, int64_t from, int64_t to) {
    int64_t freed = 0;
    llvm::DenseSet<mlir::Value> seen;
    for (mlir::Value operand : later.getOperands()) {
      int64_t last = from;
      for (mlir::Operation *user : operand.getUsers())
        if (user != later && user->getParentOp() == pipeline)
          last = std::max(last, llvm::isa<YieldOp>(user) ? to : startOf(user));
      if (last < to && seen.insert(operand).second)
        freed += ranges.widthOf(operand) * std::min(to - last, waitOf(operand, from, to));
    }
    return freed;
  }

  /// Stages that an operand would wait for the second time; what comes from outside waits for none.
  int64_t waitOf(mlir::Value operand, int64_t from, int64_t to) {
    mlir::Operation *maker = operand.getDefiningOp();
    if (maker)
      return pipeline->isProperAncestor(maker) ? to - from : 0;
    bool isInside =
        llvm::cast<mlir::BlockArgument>(operand).getOwner() == &pipeline.getBody().front();
    return isInside ? to - from : 0;
  }

  PipelineOp pipeline;
  const IndexRanges &ranges;
  llvm::DenseSet<std::pair<mlir::Value, int64_t>> needed; // values in cycles, expressions apart
};

} // namespace

llvm::DenseMap<mlir::Operation *, mlir::Operation *> carriedAddresses(PipelineOp pipeline,
                                                                      const IndexRanges &ranges) {
  Choice choice(pipeline, ranges);
  llvm::DenseMap<mlir::Operation *, mlir::Operation *> carried;
  llvm::DenseMap<mlir::AffineMap, llvm::SmallVector<AffineApplyOp>> computed;
  for (auto apply : pipeline.getBody().getOps<AffineApplyOp>()) {
    llvm::SmallVector<AffineApplyOp> &equal = computed[apply.getAffineMap()];
    for (AffineApplyOp first : equal)
      if (!carried.count(apply) && first.getOperands() == apply.getOperands() &&
          choice.waits(apply, first))
        carried[apply] = first;
    if (!carried.count(apply))
      equal.push_back(apply);
  }
  return carried;
}

} // namespace spindle::hls
