#include "lib/conversion/snn-to-loops/tensor/TensorStreams.h"

#include "lib/conversion/snn-to-loops/Signal.h"

#include "fmt/format.h"

using namespace mlir;

namespace spindle::snn_to_loops {

TensorTokens TensorStreams::tokens() const {
  TensorTokens made;
  made.bits = bits;
  for (auto [part, stream] : llvm::zip(words.parts, parts)) {
    TensorTokens::Token &token = made.tokens.emplace_back();
    token.stream = stream;
    for (int64_t value = 0; value < part.port.perWord; ++value)
      token.values.push_back(part.firstLane + value);
  }
  return made;
}

llvm::Expected<SpikeWords> wordsFor(const TensorLayer &layer, const HardwareLayer &described,
                                    std::optional<ArrayRef<int64_t>> given) {
  ArrayRef<int64_t> shape = snn::shapeOf(layer.input()), made = given.value_or(shape);
  bool isImage = given && made.size() == 3; // that is made
  int64_t most = layer.isWindowed ? layer.axes[1].kernel : layer.channels;
  if (described.inputs < 1 || described.inputs > most)
    return inputError("", fmt::format("layer '{}' takes {} inputs at a time, expected 1 to {} (as: "
                                      "tensor)",
                                      described.name, described.inputs, most));
  if (layer.isWindowed) {
    if (isImage && made != shape)
      return layerError(layer.op, "is to be a tensor kernel (as: tensor) and takes another "
                                  "image's elements, expected its shape");
    return SpikeWords::ofPlaces(shape[0], shape[1] * shape[2], shape[0]);
  }
  if (!isImage)
    return SpikeWords::ofVector(layer.channels, described.inputs);
  if (made[0] % described.inputs != 0)
    return inputError("", fmt::format("layer '{}' takes {} inputs at a time, expected a divisor of "
                                      "the {} channels in front of it (as: tensor)",
                                      described.name, described.inputs, made[0]));
  return SpikeWords::ofPlaces(made[0], made[1] * made[2], described.inputs);
}

} // namespace spindle::snn_to_loops
