// Loops distributed over their statements.
#include "hw/hls/Passes.h"
#include "hw/hls/body/OperationCost.h"
#include "hw/hls/loops/CostPass.h"
#include "hw/hls/loops/SimplifyIndices.h"
#include "hw/hls/loops/analysis/EstimateNest.h"
#include "hw/hls/loops/order/AbsorbNest.h"

#include "hw/hls/dependence/Nest.h"

#include "mlir/IR/IRMapping.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"
#include "llvm/ADT/SetVector.h"

using namespace mlir;
using namespace mlir::affine;

namespace spindle::hls {

#define GEN_PASS_DEF_HLSFISSIONLOOPS
#include "hw/hls/Passes.h.inc"

namespace {

/// An operation of a body that changes memory or holds a loop, with what computes its operands.
struct Statement {
  Operation *op;
  llvm::SetVector<Operation *> operations; // of the body: itself and the makers of its values
  SmallVector<ArrayAccess> accesses;
};

class Distribution {
public:
  Distribution(AffineForOp of, const Target &madeFor)
      : loop(of), target(madeFor), depth(unsigned(loopsAround(of).size())) {}

  /// Groups of statements, in an order that keeps all dependences; none if the loop stays whole.
  SmallVector<SmallVector<unsigned>> groups() {
    if (loop->getNumResults() > 0 || !collect())
      return {};
    size_t count = statements.size();
    reach.assign(count, std::vector<bool>(count, false));
    for (size_t from = 0; from < count; ++from)
      for (size_t to = 0; to < count; ++to)
        reach[from][to] = from != to && depends(from, to);
    for (size_t s = 0; s < count; ++s)
      if (std::optional<size_t> partner = partnerOf(s))
        reach[s][*partner] = reach[*partner][s] = true;
    for (size_t via = 0; via < count; ++via)
      for (size_t from = 0; from < count; ++from)
        for (size_t to = 0; to < count; ++to)
          reach[from][to] = reach[from][to] || (reach[from][via] && reach[via][to]);
    return order();
  }

  /// A loop like this one with the statements of one group, in front of it.
  void build(ArrayRef<unsigned> group) {
    llvm::SmallPtrSet<Operation *, 16> kept;
    for (unsigned s : group)
      kept.insert(statements[s].operations.begin(), statements[s].operations.end());
    OpBuilder builder(loop);
    IRMapping mapping;
    auto piece = cast<AffineForOp>(builder.cloneWithoutRegions(*loop, mapping));
    piece.getRegion().emplaceBlock();
    mapping.map(loop.getInductionVar(),
                piece.getBody()->addArgument(loop.getInductionVar().getType(), loop.getLoc()));
    builder.setInsertionPointToStart(piece.getBody());
    for (Operation &op : loop.getBody()->without_terminator())
      if (kept.contains(&op))
        builder.clone(op, mapping);
    AffineYieldOp::create(builder, loop.getLoc());
  }

private:
  bool collect() {
    for (Operation &op : loop.getBody()->without_terminator()) {
      if (isPure(&op) || (accessOf(&op) && !accessOf(&op)->isStore))
        continue;
      if (op.getNumResults() > 0)
        return false; // a loop with iter_args, an array of the body
      Statement statement{&op, {}, {}};
      statement.operations.insert(&op);
      for (size_t n = 0; n < statement.operations.size(); ++n)
        statement.operations[n]->walk([&](Operation *inner) {
          for (Value operand : inner->getOperands())
            if (Operation *maker = operand.getDefiningOp();
                maker && maker->getBlock() == loop.getBody())
              statement.operations.insert(maker);
        });
      for (Operation *part : statement.operations)
        llvm::append_range(statement.accesses, accessesIn(part));
      statements.push_back(std::move(statement));
    }
    return statements.size() > 1;
  }

  bool depends(size_t from, size_t to) {
    for (const ArrayAccess &a : statements[from].accesses)
      for (const ArrayAccess &b : statements[to].accesses)
        if (a.array == b.array && (a.isStore || b.isStore) && depends(a, b))
          return true;
    return false;
  }

  /// Whether `b` touches what `a` has touched, in the same iteration of this loop or a later one.
  bool depends(const ArrayAccess &a, const ArrayAccess &b) {
    InstanceSystem system;
    Instance source = system.add(a.op);
    Instance sink = system.add(b.op, &source, depth);
    auto here = system.subscripts(a, source), there = system.subscripts(b, sink);
    if (here && there)
      for (auto [x, y] : llvm::zip(*here, *there))
        system.addZero(x - y);
    LinearForm later =
        LinearForm::variable(sink.variables[depth]) - LinearForm::variable(source.variables[depth]);
    InstanceSystem carried = system;
    carried.addNonNegative(later - LinearForm::of(1));
    if (!carried.isEmpty())
      return true;
    system.addZero(later);
    return comesBefore(a.op, b.op) && !system.isEmpty();
  }

  bool comesBefore(Operation *a, Operation *b) {
    Block *body = loop.getBody();
    return body->findAncestorOpInBlock(*a)->isBeforeInBlock(body->findAncestorOpInBlock(*b));
  }

  /// Whether one of its units takes several cycles before the next operation: in an inner loop it
  /// would hold up every iteration.
  bool isSlow(const Statement &statement) {
    return llvm::any_of(statement.operations, [&](Operation *op) {
      const FunctionalUnit *unit = unitFor(op, target);
      return unit && unit->interval > 1;
    });
  }

  /// The inner loop that a statement beside it becomes part of: the next one that it feeds, or the
  /// last one before it that feeds it.
  std::optional<size_t> partnerOf(size_t statement) {
    auto isPartner = [&](size_t s) {
      auto inner = dyn_cast<AffineForOp>(statements[s].op);
      return inner && alwaysRuns(inner) && (depends(statement, s) || depends(s, statement));
    };
    if (isa<AffineForOp>(statements[statement].op) || isSlow(statements[statement]))
      return std::nullopt;
    for (size_t next = statement + 1; next < statements.size(); ++next)
      if (isPartner(next))
        return next;
    for (size_t last = statement; last-- > 0;)
      if (isPartner(last))
        return last;
    return std::nullopt;
  }

  SmallVector<SmallVector<unsigned>> order() {
    unsigned count = unsigned(statements.size());
    SmallVector<SmallVector<unsigned>> ordered;
    std::vector<bool> done(count, false);
    while (llvm::is_contained(done, false))
      for (unsigned s = 0; s < count; ++s) {
        auto together = [&](unsigned t) { return t == s || (reach[s][t] && reach[t][s]); };
        bool isReady = !done[s];
        for (unsigned t = 0; t < count && isReady; ++t)
          isReady = done[t] || together(t) || !reach[t][s];
        if (!isReady)
          continue;
        ordered.emplace_back();
        for (unsigned t = 0; t < count; ++t)
          if (together(t)) {
            ordered.back().push_back(t);
            done[t] = true;
          }
        break;
      }
    return ordered.size() > 1 ? ordered : SmallVector<SmallVector<unsigned>>();
  }

  AffineForOp loop;
  const Target &target;
  unsigned depth;
  std::vector<Statement> statements;
  std::vector<std::vector<bool>> reach;
};

struct FissionLoops : CostPass<impl::HlsFissionLoopsBase<FissionLoops>> {
  using CostPass::CostPass;

  void runOnLoops() override {
    simplifyIndices(getOperation());
    SmallVector<AffineForOp> loops; // inner ones first
    getOperation().walk([&](AffineForOp loop) { loops.push_back(loop); });
    for (AffineForOp loop : loops) {
      Distribution distribution(loop, costs->target);
      auto groups = distribution.groups();
      if (groups.empty())
        continue;
      for (const SmallVector<unsigned> &group : groups)
        distribution.build(group);
      pieces += unsigned(groups.size()) - 1;
      loop.erase();
    }
  }
};
} // namespace

std::unique_ptr<Pass> makeFissionLoops(const SharedCosts &costs) {
  return withCosts<FissionLoops>(costs);
}

} // namespace spindle::hls
