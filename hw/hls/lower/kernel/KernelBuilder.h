// One function on its way to a kernel: its arrays and streams are declared, then its loops and what
// stands between them become tasks. Each part has a file of its own.
#pragma once

#include "dialects/hls/Hls.h"
#include "hw/hls/Target.h"
#include "hw/hls/lower/kernel/BodyBuilder.h"
#include "hw/hls/lower/kernel/CrossingValues.h"
#include "hw/hls/lower/kernel/LoopNest.h"

#include "mlir/Dialect/Affine/IR/AffineOps.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/SCF/IR/SCF.h"

namespace spindle::hls {

class KernelBuilder {
public:
  KernelBuilder(mlir::func::FuncOp original, const Target &hardware)
      : function(original), target(hardware), builder(original->getContext()) {}

  llvm::Expected<KernelOp> build();

private:
  /// A constant: no circuit has it as a port.
  bool isBound(unsigned argument) {
    return bool(function.getArgAttr(argument, HlsDialect::boundName));
  }
  void declareArguments(mlir::Block &body);
  llvm::Error declareLocals();
  void declareFifo(mlir::Value stream, const std::string &name, int64_t depth,
                   mlir::IntegerAttr argument);
  MemoryOp declare(mlir::Value memref, const std::string &name, mlir::Attribute partition);
  llvm::Error buildTasks(mlir::Block &block, mlir::Block &tasks);
  llvm::Error buildRepeat(mlir::affine::AffineForOp loop, mlir::Block &tasks);
  llvm::Error buildNest(llvm::ArrayRef<mlir::affine::AffineForOp> loops, mlir::Block &tasks);
  llvm::Error buildRotated(mlir::scf::WhileOp loop, mlir::Block &tasks);
  llvm::Error buildWhile(mlir::scf::WhileOp loop, mlir::Block &tasks);
  llvm::SmallVector<mlir::Value> boundOperands(llvm::ArrayRef<mlir::Value> originals);
  llvm::Error buildRun(llvm::ArrayRef<mlir::Operation *> run, mlir::Block &tasks);
  mlir::Value bubbleGuard(BodyBuilder &body, const NestBounds &bounds, mlir::ValueRange counters,
                          mlir::Location location);
  std::string freshName(llvm::StringRef stem) {
    return (stem + llvm::Twine(numbers[stem.str()]++)).str();
  }
  std::string localName(mlir::Value memref, llvm::StringRef stem);

  mlir::func::FuncOp function;
  const Target &target;
  mlir::OpBuilder builder;
  KernelOp kernel;
  MemoryNames memories;
  Crossings crossings;
  FifoNames fifos;
  mlir::IRMapping map;
  std::map<std::string, unsigned> numbers;
};

} // namespace spindle::hls
