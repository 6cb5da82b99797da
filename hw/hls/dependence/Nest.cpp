#include "hw/hls/dependence/Nest.h"

#include "dialects/hls/Hls.h"
#include "dialects/hls/OpenLoops.h"

#include "hw/hls/dependence/Independence.h"
#include "hw/hls/dependence/Instance.h"

using namespace mlir;
using namespace mlir::affine;

namespace spindle::hls {

SmallVector<AffineForOp> plainNest(AffineForOp outermost) {
  SmallVector<AffineForOp> loops;
  for (AffineForOp loop = outermost; loop;) {
    loops.push_back(loop);
    auto inner = loop.getBody()->getOps<AffineForOp>();
    if (inner.empty())
      return holdsLoop(loop) ? SmallVector<AffineForOp>() : loops;
    if (!llvm::hasNItems(loop.getBody()->getOperations(), 2))
      return {};
    loop = *inner.begin();
  }
  return loops;
}

SmallVector<AffineForOp> perfectNest(AffineForOp outermost) {
  SmallVector<AffineForOp> loops = plainNest(outermost);
  return areClaimsLost(loops) ? SmallVector<AffineForOp>() : loops;
}

int64_t leastIterations(AffineForOp loop) {
  auto least = loop->getAttrOfType<IntegerAttr>(HlsDialect::atLeastName);
  return std::max<int64_t>(least ? least.getInt() : 1, 1);
}

std::optional<NestWalk> NestWalk::of(ArrayRef<AffineForOp> loops, unsigned control) {
  NestWalk walk;
  walk.control = control;
  for (AffineForOp loop : loops) {
    auto lower = CompiledMap::compile(loop.getLowerBoundMap(), loop.getLowerBoundOperands(),
                                      walk.inductionVars);
    auto upper = CompiledMap::compile(loop.getUpperBoundMap(), loop.getUpperBoundOperands(),
                                      walk.inductionVars);
    if (!lower || !upper)
      return std::nullopt;
    walk.levels.push_back({*lower, *upper, loop.getStepAsInt(), leastIterations(loop)});
    walk.inductionVars.push_back(loop.getInductionVar());
  }
  return walk;
}

struct NestWalk::State {
  SmallVector<int64_t> values;
  uint64_t time = 0, steps = 0, budget;
  Start start;
  Iteration iteration;
};

std::optional<uint64_t> NestWalk::run(uint64_t budget, Start start, Iteration iteration) const {
  State state{{}, 0, 0, budget, start, iteration};
  return runLevel(0, state) ? std::optional(state.time) : std::nullopt;
}

/// Time that a bubble of a loop takes: its inner loops run for nothing.
uint64_t NestWalk::bubbleSize(unsigned level) const {
  uint64_t size = 1;
  for (unsigned inner = level + 1; inner < levels.size(); ++inner)
    size *= uint64_t(levels[inner].least);
  return size;
}

bool NestWalk::runLevel(unsigned level, State &state) const {
  if (level == control)
    state.start(state.time);
  if (level == levels.size()) {
    state.iteration(state.values, state.time++);
    return ++state.steps <= state.budget;
  }
  const Level &loop = levels[level];
  int64_t lower = loop.lower.largest(state.values), upper = loop.upper.smallest(state.values);
  int64_t trips = std::max<int64_t>(0, (upper - lower + loop.step - 1) / loop.step);
  if (level + 1 == levels.size() && !state.iteration) {
    state.time += uint64_t(std::max(trips, level < control ? 0 : loop.least));
    return ++state.steps <= state.budget;
  }
  state.values.push_back(0);
  for (int64_t trip = 0; trip < trips; ++trip) {
    state.values.back() = lower + trip * loop.step;
    if (!runLevel(level + 1, state))
      return false;
  }
  state.values.pop_back();
  if (level >= control && trips < loop.least)
    state.time += uint64_t(loop.least - trips) * bubbleSize(level);
  return true;
}

std::optional<NestRuns> countIterations(AffineForOp outermost, uint64_t budget) {
  SmallVector<AffineForOp> loops = loopsAround(outermost);
  unsigned control = loops.size();
  loops.append(perfectNest(outermost));
  std::optional<NestWalk> walk = NestWalk::of(loops, control);
  if (!walk || loops.size() == control)
    return std::nullopt;
  NestRuns counted;
  uint64_t begin = 0;
  auto start = [&](uint64_t time) {
    ++counted.runs;
    counted.longest = std::max(counted.longest, time - begin);
    begin = time;
  };
  std::optional<uint64_t> end = walk->run(budget, start, nullptr);
  if (!end)
    return std::nullopt;
  counted.iterations = *end;
  counted.longest = std::max(counted.longest, *end - begin);
  return counted;
}

std::optional<uint64_t> executionsOf(Operation *op, uint64_t budget) {
  SmallVector<AffineForOp> loops = loopsAround(op);
  std::optional<NestWalk> walk = NestWalk::of(loops, loops.size());
  uint64_t executions = 0;
  auto count = [&](ArrayRef<int64_t>, uint64_t) { ++executions; };
  if (!walk || !walk->run(
                   budget, [](uint64_t) {}, count))
    return std::nullopt;
  return executions;
}

} // namespace spindle::hls
