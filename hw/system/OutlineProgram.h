// A program in the system dialect.
#pragma once

#include "hw/system/System.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"

namespace spindle::hls {

/// A program after system-dispatch, and its tasks.
struct OutlinedProgram {
  mlir::OwningOpRef<mlir::ModuleOp> module;
  mlir::func::FuncOp function;
  TaskGraph graph;
  std::vector<TaskConflict> conflicts;
  std::vector<bool> startsEmpty;    // by array (TaskAnalysis)
  std::vector<std::string> remarks; // `file:4:3: remark: …`
};

/// Works on a copy. Errors: the first thing that a pass refuses, at its place.
llvm::Expected<OutlinedProgram> outlineProgram(mlir::ModuleOp program,
                                               const SystemOptions &options);

/// The kernels as functions, in a module of their own.
llvm::Expected<mlir::OwningOpRef<mlir::ModuleOp>> kernelFunctions(mlir::ModuleOp outlined);

} // namespace spindle::hls
