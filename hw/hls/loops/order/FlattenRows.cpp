// A loop over rows whose lengths are data, as one loop over the elements of all rows.
#include "dialects/hls/OpenLoops.h"
#include "hw/hls/Passes.h"
#include "hw/hls/loops/order/CarryRowSums.h"
#include "hw/hls/loops/order/RowNest.h"

#include "mlir/Dialect/Affine/IR/AffineOps.h"
#include "mlir/Dialect/Affine/Utils.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/IR/IRMapping.h"
#include "mlir/IR/PatternMatch.h"

using namespace mlir;
using affine::AffineForOp;

namespace spindle::hls {

#define GEN_PASS_DEF_HLSFLATTENROWS
#include "hw/hls/Passes.h.inc"

namespace {

/// Affine operations over what changes from row to row, written out: it will be no affine
/// dimension.
LogicalResult writeOut(AffineForOp rows) {
  IRRewriter rewriter(rows.getContext());
  SmallVector<Operation *> ops;
  auto changes = [&](Value operand) { return !rows.isDefinedOutsideOfLoop(operand); };
  rows.getBody()->walk([&](Operation *op) {
    if (isa<affine::AffineLoadOp, affine::AffineStoreOp, affine::AffineApplyOp>(op) &&
        llvm::any_of(op->getOperands(), changes))
      ops.push_back(op);
  });
  for (Operation *op : ops) {
    rewriter.setInsertionPoint(op);
    auto expand = [&](AffineMap map, ValueRange operands) {
      return affine::expandAffineMap(rewriter, op->getLoc(), map, operands);
    };
    if (auto load = dyn_cast<affine::AffineLoadOp>(op)) {
      auto indices = expand(load.getAffineMap(), load.getMapOperands());
      if (!indices)
        return failure();
      rewriter.replaceOpWithNewOp<memref::LoadOp>(op, load.getMemRef(), *indices);
    } else if (auto store = dyn_cast<affine::AffineStoreOp>(op)) {
      auto indices = expand(store.getAffineMap(), store.getMapOperands());
      if (!indices)
        return failure();
      rewriter.replaceOpWithNewOp<memref::StoreOp>(op, store.getValueToStore(), store.getMemRef(),
                                                   *indices);
    } else {
      auto apply = cast<affine::AffineApplyOp>(op);
      auto values = expand(apply.getAffineMap(), apply.getMapOperands());
      if (!values)
        return failure();
      rewriter.replaceOp(op, *values);
    }
  }
  return success();
}

class Flattening {
public:
  Flattening(const RowNest &given, IRRewriter &at)
      : nest(given), rewriter(at), location(given.rows->getLoc()) {}

  void run();

private:
  using Values = SmallVector<Value>;

  /// Counters and bounds have 32 bits, as loops have them.
  Value narrow(Value value) {
    return value.getType().isIndex()
               ? arith::IndexCastOp::create(rewriter, location, rewriter.getI32Type(), value)
                     .getResult()
               : value;
  }
  Value widen(Value value, Type type) {
    return type.isIndex() ? arith::IndexCastOp::create(rewriter, location, type, value).getResult()
                          : value;
  }
  Value number(int64_t value) {
    return arith::ConstantIntOp::create(rewriter, location, value, 32);
  }
  Value bit(bool value) { return arith::ConstantIntOp::create(rewriter, location, value, 1); }
  Value choose(Value condition, Value yes, Value no) {
    return arith::SelectOp::create(rewriter, location, condition, yes, no);
  }
  Value compare(arith::CmpIPredicate predicate, Value a, Value b) {
    return arith::CmpIOp::create(rewriter, location, predicate, a, b);
  }
  Values clone(ArrayRef<Operation *> ops, IRMapping &map, ValueRange results, bool isNarrow) {
    for (Operation *op : ops)
      rewriter.clone(*op, map);
    Values made;
    for (Value result : results)
      made.push_back(isNarrow ? narrow(map.lookupOrDefault(result)) : map.lookupOrDefault(result));
    return made;
  }
  /// `make` gives the values where the condition holds.
  Values whenever(Value condition, ValueRange otherwise, llvm::function_ref<Values()> make) {
    auto branch = scf::IfOp::create(rewriter, location, otherwise.getTypes(), condition,
                                    /*addThenBlock=*/true, /*addElseBlock=*/!otherwise.empty());
    OpBuilder::InsertionGuard keep(rewriter);
    auto end = [&](Block *block, ValueRange values) {
      if (!block->empty())
        rewriter.eraseOp(&block->back());
      rewriter.setInsertionPointToEnd(block);
      scf::YieldOp::create(rewriter, location, values);
    };
    if (!branch.thenBlock()->empty())
      rewriter.eraseOp(&branch.thenBlock()->back());
    rewriter.setInsertionPointToEnd(branch.thenBlock());
    Values values = make();
    scf::YieldOp::create(rewriter, location, values);
    if (!otherwise.empty())
      end(branch.elseBlock(), otherwise);
    return Values(branch.getResults());
  }
  Values iterate(Values carried);

  const RowNest &nest;
  IRRewriter &rewriter;
  Location location;
};

/// One element, or one empty row. Carried: row, element, whether it is the first of its row, the
/// bounds of the row, those of the next one, sums, what the first iteration of the row has made.
/// Returns the same for the next iteration, after whether there is one.
SmallVector<Value> Flattening::iterate(Values carried) {
  AffineForOp rows = nest.rows;
  scf::ForOp line = nest.row;
  unsigned fields = nest.ahead.size(), sums = line.getNumRegionIterArgs();
  Value row = carried[0], element = carried[1], isFirst = carried[2];
  auto part = [&](unsigned from, unsigned count) {
    return Values(ArrayRef<Value>(carried).slice(from, count));
  };
  Values current = part(3, fields), next = part(3 + fields, fields);
  Values partial = part(3 + 2 * fields, sums), kept = part(3 + 2 * fields + sums, nest.kept.size());
  Type index = rewriter.getIndexType();

  Value following = arith::AddIOp::create(rewriter, location, row, number(1));
  Value isLastRow =
      compare(arith::CmpIPredicate::sge, following, number(rows.getConstantUpperBound()));
  Value isNotLast = arith::XOrIOp::create(rewriter, location, isLastRow, bit(true));
  Value fetches = arith::AndIOp::create(rewriter, location, isFirst, isNotLast);
  next = whenever(fetches, next, [&] {
    IRMapping map;
    map.map(rows.getInductionVar(), widen(following, index));
    return clone(nest.bounds, map, nest.ahead.getArrayRef(), true);
  });

  IRMapping map;
  map.map(rows.getInductionVar(), widen(row, index));
  for (auto [value, field] : llvm::zip(nest.ahead, current))
    if (Value(value).getParentBlock() == rows.getBody() && value != rows.getInductionVar())
      map.map(value, widen(field, value.getType()));
  clone(nest.everytime, map, {}, false);
  if (!nest.first.empty()) {
    kept = whenever(isFirst, kept, [&] {
      IRMapping inside = map;
      return clone(nest.first, inside, nest.kept, true);
    });
    for (auto [value, held] : llvm::zip(nest.kept, kept))
      map.map(value, widen(held, value.getType()));
  }
  for (auto [sum, init] : llvm::zip(partial, line.getInitArgs()))
    sum = choose(isFirst, map.lookupOrDefault(init), sum);

  Value end = current[llvm::find(nest.ahead, line.getUpperBound()) - nest.ahead.begin()];
  Value isInside = compare(arith::CmpIPredicate::slt, element, end);
  partial = whenever(isInside, partial, [&] {
    IRMapping inside = map;
    inside.map(line.getInductionVar(), widen(element, index));
    inside.map(line.getRegionIterArgs(), partial);
    SmallVector<Operation *> ops;
    for (Operation &op : line.getBody()->without_terminator())
      ops.push_back(&op);
    return clone(ops, inside, line.getBody()->getTerminator()->getOperands(), false);
  });
  Value after = arith::AddIOp::create(rewriter, location, element, number(1));
  Value isLast = compare(arith::CmpIPredicate::sge, after, end);
  if (!nest.last.empty())
    whenever(isLast, {}, [&] {
      IRMapping inside = map;
      inside.map(line.getResults(), partial);
      return clone(nest.last, inside, {}, false);
    });

  Value isDone = arith::AndIOp::create(rewriter, location, isLast, isLastRow);
  Values result = {arith::XOrIOp::create(rewriter, location, isDone, bit(true)),
                   choose(isLast, following, row), choose(isLast, next[0], after), isLast};
  for (auto [field, value] : llvm::zip(next, current))
    result.push_back(choose(isLast, field, value));
  llvm::append_range(result, next);
  llvm::append_range(result, partial);
  llvm::append_range(result, kept);
  return result;
}

void Flattening::run() {
  AffineForOp rows = nest.rows;
  rewriter.setInsertionPoint(rows);
  IRMapping map;
  Value start = arith::ConstantIndexOp::create(rewriter, location, rows.getConstantLowerBound());
  map.map(rows.getInductionVar(), start);
  Values bounds = clone(nest.bounds, map, nest.ahead.getArrayRef(), true);
  Values inits = {number(rows.getConstantLowerBound()), bounds[0], bit(true)};
  llvm::append_range(inits, bounds);
  auto zeros = [&](ValueRange values) {
    for (Value value : values) {
      Type type = value.getType().isIndex() ? rewriter.getI32Type() : value.getType();
      inits.push_back(arith::ConstantOp::create(rewriter, location, rewriter.getZeroAttr(type)));
    }
  };
  zeros(bounds); // read by the first iteration that has no next row only
  zeros(scf::ForOp(nest.row).getResults());
  zeros(nest.kept);
  SmallVector<Type> types(ValueRange(inits).getTypes());
  auto flat = scf::WhileOp::create(rewriter, location, types, inits);
  SmallVector<Location> places(inits.size(), location);
  Block *before = rewriter.createBlock(&flat.getBefore(), {}, types, places);
  Values next = iterate(Values(before->getArguments()));
  scf::ConditionOp::create(rewriter, location, next.front(), ValueRange(next).drop_front());
  Block *after = rewriter.createBlock(&flat.getAfter(), {}, types, places);
  scf::YieldOp::create(rewriter, location, after->getArguments());
  rewriter.eraseOp(rows);
}

struct FlattenRows : impl::HlsFlattenRowsBase<FlattenRows> {
  using HlsFlattenRowsBase::HlsFlattenRowsBase;

  void runOnOperation() override {
    IRRewriter rewriter(&getContext());
    SmallVector<scf::ForOp> innermost;
    getOperation().walk([&](scf::ForOp loop) {
      if (!holdsLoop(loop))
        innermost.push_back(loop);
    });
    for (scf::ForOp loop : innermost)
      carryRowSums(loop, rewriter);
    SmallVector<AffineForOp> loops;
    getOperation().walk([&](AffineForOp loop) {
      if (rowNestOf(loop))
        loops.push_back(loop);
    });
    for (AffineForOp loop : loops) {
      if (failed(writeOut(loop)))
        continue;
      if (std::optional<RowNest> rows = rowNestOf(loop)) {
        Flattening(*rows, rewriter).run();
        ++flattened;
      }
    }
  }
};

} // namespace

} // namespace spindle::hls
