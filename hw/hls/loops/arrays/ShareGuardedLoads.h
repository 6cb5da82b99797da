// One load for copies of an iteration that read the same word under different conditions.
#pragma once

#include "mlir/IR/Block.h"

namespace spindle::hls {

/// Loads of one word that stand in several conditions of the block become one in front of the first
/// of these, under the conditions that all of them have in common, if one of the loads has no
/// others: it tells that the word is there. Only of arrays that the block does not store into.
/// Whether there were any; linear in the operations of the block.
bool shareGuardedLoads(mlir::Block &block);

} // namespace spindle::hls
