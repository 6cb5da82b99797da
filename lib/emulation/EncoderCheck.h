// Encodings that turn activations into spikes cannot express negative ones.
#pragma once

#include "lib/emulation/Network.h"

#include "fmt/format.h"

namespace spindle {

/// An input error for a negative activation before an encoder of rates or times; nothing for direct
/// encoding, and for events, which are no activations.
inline llvm::Error checkEncoderInput(snn::EncodeOp encode, float activation, uint64_t sample,
                                     size_t element) {
  snn::Encoding encoding = encode.getEncoding();
  if (encoding == snn::Encoding::Direct || encoding == snn::Encoding::Events || !(activation < 0))
    return llvm::Error::success();
  return inputError(placeOf(encode),
                    fmt::format("sample {} has the value {} at element {}, {} encoding expects "
                                "none below zero; scale inputs to [0, 1] without mean and std, or "
                                "use encoding: direct",
                                sample, activation, element,
                                snn::stringifyEncoding(encoding).str()));
}

} // namespace spindle
