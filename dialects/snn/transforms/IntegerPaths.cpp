#include "dialects/snn/transforms/IntegerPaths.h"

#include "mlir/Dialect/Arith/IR/Arith.h"

using namespace mlir;

namespace spindle::snn {

bool passesUnit(Operation *op, bool direct) {
  if (isa_and_nonnull<ReshapeOp, TransposeOp, DelayOp, AddOp>(op))
    return true;
  if (!direct || !op)
    return false;
  auto encode = dyn_cast<EncodeOp>(op);
  bool pools = isa<MaxPool2dOp>(op) && !runsInTime(op->getOperand(0).getType());
  return pools || (encode && encode.getEncoding() == Encoding::Direct);
}

LinearMap sourcesOfView(Operation *view) {
  if (auto pool = dyn_cast<MaxPool2dOp>(view))
    return pool.windows();
  return *cast<SynapseOp>(view).linearMap(0);
}

/// Copies of what averages, the last reader's first, so that chains come apart from their end.
static void separateReaders(func::FuncOp function) {
  SmallVector<Operation *> ops;
  for (Operation &op : function.getBody().front())
    if (isa<AvgPool2dOp, ReshapeOp, TransposeOp>(op))
      ops.push_back(&op);
  for (Operation *op : llvm::reverse(ops)) {
    SmallVector<OpOperand *> uses;
    for (OpOperand &use : op->getUses())
      uses.push_back(&use);
    for (OpOperand *use : ArrayRef(uses).drop_front(uses.empty() ? 0 : 1))
      use->set(OpBuilder(op).clone(*op)->getResult(0));
  }
}

/// Whether weights lie between a signal and the spikes or activations that it is made of.
static bool hasWeightsBehind(Value signal) {
  Operation *op = signal.getDefiningOp();
  auto synapse = dyn_cast_or_null<SynapseOp>(op);
  if (synapse && synapse.hasWeights())
    return true;
  return passesUnit(op, true) && llvm::any_of(op->getOperands(), hasWeightsBehind);
}

/// The sources of a sum that have no weights get some, next to those that have.
static void weighSources(AddOp sum) {
  if (!llvm::any_of(sum->getOperands(), hasWeightsBehind))
    return;
  for (OpOperand &source : sum->getOpOperands()) {
    if (hasWeightsBehind(source.get()))
      continue;
    OpBuilder builder(sum);
    ArrayRef<int64_t> shape = shapeOf(source.get());
    Value ones =
        makeConstant(builder, sum.getLoc(), {shape[0]}, std::vector<float>(size_t(shape[0]), 1));
    source.set(ScaleOp::create(builder, sum.getLoc(), synapseResult(source.get().getType(), shape),
                               source.get(), ones, Value(), StringAttr()));
  }
}

void prepareIntegerPaths(func::FuncOp function) {
  separateReaders(function);
  for (AddOp sum : llvm::make_early_inc_range(function.getOps<AddOp>()))
    weighSources(sum);
}

} // namespace spindle::snn
