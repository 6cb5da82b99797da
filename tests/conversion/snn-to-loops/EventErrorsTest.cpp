// What has no form in events is refused by layer.
#include "tests/conversion/snn-to-loops/LoopRun.h"
#include "tests/emulation/NetworkBuilder.h"

#include "fmt/format.h"
#include "gmock/gmock.h"

using namespace spindle;
using namespace spindle::test;
using ::testing::HasSubstr;

namespace {

const char *const kPopulation =
    "layer = \"p\", reset = #snn<reset zero>, threshold = array<f32: 2.0>, "
    "decay = 0 : i64, membrane_bits = 12 : i64";

std::vector<float> ones(int64_t count) { return std::vector<float>(size_t(count), 1.0f); }

/// The error of a network whose first operations are given; behind them a dense layer spikes.
std::string eventErrorOf(Shape input, const std::function<void(NetworkBuilder &)> &build,
                         int64_t lanes = 0, bool isWhole = false) {
  NetworkBuilder n(input);
  build(n);
  if (!isWhole) {
    n.flatten().dense(3, ones(3 * snn::sizeOf(n.last())), {}, "");
    n.population("fixed_lif", "layer = \"last\", reset = #snn<reset zero>, threshold = array<f32: "
                              "2.0>, decay = 0 : i64")
        .decode();
  }
  CircuitOptions options;
  options.others = {64, 1, LayerStyle::Event};
  if (lanes > 0)
    options.layers["p"] = {lanes, 1, LayerStyle::Event};
  auto program = loopsOf(n.finish(), options);
  return program ? "no error" : toText(program.takeError());
}

std::string windowErrorOf(int64_t filters, int64_t lanes, Shape kernel = {2, 2}) {
  return eventErrorOf(
      {1, 40, 4},
      [&](NetworkBuilder &n) {
        n.events().conv({filters, 1, kernel[0], kernel[1]}, ones(filters * kernel[0] * kernel[1]),
                        {}, "c");
        n.population("fixed_lif", kPopulation);
      },
      lanes);
}

TEST(EventErrors, LanesOfWindowsAreFilters) {
  EXPECT_EQ(windowErrorOf(4, 0), "no error");
  EXPECT_THAT(windowErrorOf(4, 2), HasSubstr("error: layer 'p' has 2 lanes, expected 4, one for "
                                             "each of its filters (style event)"));
  EXPECT_EQ(windowErrorOf(64, 0), "no error"); // two words of 32
  EXPECT_THAT(windowErrorOf(67, 0),
              HasSubstr("error: layer 'c' has 67 filters, which are no more than 16 equal words of "
                        "at most 63, expected some with a larger divisor (style event)"));
  EXPECT_THAT(windowErrorOf(1, 0, {33, 1}),
              HasSubstr("error: layer 'c' has elements in windows whose numbers take"));
}

TEST(EventErrors, CurrentsAreMadeOfSpikes) {
  EXPECT_THAT(eventErrorOf({3},
                           [](NetworkBuilder &n) {
                             n.events().dense(3, ones(9), {}, "d");
                             n.population("fixed_lif", kPopulation);
                             n.feedback("p", {3});
                           }),
              HasSubstr("is snn.feedback, which has no form in events, expected dense layers, "
                        "convolutions, sums and maxima of windows, joins and delays"));
  EXPECT_THAT(eventErrorOf({3}, [](NetworkBuilder &n) { n.events().delay({0, 1, 2}); }),
              HasSubstr("delays its elements by different numbers of steps, expected one"));
  EXPECT_THAT(eventErrorOf(
                  {3}, [](NetworkBuilder &n) { n.events().dense(3, ones(9), {}, "d").delay({2}); }),
              HasSubstr("delays currents, expected spikes (style event)"));
  EXPECT_THAT(eventErrorOf({4},
                           [](NetworkBuilder &n) {
                             mlir::Value currents = n.quantize(1, 0, 15).direct().last();
                             n.population("fixed_lif", kPopulation);
                             n.dense(4, ones(16), {}, "d").add(currents);
                             n.population("fixed_lif", kPopulation);
                           }),
              HasSubstr("layer 'p' takes up currents or membranes that no weights make of spikes, "
                        "expected spikes (style event)"));
  EXPECT_THAT(eventErrorOf({2},
                           [](NetworkBuilder &n) {
                             n.events();
                             for (int doubling = 0; doubling < 7; ++doubling)
                               n.add(n.last());
                             n.population("fixed_lif", kPopulation);
                           }),
              HasSubstr("takes up currents on more than 64 ways, expected fewer (style event)"));
  EXPECT_THAT(eventErrorOf({2},
                           [](NetworkBuilder &n) {
                             n.events().scale({2}, {0.5f, 0.5f}, {}).dense(2, ones(4), {}, "d");
                             n.population("fixed_lif", kPopulation);
                           }),
              HasSubstr("expected integers"));
}

TEST(EventErrors, MaximaAreOfSpikes) {
  auto errorOf = [](Shape input, const std::function<void(NetworkBuilder &)> &build) {
    return eventErrorOf(std::move(input), build);
  };
  EXPECT_EQ(errorOf({64, 2, 2}, [](NetworkBuilder &n) { n.events().maxPool({2, 2}, {2, 2}); }),
            "no error");
  EXPECT_THAT(errorOf({1, 4, 4},
                      [](NetworkBuilder &n) {
                        n.events().sumPool({2, 2}, {2, 2}).maxPool({2, 2}, {2, 2});
                      }),
              HasSubstr("takes the maximum of currents, expected spikes"));
  EXPECT_THAT(
      errorOf({1, 4, 4},
              [](NetworkBuilder &n) { n.events().transpose({1, 2, 0}).maxPool({2, 1}, {2, 1}); }),
      HasSubstr("takes the maximum of what other operations make, expected the spikes of an "
                "encoder or a population"));
}

TEST(EventErrors, DirectCodingNeedsIntegers) {
  auto direct = [](bool isQuantized) {
    return eventErrorOf({1, 3, 3}, [&](NetworkBuilder &n) {
      if (isQuantized)
        n.quantize(1, 0, 15);
      n.conv({2, 1, 2, 2}, ones(8), {}, "c").direct();
      n.population("fixed_lif", kPopulation);
    });
  };
  EXPECT_EQ(direct(true), "no error");
  EXPECT_THAT(
      direct(false),
      HasSubstr("is encoded directly by numbers that are not known to be integers, expected "
                "fixed_point.integers: all"));
  auto flat = [](int64_t lanes, int64_t neurons = 6) {
    return eventErrorOf(
        {6},
        [neurons](NetworkBuilder &n) {
          n.quantize(1, 0, 15).dense(neurons, ones(6 * neurons), {}, "d").direct();
          n.population("fixed_lif", kPopulation);
        },
        lanes);
  };
  EXPECT_EQ(flat(3), "no error");
  EXPECT_EQ(flat(4), "no error");
  EXPECT_THAT(flat(7), HasSubstr("error: layer 'p' has 7 lanes, expected 1 to 6, one for each of "
                                 "its neurons (style event)"));
  EXPECT_THAT(
      flat(64, 640),
      HasSubstr("error: layer 'p' has 64 lanes, whose spikes and their number take 69 bits, "
                "expected at most 64: give fewer lanes (style event)"));
}

/// A first layer that is to be a tensor kernel.
std::string tensorErrorOf(Shape input, const std::function<void(NetworkBuilder &)> &build,
                          LayerOptions own, const std::string &name = "p") {
  NetworkBuilder n(input);
  build(n);
  n.population("fixed_lif", kPopulation);
  n.flatten().dense(3, ones(3 * snn::sizeOf(n.last())), {}, "d2");
  n.population("fixed_lif", "layer = \"last\", reset = #snn<reset zero>, threshold = array<f32: "
                            "2.0>, decay = 0 : i64")
      .decode();
  CircuitOptions options;
  options.others = {64, 1, LayerStyle::Event};
  own.style = LayerStyle::Event;
  own.kind = LayerKind::Tensor;
  options.layers[name] = own;
  auto program = loopsOf(n.finish(), options);
  return program ? "no error" : toText(program.takeError());
}

TEST(EventErrors, TensorKernelsTakeIntegersOfTheInput) {
  auto dense = [](NetworkBuilder &n) { n.quantize(1, 0, 15).dense(6, ones(36), {}, "d"); };
  auto direct = [&](NetworkBuilder &n) {
    dense(n);
    n.direct();
  };
  EXPECT_EQ(tensorErrorOf({6}, direct, {3, 2}), "no error");
  EXPECT_THAT(tensorErrorOf({6}, direct, {6, 1}, "last"),
              HasSubstr("error: layer 'last' is to be a tensor kernel (as: tensor), but takes "
                        "spikes, expected pixels: the first layer of weights, encoded directly "
                        "(emulation.encoding: direct)"));
  EXPECT_THAT(tensorErrorOf({6}, direct, {6, 1}, "q"),
              HasSubstr("error: found no layer 'q', expected one of p, last"));
  EXPECT_THAT(
      tensorErrorOf({6}, [](NetworkBuilder &n) { n.events().dense(6, ones(36), {}, "d"); }, {6, 1}),
      HasSubstr("error: layer 'p' is to be a tensor kernel (as: tensor), but takes spikes"));
  auto shifted = [&](NetworkBuilder &n) { // sums of numbers that are not known
    n.dense(6, ones(36), {}, "d").quantize(4, -20, 20).direct();
  };
  EXPECT_THAT(tensorErrorOf({6}, shifted, {6, 1}),
              HasSubstr("error: layer 'd' is to be a tensor kernel (as: tensor), but its input is "
                        "not known to be integers, expected fixed_point.integers: all"));
  EXPECT_THAT(tensorErrorOf({6},
                            [&](NetworkBuilder &n) {
                              dense(n);
                              n.quantize(3, -20, 20).direct();
                            },
                            {6, 1}),
              HasSubstr("error: layer 'd' has sums that are divided by 3, expected a power of two "
                        "(fixed_point.integers: all)"));
  EXPECT_THAT(tensorErrorOf(
                  {1, 2, 2},
                  [](NetworkBuilder &n) { n.quantize(1, 0, 15).sumPool({2, 2}, {2, 2}).direct(); },
                  {1, 1}),
              HasSubstr("is to be a tensor kernel (as: tensor), expected a dense layer or a "
                        "convolution in front of the encoder"));
}

TEST(EventErrors, LanesAndInputsOfTensorKernels) {
  auto dense = [](LayerOptions own) {
    return tensorErrorOf(
        {6}, [](NetworkBuilder &n) { n.quantize(1, 0, 4095).dense(6, ones(36), {}, "d").direct(); },
        own);
  };
  EXPECT_EQ(dense({2, 5}), "no error");
  EXPECT_THAT(dense({4, 1}), HasSubstr("error: layer 'p' has 4 lanes, expected a divisor of its 6 "
                                       "neurons (as: tensor)"));
  EXPECT_THAT(dense({0, 1}), HasSubstr("error: layer 'p' has 0 lanes, expected a divisor of its 6 "
                                       "neurons (as: tensor)"));
  EXPECT_EQ(dense({6, 6}), "no error"); // 72 bits: two words
  EXPECT_THAT(dense({6, 7}), HasSubstr("error: layer 'p' takes 7 inputs at a time, expected 1 to 6 "
                                       "(as: tensor)"));
  auto convolution = [](LayerOptions own, int64_t groups = 1) {
    return tensorErrorOf(
        {2, 4, 4},
        [groups](NetworkBuilder &n) {
          n.quantize(1, 0, 15).conv({4, 2 / groups, 2, 3}, ones(48 / groups), {}, "c",
                                    {{1, 1}, {0, 0, 0, 0}, {1, 1}, groups});
          n.direct();
        },
        own);
  };
  EXPECT_EQ(convolution({4, 3}), "no error");
  EXPECT_THAT(convolution({2, 3}), HasSubstr("error: layer 'p' has 2 lanes, expected 4, one for "
                                             "each of its filters (as: tensor)"));
  EXPECT_THAT(convolution({4, 4}),
              HasSubstr("takes 4 inputs at a time, expected 1 to 3 (as: tensor)"));
  EXPECT_EQ(convolution({4, 1}, 2), "no error");
}

/// A convolution of four filters, `between`, and a dense layer of six neurons, both tensor kernels.
std::string tensorChainErrorOf(LayerOptions convolution, LayerOptions dense,
                               const std::function<void(NetworkBuilder &)> &between) {
  NetworkBuilder n({1, 4, 4});
  n.quantize(1, 0, 15).conv({4, 1, 3, 3}, ones(36), {}, "c").quantize(4, 0, 15);
  between(n);
  n.flatten().dense(6, ones(6 * snn::sizeOf(n.last())), {}, "d").direct();
  n.population("fixed_lif", kPopulation);
  n.dense(3, ones(18), {}, "d2");
  n.population("fixed_lif", "layer = \"last\", reset = #snn<reset zero>, threshold = array<f32: "
                            "2.0>, decay = 0 : i64")
      .decode();
  CircuitOptions options;
  options.others = {64, 1, LayerStyle::Event};
  convolution.style = dense.style = LayerStyle::Event;
  convolution.kind = LayerKind::Tensor;
  options.layers["c"] = convolution;
  options.layers["p"] = dense;
  auto program = loopsOf(n.finish(), options);
  return program ? "no error" : toText(program.takeError());
}

TEST(EventErrors, TensorKernelsAreAChain) {
  auto nothing = [](NetworkBuilder &) {};
  const LayerOptions tensor{6, 2, LayerStyle::Event, LayerKind::Tensor};
  LayerOptions three = tensor, spiking{6, 1, LayerStyle::Event};
  three.inputs = 3;
  EXPECT_EQ(tensorChainErrorOf({4, 3}, tensor, nothing), "no error");
  EXPECT_THAT(
      tensorChainErrorOf({2, 3}, tensor, nothing),
      HasSubstr("error: layer 'c' has 2 lanes, expected 4, one for each of its filters (as: "
                "tensor)"));
  EXPECT_THAT(tensorChainErrorOf({4, 3}, three, nothing),
              HasSubstr("error: layer 'p' takes 3 inputs at a time, expected a divisor of the 4 "
                        "channels in front of it (as: tensor)"));
  EXPECT_THAT(
      tensorChainErrorOf({4, 3}, spiking, nothing),
      HasSubstr("error: layer 'c' is to be a tensor kernel (as: tensor), but a layer between "
                "it and the first spikes is not, expected a chain of them"));
  auto dense = [](NetworkBuilder &n) { // which the host computes
    n.flatten().dense(4, ones(64), {}, "h").quantize(4, 0, 15);
  };
  EXPECT_THAT(
      tensorChainErrorOf({4, 3}, tensor, dense),
      HasSubstr("error: layer 'c' is to be a tensor kernel (as: tensor), but a layer between "
                "it and the first spikes is not, expected a chain of them"));
  auto otherImage = [](NetworkBuilder &n) { n.reshape({2, 2, 4}).sumPool({2, 2}, {2, 2}); };
  EXPECT_THAT(tensorChainErrorOf({4, 3}, tensor, otherImage),
              HasSubstr("is to be a tensor kernel (as: tensor) and takes another image's elements, "
                        "expected its shape"));
}

/// What follows the counted spikes of four neurons.
std::string countedErrorOf(const std::function<void(NetworkBuilder &)> &behind,
                           std::map<std::string, LayerOptions> layers = {}, int64_t lanes = 64,
                           LayerStyle style = LayerStyle::Event) {
  NetworkBuilder n({6});
  n.events().dense(4, ones(24), {}, "d").population("fixed_lif", kPopulation);
  behind(n);
  CircuitOptions options;
  options.others = {lanes, 1, style};
  options.layers = std::move(layers);
  auto program = loopsOf(n.finish(), options);
  return program ? "no error" : toText(program.takeError());
}

TEST(EventErrors, TensorsBehindSpikesAreAChainToADenseLayer) {
  auto dense = [](NetworkBuilder &n) { n.count(64).dense(10, ones(40), {}, "last"); };
  EXPECT_EQ(countedErrorOf(dense), "no error");
  EXPECT_EQ(countedErrorOf(dense, {}, 4), "no error"); // 2 of the 10 side by side
  EXPECT_THAT(
      countedErrorOf(dense, {{"last", {4, 1, LayerStyle::Event}}}),
      HasSubstr("error: layer 'last' has 4 lanes, expected a divisor of its 10 neurons (as: "
                "tensor)"));
  EXPECT_THAT(countedErrorOf(dense, {{"last", {5, 9, LayerStyle::Event}}}),
              HasSubstr("error: layer 'last' takes 9 inputs at a time, expected 1 to 4 (as: "
                        "tensor)"));
  EXPECT_THAT(
      countedErrorOf(dense, {{"last", {5, 1, LayerStyle::Event, LayerKind::Spiking, true}}}),
      HasSubstr("layer 'last' is to spike (as: spiking), but conversion.tensor names it, expected "
                "one of both"));
  EXPECT_THAT(countedErrorOf(dense, {{"last", {5, 1, LayerStyle::Clock}}}),
              HasSubstr("has style clock, which has no tensor layers, expected style: event"));
  EXPECT_THAT(countedErrorOf(dense, {}, 64, LayerStyle::Clock),
              HasSubstr("is read by tensor layers behind the spikes, which style clock has no form "
                        "for, expected style event"));
  EXPECT_THAT(countedErrorOf([](NetworkBuilder &n) {
                n.count(64).reshape({1, 2, 2}).conv({1, 1, 1, 1}, ones(1), {}, "c");
              }),
              HasSubstr("error: layer 'c' is the last of the tensor layers behind spikes, expected "
                        "a dense layer"));
  EXPECT_THAT(countedErrorOf([](NetworkBuilder &n) {
                n.count(64).add(n.last()).dense(3, ones(12), {}, "last");
              }),
              HasSubstr("is snn.add between counted spikes and the answer, expected a chain of "
                        "dense layers, convolutions and poolings"));
  EXPECT_THAT(countedErrorOf(
                  [](NetworkBuilder &n) { n.decodeFirstSpike().dense(3, ones(12), {}, "last"); }),
              HasSubstr("reads what layers behind it go on with, expected counted spikes"));
  EXPECT_THAT(countedErrorOf([](NetworkBuilder &n) {
                n.decode().dense(3, ones(12), {}, "last"); // as many as there may be
              }),
              HasSubstr("layer 'last' is to be a tensor kernel (as: tensor), but its input is not "
                        "known to be integers"));
  EXPECT_THAT(countedErrorOf([](NetworkBuilder &n) {
                n.count(64).dense(3, std::vector<float>(12, 0.5f), {}, "last");
              }),
              HasSubstr("layer 'last' has the weight 0.5, expected integers"));
}

/// A dense layer behind an encoder in the circuit.
std::string encoderErrorOf(const std::function<void(NetworkBuilder &)> &encode, int64_t lanes) {
  NetworkBuilder n({600});
  encode(n);
  n.dense(3, ones(1800), {}, "d").population("fixed_lif", kPopulation).decode();
  CircuitOptions options;
  options.others = {64, 1, LayerStyle::Event};
  options.encodes = true;
  if (lanes > 0)
    options.layers["input"] = {lanes, 1, LayerStyle::Event};
  auto program = loopsOf(n.finish(), options);
  return program ? "no error" : toText(program.takeError());
}

TEST(EventErrors, EncodersTakeIntegersOfSomeLanes) {
  auto regular = [](NetworkBuilder &n) { n.quantize(1, 0, 255).regular(255).ofIntegers(); };
  EXPECT_EQ(encoderErrorOf(regular, 0), "no error");
  EXPECT_EQ(encoderErrorOf(regular, 7), "no error");
  EXPECT_THAT(encoderErrorOf(regular, 601),
              HasSubstr("error: layer 'input' has 601 lanes, expected 1 to 600, one for each of "
                        "its pixels (style event)"));
  EXPECT_THAT(encoderErrorOf(regular, 60),
              HasSubstr("error: layer 'input' has 60 lanes, whose spikes and their number take 65 "
                        "bits, expected at most 64: give fewer lanes (style event)"));
  EXPECT_THAT(encoderErrorOf([](NetworkBuilder &n) { n.regular(255); }, 0),
              HasSubstr("encodes numbers that are not known to be integers, expected "
                        "fixed_point.integers: all (or hardware.encoder: host)"));
  for (const char *word : {"poisson", "events"})
    EXPECT_THAT(
        encoderErrorOf([&](NetworkBuilder &n) { word[0] == 'p' ? n.poisson() : n.events(); }, 0),
        HasSubstr(fmt::format("is encoded by {}, which has no circuit, expected regular or "
                              "latency (emulation.encoding), or hardware.encoder: host",
                              word)));
}

TEST(EventErrors, EncodersMakeSpikes) {
  EXPECT_THAT(encoderErrorOf([](NetworkBuilder &n) { n.quantize(1, 0, 255).direct(); }, 0),
              HasSubstr("hands the input on directly, of which encoder: circuit makes no spikes, "
                        "expected encoder: host, or a tensor kernel (as: tensor) that takes "
                        "pixels"));
}

TEST(EventErrors, AnswersComeFromADenseLayerOrItsMembranes) {
  EXPECT_THAT(eventErrorOf(
                  {1, 4, 4},
                  [](NetworkBuilder &n) {
                    n.events().conv({2, 1, 2, 2}, ones(8), {}, "c");
                    n.population("fixed_lif", kPopulation).flatten().decode();
                  },
                  0, true),
              HasSubstr("reads 18 neurons of an image or of an encoder, expected a dense layer at "
                        "the end (style event)"));
  EXPECT_THAT(
      eventErrorOf(
          {6}, [](NetworkBuilder &n) { n.events().dense(6, ones(36), {}, "d").decode(); }, 0, true),
      HasSubstr("reads currents, expected the membranes of snn.fixed_li (style event)"));
}

} // namespace
