// Index arithmetic is made as narrow as addresses need. An index that is data, stored, carried,
// returned or compared, is a number of 64 bits like any other, as it is when the program is run.
#include "dialects/hls/Hls.h"
#include "hw/hls/prepare/Stages.h"
#include "hw/hls/prepare/indices/ExactIndices.h"

#include "mlir/Dialect/Affine/Utils.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/IR/IntegerSet.h"
#include "mlir/IR/Matchers.h"

using namespace mlir;

namespace spindle::hls {

namespace {

class Widening {
public:
  explicit Widening(func::FuncOp kernel)
      : function(kernel), builder(kernel.getContext()), number(builder.getI64Type()),
        exact(kernel) {}

  void run();

private:
  Value writtenOut(Operation *op);
  void writeOutLarge();
  void writeOutConditions();
  void collect();
  void widenArray(Value array);
  void widenGlobals();
  void widenLoop(LoopLikeOpInterface loop);
  void widenInto(MutableArrayRef<OpOperand> operands);
  void widenBranch(Operation *branch);
  void setType(ArrayRef<Type> results);
  void widenResults();
  void widenCast(Operation *cast);
  void widenComparison(arith::CmpIOp compare);
  void hoist(Operation *op);
  void hoistSymbols();
  void widenOperation(Operation *op);
  Value widened(Value index);
  Value computed(Operation *op);
  Value becomes64(Value value);

  func::FuncOp function;
  OpBuilder builder;
  Type number;
  DenseMap<Value, Value> wide; // looked up only: 64 bits by the index that has been narrow
  ExactIndices exact;
  SmallVector<LoopLikeOpInterface> loops;
  SmallVector<Operation *> branches, casts, stores, operations;
  SmallVector<Operation *> replaced; // erased at the end: what is looked up keeps its address
  SmallVector<arith::CmpIOp> comparisons;
};

bool isIndexArray(Type type) {
  auto array = dyn_cast<MemRefType>(type);
  return array && array.getElementType().isIndex();
}

bool hasIndexResult(Operation *op) {
  return llvm::any_of(op->getResultTypes(), [](Type type) { return type.isIndex(); });
}

/// An scf.while may carry an index and give none.
bool carriesIndex(Operation *op) {
  auto open = dyn_cast<scf::WhileOp>(op);
  return hasIndexResult(op) || (open && llvm::any_of(open.getInits().getTypes(),
                                                     [](Type type) { return type.isIndex(); }));
}

/// Whether an index is read as a number, not as an address or a bound.
bool isReadWhole(OpOperand &use) {
  Operation *user = use.getOwner();
  if (isa<affine::AffineStoreOp, memref::StoreOp>(user))
    return use.getOperandNumber() == 0;
  if (auto loop = dyn_cast<affine::AffineForOp>(user)) // where a carried value starts
    return use.getOperandNumber() >= loop.getNumControlOperands();
  return isa<affine::AffineYieldOp>(user) ||
         !isa<affine::AffineDialect, memref::MemRefDialect>(user->getDialect());
}

void Widening::collect() {
  function.walk([&](Operation *op) {
    if (isa<affine::AffineForOp, scf::ForOp, scf::WhileOp>(op) && carriesIndex(op))
      loops.push_back(cast<LoopLikeOpInterface>(op));
    else if (isa<affine::AffineIfOp, scf::IfOp>(op) && hasIndexResult(op))
      branches.push_back(op);
    else if (isa<arith::IndexCastOp, arith::IndexCastUIOp>(op) &&
             !op->getResult(0).getType().isIndex())
      casts.push_back(op);
    else if (auto compare = dyn_cast<arith::CmpIOp>(op);
             compare && compare.getLhs().getType().isIndex())
      comparisons.push_back(compare);
    else if (looksAtHighBits(op) && hasIndexResult(op))
      operations.push_back(op);
    else if (isa<affine::AffineStoreOp, memref::StoreOp>(op) &&
             op->getOperand(0).getType().isIndex())
      stores.push_back(op);
  });
}

/// Gives a value that was an index 64 bits; what has used the index uses a cast of it.
Value Widening::becomes64(Value value) {
  value.setType(number);
  builder.setInsertionPointAfterValue(value);
  if (value.use_empty())
    return value;
  auto narrow = arith::IndexCastOp::create(builder, value.getLoc(), builder.getIndexType(), value);
  value.replaceAllUsesExcept(narrow, narrow);
  wide[narrow] = value;
  return value;
}

/// The array, and all that is loaded from it.
void Widening::widenArray(Value array) {
  auto type = cast<MemRefType>(array.getType());
  array.setType(MemRefType::get(type.getShape(), number, type.getLayout(), type.getMemorySpace()));
  for (Operation *user : llvm::to_vector(array.getUsers()))
    if (isa<affine::AffineLoadOp, memref::LoadOp>(user))
      becomes64(user->getResult(0));
}

void Widening::widenGlobals() {
  auto module = function->getParentOfType<ModuleOp>();
  for (auto global : module.getOps<memref::GlobalOp>()) {
    if (!isIndexArray(global.getType()))
      continue;
    MemRefType type = global.getType();
    global.setType(MemRefType::get(type.getShape(), number));
    auto contents = global.getInitialValue()
                        ? dyn_cast<DenseElementsAttr>(*global.getInitialValue())
                        : DenseElementsAttr();
    if (contents)
      global.setInitialValueAttr(
          contents.mapValues(number, [](const APInt &value) { return value.sextOrTrunc(64); }));
  }
}

/// The operation of arith on 64 bits.
Value Widening::computed(Operation *op) {
  SmallVector<Value> operands;
  for (Value operand : op->getOperands())
    operands.push_back(operand.getType().isIndex() ? widened(operand) : operand);
  builder.setInsertionPoint(op);
  OperationState state(op->getLoc(), op->getName(), operands, number, op->getAttrs());
  return builder.create(state)->getResult(0);
}

/// The index as a number of 64 bits.
Value Widening::widened(Value index) {
  if (Value known = wide.lookup(index))
    return known;
  Operation *op = index.getDefiningOp();
  Value result;
  APInt constant;
  builder.setInsertionPointAfterValue(index);
  if (matchPattern(index, m_ConstantInt(&constant))) {
    result = arith::ConstantIntOp::create(builder, index.getLoc(), constant.getSExtValue(), 64);
  } else if (op && isa<arith::IndexCastOp, arith::IndexCastUIOp>(op)) {
    Value from = op->getOperand(0);
    bool isSigned = isa<arith::IndexCastOp>(op);
    result = from.getType() == number ? from
             : isSigned ? arith::ExtSIOp::create(builder, op->getLoc(), number, from).getResult()
                        : arith::ExtUIOp::create(builder, op->getLoc(), number, from).getResult();
  } else if (auto argument = dyn_cast<BlockArgument>(index);
             argument && argument.getOwner() == &function.front()) {
    // The caller's index, all of whose bits count now.
    function.setArgAttr(argument.getArgNumber(), HlsDialect::indexName, builder.getUnitAttr());
    return becomes64(index);
  } else if (exact.has(index)) {
    result = arith::IndexCastOp::create(builder, index.getLoc(), number, index);
  } else {
    result = computed(op);
  }
  wide[index] = result;
  return result;
}

/// What a loop carries.
void Widening::widenLoop(LoopLikeOpInterface loop) {
  SmallVector<Value> carried(loop.getRegionIterArgs()); // those of scf.while: before it decides
  if (auto open = dyn_cast<scf::WhileOp>(loop.getOperation()))
    llvm::append_range(carried, open.getAfterArguments());
  llvm::append_range(carried, loop->getResults());
  for (Value value : carried)
    if (value.getType().isIndex())
      becomes64(value);
}

void Widening::widenInto(MutableArrayRef<OpOperand> operands) {
  for (OpOperand &operand : operands)
    if (operand.get().getType().isIndex())
      operand.set(widened(operand.get()));
}

void Widening::widenBranch(Operation *branch) {
  for (Value result : branch->getResults())
    if (result.getType().isIndex())
      becomes64(result);
}

/// The type of the function with its arguments as they are now.
void Widening::setType(ArrayRef<Type> results) {
  function.setFunctionType(
      FunctionType::get(function.getContext(), function.front().getArgumentTypes(), results));
}

void Widening::widenResults() {
  Operation *end = function.front().getTerminator();
  SmallVector<Type> types(function.getResultTypes());
  for (auto [position, operand] : llvm::enumerate(end->getOpOperands())) {
    if (!operand.get().getType().isIndex())
      continue;
    operand.set(widened(operand.get()));
    types[position] = number;
    function.setResultAttr(unsigned(position), HlsDialect::indexName, builder.getUnitAttr());
  }
  setType(types);
}

void Widening::widenCast(Operation *cast) {
  Value from = cast->getOperand(0);
  if (exact.has(from))
    return;
  Value whole = widened(from);
  builder.setInsertionPoint(cast);
  Type type = cast->getResult(0).getType();
  cast->getResult(0).replaceAllUsesWith(
      type == number ? whole
                     : arith::TruncIOp::create(builder, cast->getLoc(), type, whole).getResult());
  replaced.push_back(cast);
}

void Widening::widenComparison(arith::CmpIOp compare) {
  if (exact.has(compare.getLhs()) && exact.has(compare.getRhs()))
    return;
  Value left = widened(compare.getLhs()), right = widened(compare.getRhs());
  compare.getLhsMutable().assign(left);
  compare.getRhsMutable().assign(right);
}

/// Moves an operation and what it reads in front of all loops.
void Widening::hoist(Operation *op) {
  if (op->getParentOp() == function)
    return;
  Operation *place = function.front().findAncestorOpInBlock(*op);
  for (Value operand : op->getOperands())
    if (Operation *maker = operand.getDefiningOp())
      hoist(maker);
  op->moveBefore(place);
}

/// Operations on symbols of affine expressions are symbols themselves, wherever they stand; a cast
/// of a number is one in front of all loops only.
void Widening::hoistSymbols() {
  for (Operation *op : operations)
    if (affine::isValidSymbol(op->getResult(0)) && !exact.has(op->getResult(0)))
      hoist(op);
}

/// Quotients have units for numbers only; the others are widened where their operands are.
void Widening::widenOperation(Operation *op) {
  Value index = op->getResult(0);
  if (exact.has(index))
    return;
  Value whole = widened(index);
  builder.setInsertionPoint(op);
  auto narrow = arith::IndexCastOp::create(builder, op->getLoc(), builder.getIndexType(), whole);
  wide[narrow] = whole;
  index.replaceAllUsesWith(narrow);
  replaced.push_back(op);
}

/// What an affine operation gives, by plain arithmetic.
Value Widening::writtenOut(Operation *op) {
  builder.setInsertionPoint(op);
  AffineMap map = cast<AffineMapAttr>(op->getAttr("map")).getValue();
  auto values = *affine::expandAffineMap(builder, op->getLoc(), map, op->getOperands());
  Value result = values.front();
  for (Value other : ArrayRef<Value>(values).drop_front())
    result = isa<affine::AffineMinOp>(op)
                 ? arith::MinSIOp::create(builder, op->getLoc(), result, other).getResult()
                 : arith::MaxSIOp::create(builder, op->getLoc(), result, other).getResult();
  return result;
}

/// Affine expressions that may leave 32 bits are written out where their number is needed whole;
/// those they are made of are then, too.
void Widening::writeOutLarge() {
  SmallVector<Operation *> expressions;
  function.walk([&](Operation *op) {
    if (isa<affine::AffineApplyOp, affine::AffineMinOp, affine::AffineMaxOp>(op))
      expressions.push_back(op);
  });
  for (Operation *op : llvm::reverse(expressions)) // users first
    if (!exact.has(op->getResult(0)) && llvm::any_of(op->getUses(), isReadWhole))
      op->getResult(0).replaceUsesWithIf(writtenOut(op), isReadWhole);
}

/// Conditions on numbers that 32 bits may not hold become plain ones.
void Widening::writeOutConditions() {
  SmallVector<affine::AffineIfOp> large;
  function.walk([&](affine::AffineIfOp branch) {
    if (!exact.hasCondition(branch))
      large.push_back(branch);
  });
  for (affine::AffineIfOp branch : large) {
    Location location = branch.getLoc();
    builder.setInsertionPoint(branch);
    IntegerSet set = branch.getIntegerSet();
    ValueRange dims = branch.getOperands().take_front(set.getNumDims());
    ValueRange symbols = branch.getOperands().drop_front(set.getNumDims());
    Value zero = arith::ConstantIndexOp::create(builder, location, 0), all;
    for (auto [position, constraint] : llvm::enumerate(set.getConstraints())) {
      Value form = affine::expandAffineExpr(builder, location, constraint, dims, symbols);
      auto predicate = set.isEq(position) ? arith::CmpIPredicate::eq : arith::CmpIPredicate::sge;
      Value holds = arith::CmpIOp::create(builder, location, predicate, form, zero);
      all = all ? arith::AndIOp::create(builder, location, all, holds).getResult() : holds;
    }
    auto plain = scf::IfOp::create(builder, location, branch.getResultTypes(), all);
    for (auto [from, to] : llvm::zip(branch->getRegions(), plain->getRegions())) {
      to.takeBody(from);
      if (to.empty())
        continue;
      Operation *yield = to.front().getTerminator();
      builder.setInsertionPoint(yield);
      scf::YieldOp::create(builder, yield->getLoc(), yield->getOperands());
      yield->erase();
    }
    branch->replaceAllUsesWith(plain);
    branch->erase();
  }
}

void Widening::run() {
  writeOutConditions();
  writeOutLarge();
  collect();
  hoistSymbols();
  for (BlockArgument argument : function.getArguments())
    if (isIndexArray(argument.getType())) {
      function.setArgAttr(argument.getArgNumber(), HlsDialect::indexName, builder.getUnitAttr());
      widenArray(argument);
    }
  SmallVector<Value> locals;
  function.walk([&](Operation *op) {
    if (op->getNumResults() == 1 && isIndexArray(op->getResult(0).getType()))
      locals.push_back(op->getResult(0));
  });
  widenGlobals();
  for (Value local : locals)
    widenArray(local);
  for (LoopLikeOpInterface loop : loops)
    widenLoop(loop);
  for (Operation *branch : branches)
    widenBranch(branch);
  // What flows into all these.
  for (Operation *store : stores)
    store->setOperand(0, widened(store->getOperand(0)));
  for (LoopLikeOpInterface loop : loops) {
    widenInto(loop.getInitsMutable());
    if (auto open = dyn_cast<scf::WhileOp>(loop.getOperation()))
      widenInto(open.getConditionOp().getArgsMutable());
    if (auto yielded = loop.getYieldedValuesMutable())
      widenInto(*yielded);
  }
  for (Operation *branch : branches)
    for (Region &region : branch->getRegions())
      widenInto(region.front().getTerminator()->getOpOperands());
  for (Operation *cast : casts)
    widenCast(cast);
  for (arith::CmpIOp compare : comparisons)
    widenComparison(compare);
  widenResults();
  for (Operation *op : operations)
    widenOperation(op);
  for (Operation *op : replaced)
    op->erase();
  setType(SmallVector<Type>(function.getResultTypes())); // the last of them may read arguments
}

} // namespace

LogicalResult widenIndices(func::FuncOp top) {
  Widening(top).run();
  return success();
}

} // namespace spindle::hls
