// Which firing a firing waits for.
#pragma once

#include "core/chip/SdfGraph.h"

namespace spindle {

/// The firing of the source, counted from 0, that makes the last token which firing `firing` of the
/// target consumes; below 0 for an initial token (-1 is the last firing of the iteration before the
/// first). With first-in first-out channels and self-timed firings that token is never there before
/// the others, so it alone decides when the target may start.
inline int64_t lastTokenOrigin(const SdfChannel &channel, uint64_t firing) {
  int64_t token = static_cast<int64_t>((firing + 1) * channel.consume) - 1 -
                  static_cast<int64_t>(channel.initialTokens);
  int64_t produce = channel.produce;
  return token >= 0 ? token / produce : -((-token + produce - 1) / produce);
}

} // namespace spindle
