// Random kernels in loop form, and the test that a transformation keeps what they compute.
#pragma once

#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/OwningOpRef.h"

#include <string>

namespace spindle::hls {

/// What a random kernel may contain. Counts are upper bounds.
struct RandomKernelOptions {
  unsigned depth = 3;      ///< loops inside each other, 1 at least
  unsigned nests = 2;      ///< loops side by side in the body of the function
  unsigned statements = 2; ///< between two loops, 1 at least
  bool triangular = true;  ///< bounds that depend on outer induction variables
  bool imperfect = true;   ///< statements before and after inner loops, inner loops side by side
  bool guards = true;      ///< affine.if around statements, some with else
  bool choices = true;     ///< values that affine.if and scf.if yield, beside inner loops too
  bool carried = true;     ///< reductions in iter_args
  bool locals = true;      ///< a local array, written before it is read
  std::string type;        ///< f64, f32 or i32; empty: one of them
  bool stencils = true;    ///< reads of neighbours of the element that is written
};

/// `func.func @kernel` as text, the same for the same seed on every machine. Arguments: two to four
/// arrays of rank 1 or 2 and one scalar, of one element type (f64, f32, i32). Trip counts are 0, 1,
/// few or tens; every access is in range; at most some ten thousand innermost iterations.
std::string randomKernel(uint64_t seed, const RandomKernelOptions &options = {});

/// A context with every dialect and extension of upstream.
mlir::MLIRContext &kernelContext();

/// Parses and verifies; a test failure and null where it does not parse.
mlir::OwningOpRef<mlir::ModuleOp> parseKernel(llvm::StringRef text);

/// Runs `@function` of both modules on the same random inputs and expects the same arrays and
/// results, bit for bit (one NaN is as good as another). Neither module is changed.
void expectSameResults(mlir::ModuleOp before, mlir::ModuleOp after, uint64_t seed,
                       llvm::StringRef function = "kernel");

/// Runs a textual pass pipeline on `func.func` over the kernel, expects that it succeeds, verifies
/// and keeps the results, and returns the transformed module.
mlir::OwningOpRef<mlir::ModuleOp>
expectPipelineKeepsResults(llvm::StringRef kernel, llvm::StringRef pipeline, uint64_t seed);

} // namespace spindle::hls
