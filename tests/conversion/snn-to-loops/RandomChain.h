// Random chains of layers in fixed point that have a form in events.
#pragma once

#include "lib/conversion/snn-to-loops/CircuitOptions.h"
#include "tests/emulation/NetworkBuilder.h"

#include "fmt/format.h"
#include "fmt/ranges.h"

#include <functional>
#include <numeric>

namespace spindle::test {

/// Dense layers behind recorded events; convolutions and sums of windows in front of them; or
/// behind integers that a first layer turns into currents, on the host or in a tensor kernel, or in
/// several. Or an image whose layers have maxima of windows in front. Or pixels that the circuit
/// encodes. Or spikes whose numbers tensor layers go on with.
enum class ChainKind { Dense, Image, Direct, Tensor, Tensors, Maxima, Pixels, Counted };

/// Populations are named p1, p2, …, tensor layers but the one before the first population t1, t2,
/// ….
class RandomChain {
public:
  explicit RandomChain(uint64_t seed, ChainKind kind = ChainKind::Dense)
      : random(seed, 11), behindDirect(int(CounterRandom(seed, 12).below(6))),
        encodes(kind == ChainKind::Pixels),
        isImage(kind != ChainKind::Dense &&
                (seed % 2 == 0 || (!encodes && kind != ChainKind::Counted))),
        hasMaxima(kind == ChainKind::Maxima || (encodes && seed % 5 == 0)),
        isTensor(kind == ChainKind::Tensor || kind == ChainKind::Tensors),
        isDirect(kind == ChainKind::Direct || isTensor ||
                 ((kind == ChainKind::Maxima || kind == ChainKind::Counted) && seed % 4 == 0)),
        lowest(isTensor && seed % 3 == 0 ? -9 : 0), input(drawInput(seed)), n(input, seed) {
    options.steps = 1 + below(6);
    options.takesWeights = below(2);
    options.recordsSpikes = true;
    options.others.style = LayerStyle::Event;
    options.classifies = below(4) == 0;
    if (encodes)
      addEncoder();
    else if (isTensor)
      addTensors(kind == ChainKind::Tensors ? 1 + below(3) : 0);
    else if (isDirect)
      addDirect();
    else
      n.events();
    if (readsOut) { // the first layer is the last one
      n.decode();
      return;
    }
    isImage = snn::shapeOf(n.last()).size() == 3;
    for (int64_t layers = isImage ? 1 + below(2) : 0; layers > 0; --layers)
      addWindows();
    poolMaxima();
    if (kind == ChainKind::Counted && isImage && below(3)) { // maxima are those of counts
      addCounted();
      return;
    }
    if (isImage)
      maybePool();
    n.flatten();
    for (int64_t layers = below(isImage ? 2 : 3); layers > 0; --layers) {
      int64_t groups = 1 + below(4);
      addDense(groups * (1 + below(seed % 3 == 0 ? 24 : 6)), false);
    }
    if (kind == ChainKind::Counted) {
      addDense(2 + below(40), false);
      addCounted();
      return;
    }
    addDense(2 + below(5), true);
    if (readsOut)
      n.decode();
    else
      below(4) ? n.decode() : n.decodeFirstSpike();
  }

  mlir::ModuleOp finish() { return n.finish(); }
  CircuitOptions options;
  bool isWindowed = false; // the last tensor kernel is a convolution
  int tensors = 0;         // before it, without poolings
  int maxima = 0;          // of windows

  std::vector<InputEvent> events() {
    std::vector<InputEvent> drawn;
    double rate = 0.1 + 0.8 * random.uniform();
    auto inputs = uint32_t(
        std::accumulate(input.begin(), input.end(), int64_t(1), std::multiplies<int64_t>()));
    for (uint32_t step = 0; step < uint32_t(options.steps); ++step)
      for (uint32_t element = 0; element < inputs; ++element)
        if (random.uniform() < rate)
          drawn.push_back({step, element});
    return drawn;
  }

  /// One sample: integers under direct coding.
  Samples sample() {
    Samples made;
    made.shape = input;
    made.labels = {0};
    for (int64_t left = size(); left > 0; --left)
      made.values.push_back(float(between(lowest, kMostPixel)));
    return made;
  }

private:
  static constexpr int64_t kMostPixel = 15;

  int64_t size() const {
    return std::accumulate(input.begin(), input.end(), int64_t(1), std::multiplies<int64_t>());
  }
  int64_t below(int64_t bound) { return int64_t(random.below(uint32_t(bound))); }
  int64_t between(int64_t least, int64_t most) { return least + below(most - least + 1); }

  Shape drawInput(uint64_t seed) {
    if (isImage)
      return {between(1, 3), between(3, 7), between(3, 7)};
    return {1 + below(seed % 4 == 0 ? 150 : 20)};
  }

  std::vector<float> weights(int64_t count) {
    int64_t most = int64_t(1) << below(6);
    std::vector<float> values(static_cast<size_t>(count));
    for (float &value : values)
      value = float(between(-most * 2 / 3, most));
    return values;
  }
  std::vector<float> someBias(int64_t count) {
    return below(2) ? weights(count) : std::vector<float>();
  }

  /// Draws stand in statements of their own: compilers differ in the order of arguments.
  NetworkBuilder &dense(int64_t neurons, const std::string &name = "") {
    std::vector<float> bias = someBias(neurons);
    return n.dense(neurons, weights(neurons * snn::sizeOf(n.last())), bias, name);
  }
  NetworkBuilder &conv(const Shape &kernels, const std::string &name, const ConvOptions &windows) {
    std::vector<float> bias = someBias(kernels[0]);
    int64_t count =
        std::accumulate(kernels.begin(), kernels.end(), int64_t(1), std::multiplies<int64_t>());
    return n.conv(kernels, weights(count), bias, name, windows);
  }
  /// Divides by a power of two, then limits.
  void quantize(int64_t exponents, int64_t least, int64_t most) {
    n.quantize(float(int64_t(1) << below(exponents)), least, most);
  }

  /// One value, one per channel or one per neuron.
  std::string parameters(int64_t least, int64_t most) {
    llvm::ArrayRef<int64_t> shape = snn::shapeOf(n.last());
    int64_t counts[] = {1, shape[0], snn::sizeOf(n.last())};
    std::vector<std::string> texts;
    for (int64_t left = counts[below(3)]; left > 0; --left)
      texts.push_back(fmt::format("{}.0", between(least, most)));
    return fmt::format("array<f32: {}>", fmt::join(texts, ", "));
  }

  /// None, or some steps; one, one per channel or one per neuron.
  std::string periods() {
    if (below(2))
      return "array<i64: 0>";
    int64_t counts[] = {1, snn::shapeOf(n.last())[0], snn::sizeOf(n.last())};
    std::vector<int64_t> steps(static_cast<size_t>(counts[below(3)]), 0);
    int64_t most = below(8) ? 3 : 1000;
    for (int64_t &each : steps)
      each = below(most + 1);
    return fmt::format("array<i64: {}>", fmt::join(steps, ", "));
  }

  /// Behind direct coding: some take up currents that decay by themselves, some are read, as far as
  /// they are no image.
  std::string fireDirect() {
    readsOut = behindDirect == 0 && snn::shapeOf(n.last()).size() == 1;
    return fire(readsOut, false, behindDirect == 1);
  }

  std::string fire(bool readsMembranes, bool mayHaveCurrent = false, bool hasSynapse = false) {
    int64_t bits = between(4, 18), most = (int64_t(1) << (bits - 1)) - 1, shift = below(4),
            decayBits = between(1, 14), decay = below(3) ? 0 : between(0, int64_t(1) << decayBits),
            threshold = std::min<int64_t>(most, between(2, 12) << shift);
    std::string name = fmt::format("p{}", ++populations);
    std::string both = fmt::format(
        "layer = \"{}\", initial_membrane = {}, decay = {} : i64, decay_bits = {} : i64, "
        "weight_shift = {} : i64, membrane_bits = {} : i64",
        name, parameters(-std::min<int64_t>(most, 3), std::min<int64_t>(most, threshold)), decay,
        decayBits, shift, bits);
    bool hasCurrent = hasSynapse || (mayHaveCurrent && !readsMembranes && below(4) == 0);
    if (hasCurrent)
      both += fmt::format(", decay_syn = {} : i64", between(0, int64_t(1) << decayBits));
    if (readsMembranes) {
      n.population("fixed_li", both);
      return name;
    }
    std::string rests = periods(), resets = parameters(-std::min<int64_t>(most, 3), 0),
                thresholds = parameters(1, threshold);
    n.population(hasCurrent ? "fixed_cuba_lif" : "fixed_lif",
                 fmt::format("reset = #snn<reset {}>, threshold = {}, v_reset = {}, refractory = "
                             "{}, {}",
                             below(2) ? "subtract" : "zero", thresholds, resets, rests, both));
    return name;
  }

  /// Any lanes, which need not divide the neurons.
  void addDense(int64_t neurons, bool isLast) {
    readsOut = isLast && below(3) == 0;
    int64_t lanes = below(2) ? neurons : between(1, neurons);
    dense(neurons);
    options.layers[fire(readsOut, true)] = {lanes, 1, LayerStyle::Event};
  }

  /// Pixels, some of which are beyond the maximum, at regular distances or with one spike; any of
  /// them side by side. What the network knows of them may have a sign.
  void addEncoder() {
    options.encodes = true;
    n.quantize(1, below(3) ? 0 : -9, kMostPixel);
    int64_t most = between(1, kMostPixel + 4);
    (below(2) ? n.regular(float(most)) : n.latency(between(1, 8), float(most))).ofIntegers();
    if (below(3))
      options.layers["input"] = {between(1, std::min<int64_t>(size(), 20)), 1, LayerStyle::Event};
  }

  /// A convolution once per sample, or a dense layer.
  void addDirect() {
    n.quantize(1, lowest, kMostPixel);
    if (below(8) == 0) {
      int64_t neurons = between(2, 40), lanes = between(1, neurons);
      n.flatten();
      dense(neurons).direct();
      options.layers[fireDirect()] = {lanes, 1, LayerStyle::Event};
      return;
    }
    if (below(4) == 0) {
      n.flatten();
      dense(12).direct().reshape({3, 2, 2});
    } else {
      int64_t filters = between(1, 6);
      conv({filters, input[0], 3, 2}, "", {{1, 1}, {1, 0, 1, 0}}).direct();
    }
    fireDirect();
  }

  /// The same as a tensor kernel, of any lanes and inputs at a time, behind so many others; sums
  /// may be shifted.
  void addTensors(int64_t before) {
    n.quantize(1, lowest, kMostPixel);
    for (int64_t left = before; left > 0; --left) {
      LayerOptions own = addProducts(fmt::format("t{}", ++tensors));
      int64_t most = between(1, 15), least = below(3) ? 0 : -below(8);
      quantize(5, least, most);
      options.layers[fmt::format("t{}", tensors)] = own;
      maybePoolTensor();
    }
    LayerOptions own = addProducts("");
    if (isWindowed && below(3) == 0)
      n.flatten();
    if (below(2)) {
      int64_t most = below(60), least = -below(60);
      quantize(4, least, most);
    }
    n.direct();
    if (becomesImage)
      n.reshape({3, 2, 2});
    options.layers[fireDirect()] = own;
  }

  /// Tensor layers of numbers of spikes, the last one dense; its sums may be shifted.
  void addCounted() {
    becomesImage = false;
    isCounted = true;
    n.count(below(4) == 0 ? (options.steps + 1) / 2 : options.steps); // fewer than there may be
    lastLanes = 0; // any number of counts at a time
    maybePoolTensor();
    for (int64_t left = below(3); left > 0; --left) {
      std::string name = fmt::format("t{}", ++tensors);
      LayerOptions own = addProducts(name);
      int64_t most = between(1, 15), least = below(3) ? 0 : -below(8);
      quantize(5, least, most);
      options.layers[name] = own;
      maybePoolTensor();
    }
    if (becomesImage && snn::shapeOf(n.last()).size() == 1)
      n.reshape({3, 2, 2});
    std::string name = fmt::format("t{}", ++tensors);
    becomesImage = false;
    options.layers[name] = addProductsOfAll(name, snn::shapeOf(n.last()).vec());
    if (below(3) == 0)
      quantize(4, -below(60), below(60));
  }

  /// A convolution of an image, or a dense layer, which may become one.
  LayerOptions addProducts(const std::string &name) {
    bool isLast = name.empty();
    Shape shape = snn::shapeOf(n.last()).vec();
    isWindowed = shape.size() == 3 && below(isLast ? 2 : 4) > 0;
    becomesImage = !isWindowed && below(2);
    return isWindowed ? addFilters(name, shape) : addProductsOfAll(name, shape);
  }

  LayerOptions addFilters(const std::string &name, const Shape &shape) {
    ConvOptions windows{
        {1 + below(2), 1 + below(2)}, {below(2), below(3), below(2), below(3)}, {1, 1}, 1};
    int64_t rows = between(1, std::min<int64_t>(3, shape[1])),
            columns = between(1, std::min<int64_t>(3, shape[2]));
    if (columns == 2 && below(2) && shape[2] > 2)
      windows.dilations[1] = 2;
    if (below(4) == 0)
      windows.groups = shape[0];
    int64_t filters = windows.groups * between(1, windows.groups > 1 ? 2 : 6);
    lastLanes = filters;
    conv({filters, shape[0] / windows.groups, rows, columns}, name, windows);
    return {filters, between(1, columns), LayerStyle::Event, LayerKind::Tensor};
  }

  /// As many at a time as divide what is made before.
  LayerOptions addProductsOfAll(const std::string &name, const Shape &shape) {
    LayerOptions own{1, 1, LayerStyle::Event, LayerKind::Tensor};
    int64_t inputs = snn::sizeOf(n.last()), neurons = becomesImage ? 12 : 4 * between(1, 24);
    bool isFirst = tensors == (name.empty() ? 0 : 1);
    if (isCounted) // places have channels, whether pooled or not
      isFirst = lastLanes == 0 && shape.size() == 1;
    do
      own.inputs = between(1, std::min<int64_t>(5, inputs));
    while (!isFirst && (shape.size() == 3 ? shape[0] : lastLanes) % own.inputs != 0);
    do
      own.lanes = between(1, neurons);
    while (neurons % own.lanes != 0 || (becomesImage && own.lanes % 3 != 0));
    n.flatten();
    dense(neurons, name);
    lastLanes = own.lanes;
    return own;
  }

  /// Sums or maxima of windows of any kind between tensor layers.
  void maybePoolTensor() {
    if (becomesImage)
      n.reshape({3, 2, 2});
    llvm::ArrayRef<int64_t> shape = snn::shapeOf(n.last());
    if (shape.size() != 3 || below(2) || std::min(shape[1], shape[2]) < 2)
      return;
    Shape kernel{between(1, 2), between(1, 2)}, strides{between(1, 2), between(1, 2)},
        padding{below(kernel[0]), below(kernel[1]), below(kernel[0]), below(kernel[1])};
    below(2) ? n.sumPool(kernel, strides, padding) : n.maxPool(kernel, strides, padding);
    lastLanes = shape[0];
    if (below(3) == 0)
      n.quantize(2, -4, 15);
  }

  /// Windows of spikes, which may overlap or lie apart, reach beyond the image, or follow others.
  void poolMaxima() {
    for (int64_t left = hasMaxima && isImage ? 1 + int64_t(below(4) == 0) : 0; left > 0; --left) {
      Shape shape = snn::shapeOf(n.last()).vec(), kernel, strides, padding;
      for (size_t axis = 1; axis < 3; ++axis) {
        kernel.push_back(between(1, std::min<int64_t>(3, shape[axis])));
        strides.push_back(below(2) ? kernel.back() : between(1, 3));
      }
      for (size_t side = 0; side < 4; ++side)
        padding.push_back(below(3) == 0 ? below(kernel[side % 2]) : 0);
      n.maxPool(kernel, strides, padding);
      maxima += 1;
    }
  }

  /// Windows that share nothing, on the way to weights.
  void maybePool() {
    llvm::ArrayRef<int64_t> shape = snn::shapeOf(n.last());
    if (below(2) || std::min(shape[1], shape[2]) < 2)
      return;
    Shape kernel{between(1, 2), between(1, 2)}, padding{below(kernel[0]), below(kernel[1]), 0, 0},
        strides{kernel[0] + below(2), kernel[1] + below(2)};
    n.sumPool(kernel, strides, padding);
  }

  void addWindows() {
    poolMaxima();
    maybePool();
    Shape shape = snn::shapeOf(n.last()).vec();
    if (below(4) == 0 && std::min(shape[1], shape[2]) > 1) {
      Shape padding{below(2), 0, below(2), 0}, strides{between(1, 2), 1};
      n.sumPool({2, between(1, 2)}, strides, padding);
      fire(false);
      return;
    }
    int64_t rows = between(1, std::min<int64_t>(3, shape[1])),
            columns = between(1, std::min<int64_t>(3, shape[2]));
    ConvOptions windows{
        {1 + below(2), 1 + below(2)}, {below(2), below(2), below(2), below(2)}, {1, 1}, 1};
    if (rows > 1 && below(3) == 0)
      windows.dilations[0] = 2, windows.padding[0] = windows.padding[2] = 2;
    if (below(3) == 0)
      windows.groups = shape[0];
    int64_t filters = windows.groups * between(1, 3);
    conv({filters, shape[0] / windows.groups, rows, columns}, "", windows);
    fire(false, true);
  }

  CounterRandom random;
  int behindDirect; // which neurons
  bool encodes, isImage, hasMaxima, isTensor, isDirect;
  int64_t lowest; // pixel
  Shape input;
  NetworkBuilder n;
  int populations = 0;
  bool isCounted = false;    // spikes, by tensor layers
  bool becomesImage = false; // what a dense layer makes
  int64_t lastLanes = 1;     // of the layer before
  bool readsOut = false;
};

} // namespace spindle::test
