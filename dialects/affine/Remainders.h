// Remainders of numbers that do not begin at a multiple. Upstream takes the remainder of the least
// number for the least remainder ((2 i) mod 3 with i from 1 to 5 is 2 or more), and folds divisions
// of it, and bounds beside it, by that.
#pragma once

#include "mlir/IR/Operation.h"

namespace spindle {

/// Writes such remainders below an operation as n + c (-n ceildiv c), where something may be
/// concluded from them: within divisions and other remainders, in affine.apply, beside other
/// bounds.
void spellRemainders(mlir::Operation *root);

} // namespace spindle
