// Whether loops stay in the order in which they are written, for what neighbouring iterations read
// again.
#pragma once

#include "hw/synthesis/Attempt.h"

namespace spindle::hls {

/// The kernel as it is, or with its loops in the written order where that takes fewer cycles by
/// windows (hls-reuse-windows): orders are chosen nest by nest before bodies are unrolled, so
/// windows are not seen there. Judged by estimates, then scheduled and compared (Aim::Trade).
/// Kernels whose cycles depend on data or arguments, and very large ones, stay as they are.
llvm::Expected<Synthesis> chooseOrder(Synthesis made, mlir::ModuleOp program, const Target &target);

} // namespace spindle::hls
