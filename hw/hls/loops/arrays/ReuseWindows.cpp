// Words that neighbouring iterations read again, kept in shift registers and
// line buffers.
#include "dialects/hls/Hls.h"
#include "hw/hls/Passes.h"
#include "hw/hls/loops/CostPass.h"
#include "hw/hls/loops/SimplifyIndices.h"
#include "hw/hls/loops/analysis/EstimateNest.h"

#include "hw/hls/dependence/Instance.h"
#include "hw/hls/dependence/Nest.h"

#include "mlir/Dialect/Affine/Analysis/AffineStructures.h"
#include "mlir/Dialect/Affine/Analysis/LoopAnalysis.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/IR/IntegerSet.h"
#include "llvm/ADT/MapVector.h"

#include <map>
#include <set>

using namespace mlir;
using namespace mlir::affine;

namespace spindle::hls {

#define GEN_PASS_DEF_HLSREUSEWINDOWS
#include "hw/hls/Passes.h.inc"

namespace {

constexpr int64_t kMostDelay = 64,
                  kMostLine = 1 << 14; // iterations of a row, words of a line

/// Loads of one array whose subscripts differ in constants along the rows and
/// columns of a nest: its two innermost loops.
struct Window {
  Value array;
  int columnDimension = -1,
      rowDimension = -1; // of the array; -1: no loop over rows
  struct Tap {
    Operation *load;
    int64_t row, column; // constants of the subscripts
  };
  SmallVector<Tap> taps;

  int64_t lowestRow() const {
    return llvm::min_element(taps, [](auto &a, auto &b) { return a.row < b.row; })->row;
  }
  int64_t highestRow() const {
    return llvm::max_element(taps, [](auto &a, auto &b) { return a.row < b.row; })->row;
  }
  int64_t lowestColumn() const {
    return llvm::min_element(taps, [](auto &a, auto &b) { return a.column < b.column; })->column;
  }
  int64_t highestColumn() const {
    return llvm::max_element(taps, [](auto &a, auto &b) { return a.column < b.column; })->column;
  }
  int64_t rows() const { return highestRow() - lowestRow(); }          // more than one
  int64_t columns() const { return highestColumn() - lowestColumn(); } // more than one
  /// Words that are read.
  int64_t words() const {
    std::set<std::pair<int64_t, int64_t>> distinct;
    for (const Tap &tap : taps)
      distinct.insert({tap.row, tap.column});
    return int64_t(distinct.size());
  }
};

/// A subscript as factors of values and a constant; none where it divides.
struct LinearForm {
  std::map<const void *, int64_t> factors;
  int64_t constant = 0;
};

std::optional<LinearForm> linearForm(AffineExpr subscript, AffineLoadOp load) {
  AffineMap map = load.getAffineMap();
  SmallVector<int64_t> flat;
  if (failed(getFlattenedAffineExpr(subscript, map.getNumDims(), map.getNumSymbols(), &flat)) ||
      flat.size() != map.getNumInputs() + 1)
    return std::nullopt;
  LinearForm form;
  for (auto [operand, factor] : llvm::zip(load.getMapOperands(), flat))
    if (factor != 0)
      form.factors[operand.getAsOpaquePointer()] += factor;
  form.constant = flat.back();
  return form;
}

bool isCounter(const LinearForm &form, Value counter) {
  return form.factors.size() == 1 && form.factors.count(counter.getAsOpaquePointer()) &&
         form.factors.begin()->second == 1;
}

bool contains(const LinearForm &form, Value counter) {
  auto found = form.factors.find(counter.getAsOpaquePointer());
  return found != form.factors.end() && found->second != 0;
}

/// A perfect nest whose two innermost loops have constant bounds, and what it
/// reads.
class WindowNest {
public:
  explicit WindowNest(SmallVector<AffineForOp> of) : loops(std::move(of)) {}

  /// False where the nest cannot be lengthened.
  bool analyse() {
    columns = loops.back();
    if (!columns.hasConstantBounds() || columns.getStepAsInt() != 1 ||
        llvm::any_of(loops, [](AffineForOp loop) {
          return loop.getNumRegionIterArgs() > 0 || loop->hasAttr(HlsDialect::atLeastName);
        }))
      return false;
    if (loops.size() > 1) {
      AffineForOp outside = loops[loops.size() - 2];
      if (outside.hasConstantBounds() && outside.getStepAsInt() == 1)
        rows = outside;
    }
    if (trips(columns) < 1 || (rows && trips(rows) < 1)) // longer ones might run
      return false;
    std::set<const void *> stored;
    loops.front().walk([&](Operation *op) {
      if (std::optional<ArrayAccess> access = accessOf(op)) {
        if (access->isStore)
          stored.insert(access->array.getAsOpaquePointer());
        else
          ++loads[access->array];
      }
    });
    for (auto load : columns.getBody()->getOps<AffineLoadOp>())
      if (!stored.count(load.getMemRef().getAsOpaquePointer()))
        add(load);
    return true;
  }

  /// Of those with more words than ports.
  void keepLarge(int64_t ports) {
    llvm::erase_if(windows, [&](const Window &window) {
      bool isLong = window.columns() > kMostDelay || window.rows() > kMostDelay ||
                    (window.rows() > 0 && trips(columns) + window.columns() > kMostLine);
      return isLong || window.words() <= ports;
    });
  }

  bool isFaster(const LoopCosts &costs) {
    if (windows.empty())
      return false;
    int64_t ports = costs.target.memory.ports, around = 1, copied = 0, before = 1, after = 1;
    for (AffineForOp loop : ArrayRef(loops).drop_back(rows ? 2 : 1)) {
      std::optional<uint64_t> count = getConstantTripCount(loop);
      around *= int64_t(count.value_or(8));
    }
    auto rest = loads;
    for (const Window &window : windows)
      rest[window.array] -= unsigned(window.taps.size() - 1);
    for (const Window &window : windows) {
      before = std::max(before, (loads[window.array] + ports - 1) / ports);
      after = std::max(after, (rest[window.array] + ports - 1) / ports);
    }
    std::set<const void *> arrays;
    for (const Window &window : windows)
      if (arrays.insert(window.array.getAsOpaquePointer()).second)
        copied += cast<MemRefType>(window.array.getType()).getNumElements();
    int64_t recurrence = estimateNest(loops.front(), costs).recurrence;
    int64_t plain = around * trips(columns) * (rows ? trips(rows) : 1);
    int64_t longer =
        around * (trips(columns) + mostColumns()) * (rows ? trips(rows) + mostRows() : 1);
    return longer * std::max(recurrence, after) <
           std::min(plain * std::max(recurrence, before), plain * recurrence + copied);
  }

  /// Every word is read once, in an iteration of its own; what it is read for
  /// comes later.
  void build() {
    int64_t moreRows = mostRows(), moreColumns = mostColumns();
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

  ArrayRef<Window> found() const { return windows; }

private:
  static int64_t trips(AffineForOp loop) {
    return loop.getConstantUpperBound() - loop.getConstantLowerBound();
  }
  int64_t mostRows() const {
    int64_t most = 0;
    for (const Window &window : windows)
      most = std::max(most, window.rows());
    return most;
  }
  int64_t mostColumns() const {
    int64_t most = 0;
    for (const Window &window : windows)
      most = std::max(most, window.columns());
    return most;
  }
  Location loc() { return loops.front().getLoc(); }

  using Key = std::tuple<const void *, int, int, std::vector<std::map<const void *, int64_t>>,
                         std::vector<int64_t>>;

  void add(AffineLoadOp load) {
    Window::Tap tap{load, 0, 0};
    int columnDimension = -1, rowDimension = -1;
    std::vector<std::map<const void *, int64_t>> factors;
    std::vector<int64_t> constants;
    for (auto [d, subscript] : llvm::enumerate(load.getAffineMap().getResults())) {
      std::optional<LinearForm> form = linearForm(subscript, load);
      if (!form)
        return;
      bool hasColumn = contains(*form, columns.getInductionVar());
      bool hasRow = rows && contains(*form, rows.getInductionVar());
      if ((hasColumn && (columnDimension >= 0 || !isCounter(*form, columns.getInductionVar()))) ||
          (hasRow && (rowDimension >= 0 || !isCounter(*form, rows.getInductionVar()))))
        return;
      if (hasColumn) {
        columnDimension = int(d);
        tap.column = form->constant;
      } else if (hasRow) {
        rowDimension = int(d);
        tap.row = form->constant;
      } else {
        constants.push_back(form->constant);
      }
      factors.push_back(std::move(form->factors));
    }
    if (columnDimension < 0)
      return;
    Key key{load.getMemRef().getAsOpaquePointer(), columnDimension, rowDimension, factors,
            constants};
    auto [known, isNew] = numbers.try_emplace(std::move(key), windows.size());
    if (isNew)
      windows.push_back({load.getMemRef(), columnDimension, rowDimension, {}});
    windows[known->second].taps.push_back(tap);
  }

  /// Iterations that the values of a row wait at most.
  static int64_t delayOf(const Window &window, int64_t row) {
    int64_t most = 0;
    for (const Window::Tap &tap : window.taps)
      if (tap.row == row)
        most = std::max(most, window.highestColumn() - tap.column);
    return most;
  }

  /// A zero for each register.
  SmallVector<Value> startValues() {
    OpBuilder builder(loops.front());
    SmallVector<Value> starts;
    for (const Window &window : windows) {
      Type type = cast<MemRefType>(window.array.getType()).getElementType();
      Value zero = arith::ConstantOp::create(builder, loc(), builder.getZeroAttr(type));
      for (int64_t row = window.lowestRow(); row <= window.highestRow(); ++row)
        starts.append(size_t(delayOf(window, row)), zero);
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
    if (window.columns() < mostColumns())
      require(columns, firstColumn - window.columns());
    if (rows && window.rows() < mostRows())
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
      carried += size_t(delayOf(window, row));
    }
    next.resize(carried);
    AffineExpr place = builder.getAffineDimExpr(0) - start;
    for (int64_t row = window.highestRow();; --row) {
      Value at = word;
      for (int64_t delay = 0; delay <= delayOf(window, row); ++delay) {
        values[{row, window.highestColumn() - delay}] = at;
        if (delay == delayOf(window, row))
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

  SmallVector<AffineForOp> loops; // outermost first
  AffineForOp columns, rows;
  llvm::MapVector<Value, int64_t> loads; // by array
  std::map<Key, size_t> numbers;
  SmallVector<Window> windows;
};

struct ReuseWindows : CostPass<impl::HlsReuseWindowsBase<ReuseWindows>> {
  using CostPass::CostPass;

  void runOnLoops() override {
    simplifyIndices(getOperation());
    for (const NamedEstimate &nest : estimateNests(getOperation(), *costs)) {
      WindowNest candidate(perfectNest(nest.outermost));
      if (!candidate.analyse())
        continue;
      candidate.keepLarge(costs->target.memory.ports);
      if (!candidate.isFaster(*costs))
        continue;
      windows += unsigned(candidate.found().size());
      candidate.build();
    }
  }
};
} // namespace

std::unique_ptr<Pass> makeReuseWindows(const LoopCosts &costs) {
  return withCosts<ReuseWindows>(costs);
}

} // namespace spindle::hls
