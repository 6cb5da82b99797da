#include "hw/hls/lower/kernel/CrossingValues.h"

#include "dialects/hls/Hls.h"
#include "dialects/hls/OpenLoops.h"
#include "hw/hls/lower/kernel/LoopNest.h"
#include "hw/hls/lower/kernel/OpenLoops.h"
#include "hw/hls/lower/kernel/Registers.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/IR/IntegerSet.h"
#include "mlir/IR/Matchers.h"

namespace spindle::hls {

using mlir::affine::AffineForOp;

bool isInvariant(mlir::Value value) {
  if (auto argument = llvm::dyn_cast<mlir::BlockArgument>(value))
    return llvm::isa<mlir::func::FuncOp>(argument.getOwner()->getParentOp());
  mlir::Operation *op = value.getDefiningOp();
  if (mlir::matchPattern(op, mlir::m_Constant()))
    return true;
  return llvm::isa<mlir::arith::IndexCastOp, mlir::arith::IndexCastUIOp>(op) &&
         isInvariant(op->getOperand(0));
}

namespace {

/// The loop without carried values: every one of them is loaded where an iteration starts and
/// stored where it ends.
void uncarry(llvm::ArrayRef<AffineForOp> loops, Registers &registers) {
  AffineForOp outermost = loops.front(), innermost = loops.back();
  llvm::SmallVector<mlir::Value> memories;
  for (mlir::Value init : outermost.getInits()) {
    memories.push_back(registers.make(init.getType()));
    registers.storeBefore(outermost, init, memories.back());
  }
  mlir::Operation *end = innermost.getBody()->getTerminator();
  mlir::Operation *begin = &innermost.getBody()->front();
  for (auto [argument, memory] : llvm::zip(innermost.getRegionIterArgs(), memories)) {
    mlir::Value loaded = registers.loadBefore(begin, memory, argument.getType());
    argument.replaceUsesWithIf(loaded, [&](mlir::OpOperand &use) { return use.getOwner() != end; });
    for (mlir::OpOperand &use : end->getOpOperands())
      if (use.get() == argument)
        use.set(loaded);
  }
  for (auto [next, memory] : llvm::zip(llvm::to_vector(end->getOperands()), memories))
    registers.storeBefore(end, next, memory);
  for (auto [result, memory] : llvm::zip(outermost.getResults(), memories))
    if (!result.use_empty())
      result.replaceAllUsesWith(
          registers.loadBefore(outermost->getNextNode(), memory, result.getType()));
  // From the inside out: the same loops, without carried values.
  for (AffineForOp loop : llvm::reverse(loops)) {
    mlir::OpBuilder builder(loop);
    auto plain = AffineForOp::create(builder, loop.getLoc(), loop.getLowerBoundOperands(),
                                     loop.getLowerBoundMap(), loop.getUpperBoundOperands(),
                                     loop.getUpperBoundMap(), loop.getStepAsInt());
    for (mlir::NamedAttribute attribute : loop->getDiscardableAttrs())
      plain->setDiscardableAttr(attribute.getName(), attribute.getValue());
    mlir::Operation *terminator = plain.getBody()->getTerminator();
    loop.getBody()->getTerminator()->erase();
    plain.getBody()->getOperations().splice(terminator->getIterator(),
                                            loop.getBody()->getOperations());
    loop.getInductionVar().replaceAllUsesWith(plain.getInductionVar());
    for (mlir::Value argument : loop.getRegionIterArgs())
      argument.dropAllUses();
    for (mlir::Value result : loop.getResults())
      result.dropAllUses();
    loop.erase();
  }
}

/// Whether the counters of a nest stand at the first iteration.
mlir::IntegerSet firstIteration(llvm::ArrayRef<AffineForOp> loops,
                                llvm::SmallVectorImpl<mlir::Value> &operands) {
  NestBounds bounds = boundsOf(loops);
  operands.assign(bounds.operands.begin(), bounds.operands.end());
  for (AffineForOp loop : loops)
    operands.push_back(loop.getInductionVar());
  llvm::SmallVector<mlir::AffineExpr> constraints;
  for (auto [level, lower] : llvm::enumerate(bounds.lower)) {
    if (lower.getNumResults() != 1)
      return {};
    constraints.push_back(
        lower.getResult(0) -
        mlir::getAffineDimExpr(bounds.operands.size() + level, lower.getContext()));
  }
  llvm::SmallVector<bool> isEquality(constraints.size(), true);
  return mlir::IntegerSet::get(operands.size(), 0, constraints, isEquality);
}

/// A nest that goes on carrying its values: the first iteration takes them from registers, and each
/// leaves them in others for whoever needs them after the nest. False where its first iteration is
/// not told by one bound per loop.
bool carryFromRegisters(llvm::ArrayRef<AffineForOp> loops, Registers &registers,
                        Crossings &crossings) {
  AffineForOp outermost = loops.front(), innermost = loops.back();
  llvm::SmallVector<mlir::Value> operands;
  mlir::IntegerSet first = firstIteration(loops, operands);
  if (!first)
    return false;
  mlir::OpBuilder builder(outermost);
  mlir::Operation *begin = &innermost.getBody()->front();
  mlir::Operation *end = innermost.getBody()->getTerminator();
  llvm::SmallVector<mlir::Value> inits(outermost.getInits());
  for (auto [position, init] : llvm::enumerate(inits)) {
    mlir::Value argument = innermost.getRegionIterArgs()[position];
    if (!isInvariant(init)) {
      mlir::Value memory = registers.make(init.getType());
      registers.storeBefore(outermost, init, memory);
      mlir::Value start = registers.loadBefore(begin, memory, init.getType());
      auto cast = start.getDefiningOp<mlir::arith::IndexCastOp>();
      crossings.starts.insert(cast ? cast.getIn().getDefiningOp() : start.getDefiningOp());
      builder.setInsertionPoint(begin);
      auto choice = mlir::affine::AffineIfOp::create(builder, outermost.getLoc(), init.getType(),
                                                     first, operands, true);
      argument.replaceAllUsesWith(choice.getResult(0));
      crossings.seen[argument] = choice.getResult(0);
      mlir::OpBuilder inside = choice.getThenBodyBuilder();
      mlir::affine::AffineYieldOp::create(inside, outermost.getLoc(), start);
      inside = choice.getElseBodyBuilder();
      mlir::affine::AffineYieldOp::create(inside, outermost.getLoc(), argument);
      builder.setInsertionPoint(outermost);
      mlir::Value zero = mlir::arith::ConstantOp::create(builder, outermost.getLoc(),
                                                         builder.getZeroAttr(init.getType()));
      outermost.getInitsMutable()[position].set(zero);
    }
  }
  // After all of these, which the values of the next iteration may look at.
  for (auto [position, init] : llvm::enumerate(inits)) {
    mlir::Value result = outermost.getResult(position);
    if (result.use_empty())
      continue;
    mlir::Value memory = registers.make(result.getType());
    registers.storeBefore(outermost, init, memory);
    registers.storeBefore(end, end->getOperand(position), memory);
    result.replaceAllUsesWith(
        registers.loadBefore(outermost->getNextNode(), memory, result.getType()));
  }
  return true;
}

/// Values carried by control loops and by nests that start from something computed.
void uncarryLoops(mlir::Block &block, Registers &registers, Crossings &crossings) {
  for (mlir::Operation &op : llvm::make_early_inc_range(block)) {
    if (auto open = llvm::dyn_cast<mlir::scf::WhileOp>(op)) {
      if (holdsLoop(open))
        uncarryLoops(*open.getAfterBody(), registers, crossings);
      else
        carryFromRegisters(open, registers);
    }
    auto loop = llvm::dyn_cast<AffineForOp>(op);
    if (!loop)
      continue;
    llvm::SmallVector<AffineForOp> nest = pipelinedLoops(loop);
    if (nest.empty()) {
      uncarryLoops(*loop.getBody(), registers, crossings);
      if (loop.getNumResults())
        uncarry({loop}, registers);
      continue;
    }
    bool isUsed = llvm::any_of(loop.getResults(), [](mlir::Value v) { return !v.use_empty(); });
    if ((isUsed || !llvm::all_of(loop.getInits(), isInvariant)) &&
        !carryFromRegisters(nest, registers, crossings))
      uncarry(nest, registers);
  }
}

/// The tasks that operations belong to: nests, and runs of other operations between loops.
class Tasks {
public:
  explicit Tasks(mlir::func::FuncOp function) { number(function.getBody().front()); }

  /// The nest of an operation, or the first operation of its run.
  mlir::Operation *of(mlir::Operation *op) const {
    for (mlir::Operation *around = op; around; around = around->getParentOp())
      if (mlir::Operation *task = tasks.lookup(around))
        return task;
    return nullptr;
  }

private:
  void number(mlir::Block &block) {
    mlir::Operation *run = nullptr;
    for (mlir::Operation &op : block) {
      auto loop = llvm::dyn_cast<AffineForOp>(op);
      auto open = llvm::dyn_cast<mlir::scf::WhileOp>(op);
      run = loop || open ? nullptr : run ? run : &op;
      tasks[&op] = loop || open ? &op : run;
      if (loop && pipelinedLoops(loop).empty())
        number(*loop.getBody());
      if (open && holdsLoop(open))
        number(*open.getAfterBody());
    }
  }

  llvm::DenseMap<mlir::Operation *, mlir::Operation *> tasks;
};

void storeCrossings(mlir::func::FuncOp function, Registers &registers) {
  llvm::SmallVector<mlir::Operation *> makers;
  function.walk([&](mlir::Operation *op) {
    if (op->getNumResults() &&
        !llvm::isa<AffineForOp, mlir::scf::WhileOp, mlir::memref::AllocOp, mlir::memref::AllocaOp,
                   mlir::memref::GetGlobalOp, MakeStreamOp>(op))
      makers.push_back(op);
  });
  Tasks tasks(function);
  for (mlir::Operation *op : makers) {
    mlir::Operation *task = tasks.of(op);
    for (mlir::Value result : op->getResults()) {
      if (isInvariant(result))
        continue;
      llvm::SmallVector<mlir::OpOperand *> far;
      for (mlir::OpOperand &use : result.getUses())
        if (tasks.of(use.getOwner()) != task)
          far.push_back(&use);
      if (far.empty())
        continue;
      mlir::Value memory = registers.make(result.getType());
      registers.storeBefore(op->getNextNode(), result, memory);
      for (mlir::OpOperand *use : far) {
        // Bounds are read before the whole nest.
        mlir::Operation *user = use->getOwner();
        mlir::Operation *place = llvm::isa<AffineForOp>(user) ? tasks.of(user) : user;
        use->set(registers.loadBefore(place, memory, result.getType()));
      }
    }
  }
}

} // namespace

Crossings keepCrossingsInRegisters(mlir::func::FuncOp function) {
  Registers registers(function);
  mlir::Block &body = function.getBody().front();
  Crossings crossings;
  for (mlir::Value value : llvm::to_vector(body.getTerminator()->getOperands())) {
    crossings.results.push_back(registers.make(value.getType()));
    registers.storeBefore(body.getTerminator(), value, crossings.results.back());
  }
  body.getTerminator()->setOperands({});
  function.setFunctionType(
      mlir::FunctionType::get(function.getContext(), function.getArgumentTypes(), {}));
  rotateLoops(function, registers);
  uncarryLoops(body, registers, crossings);
  storeCrossings(function, registers);
  return crossings;
}

} // namespace spindle::hls
