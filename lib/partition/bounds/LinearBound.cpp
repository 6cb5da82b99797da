#include "lib/partition/bounds/LinearBound.h"

#include "lib/partition/bounds/Simplex.h"

#include "llvm/Support/MathExtras.h"

#include <algorithm>
#include <cmath>

namespace spindle {

namespace {

constexpr uint32_t kGrid = 128;                // rows and columns of the dynamic programme, at most
constexpr uint64_t kMostSteps = 2'000'000'000; // of it, in all
constexpr size_t kMostPatterns = 200;

/// Per kind, columns and rows in a crossbar.
struct Pattern {
  std::vector<double> columns, rows;
};

class PatternSearch {
public:
  PatternSearch(const std::vector<UnitKind> &what, const Crossbar &crossbar)
      : kinds(what), rows(crossbar.rows), columnStep(llvm::divideCeil(crossbar.columns, kGrid)),
        rowStep(llvm::divideCeil(crossbar.rows, kGrid)),
        width(static_cast<uint32_t>(llvm::divideCeil(crossbar.columns, columnStep)) + 1),
        height(static_cast<uint32_t>(llvm::divideCeil(crossbar.rows, rowStep)) + 1) {}

  uint64_t steps() const { return uint64_t(width) * width * height * kinds.size() / 2; }

  /// The pattern that is worth most at these prices, and a little more where the grid is coarser
  /// than rows and columns: what a kind takes is rounded down. Rows that are left go to the kind
  /// that pays most for them.
  double findBest(const std::vector<double> &columnPrice, const std::vector<double> &rowPrice,
                  Pattern &pattern) {
    size_t count = kinds.size();
    auto dearest = std::ranges::max_element(rowPrice);
    std::vector<double> worth(size_t(width) * height, *dearest * rows);
    std::vector<std::vector<uint32_t>> choices(count);
    for (size_t k = 0; k < count; ++k) {
      std::vector<double> next = worth;
      choices[k].assign(worth.size(), 0);
      const std::vector<uint32_t> &rowsOf = kinds[k].rowsOf;
      for (uint32_t j = 1; j < rowsOf.size() && rowsOf[j] <= rows; ++j) {
        double gain = columnPrice[k] * j + (rowPrice[k] - *dearest) * rowsOf[j];
        uint32_t right = j / columnStep, down = rowsOf[j] / rowStep;
        for (uint32_t c = right; c < width; ++c)
          for (uint32_t r = down; r < height; ++r) {
            double with = worth[size_t(c - right) * height + r - down] + gain;
            size_t at = size_t(c) * height + r;
            if (with > next[at]) {
              next[at] = with;
              choices[k][at] = j;
            }
          }
      }
      worth = std::move(next);
    }
    pattern = {std::vector<double>(count), std::vector<double>(count)};
    uint32_t c = width - 1, r = height - 1;
    double left = rows;
    for (size_t k = count; k-- > 0;) {
      uint32_t j = choices[k][size_t(c) * height + r];
      if (j == 0)
        continue;
      pattern.columns[k] = j;
      pattern.rows[k] = kinds[k].rowsOf[j];
      left -= pattern.rows[k];
      c -= j / columnStep;
      r -= kinds[k].rowsOf[j] / rowStep;
    }
    pattern.rows[size_t(dearest - rowPrice.begin())] += left;
    return worth.back();
  }

private:
  const std::vector<UnitKind> &kinds;
  uint32_t rows;
  uint32_t columnStep, rowStep; // that a place of the grid stands for
  uint32_t width, height;
};

} // namespace

uint64_t boundLinearly(const std::vector<UnitKind> &kinds, const Crossbar &crossbar) {
  size_t count = kinds.size();
  LinearProgram dual;
  for (const UnitKind &kind : kinds)
    dual.objective.push_back(double(kind.units));
  for (const UnitKind &kind : kinds)
    dual.objective.push_back(double(kind.rows));
  auto add = [&](std::vector<double> coefficients, double limit) {
    dual.coefficients.push_back(std::move(coefficients));
    dual.limits.push_back(limit);
  };
  for (size_t k = 0; k < 2 * count; ++k) { // a column alone; all rows for one kind
    std::vector<double> only(2 * count, 0);
    only[k] = k < count ? 1 : crossbar.rows;
    add(std::move(only), 1);
  }
  PatternSearch search(kinds, crossbar);
  double bound = 0;
  uint64_t steps = 0;
  for (size_t round = 0; round < kMostPatterns && steps <= kMostSteps; ++round) {
    std::vector<double> prices = maximize(dual);
    auto middle = prices.begin() + static_cast<ptrdiff_t>(count);
    Pattern pattern;
    double worth = search.findBest({prices.begin(), middle}, {middle, prices.end()}, pattern);
    steps += search.steps();
    double value = 0;
    for (size_t k = 0; k < 2 * count; ++k)
      value += prices[k] * dual.objective[k];
    bound = std::max(bound, value / std::max(1.0, worth));
    if (worth <= 1 + 1e-9)
      break;
    pattern.columns.insert(pattern.columns.end(), pattern.rows.begin(), pattern.rows.end());
    add(std::move(pattern.columns), 1);
  }
  return static_cast<uint64_t>(std::ceil(bound * (1 - 1e-6) - 1e-6));
}

uint64_t boundLinearly(const SpikingGraph &graph, const std::vector<Unit> &units,
                       const Hypergraph &hypergraph, const std::vector<uint64_t> &rowsOfNet,
                       const Crossbar &crossbar) {
  std::vector<UnitKind> kinds = findKinds(graph, units, hypergraph, rowsOfNet, crossbar);
  return kinds.size() > kMostKinds ? 0 : boundLinearly(kinds, crossbar);
}

} // namespace spindle
