// From the loop form to the hls dialect: tasks, memories and bodies, not yet scheduled.
#pragma once

#include "dialects/hls/Hls.h"
#include "hw/hls/Target.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"

namespace spindle::hls {

/// An `hls.kernel` of the function's name in the module of `function`, after it; `function` itself
/// changes (values that cross tasks go through memory). Perfect nests become pipelines, other loops
/// `hls.repeat`, scalars with the attribute `hls.bound` no arguments, operations between loops
/// pipelines without levels. Operations have no start, no unit and no port yet; `interval` and
/// `depth` are 1. A task waits for all earlier ones that access an array of its own, if one of the
/// two writes it. Errors are the user's, with the place in the source.
llvm::Expected<KernelOp> buildKernel(mlir::func::FuncOp function, const Target &target);

} // namespace spindle::hls
