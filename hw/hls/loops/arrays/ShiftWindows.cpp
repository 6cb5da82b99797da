#include "hw/hls/loops/arrays/ShiftWindows.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/IR/IntegerSet.h"

#include <map>

using namespace mlir;
using namespace mlir::affine;

namespace spindle::hls {
namespace {

class ShiftWindows {
public:
  explicit ShiftWindows(WindowNest of)
      : nest(std::move(of)), loops(nest.loops), columns(nest.columns), rows(nest.rows),
        windows(nest.windows) {}

  void build() {
    int64_t moreRows = nest.mostRows(), moreColumns = nest.mostColumns();
    int64_t firstColumn = columns.getConstantLowerBound();
    std::optional<int64_t> firstRow;
    if (rows)
      firstRow = rows.getConstantLowerBound();
    Block body; // what the iterations did
    body.getOperations().splice(body.end(), columns.getBody()->getOperations(),
                                columns.getBody()->begin(), std::prev(columns.getBody()->end()));
    SmallVector<Value> starts = startValues();
    rebuild(starts);
    columns.setConstantLowerBound(firstColumn - moreColumns);
    if (rows)
      rows.setConstantLowerBound(*firstRow - moreRows);
    OpBuilder builder = OpBuilder::atBlockEnd(columns.getBody());
    SmallVector<Value> next;
    size_t carried = 0;
    for (Window &window : windows)
      keep(window, builder, carried, next, *(firstRow ? &*firstRow : &firstColumn), firstColumn);
    AffineYieldOp::create(builder, loc(), next);
    insertBody(body, moreRows, moreColumns, firstRow.value_or(0), firstColumn);
  }

private:
  Location loc() { return loops.front().getLoc(); }

  /// A zero for each register.
  SmallVector<Value> startValues() {
    OpBuilder builder(loops.front());
    SmallVector<Value> starts;
    for (const Window &window : windows) {
      Type type = cast<MemRefType>(window.array.getType()).getElementType();
      Value zero = arith::ConstantOp::create(builder, loc(), builder.getZeroAttr(type));
      for (int64_t row = window.lowestRow(); row <= window.highestRow(); ++row)
        starts.append(size_t(window.delayOf(row)), zero);
    }
    return starts;
  }

  /// The same loops, handing values on from one iteration of the nest to the
  /// next; the innermost one is empty.
  void rebuild(ArrayRef<Value> starts) {
    OpBuilder builder(loops.front());
    SmallVector<Value> carried(starts);
    SmallVector<AffineForOp> made;
    for (AffineForOp loop : loops) {
      auto copy = AffineForOp::create(builder, loop.getLoc(), loop.getLowerBoundOperands(),
                                      loop.getLowerBoundMap(), loop.getUpperBoundOperands(),
                                      loop.getUpperBoundMap(), loop.getStepAsInt(), carried);
      copy->setDiscardableAttrs(loop->getDiscardableAttrDictionary());
      copy.getInductionVar().setLoc(loop.getInductionVar().getLoc());
      loop.getInductionVar().replaceAllUsesWith(copy.getInductionVar());
      if (!copy.getBody()->empty()) // without carried values
        copy.getBody()->getTerminator()->erase();
      if (!made.empty())
        AffineYieldOp::create(builder, loop.getLoc(), copy.getResults());
      builder.setInsertionPointToStart(copy.getBody());
      carried.assign(copy.getRegionIterArgs().begin(), copy.getRegionIterArgs().end());
      made.push_back(copy);
    }
    loops.front().erase();
    loops = made;
    columns = loops.back();
    if (rows)
      rows = loops[loops.size() - 2];
  }

  /// The newest word of a window; under a condition where another window
  /// lengthens the loops by more than this one.
  Value newest(const Window &window, AffineLoadOp sample, OpBuilder &builder, int64_t firstRow,
               int64_t firstColumn) {
    SmallVector<AffineExpr> subscripts(sample.getAffineMap().getResults());
    AffineMap map = sample.getAffineMap();
    auto moved = [&](int dimension, int64_t from, int64_t to) {
      if (dimension >= 0)
        subscripts[size_t(dimension)] = subscripts[size_t(dimension)] + (to - from);
    };
    const Window::Tap &tap = window.taps.front();
    moved(window.columnDimension, tap.column, window.highestColumn());
    moved(window.rowDimension, tap.row, window.highestRow());
    map = AffineMap::get(map.getNumDims(), map.getNumSymbols(), subscripts, map.getContext());
    SmallVector<Value> operands(sample.getMapOperands());
    SmallVector<AffineExpr> inside;
    SmallVector<Value> counters;
    auto require = [&](AffineForOp loop, int64_t first) {
      inside.push_back(builder.getAffineDimExpr(unsigned(counters.size())) - first);
      counters.push_back(loop.getInductionVar());
    };
    if (window.columns() < nest.mostColumns())
      require(columns, firstColumn - window.columns());
    if (rows && window.rows() < nest.mostRows())
      require(rows, firstRow - window.rows());
    if (inside.empty())
      return AffineLoadOp::create(builder, sample.getLoc(), window.array, map, operands);
    SmallVector<bool> isEquality(inside.size(), false);
    auto guard =
        AffineIfOp::create(builder, sample.getLoc(), TypeRange(sample.getResult().getType()),
                           IntegerSet::get(unsigned(counters.size()), 0, inside, isEquality),
                           counters, /*withElseRegion=*/true);
    OpBuilder then = guard.getThenBodyBuilder(), otherwise = guard.getElseBodyBuilder();
    Value word = AffineLoadOp::create(then, sample.getLoc(), window.array, map, operands);
    AffineYieldOp::create(then, sample.getLoc(), word);
    Value none =
        arith::ConstantOp::create(otherwise, sample.getLoc(), builder.getZeroAttr(word.getType()));
    AffineYieldOp::create(otherwise, sample.getLoc(), none);
    return guard.getResult(0);
  }

  /// The loads become values of the window, which the iteration moves on by a
  /// word.
  void keep(Window &window, OpBuilder &builder, size_t &carried, SmallVector<Value> &next,
            int64_t firstRow, int64_t firstColumn) {
    auto sample = cast<AffineLoadOp>(window.taps.front().load);
    Location where = sample.getLoc();
    Value word = newest(window, sample, builder, firstRow, firstColumn);
    std::map<std::pair<int64_t, int64_t>, Value> values; // by constants of the subscripts
    SmallVector<SmallVector<Value>> shifted;             // by row, the lowest last
    int64_t start = columns.getConstantLowerBound();
    int64_t line = columns.getConstantUpperBound() - start;
    // Registers are in the order of the rows from the lowest on.
    std::map<int64_t, size_t> registers;
    for (int64_t row = window.lowestRow(); row <= window.highestRow(); ++row) {
      registers[row] = carried;
      carried += size_t(window.delayOf(row));
    }
    next.resize(carried);
    AffineExpr place = builder.getAffineDimExpr(0) - start;
    for (int64_t row = window.highestRow();; --row) {
      Value at = word;
      for (int64_t delay = 0; delay <= window.delayOf(row); ++delay) {
        values[{row, window.highestColumn() - delay}] = at;
        if (delay == window.delayOf(row))
          break;
        size_t number = registers[row] + size_t(delay);
        next[number] = at;
        at = columns.getRegionIterArgs()[number];
      }
      if (row == window.lowestRow())
        break;
      Value buffer = lineBuffer(line, word.getType());
      Value above = AffineLoadOp::create(builder, where, buffer, AffineMap::get(1, 0, place),
                                         ValueRange(columns.getInductionVar()));
      AffineStoreOp::create(builder, where, word, buffer, AffineMap::get(1, 0, place),
                            ValueRange(columns.getInductionVar()));
      word = above;
    }
    for (const Window::Tap &tap : window.taps) {
      tap.load->getResult(0).replaceAllUsesWith(values.at({tap.row, tap.column}));
      tap.load->erase();
    }
  }

  Value lineBuffer(int64_t words, Type type) {
    auto function = loops.front()->getParentOfType<func::FuncOp>();
    OpBuilder atEntry = OpBuilder::atBlockBegin(&function.getBody().front());
    return memref::AllocOp::create(atEntry, loc(), MemRefType::get({words}, type));
  }

  /// Where the iteration is one of those that were there before.
  void insertBody(Block &body, int64_t moreRows, int64_t moreColumns, int64_t firstRow,
                  int64_t firstColumn) {
    Operation *terminator = columns.getBody()->getTerminator();
    SmallVector<AffineExpr> inside;
    SmallVector<Value> counters;
    OpBuilder builder(terminator);
    auto require = [&](AffineForOp loop, int64_t first) {
      inside.push_back(builder.getAffineDimExpr(unsigned(counters.size())) - first);
      counters.push_back(loop.getInductionVar());
    };
    if (moreRows > 0)
      require(rows, firstRow);
    if (moreColumns > 0)
      require(columns, firstColumn);
    Block *target = columns.getBody();
    Block::iterator place = terminator->getIterator();
    if (!inside.empty()) {
      SmallVector<bool> isEquality(inside.size(), false);
      auto guard = AffineIfOp::create(
          builder, loc(), IntegerSet::get(unsigned(counters.size()), 0, inside, isEquality),
          counters, /*withElseRegion=*/false);
      target = guard.getThenBlock();
      place = target->getTerminator()->getIterator();
    }
    target->getOperations().splice(place, body.getOperations());
  }

  WindowNest nest;
  SmallVector<AffineForOp> &loops;
  AffineForOp &columns, &rows;
  SmallVector<Window> &windows;
};
} // namespace

void shiftWindows(WindowNest nest) { ShiftWindows(std::move(nest)).build(); }

} // namespace spindle::hls
