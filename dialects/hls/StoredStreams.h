// Streams that are memories: whatever takes tokens begins when whatever puts them there has come to
// its end.
#pragma once

#include "dialects/hls/Hls.h"

namespace spindle::hls {

/// Beside the depth of an `hls.make_stream` in a program, and of its `hls.fifo` in a kernel:
/// `{depth = 577 : i64, stored}`. As a program it changes nothing. The depth is more than all
/// tokens of one run of the loops at its ends, since a pipeline that may put a token waits for room
/// in iterations that put none, too.
inline constexpr const char *kStored = "stored";

inline bool isStored(mlir::Operation *stream) { return stream->hasAttr(kStored); }

inline void setStored(mlir::Operation *stream) {
  stream->setAttr(kStored, mlir::UnitAttr::get(stream->getContext()));
}

} // namespace spindle::hls
