// Which firing a firing waits for.
#pragma once

#include "core/chip/sdf/SdfGraph.h"

#include <optional>

namespace spindle {

/// The firing of the source, counted from 0, that makes the last token which firing `firing` of the
/// target consumes; below 0 for an initial token (-1 is the last firing of the iteration before the
/// first); nothing where that firing consumes none. With first-in first-out channels and firings
/// that end in order that token is never there before the others, so it alone decides when the
/// target may start.
inline std::optional<int64_t> lastTokenOrigin(const SdfChannel &channel, uint64_t firing) {
  if (channel.consume[firing] == 0)
    return std::nullopt;
  int64_t token = static_cast<int64_t>(channel.consume.sum(firing + 1)) - 1 -
                  static_cast<int64_t>(channel.initialTokens);
  auto perTurn = static_cast<int64_t>(channel.produce.total());
  int64_t turn = token >= 0 ? token / perTurn : -((-token + perTurn - 1) / perTurn);
  return turn * static_cast<int64_t>(channel.produce.phases()) +
         static_cast<int64_t>(
             channel.produce.firingPast(static_cast<uint64_t>(token - turn * perTurn)));
}

} // namespace spindle
