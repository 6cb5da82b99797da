// Which addresses are handed on through the stages of a pipeline instead of being computed again.
#pragma once

#include "dialects/hls/Hls.h"
#include "hw/hls/lower/IndexRanges.h"

#include "llvm/ADT/DenseMap.h"

namespace spindle::hls {

/// For each affine expression of a scheduled pipeline that is not to be computed, an equal one that
/// stands before it, starts earlier and waits for it. Where a word is read and written again,
/// cycles later, its address either waits, or the counters wait and it is computed again: of both
/// the one with fewer bits of registers and adders, never more flip-flops.
llvm::DenseMap<mlir::Operation *, mlir::Operation *> carriedAddresses(PipelineOp pipeline,
                                                                      const IndexRanges &ranges);

} // namespace spindle::hls
