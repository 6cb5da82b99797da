// What programs and kernels do with streams.
#pragma once

#include "dialects/hls/Hls.h"

namespace spindle::hls {

/// Whether a token is read or written in `op`, of a program or of a kernel.
bool usesStream(mlir::Operation *op);

/// Tokens for which a FIFO needs room so that a scheduled pipeline may begin an iteration: its own,
/// and those of the iterations that have not come to their pushes. 0 where it puts none there.
int64_t roomNeeded(PipelineOp pipeline, FifoOp fifo);

} // namespace spindle::hls
