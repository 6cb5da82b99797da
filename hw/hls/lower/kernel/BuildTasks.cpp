#include "dialects/hls/OpenLoops.h"
#include "hw/hls/lower/kernel/KernelBuilder.h"
#include "hw/hls/lower/kernel/OpenLoops.h"
#include "hw/hls/lower/kernel/SourceNames.h"
#include "hw/hls/lower/kernel/TaskOrder.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"

namespace spindle::hls {

using mlir::affine::AffineForOp;

/// Whether a value is read for bounds of loops alone: they take it from its register.
static bool isLoopBound(mlir::Operation *op) {
  return llvm::isa<mlir::affine::AffineLoadOp, mlir::arith::IndexCastOp>(op) && !op->use_empty() &&
         llvm::all_of(op->getUsers(), [](mlir::Operation *user) {
           return llvm::isa<AffineForOp>(user) ||
                  (llvm::isa<mlir::arith::IndexCastOp>(user) && isLoopBound(user));
         });
}

/// What bounds start from, as values outside of the tasks.
llvm::SmallVector<mlir::Value> KernelBuilder::boundOperands(llvm::ArrayRef<mlir::Value> originals) {
  mlir::OpBuilder at(kernel.getTasks());
  mlir::IRMapping outside = map;
  BodyBuilder before(at, memories, fifos, outside);
  llvm::SmallVector<mlir::Value> operands;
  for (mlir::Value original : originals) {
    if (!map.contains(original) && !isInvariant(original)) {
      auto cast = original.getDefiningOp<mlir::arith::IndexCastOp>();
      auto load = llvm::cast<mlir::affine::AffineLoadOp>(cast.getIn().getDefiningOp());
      MemoryOp memory = memories.lookup(load.getMemRef());
      outside.map(load.getResult(),
                  HeldOp::create(at, load.getLoc(), load.getType(), memory.getSymName()));
    }
    operands.push_back(before.lookup(original));
  }
  return operands;
}

llvm::Error KernelBuilder::buildRepeat(AffineForOp loop, mlir::Block &tasks) {
  NestBounds bounds = boundsOf(llvm::ArrayRef(loop));
  llvm::SmallVector<mlir::Value> operands = boundOperands(bounds.operands);
  builder.setInsertionPointToEnd(&tasks);
  auto repeat = RepeatOp::create(builder, loop.getLoc(), freshName("loop"), mlir::ArrayAttr(),
                                 bounds.lower.front(), bounds.upper.front(), operands,
                                 mlir::FlatSymbolRefAttr());
  mlir::Block &body = repeat.getBody().emplaceBlock();
  map.map(loop.getInductionVar(), body.addArgument(builder.getIndexType(), counterLocation(loop)));
  builder.setInsertionPointToEnd(&body);
  auto inner = TasksOp::create(builder, loop.getLoc());
  return buildTasks(*loop.getBody(), inner.getBody().emplaceBlock());
}

/// A loop around others that a register ends.
llvm::Error KernelBuilder::buildRotated(mlir::scf::WhileOp loop, mlir::Block &tasks) {
  MemoryOp condition = memories.lookup(decidingRegister(loop));
  builder.setInsertionPointToEnd(&tasks);
  mlir::MLIRContext *context = builder.getContext();
  auto zero = mlir::AffineMap::get(0, 0, mlir::getAffineConstantExpr(0, context));
  auto repeat = RepeatOp::create(builder, loop.getLoc(), freshName("loop"), mlir::ArrayAttr(), zero,
                                 mlir::AffineMap::get(context), mlir::ValueRange(),
                                 mlir::FlatSymbolRefAttr::get(condition.getSymNameAttr()));
  mlir::Block &body = repeat.getBody().emplaceBlock();
  body.addArgument(builder.getIndexType(), loop.getLoc());
  builder.setInsertionPointToEnd(&body);
  auto inner = TasksOp::create(builder, loop.getLoc());
  return buildTasks(*loop.getAfterBody(), inner.getBody().emplaceBlock());
}

llvm::Error KernelBuilder::buildTasks(mlir::Block &block, mlir::Block &tasks) {
  llvm::SmallVector<mlir::Operation *> run;
  auto flush = [&]() -> llvm::Error {
    bool acts =
        llvm::any_of(run, [](mlir::Operation *op) { return !mlir::isMemoryEffectFree(op); });
    if (acts)
      SPINDLE_RETURN_IF_ERROR(buildRun(run, tasks));
    run.clear();
    return llvm::Error::success();
  };
  for (mlir::Operation &op : block.without_terminator()) {
    auto loop = llvm::dyn_cast<AffineForOp>(op);
    auto open = llvm::dyn_cast<mlir::scf::WhileOp>(op);
    if (!loop && !open) {
      bool isDeclared =
          llvm::isa<mlir::memref::AllocOp, mlir::memref::AllocaOp, mlir::memref::GetGlobalOp,
                    mlir::memref::DeallocOp, MakeStreamOp>(op);
      bool isKnown = op.getNumResults() == 1 && (isInvariant(op.getResult(0)) || isLoopBound(&op));
      if (!isDeclared && !isKnown)
        run.push_back(&op);
      continue;
    }
    SPINDLE_RETURN_IF_ERROR(flush());
    if (open) {
      SPINDLE_RETURN_IF_ERROR(holdsLoop(open) ? buildRotated(open, tasks)
                                              : buildWhile(open, tasks));
      continue;
    }
    llvm::SmallVector<AffineForOp> nest = pipelinedLoops(loop);
    SPINDLE_RETURN_IF_ERROR(nest.empty() ? buildRepeat(loop, tasks) : buildNest(nest, tasks));
  }
  SPINDLE_RETURN_IF_ERROR(flush());
  return orderByMemory(llvm::cast<TasksOp>(tasks.getParentOp()));
}

} // namespace spindle::hls
