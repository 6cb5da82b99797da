// Values handed on inside one iteration instead of through memory, also across conditions.
#pragma once

#include "mlir/IR/Block.h"

namespace spindle::hls {

/// In a body without loops, in program order:
/// - a load of a word that this iteration has read or written takes that value;
/// - a store under affine.if, of a word with a known value, makes that value a select, so that the
///   first iteration of a reduction needs no access of its own; where the word is loaded later
///   without condition, that load comes first;
/// - a store that the same iteration overwrites before anybody reads the word disappears.
/// What is in memory after the iteration stays the same. Returns the accesses removed.
unsigned forwardInBody(mlir::Block &body);

} // namespace spindle::hls
