// Poisson encoding turns activations into probabilities: they must not be negative.
#pragma once

#include "lib/emulation/Network.h"

#include "fmt/format.h"

namespace spindle {

/// An input error for a negative activation before a Poisson encoder; nothing for direct encoding.
inline llvm::Error checkPoissonInput(snn::EncodeOp encode, float activation, uint64_t sample,
                                     size_t element) {
  if (encode.getEncoding() != snn::Encoding::Poisson || !(activation < 0))
    return llvm::Error::success();
  return inputError(
      placeOf(encode),
      fmt::format("sample {} has the value {} at element {}, poisson encoding expects "
                  "none below zero; scale inputs to [0, 1] without mean and std, or "
                  "use encoding: direct",
                  sample, activation, element));
}

} // namespace spindle
