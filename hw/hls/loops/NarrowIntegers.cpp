// Integer arithmetic at the bits that its numbers can reach and that somebody looks at.
#include "hw/hls/Passes.h"
#include "hw/hls/loops/analysis/NarrowPlan.h"

#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/IR/Matchers.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"

using namespace mlir;

namespace spindle::hls {

#define GEN_PASS_DEF_HLSNARROWINTEGERS
#include "hw/hls/Passes.h.inc"

namespace {

unsigned widthOfInteger(Value value) { return value.getType().getIntOrFloatBitWidth(); }

class Narrowing {
public:
  explicit Narrowing(func::FuncOp function) : builder(function.getContext()) {
    function.walk<WalkOrder::PreOrder>([&](Operation *op) {
      if (op != function)
        inOrder.push_back(op);
    });
  }

  /// Plans look at the program as it is; nothing changes before all are made.
  void run() {
    findContents();
    DemandedBits demanded(inOrder);
    std::vector<NarrowPlan> plans;
    std::vector<std::pair<SmallVector<Value>, NarrowForm>> carried;
    std::vector<std::pair<Operation *, APInt>> constants;
    std::vector<std::pair<OpResult, NarrowForm>> branches;
    for (Operation *op : inOrder) {
      if (auto loop = dyn_cast<affine::AffineForOp>(op))
        planCarried(loop, carried);
      if (isa<affine::AffineIfOp, scf::IfOp>(op))
        for (OpResult result : op->getResults())
          if (result.getType().isSignlessInteger())
            if (NarrowForm form = narrowFormOf(ranges.bitsOf(result));
                form.bits < widthOfInteger(result))
              branches.emplace_back(result, form);
      if (op->getNumResults() != 1 || !op->getResult(0).getType().isSignlessInteger() ||
          matchPattern(op, m_Constant()) || op->getNumRegions())
        continue;
      ConstantIntRanges range = ranges.bitsOf(op->getResult(0));
      std::optional<APInt> single = range.getConstantValue();
      if (single && isMemoryEffectFree(op))
        constants.emplace_back(op, *single);
      else if (std::optional<NarrowPlan> plan = narrowPlanFor(op, ranges, demanded))
        plans.push_back(*plan);
    }
    for (auto &[op, number] : constants)
      settle(op, number);
    for (auto &[values, form] : carried)
      narrowCarried(values, form);
    for (auto &[result, form] : branches)
      narrowBranches(result, form);
    for (const NarrowPlan &plan : plans)
      narrow(plan);
    for (size_t n = 0, count = made.size(); n < count; ++n)
      joinCasts(made[n]);
    for (Operation *op : llvm::reverse(inOrder))
      if (op->getNumRegions() == 0 && isOpTriviallyDead(op))
        op->erase();
    for (Operation *op : llvm::reverse(made))
      if (isOpTriviallyDead(op))
        op->erase();
  }

  unsigned narrowed = 0;

private:
  void findContents();
  void planCarried(affine::AffineForOp loop,
                   std::vector<std::pair<SmallVector<Value>, NarrowForm>> &plans);
  void settle(Operation *op, const APInt &number);
  void narrowCarried(ArrayRef<Value> values, NarrowForm form);
  void narrowBranches(OpResult result, NarrowForm form);
  void becomes(Value value, NarrowForm form, llvm::function_ref<bool(OpOperand &)> takesIt);
  void narrow(const NarrowPlan &plan);
  void joinCasts(Operation *cut);
  Value low(Value value, unsigned bits);
  Value extended(Value value, Type type, bool isSigned);

  /// A new operation, which is taken out again if nobody uses it in the end.
  template <typename Op, typename... Arguments> Value make(Location at, Arguments... arguments) {
    auto op = Op::create(builder, at, arguments...);
    made.push_back(op);
    return op->getResult(0);
  }

  OpBuilder builder;
  ValueRanges ranges;
  std::vector<Operation *> inOrder, made;
};

/// Constant arrays give numbers between their least and their most.
void Narrowing::findContents() {
  llvm::DenseMap<Operation *, std::optional<ConstantIntRanges>> contents;
  auto rangeOfGlobal = [](memref::GlobalOp global) -> std::optional<ConstantIntRanges> {
    auto initial = global.getConstant() && global.getInitialValue()
                       ? dyn_cast<DenseIntElementsAttr>(*global.getInitialValue())
                       : DenseIntElementsAttr();
    if (!initial || initial.empty() || !initial.getElementType().isSignlessInteger())
      return std::nullopt;
    if (initial.isSplat())
      return ConstantIntRanges::constant(initial.getSplatValue<APInt>());
    std::optional<ConstantIntRanges> all;
    for (const APInt &number : initial.getValues<APInt>()) {
      ConstantIntRanges one = ConstantIntRanges::constant(number);
      all = all ? all->rangeUnion(one) : one;
    }
    return all;
  };
  for (Operation *op : inOrder) {
    if (!isa<affine::AffineLoadOp, memref::LoadOp>(op))
      continue;
    auto source = op->getOperand(0).getDefiningOp<memref::GetGlobalOp>();
    auto global =
        source
            ? SymbolTable::lookupNearestSymbolFrom<memref::GlobalOp>(source, source.getNameAttr())
            : memref::GlobalOp();
    if (!global)
      continue;
    auto [known, isNew] = contents.try_emplace(global);
    if (isNew)
      known->second = rangeOfGlobal(global);
    if (known->second)
      ranges.set(op->getResult(0), *known->second);
  }
}

/// A value that goes unchanged through the loops of a nest keeps one type in all of them.
void Narrowing::planCarried(affine::AffineForOp loop,
                            std::vector<std::pair<SmallVector<Value>, NarrowForm>> &plans) {
  for (auto [position, argument] : llvm::enumerate(loop.getRegionIterArgs())) {
    if (!argument.getType().isSignlessInteger())
      continue;
    auto outer = dyn_cast<BlockArgument>(loop.getInits()[position]);
    if (outer && isa<affine::AffineForOp>(outer.getOwner()->getParentOp()))
      continue; // found from outside
    SmallVector<Value> values{loop.getResult(unsigned(position)), argument};
    ConstantIntRanges range = ranges.bitsOf(argument);
    while (true) {
      Value carried = values.back();
      auto use = llvm::find_if(carried.getUses(), [](OpOperand &one) {
        auto inner = dyn_cast<affine::AffineForOp>(one.getOwner());
        return inner && llvm::is_contained(inner.getInits(), one.get());
      });
      if (use == carried.getUses().end())
        break;
      auto inner = cast<affine::AffineForOp>(use->getOwner());
      size_t at = llvm::find(inner.getInits(), carried) - inner.getInits().begin();
      values.push_back(inner.getResult(unsigned(at)));
      values.push_back(inner.getRegionIterArgs()[at]);
      range = range.rangeUnion(ranges.bitsOf(values.back()));
    }
    NarrowForm form = narrowFormOf(range);
    if (form.bits < widthOfInteger(argument))
      plans.emplace_back(std::move(values), form);
  }
}

void Narrowing::settle(Operation *op, const APInt &number) {
  builder.setInsertionPoint(op);
  Type type = op->getResult(0).getType();
  op->getResult(0).replaceAllUsesWith(
      make<arith::ConstantOp>(op->getLoc(), TypedAttr(IntegerAttr::get(type, number))));
  ++narrowed;
}

/// The low bits of a value, of what it is an extension of where there is such a thing.
Value Narrowing::low(Value value, unsigned bits) {
  if (widthOfInteger(value) == bits)
    return value;
  Type type = builder.getIntegerType(bits);
  Location location = value.getLoc();
  APInt number;
  if (matchPattern(value, m_ConstantInt(&number)))
    return make<arith::ConstantOp>(location, TypedAttr(IntegerAttr::get(type, number.trunc(bits))));
  Operation *op = value.getDefiningOp();
  if (isa_and_nonnull<arith::ExtSIOp, arith::ExtUIOp>(op)) {
    Value narrow = op->getOperand(0);
    return widthOfInteger(narrow) >= bits ? low(narrow, bits)
                                          : extended(narrow, type, isa<arith::ExtSIOp>(op));
  }
  if (isa_and_nonnull<arith::TruncIOp>(op))
    return low(op->getOperand(0), bits);
  if (isa_and_nonnull<arith::IndexCastOp, arith::IndexCastUIOp>(op))
    return make<arith::IndexCastOp>(location, type, op->getOperand(0));
  return make<arith::TruncIOp>(location, type, value);
}

Value Narrowing::extended(Value value, Type type, bool isSigned) {
  return isSigned ? make<arith::ExtSIOp>(value.getLoc(), type, value)
                  : make<arith::ExtUIOp>(value.getLoc(), type, value);
}

/// Changes the type of a value; whoever does not take the narrow one uses an extension of it.
void Narrowing::becomes(Value value, NarrowForm form,
                        llvm::function_ref<bool(OpOperand &)> takesIt) {
  Type type = value.getType();
  value.setType(builder.getIntegerType(form.bits));
  builder.setInsertionPointAfterValue(value);
  Value wide = extended(value, type, form.isSigned);
  value.replaceUsesWithIf(wide, [&](OpOperand &use) {
    return use.getOwner() != wide.getDefiningOp() && !takesIt(use);
  });
}

/// `values` are a result and an argument for each loop, from the outside in.
void Narrowing::narrowCarried(ArrayRef<Value> values, NarrowForm form) {
  auto isHandedOn = [&](OpOperand &use) {
    unsigned position = use.getOperandNumber();
    auto loop = dyn_cast<affine::AffineForOp>(use.getOwner());
    if (loop)
      return llvm::is_contained(values, loop.getResult(position - loop.getNumControlOperands()));
    auto around = dyn_cast<affine::AffineForOp>(use.getOwner()->getParentOp());
    return around && isa<affine::AffineYieldOp>(use.getOwner()) &&
           llvm::is_contained(values, around.getResult(position));
  };
  SmallVector<OpOperand *> handed; // from outside, and by the innermost iteration
  for (size_t level = 0; level < values.size(); level += 2) {
    auto loop = cast<affine::AffineForOp>(values[level].getDefiningOp());
    unsigned position = cast<OpResult>(values[level]).getResultNumber();
    handed.push_back(&loop.getInitsMutable()[position]);
    handed.push_back(&loop.getBody()->getTerminator()->getOpOperand(position));
  }
  for (OpOperand *use : handed)
    if (!llvm::is_contained(values, use->get())) {
      builder.setInsertionPoint(use->getOwner());
      use->set(low(use->get(), form.bits));
    }
  for (Value value : values)
    becomes(value, form, isHandedOn);
  ++narrowed;
}

void Narrowing::narrowBranches(OpResult result, NarrowForm form) {
  for (Region &region : result.getOwner()->getRegions()) {
    OpOperand &yielded = region.front().getTerminator()->getOpOperand(result.getResultNumber());
    builder.setInsertionPoint(yielded.getOwner());
    yielded.set(low(yielded.get(), form.bits));
  }
  becomes(result, form, [](OpOperand &) { return false; });
  ++narrowed;
}

/// What was cut before the value got its form.
void Narrowing::joinCasts(Operation *cut) {
  auto trunc = dyn_cast<arith::TruncIOp>(cut);
  if (!trunc || !trunc.getIn().getDefiningOp() ||
      !isa<arith::ExtSIOp, arith::ExtUIOp>(trunc.getIn().getDefiningOp()))
    return;
  builder.setInsertionPoint(cut);
  trunc.replaceAllUsesWith(low(trunc.getIn(), widthOfInteger(trunc)));
}

void Narrowing::narrow(const NarrowPlan &plan) {
  Operation *op = plan.op;
  builder.setInsertionPoint(op);
  if (isa<arith::TruncIOp>(op))
    return op->getResult(0).replaceAllUsesWith(low(op->getOperand(0), plan.bits));
  SmallVector<Value> operands;
  for (Value operand : op->getOperands())
    operands.push_back(isa<arith::SelectOp>(op) && operands.empty() ? operand
                                                                    : low(operand, plan.bits));
  Type type = op->getResult(0).getType();
  auto compare = dyn_cast<arith::CmpIOp>(op);
  Type narrowType = compare ? type : builder.getIntegerType(plan.bits);
  StringRef name = op->getName().getStringRef();
  if (plan.isUnsigned && isa<arith::MinSIOp>(op))
    name = arith::MinUIOp::getOperationName();
  if (plan.isUnsigned && isa<arith::MaxSIOp>(op))
    name = arith::MaxUIOp::getOperationName();
  OperationState state(op->getLoc(), name, operands, narrowType);
  if (compare) {
    arith::CmpIPredicate predicate = compare.getPredicate();
    if (plan.isUnsigned && predicate >= arith::CmpIPredicate::slt &&
        predicate <= arith::CmpIPredicate::sge)
      predicate = arith::CmpIPredicate(unsigned(predicate) + unsigned(arith::CmpIPredicate::ult) -
                                       unsigned(arith::CmpIPredicate::slt));
    state.addAttribute("predicate", arith::CmpIPredicateAttr::get(builder.getContext(), predicate));
  }
  // Flags about overflow do not hold for fewer bits.
  Operation *copy = builder.create(state);
  Value result = copy->getResult(0);
  SmallVector<Value> folded;
  if (succeeded(builder.tryFold(copy, folded)) && !folded.empty()) { // else it changed in place
    copy->erase();
    result = folded.front();
  } else {
    made.push_back(copy);
  }
  op->getResult(0).replaceAllUsesWith(compare ? result : extended(result, type, plan.isSigned));
  ++narrowed;
}

struct NarrowIntegers : impl::HlsNarrowIntegersBase<NarrowIntegers> {
  using HlsNarrowIntegersBase::HlsNarrowIntegersBase;

  void runOnOperation() override {
    if (!getOperation().getBody().hasOneBlock()) // users come after makers in loop form
      return;
    Narrowing narrowing(getOperation());
    narrowing.run();
    operationsNarrowed += narrowing.narrowed;
  }
};

} // namespace

} // namespace spindle::hls
