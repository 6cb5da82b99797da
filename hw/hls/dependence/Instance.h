// Executions of operations in loops as integer points: bounds, conditions and subscripts become
// constraints of a system.
#pragma once

#include "hw/hls/dependence/AffineSystem.h"

#include "mlir/Dialect/Affine/IR/AffineOps.h"
#include "llvm/ADT/DenseMap.h"

namespace spindle::hls {

/// A read or a write of an array.
struct ArrayAccess {
  mlir::Operation *op;
  mlir::Value array;
  bool isStore;
};

/// The access that an operation is: affine.load, affine.store, memref.load, memref.store.
std::optional<ArrayAccess> accessOf(mlir::Operation *op);

/// All accesses in an operation and its regions, in program order.
llvm::SmallVector<ArrayAccess> accessesIn(mlir::Operation *op);

/// The loops around an operation, outermost first.
llvm::SmallVector<mlir::affine::AffineForOp> loopsAround(mlir::Operation *op);

/// A condition that an operation stands under: an affine.if and which of its regions.
struct Guard {
  mlir::affine::AffineIfOp op;
  bool inElse;
};
llvm::SmallVector<Guard> guardsAround(mlir::Operation *op);

/// One execution of an operation: a variable for each loop around it.
struct Instance {
  mlir::Operation *op;
  llvm::SmallVector<mlir::affine::AffineForOp> loops; // outermost first
  llvm::SmallVector<unsigned> variables;
};

/// A system over executions. What cannot be said in affine terms (conditions on data, bounds read
/// from memory) is left out: the set of points grows, never shrinks.
class InstanceSystem : public AffineSystem {
public:
  /// An execution of `op`; its first `shared` loops are in the same iterations as those of `with`.
  Instance add(mlir::Operation *op, const Instance *with = nullptr, unsigned shared = 0);

  /// An index value at an execution. None where it is not affine in induction variables and
  /// values from outside all loops.
  std::optional<LinearForm> formOf(mlir::Value value, const Instance &at);
  /// All results of a map, none if one of them is not affine.
  std::optional<llvm::SmallVector<LinearForm>>
  formsOf(mlir::AffineMap map, mlir::ValueRange operands, const Instance &at);
  /// The subscripts of an access.
  std::optional<llvm::SmallVector<LinearForm>> subscripts(const ArrayAccess &access,
                                                          const Instance &at);

  using AffineSystem::formOf;

private:
  void addBounds(mlir::affine::AffineForOp loop, unsigned variable, const Instance &at);
  void addGuard(const Guard &guard, const Instance &at);

  llvm::DenseMap<mlir::Value, unsigned> symbols;
};

} // namespace spindle::hls
