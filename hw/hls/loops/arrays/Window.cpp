#include "hw/hls/loops/arrays/Window.h"

#include "dialects/hls/Hls.h"
#include "hw/hls/loops/analysis/EstimateNest.h"

#include "hw/hls/dependence/Instance.h"

#include "mlir/Dialect/Affine/Analysis/AffineStructures.h"
#include "mlir/Dialect/Affine/Analysis/LoopAnalysis.h"

#include <map>
#include <set>

using namespace mlir;
using namespace mlir::affine;

namespace spindle::hls {

int64_t Window::lowestRow() const {
  return llvm::min_element(taps, [](auto &a, auto &b) { return a.row < b.row; })->row;
}
int64_t Window::highestRow() const {
  return llvm::max_element(taps, [](auto &a, auto &b) { return a.row < b.row; })->row;
}
int64_t Window::lowestColumn() const {
  return llvm::min_element(taps, [](auto &a, auto &b) { return a.column < b.column; })->column;
}
int64_t Window::highestColumn() const {
  return llvm::max_element(taps, [](auto &a, auto &b) { return a.column < b.column; })->column;
}

int64_t Window::words() const {
  std::set<std::pair<int64_t, int64_t>> distinct;
  for (const Tap &tap : taps)
    distinct.insert({tap.row, tap.column});
  return int64_t(distinct.size());
}

int64_t Window::delayOf(int64_t row) const {
  int64_t most = 0;
  for (const Tap &tap : taps)
    if (tap.row == row)
      most = std::max(most, highestColumn() - tap.column);
  return most;
}

int64_t WindowNest::mostRows() const {
  int64_t most = 0;
  for (const Window &window : windows)
    most = std::max(most, window.rows());
  return most;
}

int64_t WindowNest::mostColumns() const {
  int64_t most = 0;
  for (const Window &window : windows)
    most = std::max(most, window.columns());
  return most;
}

namespace {

constexpr int64_t kMostDelay = 64,
                  kMostLine = 1 << 14; // iterations of a row, words of a line

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

int64_t trips(AffineForOp loop) {
  return loop.getConstantUpperBound() - loop.getConstantLowerBound();
}

class FindWindows {
public:
  explicit FindWindows(ArrayRef<AffineForOp> loops) {
    nest.loops.assign(loops.begin(), loops.end());
  }

  /// False where the nest cannot be lengthened.
  bool run() {
    auto &[loops, columns, rows, loads, windows] = nest;
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
    llvm::erase_if(nest.windows, [&](const Window &window) {
      bool isLong = window.columns() > kMostDelay || window.rows() > kMostDelay ||
                    (window.rows() > 0 && trips(nest.columns) + window.columns() > kMostLine);
      return isLong || window.words() <= ports;
    });
  }

  WindowNest nest;

private:
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
      bool hasColumn = contains(*form, nest.columns.getInductionVar());
      bool hasRow = nest.rows && contains(*form, nest.rows.getInductionVar());
      if ((hasColumn &&
           (columnDimension >= 0 || !isCounter(*form, nest.columns.getInductionVar()))) ||
          (hasRow && (rowDimension >= 0 || !isCounter(*form, nest.rows.getInductionVar()))))
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
    auto [known, isNew] = numbers.try_emplace(std::move(key), nest.windows.size());
    if (isNew)
      nest.windows.push_back({load.getMemRef(), columnDimension, rowDimension, {}});
    nest.windows[known->second].taps.push_back(tap);
  }

  std::map<Key, size_t> numbers;
};
} // namespace

std::optional<WindowNest> findWindows(ArrayRef<AffineForOp> loops, int64_t ports) {
  FindWindows find(loops);
  if (!find.run())
    return std::nullopt;
  find.keepLarge(ports);
  return std::move(find.nest);
}

bool isFaster(const WindowNest &nest, const LoopCosts &costs) {
  const auto &[loops, columns, rows, loads, windows] = nest;
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
    before = std::max(before, (loads.lookup(window.array) + ports - 1) / ports);
    after = std::max(after, (rest[window.array] + ports - 1) / ports);
  }
  std::set<const void *> arrays;
  for (const Window &window : windows)
    if (arrays.insert(window.array.getAsOpaquePointer()).second)
      copied += cast<MemRefType>(window.array.getType()).getNumElements();
  int64_t recurrence = estimateNest(loops.front(), costs).recurrence;
  int64_t plain = around * trips(columns) * (rows ? trips(rows) : 1);
  int64_t longer =
      around * (trips(columns) + nest.mostColumns()) * (rows ? trips(rows) + nest.mostRows() : 1);
  return longer * std::max(recurrence, after) <
         std::min(plain * std::max(recurrence, before), plain * recurrence + copied);
}

} // namespace spindle::hls
