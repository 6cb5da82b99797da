#include "hw/hls/lower/kernel/OpenLoops.h"

#include "dialects/hls/OpenLoops.h"
#include "dialects/location/Location.h"
#include "hw/hls/lower/kernel/CrossingValues.h"

#include "mlir/IR/IRMapping.h"
#include "mlir/IR/Matchers.h"
#include "mlir/IR/PatternMatch.h"

namespace spindle::hls {

namespace scf = mlir::scf;
using mlir::affine::AffineForOp;

namespace {

void count(scf::ForOp loop) {
  mlir::IRRewriter rewriter(loop);
  mlir::AffineMap value = rewriter.getDimIdentityMap();
  auto counted = AffineForOp::create(rewriter, loop.getLoc(), loop.getLowerBound(), value,
                                     loop.getUpperBound(), value, 1, loop.getInitArgs());
  counted->setDiscardableAttrs(loop->getDiscardableAttrDictionary());
  mlir::Block *body = counted.getBody();
  if (body->mightHaveTerminator())
    rewriter.eraseOp(body->getTerminator());
  counted.getInductionVar().setLoc(loop.getInductionVar().getLoc());
  rewriter.mergeBlocks(loop.getBody(), body, body->getArguments());
  mlir::Operation *yield = body->getTerminator();
  rewriter.setInsertionPoint(yield);
  rewriter.replaceOpWithNewOp<mlir::affine::AffineYieldOp>(yield, yield->getOperands());
  rewriter.replaceOp(loop, counted.getResults());
}

/// Copies what decides to before `place`, from these carried values: whether there is another turn
/// and what that turn sees are left in registers.
void decideBefore(mlir::Operation *place, scf::WhileOp loop, mlir::ValueRange carried,
                  mlir::Value decision, llvm::ArrayRef<mlir::Value> passed, Registers &registers) {
  mlir::OpBuilder builder(place);
  mlir::IRMapping map;
  map.map(loop.getBeforeArguments(), carried);
  for (mlir::Operation &op : loop.getBeforeBody()->without_terminator())
    builder.clone(op, map);
  scf::ConditionOp end = loop.getConditionOp();
  registers.storeBefore(place, map.lookupOrDefault(end.getCondition()), decision);
  for (auto [value, memory] : llvm::zip(end.getArgs(), passed))
    if (memory)
      registers.storeBefore(place, map.lookupOrDefault(value), memory);
}

scf::WhileOp rotate(scf::WhileOp loop, Registers &registers) {
  mlir::OpBuilder builder(loop);
  mlir::Location location = loop.getLoc();
  mlir::Value decision = registers.make(builder.getI1Type());
  llvm::SmallVector<mlir::Value> passed;
  for (auto [argument, result] : llvm::zip(loop.getAfterArguments(), loop.getResults())) {
    bool isRead = !argument.use_empty() || !result.use_empty();
    passed.push_back(isRead ? registers.make(result.getType()) : mlir::Value());
  }
  decideBefore(loop, loop, loop.getInits(), decision, passed, registers);

  auto rotated = scf::WhileOp::create(builder, location, mlir::TypeRange(), mlir::ValueRange());
  builder.createBlock(&rotated.getBefore());
  mlir::Value goesOn =
      mlir::affine::AffineLoadOp::create(builder, location, decision, mlir::ValueRange());
  scf::ConditionOp::create(builder, location, goesOn, mlir::ValueRange());
  rotated.getAfter().takeBody(loop.getAfter());
  mlir::Block *body = rotated.getAfterBody();
  for (auto [argument, memory] : llvm::zip(body->getArguments(), passed))
    if (!argument.use_empty())
      argument.replaceAllUsesWith(registers.loadBefore(&body->front(), memory, argument.getType()));
  mlir::Operation *end = body->getTerminator();
  llvm::SmallVector<mlir::Value> next(end->getOperands());
  decideBefore(end, loop, next, decision, passed, registers);
  end->setOperands({});
  body->eraseArguments(0, body->getNumArguments());
  for (auto [result, memory] : llvm::zip(loop.getResults(), passed))
    if (!result.use_empty())
      result.replaceAllUsesWith(
          registers.loadBefore(loop->getNextNode(), memory, result.getType()));
  loop.erase();
  return rotated;
}

} // namespace

llvm::Error countLoops(mlir::func::FuncOp function) {
  llvm::SmallVector<scf::ForOp> loops;
  function.walk([&](scf::ForOp loop) { loops.push_back(loop); });
  for (scf::ForOp loop : loops) {
    if (!loop.getInductionVar().getType().isIndex() || loop.getUnsignedCmp() ||
        !mlir::matchPattern(loop.getStep(), mlir::m_One()))
      return inputError(placeOf(loop), "a loop counts otherwise than by signed indices in steps of "
                                       "1: bring it into loop form by --hls-prepare");
    count(loop);
  }
  return llvm::Error::success();
}

void rotateLoops(mlir::func::FuncOp function, Registers &registers) {
  // From the outside in, so that none that is rotated goes away with another one.
  llvm::SmallPtrSet<mlir::Operation *, 8> rotated;
  for (scf::WhileOp found;;) {
    found = {};
    function.walk<mlir::WalkOrder::PreOrder>([&](scf::WhileOp loop) {
      if (!holdsLoop(loop) || rotated.contains(loop))
        return mlir::WalkResult::advance();
      found = loop;
      return mlir::WalkResult::interrupt();
    });
    if (!found)
      return;
    rotated.insert(rotate(found, registers));
  }
}

mlir::Value decidingRegister(scf::WhileOp loop) {
  return llvm::cast<mlir::affine::AffineLoadOp>(loop.getBeforeBody()->front()).getMemRef();
}

void carryFromRegisters(scf::WhileOp loop, Registers &registers) {
  mlir::OpBuilder builder(loop);
  mlir::Location location = loop.getLoc();
  mlir::Value isFirst;
  for (unsigned position = 0, carried = loop.getInits().size(); position < carried; ++position) {
    mlir::Value init = loop.getInits()[position];
    if (isInvariant(init))
      continue;
    builder.setInsertionPoint(loop);
    if (!isFirst) { // a bit more is carried
      loop.getInitsMutable().append(
          mlir::arith::ConstantIntOp::create(builder, location, 1, 1).getResult());
      isFirst = loop.getBeforeBody()->addArgument(builder.getI1Type(), location);
      builder.setInsertionPoint(loop.getYieldOp());
      loop.getYieldOp().getResultsMutable().append(
          mlir::arith::ConstantIntOp::create(builder, location, 0, 1).getResult());
      builder.setInsertionPoint(loop);
    }
    mlir::Value zero =
        mlir::arith::ConstantOp::create(builder, location, builder.getZeroAttr(init.getType()));
    mlir::Value memory = registers.make(init.getType());
    registers.storeBefore(loop, init, memory);
    loop.getInitsMutable()[position].set(zero);
    mlir::Operation *begin = &loop.getBeforeBody()->front();
    mlir::Value start = registers.loadBefore(begin, memory, init.getType());
    builder.setInsertionPoint(begin);
    mlir::Value argument = loop.getBeforeArguments()[position];
    auto choice = mlir::arith::SelectOp::create(builder, location, isFirst, start, argument);
    argument.replaceAllUsesExcept(choice, choice);
  }
  mlir::Operation *end = loop.getConditionOp();
  for (auto [result, value] : llvm::zip(loop.getResults(), loop.getConditionOp().getArgs())) {
    if (result.use_empty())
      continue;
    mlir::Value memory = registers.make(result.getType());
    registers.storeBefore(end, value, memory);
    result.replaceAllUsesWith(registers.loadBefore(loop->getNextNode(), memory, result.getType()));
  }
}

} // namespace spindle::hls
