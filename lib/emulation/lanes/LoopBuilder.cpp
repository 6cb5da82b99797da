#include "lib/emulation/lanes/LoopBuilder.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"

using namespace mlir;

namespace spindle::lanes {

LoopBuilder::LoopBuilder(MLIRContext &context) : builder(&context) {
  context.loadDialect<arith::ArithDialect, func::FuncDialect, LLVM::LLVMDialect, scf::SCFDialect,
                      vector::VectorDialect>();
}

LoopBuilder::Values LoopBuilder::reduceBetween(Value first, Value end, Value step, Values sums,
                                               SumBody body) {
  auto loop = emit<scf::ForOp>(first, end, step, sums);
  OpBuilder::InsertionGuard guard(builder);
  builder.setInsertionPointToStart(loop.getBody());
  Values inner = body(loop.getInductionVar(), loop.getRegionIterArgs());
  if (!sums.empty()) // loops without sums are made with their terminator
    emit<scf::YieldOp>(inner);
  return Values(loop.getResults());
}

void LoopBuilder::when(Value condition, llvm::function_ref<void()> body) {
  auto guarded = emit<scf::IfOp>(condition, /*withElseRegion=*/false);
  OpBuilder::InsertionGuard guard(builder);
  builder.setInsertionPointToStart(guarded.thenBlock());
  body();
}

Value LoopBuilder::branch(Value condition, Type type, llvm::function_ref<Value()> then,
                          llvm::function_ref<Value()> otherwise) {
  auto either = emit<scf::IfOp>(type, condition, /*withElseRegion=*/true);
  OpBuilder::InsertionGuard guard(builder);
  builder.setInsertionPointToStart(&either.getThenRegion().front());
  emit<scf::YieldOp>(then());
  builder.setInsertionPointToStart(&either.getElseRegion().front());
  emit<scf::YieldOp>(otherwise());
  return either.getResult(0);
}

} // namespace spindle::lanes
