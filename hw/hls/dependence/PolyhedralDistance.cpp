// Distances by minimising over integer points, for each pair of accesses and each loop that carries
// the dependence.
#include "hw/hls/dependence/AccessPatterns.h"
#include "hw/hls/dependence/Effort.h"
#include "hw/hls/dependence/FlattenedDistance.h"
#include "hw/hls/dependence/Independence.h"
#include "hw/hls/dependence/Nest.h"

#include <limits>
#include <map>

using namespace mlir;
using namespace mlir::affine;

namespace spindle::hls {

namespace {

constexpr uint64_t rowBudget = 1 << 20;

/// Iterations of the flattened nest in one iteration of each loop: at least, at most.
struct Sizes {
  SmallVector<int64_t> least;
  SmallVector<bool> isFixed;     // the same in all iterations
  SmallVector<bool> isRepeating; // bounds below do not read the induction variable
};

/// Trip count of a loop at least and at most, over all iterations around it.
std::pair<int64_t, int64_t> tripRange(AffineForOp loop) {
  InstanceSystem system;
  Instance at = system.add(loop);
  int64_t step = loop.getStepAsInt(), least = std::numeric_limits<int64_t>::max(), most = least;
  auto lower = system.formsOf(loop.getLowerBoundMap(), loop.getLowerBoundOperands(), at);
  auto upper = system.formsOf(loop.getUpperBoundMap(), loop.getUpperBoundOperands(), at);
  int64_t floor = leastIterations(loop);
  if (!lower || !upper)
    return {floor, std::numeric_limits<int64_t>::max()};
  for (const LinearForm &from : *lower)
    for (const LinearForm &to : *upper) {
      int64_t shortest = system.minimum(to - from).value_or(0);
      std::optional<int64_t> negated = system.minimum(from - to);
      least = std::min(least, shortest < 0 ? 0 : (shortest + step - 1) / step);
      if (negated && *negated > std::numeric_limits<int64_t>::min())
        most = std::min(most, (-*negated + step - 1) / step);
    }
  return {std::max(least, floor), std::max(most, floor)};
}

/// Whether a bound of `inner` reads an induction variable.
bool reads(AffineForOp inner, Value variable) {
  SmallVector<Value> pending(inner.getLowerBoundOperands());
  llvm::append_range(pending, inner.getUpperBoundOperands());
  while (!pending.empty()) {
    Value value = pending.pop_back_val();
    if (value == variable)
      return true;
    if (auto apply = value.getDefiningOp<AffineApplyOp>())
      llvm::append_range(pending, apply.getMapOperands());
  }
  return false;
}

Sizes sizesOf(ArrayRef<AffineForOp> nest) {
  Sizes sizes;
  sizes.least.assign(nest.size(), 1);
  sizes.isFixed.assign(nest.size(), true);
  sizes.isRepeating.assign(nest.size(), true);
  for (size_t level = nest.size(); level-- > 0;) {
    for (AffineForOp inner : nest.drop_front(level + 1))
      if (reads(inner, AffineForOp(nest[level]).getInductionVar()))
        sizes.isRepeating[level] = false;
    if (level + 1 == nest.size())
      continue;
    auto [least, most] = tripRange(nest[level + 1]);
    sizes.least[level] = sizes.least[level + 1] * least;
    sizes.isFixed[level] = sizes.isFixed[level + 1] && least == most;
  }
  return sizes;
}

/// As many accesses as are executed while the distance of a pair is found, or remembered.
constexpr uint64_t kQuestion = 100'000;

class Minimization {
public:
  explicit Minimization(AffineForOp outermost)
      : nest(perfectNest(outermost)), control(loopsAround(outermost).size()), sizes(sizesOf(nest)) {
  }

  /// The smallest distance from an execution of `from` to a later one of `to`; `meeting` says which
  /// of their executions meet.
  std::optional<int64_t> smallest(const ArrayAccess &from, const ArrayAccess &to, bool inOrder,
                                  const AccessPatterns::Meeting &meeting) {
    std::vector<bool> carries;
    for (AffineForOp loop : nest)
      carries.push_back(mayCarry(loop, from.array));
    auto [place, isNew] = cache.try_emplace({meeting, inOrder, carries});
    if (isNew) {
      addDependenceEffort(kQuestion);
      place->second = compute(from, to, inOrder);
    }
    return place->second;
  }

private:
  std::optional<int64_t> compute(const ArrayAccess &from, const ArrayAccess &to, bool inOrder) {
    InstanceSystem meeting;
    Instance source = meeting.add(from.op);
    Instance sink = meeting.add(to.op, &source, control);
    auto fromIndices = meeting.subscripts(from, source), toIndices = meeting.subscripts(to, sink);
    auto carries = [&](AffineForOp loop) { return mayCarry(loop, from.array); };
    if (!fromIndices || !toIndices)
      return inOrder                       ? std::optional<int64_t>(0)
             : llvm::any_of(nest, carries) ? std::optional<int64_t>(1)
                                           : std::nullopt;
    for (auto [a, b] : llvm::zip(*fromIndices, *toIndices))
      meeting.addZero(a - b);
    if (meeting.isEmpty())
      return std::nullopt;
    if (inOrder) {
      InstanceSystem same = meeting;
      for (unsigned level = 0; level < nest.size(); ++level)
        same.addZero(step(source, sink, level));
      if (!same.isEmpty())
        return 0;
    }
    std::optional<int64_t> best;
    for (unsigned level = 0; level < nest.size(); ++level)
      if (std::optional<int64_t> distance =
              carries(nest[level]) ? carriedBy(level, meeting, source, sink) : std::nullopt)
        best = std::min(best.value_or(*distance), *distance);
    return best;
  }

  /// How much later the sink is in a loop.
  LinearForm step(const Instance &source, const Instance &sink, unsigned level) {
    return LinearForm::variable(sink.variables[control + level]) -
           LinearForm::variable(source.variables[control + level]);
  }

  /// The smallest distance of those with equal outer iterations and a later one of this loop.
  std::optional<int64_t> carriedBy(unsigned level, InstanceSystem system, const Instance &source,
                                   const Instance &sink) {
    for (unsigned outer = 0; outer < level; ++outer)
      system.addZero(step(source, sink, outer));
    LinearForm later = step(source, sink, level);
    system.addNonNegative(later - LinearForm::of(1));
    if (llvm::any_of(nest, [](AffineForOp loop) { return loop.getStepAsInt() != 1; }))
      return system.isEmpty() ? std::nullopt : std::optional<int64_t>(1);
    if (sizes.isFixed[level] && sizes.isRepeating[level] && isRectangularBelow(level)) {
      LinearForm distance = LinearForm::of(0);
      for (unsigned inner = level; inner < nest.size(); ++inner)
        distance = distance + step(source, sink, inner) * sizes.least[inner];
      return system.minimum(distance);
    }
    // All iterations between the two that are sure to be there: those of this loop, the rest of the
    // source's row and the beginning of the sink's.
    LinearForm between = (later - LinearForm::of(1)) * sizes.least[level] + LinearForm::of(1);
    InstanceSystem elsewhere = system;
    for (unsigned inner = level + 1; inner < nest.size(); ++inner)
      between = between + (behind(inner, elsewhere, source) + before(inner, elsewhere, sink)) *
                              sizes.least[inner];
    std::optional<int64_t> bound = elsewhere.minimum(between);
    if (!bound || !sizes.isRepeating[level])
      return bound;
    return repeatedBy(level, system, source, sink, *bound);
  }

  /// The rows below this loop are the same in each of its iterations: at the same place of them the
  /// distance counts whole iterations. Elsewhere `bound` holds.
  std::optional<int64_t> repeatedBy(unsigned level, const InstanceSystem &system,
                                    const Instance &source, const Instance &sink, int64_t bound) {
    InstanceSystem same = system;
    std::optional<int64_t> best;
    for (unsigned inner = level + 1; inner < nest.size(); ++inner) {
      for (int64_t sign : {1, -1}) {
        InstanceSystem moved = same;
        moved.addNonNegative(step(source, sink, inner) * sign - LinearForm::of(1));
        if (!moved.isEmpty())
          best = bound;
      }
      same.addZero(step(source, sink, inner));
    }
    std::optional<int64_t> steps = same.minimum(step(source, sink, level));
    if (steps) {
      int64_t distance = std::max(bound, *steps * rowSize(level));
      best = std::min(best.value_or(distance), distance);
    }
    return best;
  }

  /// Iterations of the loops below a repeating one, counted where they do not depend on loops
  /// around it, otherwise at least.
  int64_t rowSize(unsigned level) {
    if (sizes.isFixed[level] || level + 1 == nest.size())
      return sizes.least[level];
    SmallVector<AffineForOp> loops(llvm::drop_begin(nest, level + 1));
    std::optional<NestWalk> walk = NestWalk::of(loops, 0);
    std::optional<uint64_t> size;
    if (walk)
      size = walk->run(
          rowBudget, [](uint64_t) {}, nullptr);
    return size ? int64_t(*size) : sizes.least[level];
  }

  bool isRectangularBelow(unsigned level) {
    for (unsigned inner = level + 1; inner < nest.size(); ++inner)
      for (unsigned outer = level; outer < inner; ++outer)
        if (reads(nest[inner], nest[outer].getInductionVar()))
          return false;
    return true;
  }

  /// Iterations of a loop after the source's own; 0 where its end is not affine.
  LinearForm behind(unsigned level, InstanceSystem &system, const Instance &at) {
    AffineForOp loop = nest[level];
    auto ends = system.formsOf(loop.getUpperBoundMap(), loop.getUpperBoundOperands(), at);
    if (!ends || ends->size() != 1 || loop.getStepAsInt() != 1)
      return LinearForm::of(0);
    return ends->front() - LinearForm::of(1) - LinearForm::variable(at.variables[control + level]);
  }

  LinearForm before(unsigned level, InstanceSystem &system, const Instance &at) {
    AffineForOp loop = nest[level];
    auto begins = system.formsOf(loop.getLowerBoundMap(), loop.getLowerBoundOperands(), at);
    if (!begins || begins->size() != 1 || loop.getStepAsInt() != 1)
      return LinearForm::of(0);
    return LinearForm::variable(at.variables[control + level]) - begins->front();
  }

  SmallVector<AffineForOp> nest;
  unsigned control;
  Sizes sizes;
  std::map<std::tuple<AccessPatterns::Meeting, bool, std::vector<bool>>, std::optional<int64_t>>
      cache;
};

} // namespace

SmallVector<MemoryDependence> minimizeDependences(AffineForOp outermost) {
  SmallVector<MemoryDependence> found;
  SmallVector<ArrayAccess> accesses = accessesIn(outermost);
  AccessPatterns patterns(accesses);
  Minimization minimization(outermost);
  patterns.forEachPair([&](size_t f, size_t t) {
    const ArrayAccess &from = accesses[f], &to = accesses[t];
    if (std::optional<int64_t> distance =
            minimization.smallest(from, to, f < t, patterns.meetingOf(f, t)))
      found.push_back({from.op, to.op, unsigned(std::clamp<int64_t>(*distance, 0, 1 << 30))});
  });
  return found;
}

} // namespace spindle::hls
