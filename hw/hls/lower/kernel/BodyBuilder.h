// The body of a pipeline: straight code from the body of a loop nest.
#pragma once

#include "dialects/hls/Hls.h"

#include "mlir/IR/IRMapping.h"
#include "llvm/ADT/MapVector.h"

namespace spindle::hls {

/// What the memref of an access is called in the kernel, and how it is split.
using MemoryNames = llvm::DenseMap<mlir::Value, MemoryOp>;

/// What a stream is called in the kernel.
using FifoNames = llvm::DenseMap<mlir::Value, FifoOp>;

/// Copies operations to the end of a pipeline's body. Conditions become predicates of accesses and
/// selects; subscripts become addresses in a bank.
class BodyBuilder {
public:
  BodyBuilder(mlir::OpBuilder at, const MemoryNames &memories, const FifoNames &streams,
              mlir::IRMapping &known)
      : builder(at), names(memories), fifos(streams), map(known) {}

  /// All operations of `block` but its terminator, under `condition` (null: always).
  llvm::Error copy(mlir::Block &block, mlir::Value condition);
  llvm::Error copy(mlir::Operation *op, mlir::Value condition);

  /// The copies of accesses, by what they are made from: one for each bank that an access may
  /// reach.
  const llvm::DenseMap<mlir::Operation *, llvm::SmallVector<mlir::Operation *>> &accesses() const {
    return copies;
  }

  mlir::Value conjunction(mlir::Value a, mlir::Value b);
  /// Whether every constraint of `set` holds for `operands`.
  mlir::Value holds(mlir::IntegerSet set, mlir::ValueRange operands, mlir::Location location);
  mlir::Value lookup(mlir::Value original);

private:
  llvm::Error copyAccess(mlir::Operation *op, mlir::Value memory, mlir::AffineMap subscripts,
                         mlir::ValueRange operands, mlir::Value condition);
  mlir::Value accessBank(mlir::Operation *op, MemoryOp memory, int64_t bank, mlir::Value address,
                         mlir::Value condition);
  mlir::Value accessAnyBank(mlir::Operation *op, MemoryOp memory, mlir::Value bank,
                            llvm::ArrayRef<int64_t> reachable, mlir::Value address,
                            mlir::Value condition);
  llvm::Error copyStreamAccess(mlir::Operation *op, mlir::Value condition);
  llvm::Error copyBranches(mlir::Operation *op, mlir::Value decision, mlir::Value condition);
  mlir::Value apply(mlir::AffineMap result, mlir::ValueRange operands, mlir::Location location);
  mlir::Value extreme(mlir::AffineMap results, mlir::ValueRange operands, bool isLargest,
                      mlir::Location location);
  llvm::SmallVector<mlir::Value> lookup(mlir::ValueRange originals);

  mlir::OpBuilder builder;
  const MemoryNames &names;
  const FifoNames &fifos;
  mlir::IRMapping &map;
  llvm::DenseMap<mlir::Operation *, llvm::SmallVector<mlir::Operation *>> copies;
};

} // namespace spindle::hls
