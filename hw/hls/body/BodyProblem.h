// The body of a loop as a scheduling problem in the making: whoever knows which operations it has
// and where their arrays lie adds them; types, units and dependences come about in one way.
#pragma once

#include "hw/hls/UnitLimits.h"
#include "hw/hls/body/OperationCost.h"

#include "mlir/IR/Value.h"
#include "llvm/ADT/DenseMap.h"

#include <map>

namespace spindle::hls {

class BodyProblem {
public:
  BodyProblem(std::string name, const Target &target, const UnitLimits &allowed);

  /// The next operation of the problem; `op` is null for one that the program does not have.
  unsigned add(mlir::Operation *op, std::string name, const OperatorType &type);
  unsigned typeOf(const OperatorType &type);
  /// The resource of that name; new ones have `count` instances.
  unsigned resource(const std::string &name, unsigned count);
  /// The operation occupies a unit. There are as many as the limits allow, else one for each
  /// operation that needs one.
  void useUnit(unsigned operation, const FunctionalUnit &unit);

  /// What `argument` of the body is one iteration later: a value, or what an operation makes.
  void carry(mlir::Value argument, mlir::Value next) { carriedValues[argument] = next; }
  void carry(mlir::Value argument, unsigned maker) { carriedMakers[argument] = maker; }
  /// `to` waits for whatever makes `value`, in iterations before where it is carried; for nobody
  /// where it comes from outside the body. With `isOrder` its result does not hang on the value: no
  /// delays add up through it.
  void connect(mlir::Value value, unsigned to, unsigned distance = 0, bool isOrder = false);
  /// `to` runs `distance` iterations after `from`, by `latency` cycles or more.
  void order(unsigned from, unsigned to, unsigned distance, unsigned latency);

  /// The operation that stands for `op`: itself, or the one that it lies in.
  std::optional<unsigned> idOf(mlir::Operation *op) const;

  Problem problem;

private:
  const UnitLimits &limits;
  std::map<std::string, unsigned> resources;
  llvm::DenseMap<mlir::Operation *, unsigned> ids;
  llvm::DenseMap<mlir::Value, mlir::Value> carriedValues;
  llvm::DenseMap<mlir::Value, unsigned> carriedMakers;
};

} // namespace spindle::hls
