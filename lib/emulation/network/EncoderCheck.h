// Encodings that turn activations into spikes cannot express negative ones.
#pragma once

#include "lib/emulation/network/Network.h"

#include "fmt/format.h"

namespace spindle {

/// An input error for a negative activation before an encoder of rates or times; nothing for direct
/// encoding, and for events, which are no activations. `stride` is the distance of the activations.
template <typename Scalar>
llvm::Error checkEncoderInput(snn::EncodeOp encode, const Scalar *activations, uint64_t sample,
                              size_t stride = 1) {
  snn::Encoding encoding = encode.getEncoding();
  if (encoding == snn::Encoding::Direct || encoding == snn::Encoding::Events)
    return llvm::Error::success();
  size_t elements = static_cast<size_t>(snn::sizeOf(encode.getInput()));
  for (size_t n = 0; n < elements; ++n)
    if (activations[n * stride] < 0)
      return inputError(
          placeOrNameOf(encode),
          fmt::format("sample {} has the value {} at element {}, {} encoding expects none below "
                      "zero; scale inputs to [0, 1] without mean and std, or use encoding: direct",
                      sample, static_cast<float>(activations[n * stride]), n,
                      snn::stringifyEncoding(encoding).str()));
  return llvm::Error::success();
}

} // namespace spindle
