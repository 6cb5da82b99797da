#include "hw/hls/loops/analysis/NestOrder.h"

#include "hw/hls/dependence/AccessPatterns.h"
#include "hw/hls/dependence/Nest.h"

#include <set>

using namespace mlir;
using namespace mlir::affine;

namespace spindle::hls {

LoopMatrix identityMatrix(unsigned size) {
  LoopMatrix matrix(size, SmallVector<int64_t, 4>(size, 0));
  for (unsigned n = 0; n < size; ++n)
    matrix[n][n] = 1;
  return matrix;
}

LoopMatrix permutationMatrix(ArrayRef<unsigned> oldLoops) {
  LoopMatrix matrix(oldLoops.size(), SmallVector<int64_t, 4>(oldLoops.size(), 0));
  for (auto [row, loop] : llvm::enumerate(oldLoops))
    matrix[row][loop] = 1;
  return matrix;
}

LoopMatrix operator*(const LoopMatrix &a, const LoopMatrix &b) {
  LoopMatrix product(a.size(), SmallVector<int64_t, 4>(b.front().size(), 0));
  for (size_t r = 0; r < a.size(); ++r)
    for (size_t c = 0; c < b.front().size(); ++c)
      for (size_t k = 0; k < b.size(); ++k)
        product[r][c] += a[r][k] * b[k][c];
  return product;
}

/// row -= times * other
static void subtract(MutableArrayRef<int64_t> row, int64_t times, ArrayRef<int64_t> other) {
  for (auto [element, taken] : llvm::zip_equal(row, other))
    element -= times * taken;
}

/// By Euclid's algorithm on rows: those of a unimodular matrix end in one and zeros, in integers
/// all the way.
LoopMatrix inverseOf(const LoopMatrix &matrix) {
  LoopMatrix rest = matrix, inverse = identityMatrix(unsigned(matrix.size()));
  for (size_t column = 0; column < rest.size(); ++column) {
    for (size_t row = column + 1; row < rest.size(); ++row)
      while (rest[row][column] != 0) {
        int64_t times = rest[column][column] / rest[row][column];
        subtract(rest[column], times, rest[row]);
        subtract(inverse[column], times, inverse[row]);
        std::swap(rest[column], rest[row]);
        std::swap(inverse[column], inverse[row]);
      }
    int64_t sign = rest[column][column]; // 1 or -1
    for (size_t at = 0; at < rest.size(); ++at) {
      rest[column][at] *= sign;
      inverse[column][at] *= sign;
    }
    for (size_t row = 0; row < rest.size(); ++row)
      if (int64_t times = rest[row][column]; row != column && times != 0) {
        subtract(rest[row], times, rest[column]);
        subtract(inverse[row], times, inverse[column]);
      }
  }
  return inverse;
}

NestOrder::NestOrder(AffineForOp outermost) {
  SmallVector<AffineForOp> nest = perfectNest(outermost);
  unsigned control = loopsAround(outermost).size();
  SmallVector<ArrayAccess> accesses = accessesIn(outermost);
  AccessPatterns patterns(accesses);
  std::set<AccessPatterns::Meeting> known;
  patterns.forEachPair([&](size_t f, size_t t) {
    if (!isAnalysable || !known.insert(patterns.meetingOf(f, t)).second)
      return;
    const ArrayAccess &from = accesses[f], &to = accesses[t];
    InstanceSystem meeting;
    Instance source = meeting.add(from.op);
    Instance sink = meeting.add(to.op, &source, control);
    auto here = meeting.subscripts(from, source), there = meeting.subscripts(to, sink);
    if (!here || !there) {
      isAnalysable = false;
      return;
    }
    for (auto [a, b] : llvm::zip(*here, *there))
      meeting.addZero(a - b);
    SmallVector<LinearForm, 4> steps;
    for (unsigned level = 0; level < nest.size(); ++level)
      steps.push_back(LinearForm::variable(sink.variables[control + level]) -
                      LinearForm::variable(source.variables[control + level]));
    for (unsigned level = 0; level < nest.size(); ++level) {
      InstanceSystem carried = meeting;
      carried.addNonNegative(steps[level] - LinearForm::of(1));
      if (!carried.isEmpty())
        dependences.push_back({carried, steps});
      meeting.addZero(steps[level]);
    }
  });
}

bool NestOrder::allows(const LoopMatrix &matrix) const {
  if (!isAnalysable)
    return false;
  for (const Carried &dependence : dependences) {
    InstanceSystem same = dependence.system; // new loops so far at the same iteration
    for (const auto &row : matrix) {
      LinearForm step = LinearForm::of(0);
      for (auto [loop, factor] : llvm::enumerate(row))
        step = step + dependence.steps[loop] * factor;
      InstanceSystem reversed = same;
      reversed.addNonNegative(step * -1 - LinearForm::of(1));
      if (!reversed.isEmpty())
        return false;
      same.addZero(step);
    }
  }
  return true;
}

bool NestOrder::chains(unsigned loop) const {
  return !isAnalysable || llvm::any_of(dependences, [&](const Carried &dependence) {
    InstanceSystem alone = dependence.system;
    for (auto [level, step] : llvm::enumerate(dependence.steps))
      if (level != loop)
        alone.addZero(step);
    return !alone.isEmpty();
  });
}

bool NestOrder::advances(ArrayRef<int64_t> wave) const {
  return isAnalysable && llvm::all_of(dependences, [&](const Carried &dependence) {
           LinearForm step = LinearForm::of(0);
           for (auto [loop, factor] : llvm::enumerate(wave))
             step = step + dependence.steps[loop] * factor;
           InstanceSystem standing = dependence.system;
           standing.addNonNegative(step * -1);
           return standing.isEmpty();
         });
}

} // namespace spindle::hls
