// Loops that data end: scf.while, and loops whose bounds are computed while the kernel runs.
#pragma once

#include "core/support/Error.h"
#include "hw/hls/lower/kernel/Registers.h"

#include "mlir/Dialect/SCF/IR/SCF.h"

namespace spindle::hls {

/// scf.for becomes affine.for between the same numbers, whatever computes them. Error: one that
/// does not count as the loop form has it, by signed indices in steps of 1.
llvm::Error countLoops(mlir::func::FuncOp function);

/// scf.while with loops inside: what decides stands before the loop and, once more, at the end of
/// its body; the loop itself carries nothing and looks at a register of one bit.
void rotateLoops(mlir::func::FuncOp function, Registers &registers);

/// The register that decides of such a loop.
mlir::Value decidingRegister(mlir::scf::WhileOp loop);

/// scf.while without loops inside: its first iteration takes what is not the same through the whole
/// run from registers, and each leaves the loop's results in others.
void carryFromRegisters(mlir::scf::WhileOp loop, Registers &registers);

} // namespace spindle::hls
