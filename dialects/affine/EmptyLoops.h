// Loops that never run. Upstream removes them, too, but before that it may look at the bounds of
// loops inside, where from no values at all it concludes that each of several bounds is above
// another, and drops all of them.
#pragma once

#include "mlir/IR/Operation.h"

namespace spindle {

/// Removes the affine loops below an operation, parallel ones too, of which the bounds say, given
/// those of the loops around, that they run not even once; outermost first.
void removeEmptyLoops(mlir::Operation *root);

} // namespace spindle
