#include "lib/emulation/layers/kernels/convolution/Convolution.h"

namespace spindle::layers {

Convolution readConvolution(snn::Conv2dOp op) {
  llvm::ArrayRef<int64_t> in = snn::shapeOf(op.getInput()), out = snn::shapeOf(op.getOutput()),
                          kernel = snn::shapeOf(op.getWeight());
  llvm::ArrayRef<int64_t> strides = op.getStrides(), dilations = op.getDilations(),
                          padding = op.getPadding();
  Image image{out[0], out[1], out[2]};
  return {kernel[1],
          out[0],
          {in[1], out[1], kernel[2], strides[0], dilations[0], padding[0], padding[2]},
          {in[2], out[2], kernel[3], strides[1], dilations[1], padding[1], padding[3]},
          image.block(),
          image.blocks(),
          constantOf(op.getWeight()),
          constantOf(op.getBias())};
}

std::vector<float> packWeights(const Convolution &conv) {
  int64_t size = conv.channels * conv.taps();
  std::vector<float> packed(size_t(conv.blocks * size * conv.block));
  for (int64_t f = 0; f < conv.filters; ++f)
    for (int64_t k = 0; k < size; ++k)
      packed[size_t(((f / conv.block) * size + k) * conv.block + f % conv.block)] =
          conv.weights[size_t(f * size + k)];
  return packed;
}

std::vector<float> packBias(const Convolution &conv) {
  std::vector<float> packed = conv.bias;
  packed.resize(size_t(conv.blocks * conv.block));
  return packed;
}

Layout layoutOf(const Image &image) {
  Layout layout{size_t(image.size()), {}, image};
  for (int64_t channel = 0; channel < image.channels; ++channel)
    for (int64_t y = 0; y < image.rows; ++y)
      for (int64_t x = 0; x < image.columns; ++x)
        layout.place.push_back(uint32_t(image.at(channel, y, x)));
  return layout;
}

Signal addResult(PlanBuilder &b, const Convolution &conv) {
  Layout layout = layoutOf(conv.image());
  size_t elements = layout.place.size(), buffer = b.addFloats(Unit::Row, layout.size);
  return {buffer, elements, std::move(layout), false};
}

/// The share of inputs with events above which working all inputs is faster (measured,
/// docs/benchmarks/emulation-experiments.md), and the products of a row for which that kernel may
/// be compiled.
constexpr double kBusyConvolution = 0.48;
constexpr int64_t kWorthwhileConvolution = 1 << 17;

/// Spikes may be rare; sums of windows of them are not.
Signal addConvolution(PlanBuilder &b, snn::Conv2dOp op, const Signal &input) {
  Convolution conv = readConvolution(op);
  if (op.getGroups() != 1)
    return addGroupedConvolution(b, conv, int64_t(op.getGroups()), input);
  bool moves = conv.rows.stride == 1 && conv.columns.stride == 1;
  Signal output = addResult(b, conv);
  if (!moves || !input.binary) {
    addDenseConvolution(b, conv, input, output);
    return output;
  }
  EventList events = addScatterConvolution(b, conv, input, output);
  int64_t products = conv.pixels() * conv.channels * conv.taps() * conv.blocks * conv.block;
  if (b.hasRows(input) && products >= kWorthwhileConvolution)
    addDenseConvolution(
        b, conv, input, output,
        EventCount{events.ends, size_t(conv.channels - 1), input.elements, kBusyConvolution});
  return output;
}

} // namespace spindle::layers
