// Loops that data end: scf.while, and loops whose bounds are computed while the kernel runs.
#pragma once

#include "hw/hls/lower/kernel/Registers.h"

#include "mlir/Dialect/SCF/IR/SCF.h"

namespace spindle::hls {

/// Whether there is a loop in `op`; scf.while without one becomes a pipeline.
bool holdsLoop(mlir::Operation *op);

/// scf.for becomes affine.for between the same numbers, whatever computes them.
void countLoops(mlir::func::FuncOp function);

/// scf.while with loops inside: what decides stands before the loop and, once more, at the end of
/// its body; the loop itself carries nothing and looks at a register of one bit.
void rotateLoops(mlir::func::FuncOp function, Registers &registers);

/// The register that decides of such a loop.
mlir::Value decidingRegister(mlir::scf::WhileOp loop);

/// scf.while without loops inside: its first iteration takes what is not the same through the whole
/// run from registers, and each leaves the loop's results in others.
void carryFromRegisters(mlir::scf::WhileOp loop, Registers &registers);

} // namespace spindle::hls
