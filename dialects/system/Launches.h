// A function as launches of kernels: which of them wait for which.
#pragma once

#include "core/kernel/TaskGraph.h"
#include "dialects/system/System.h"

#include "llvm/Support/Error.h"

namespace spindle::system {

/// The launches of a function, in its order, with the loop over inputs around them.
struct Launches {
  llvm::SmallVector<LaunchFuncOp> all;
  mlir::affine::AffineForOp inputs; // null: there is one input

  FuncOp kernelOf(size_t launch) const;
};

/// Emits an error where something else than launches, arrays and one loop around them is there.
mlir::FailureOr<Launches> launchesOf(mlir::func::FuncOp function);

/// By launch, those before it whose arrays it needs, or that need what it overwrites; also by way
/// of others.
std::vector<llvm::SmallBitVector> predecessorsOf(const Launches &launches);

/// Whether every input writes all that it reads of a local array.
bool isOfOneInput(const Launches &launches, mlir::Value array);

/// Whether the launches of an input together surely store every element of an array before one of
/// them reads any. `byInput`: of the part of an input (ArrayUse.h).
bool isStoredBeforeRead(const Launches &launches, mlir::Value array, bool byInput);

struct TaskAnalysis {
  hls::TaskGraph graph;
  /// Why tasks wait for each other, whatever the kind: pairs of one input first, then those of
  /// different inputs.
  std::vector<hls::TaskConflict> conflicts;
  /// By array, whether nobody reads what is in it before the first task: arrays of the system, and
  /// arguments that each input rewrites as a whole first.
  std::vector<bool> startsEmpty;
};

/// The graph of a function after system-dispatch. Emits an error where the function has another
/// form.
mlir::FailureOr<TaskAnalysis> analyzeTasks(mlir::func::FuncOp function, hls::SystemKind kind);

} // namespace spindle::system
