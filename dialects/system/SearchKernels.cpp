#include "dialects/system/ArrayUse.h"
#include "dialects/system/Passes.h"
#include "dialects/system/SinkValues.h"

#include "mlir/Dialect/Affine/Analysis/LoopAnalysis.h"

using namespace mlir;
using namespace mlir::affine;

namespace spindle::system {

#define GEN_PASS_DEF_SYSTEMSEARCH
#include "dialects/system/Passes.h.inc"

namespace {

/// Neighbours in the program that become one launch.
using Group = SmallVector<Operation *>;

LogicalResult checkFunction(func::FuncOp function) {
  if (!function.getBody().hasOneBlock())
    return function.emitError() << "has branches to labels, expected loop form (hls-prepare)";
  for (auto [index, type] : llvm::enumerate(function.getArgumentTypes())) {
    auto array = dyn_cast<MemRefType>(type);
    if (array ? !array.hasStaticShape() || !array.getLayout().isIdentity()
              : !type.isIntOrIndexOrFloat())
      return function.emitError()
             << "argument " << index << " has type " << type
             << ", which has no place in a system of kernels: expected an array of static shape "
                "or a scalar";
  }
  if (function.getNumResults() > 0)
    return function.emitError() << "returns " << function.getResultTypes().front()
                                << ": a system returns arrays, store it in one";
  return success();
}

/// Whether an operation stays where it is, outside of all launches.
bool staysOutside(Operation *op) {
  return isFree(op) || isLocalArray(op) || isa<memref::DeallocOp>(op) ||
         op->hasTrait<OpTrait::IsTerminator>();
}

/// Iterations of all bodies; trip counts that are not known count as a few.
uint64_t iterationsOf(Operation *op) {
  uint64_t inside = 0;
  for (Region &region : op->getRegions())
    for (Operation &inner : region.getOps())
      inside += inner.getNumRegions() ? iterationsOf(&inner) : 0;
  uint64_t trips = 1;
  if (auto loop = dyn_cast<AffineForOp>(op))
    trips = getConstantTripCount(loop).value_or(8);
  else if (isa<LoopLikeOpInterface>(op))
    trips = 8;
  return trips * std::max<uint64_t>(inside, 1);
}

class Search {
public:
  Search(Block &where, int64_t launchesAtMost) : block(where), most(launchesAtMost) {}

  FailureOr<unsigned> run() {
    if (failed(collect()) || failed(joinValues()))
      return failure();
    joinFills();
    if (most > 0)
      balance();
    for (const Group &group : groups)
      launch(group);
    return unsigned(groups.size());
  }

private:
  LogicalResult collect() {
    for (Operation &op : block) {
      if (isFree(&op) && !isa<memref::GetGlobalOp>(op) &&
          llvm::any_of(op.getResultTypes(), llvm::IsaPred<MemRefType>))
        return op.emitError() << op.getName() << " makes a view, expected accesses of arrays "
                              << "themselves (hls-prepare)";
      if (staysOutside(&op))
        continue;
      FailureOr<ArrayUse> use = useOf(&op);
      if (failed(use))
        return failure();
      uses[&op] = *use;
      groups.push_back({&op});
    }
    return success();
  }

  /// The last operation of the block that uses a result of `op`, also by free operations.
  Operation *lastUser(Operation *op) {
    Operation *last = op;
    for (Operation *user : op->getUsers()) {
      Operation *here = block.findAncestorOpInBlock(*user);
      if (isFree(here))
        here = lastUser(here);
      if (last->isBeforeInBlock(here))
        last = here;
    }
    return last;
  }

  /// From an operation to the last one that needs its results, all is one group.
  LogicalResult joinValues() {
    SmallVector<Group> joined;
    Operation *last = nullptr;
    for (const Group &group : groups) {
      Operation *op = group.front(), *user = lastUser(op);
      if (user->hasTrait<OpTrait::IsTerminator>())
        return op->emitError() << op->getName() << " hands on a value to the end of the program, "
                               << "expected arrays that hold all results";
      if (last && (op == last || op->isBeforeInBlock(last)))
        joined.back().push_back(op);
      else
        joined.push_back(group);
      if (!last || last->isBeforeInBlock(user))
        last = user;
    }
    groups = std::move(joined);
    return success();
  }

  /// Whether a group stores constants to one array, and nothing else.
  std::optional<Value> filledBy(const Group &group) {
    Value filled;
    for (Operation *op : group) {
      const ArrayUse &use = uses[op];
      for (Value array : use.read)
        if (!array.getDefiningOp<memref::GetGlobalOp>())
          return std::nullopt;
      for (Value array : use.written) {
        if (filled && filled != array)
          return std::nullopt;
        filled = array;
      }
    }
    return filled ? std::optional(filled) : std::nullopt;
  }

  /// A fill goes to the next group that touches its array.
  void joinFills() {
    for (size_t n = groups.size(); n-- > 0;) {
      std::optional<Value> filled = filledBy(groups[n]);
      if (!filled)
        continue;
      auto next = std::find_if(groups.begin() + ptrdiff_t(n) + 1, groups.end(), [&](Group &group) {
        return llvm::any_of(group, [&](Operation *op) { return uses[op].touches(*filled); });
      });
      if (next == groups.end())
        continue;
      Group fill = std::move(groups[n]);
      for (Operation *op : fill)
        op->moveBefore(next->front());
      next->insert(next->begin(), fill.begin(), fill.end());
      groups.erase(groups.begin() + ptrdiff_t(n));
    }
  }

  /// The neighbours whose largest sum of iterations is smallest: `least[g][n]` for the first n
  /// groups in g launches, `from[g][n]` where the last of these begins.
  void balance() {
    size_t count = groups.size(), launches = std::min<size_t>(count, size_t(most));
    std::vector<uint64_t> before(count + 1, 0);
    for (size_t n = 0; n < count; ++n) {
      before[n + 1] = before[n];
      for (Operation *op : groups[n])
        before[n + 1] += iterationsOf(op);
    }
    constexpr uint64_t none = ~uint64_t(0);
    std::vector<std::vector<uint64_t>> least(launches + 1, std::vector<uint64_t>(count + 1, none));
    std::vector<std::vector<size_t>> from(launches + 1, std::vector<size_t>(count + 1, 0));
    least[0][0] = 0;
    for (size_t g = 1; g <= launches; ++g)
      for (size_t n = g; n <= count; ++n)
        for (size_t m = g - 1; m < n; ++m)
          if (least[g - 1][m] != none) {
            uint64_t largest = std::max(least[g - 1][m], before[n] - before[m]);
            if (largest < least[g][n]) {
              least[g][n] = largest;
              from[g][n] = m;
            }
          }
    SmallVector<Group> joined(launches);
    for (size_t g = launches, end = count; g > 0; end = from[g][end], --g)
      for (size_t n = from[g][end]; n < end; ++n)
        llvm::append_range(joined[g - 1], groups[n]);
    groups = std::move(joined);
  }

  void launch(const Group &group) {
    OpBuilder builder(group.back());
    auto launch = LaunchOp::create(builder, group.back()->getLoc());
    for (Operation *op : group)
      op->moveBefore(launch.getBody().front().getTerminator());
    sinkValues(launch);
  }

  Block &block;
  int64_t most;
  SmallVector<Group> groups;
  DenseMap<Operation *, ArrayUse> uses;
};

/// The body of the one loop that a function is.
FailureOr<Block *> inputLoop(func::FuncOp function) {
  AffineForOp loop;
  for (Operation &op : function.getBody().front()) {
    if (staysOutside(&op))
      continue;
    auto next = dyn_cast<AffineForOp>(op);
    if (!next || loop || next->getNumResults() > 0 || !next.hasConstantBounds() ||
        next.getStepAsInt() != 1)
      return op.emitError() << op.getName()
                            << " stands beside or in place of the loop over inputs: expected one "
                               "loop with constant bounds and step 1, and nothing else";
    loop = next;
  }
  if (!loop)
    return function.emitError() << "has no loop over inputs";
  return loop.getBody();
}

struct SearchPass : impl::SystemSearchBase<SearchPass> {
  using SystemSearchBase::SystemSearchBase;

  void runOnOperation() override {
    func::FuncOp function = getOperation();
    if (function.isExternal())
      return;
    if (failed(checkFunction(function)))
      return signalPassFailure();
    FailureOr<Block *> block = &function.getBody().front();
    if (inputs)
      block = inputLoop(function);
    if (failed(block))
      return signalPassFailure();
    FailureOr<unsigned> made = Search(**block, groups).run();
    if (failed(made))
      return signalPassFailure();
    launches += *made;
    eraseUnused(**block);
    eraseUnused(function.getBody().front());
  }
};
} // namespace

} // namespace spindle::system
