// Keras layers against their definitions; every error text of the Keras import.
#include "tests/frontend/Imported.h"
#include "tests/frontend/NaiveLayers.h"
#include "tests/frontend/keras/KerasFile.h"

#include "gmock/gmock.h"

#include <cmath>

namespace spindle {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;

void rectify(NaiveImage &x) {
  for (double &value : x.values)
    value = std::max(value, 0.0);
}

/// Weights stored rows, columns, channels, filters as filters, channels, rows, columns.
std::vector<float> filtersFirst(const std::vector<float> &stored, int rows, int columns,
                                int channels, int filters) {
  std::vector<float> result;
  for (int f = 0; f < filters; ++f)
    for (int k = 0; k < channels; ++k)
      for (int i = 0; i < rows * columns; ++i)
        result.push_back(stored[(i * channels + k) * filters + f]);
  return result;
}

/// Dense sums over the elements in the order row, column, channel.
std::vector<double> denseOverPixels(const NaiveImage &x, const std::vector<float> &kernel,
                                    int units) {
  std::vector<double> sums(units, 0);
  int element = 0;
  for (int64_t r = 0; r < x.rows; ++r)
    for (int64_t c = 0; c < x.columns; ++c)
      for (int64_t k = 0; k < x.channels; ++k, ++element)
        for (int u = 0; u < units; ++u)
          sums[u] += x.at(k, r, c) * kernel[element * units + u];
  return sums;
}

/// One network in both orders of the channels: what a layer computes does not depend on it, and
/// Keras flattens channels last in both.
TEST(KerasImport, ConvolutionPoolingFlattenDenseInBothOrders) {
  std::vector<float> kernel = randomFloats(3 * 3 * 2 * 4, 1), bias = randomFloats(4, 2),
                     dense = randomFloats(3 * 4 * 4 * 5, 3);
  NaiveImage x = image(2, 6, 8, 4);
  NaiveImage y = naiveConv(x, filtersFirst(kernel, 3, 3, 2, 4), 4, 1,
                           {.rows = 3, .columns = 3, .top = 1, .left = 1, .bottom = 1, .right = 1});
  for (size_t i = 0; i < y.values.size(); ++i)
    y.values[i] += bias[i / 48];
  rectify(y);
  y = naiveAverage(y, {.rows = 2, .columns = 2, .strideRows = 2, .strideColumns = 2}, true);
  for (const char *order : {"channels_last", "channels_first"}) {
    bool last = order == std::string("channels_last");
    KerasFile file(last ? std::vector<int64_t>{6, 8, 2} : std::vector<int64_t>{2, 6, 8});
    file.layer("Conv2D", "c",
               {{"kernel_size", {3, 3}},
                {"padding", "same"},
                {"activation", "relu"},
                {"data_format", order}});
    file.weight("kernel", {3, 3, 2, 4}, kernel).weight("bias", {4}, bias);
    file.layer("AveragePooling2D", "p", {{"pool_size", {2, 2}}, {"data_format", order}});
    file.layer("Dropout", "drop").layer("Flatten", "f", {{"data_format", order}});
    file.layer("Dense", "d", {{"use_bias", false}, {"activation", "softmax"}});
    file.weight("kernel", {48, 5}, dense);
    Imported model = import(file);
    ASSERT_EQ(model.error, "") << order;
    expectNear(model(x.values), denseOverPixels(y, dense, 5));
    EXPECT_THAT(model.layers(), ElementsAre("input 2x6x8", "conv2d c 4x6x8", "relu c 4x6x8",
                                            "avg_pool2d p 4x3x4", "reshape 48", "dense d 5"));
  }
}

/// A dense layer behind an image takes the channels of each pixel.
TEST(KerasImport, DenseOnEachPixel) {
  std::vector<float> kernel = randomFloats(2 * 5, 1);
  NaiveImage x = image(2, 3, 4, 2);
  KerasFile file({3, 4, 2});
  file.layer("Dense", "d", {{"use_bias", false}}).weight("kernel", {2, 5}, kernel);
  std::vector<double> expected;
  for (int r = 0; r < 3; ++r)
    for (int c = 0; c < 4; ++c)
      for (int u = 0; u < 5; ++u)
        expected.push_back(x.at(0, r, c) * kernel[u] + x.at(1, r, c) * kernel[5 + u]);
  Imported model = import(file);
  ASSERT_EQ(model.error, "");
  expectNear(model(x.values), expected);
}

TEST(KerasImport, SamePaddingPutsTheOddZeroAtTheEnd) {
  std::vector<float> kernel = randomFloats(9, 1);
  KerasFile file({8, 8, 1});
  file.layer("Conv2D", "c", {{"strides", {2, 2}}, {"padding", "same"}, {"use_bias", false}});
  file.weight("kernel", {3, 3, 1, 1}, kernel);
  NaiveImage x = image(1, 8, 8, 2);
  NaiveImage y = naiveConv(
      x, kernel, 1, 1,
      {.rows = 3, .columns = 3, .strideRows = 2, .strideColumns = 2, .bottom = 1, .right = 1});
  Imported model = import(file);
  ASSERT_EQ(model.error, "");
  expectNear(model(x.values), y.values);
}

TEST(KerasImport, DepthwiseSeparableAndBatchNormalization) {
  std::vector<float> depth = randomFloats(3 * 3 * 2 * 2, 1), point = randomFloats(4 * 3, 2),
                     gamma = {0.5f, -2}, beta = {1, -1}, mean = {0.25f, -0.5f},
                     variance = {0.5f, 2};
  for (const char *kind : {"DepthwiseConv2D", "SeparableConv2D"}) {
    bool separable = kind == std::string("SeparableConv2D");
    KerasFile file({5, 6, 2});
    file.layer("BatchNormalization", "b", {{"axis", {3}}, {"epsilon", 0.01}});
    file.weight("gamma", {2}, gamma).weight("beta", {2}, beta);
    file.weight("moving_mean", {2}, mean).weight("moving_variance", {2}, variance);
    file.layer(kind, "c", {{"use_bias", false}});
    file.weight("depthwise_kernel", {3, 3, 2, 2}, depth);
    if (separable)
      file.weight("pointwise_kernel", {1, 1, 4, 3}, point);
    NaiveImage x = image(2, 5, 6, 3), normal = x;
    for (size_t i = 0; i < normal.values.size(); ++i) {
      size_t k = i / 30;
      normal.values[i] =
          (x.values[i] - mean[k]) / std::sqrt(variance[k] + 0.01) * gamma[k] + beta[k];
    }
    // Stored rows, columns, channel, multiplier; filter k · 2 + m reads channel k.
    std::vector<float> grouped;
    for (int f = 0; f < 4; ++f)
      for (int i = 0; i < 9; ++i)
        grouped.push_back(depth[i * 4 + f]);
    NaiveImage y = naiveConv(normal, grouped, 4, 2, {.rows = 3, .columns = 3});
    if (separable)
      y = naiveConv(y, filtersFirst(point, 1, 1, 4, 3), 3, 1, {.rows = 1, .columns = 1});
    Imported model = import(file);
    ASSERT_EQ(model.error, "") << kind;
    std::vector<double> found = model(x.values), expected;
    for (int64_t r = 0; r < y.rows; ++r) // the result stays channels last
      for (int64_t c = 0; c < y.columns; ++c)
        for (int64_t k = 0; k < y.channels; ++k)
          expected.push_back(y.at(k, r, c));
    expectNear(found, expected);
  }
}

TEST(KerasImport, SignalsOfOneDimension) {
  std::vector<float> kernel = randomFloats(3 * 2 * 4, 1);
  for (const char *padding : {"valid", "causal"}) {
    KerasFile file({9, 2});
    file.layer("Conv1D", "c", {{"dilation_rate", {2}}, {"padding", padding}, {"use_bias", false}});
    file.weight("kernel", {3, 2, 4}, kernel);
    file.layer("ReLU", "r", {{"max_value", 0.5}});
    file.layer("MaxPooling1D", "p", {{"pool_size", {2}}}).layer("GlobalAveragePooling1D", "g");
    // Inputs of two dimensions enter as a vector, position after position.
    std::vector<double> x = randomDoubles(18, 2), expected(4, 0);
    int shift = padding == std::string("causal") ? 4 : 0, positions = 9 - 4 + shift;
    for (int f = 0; f < 4; ++f) {
      std::vector<double> row;
      for (int t = 0; t < positions; ++t) {
        double sum = 0;
        for (int i = 0; i < 3; ++i)
          for (int k = 0; k < 2; ++k)
            if (int at = t + 2 * i - shift; at >= 0 && at < 9)
              sum += x[at * 2 + k] * kernel[(i * 2 + k) * 4 + f];
        row.push_back(std::clamp(sum, 0.0, 0.5));
      }
      for (int p = 0; p < positions / 2; ++p)
        expected[f] += std::max(row[2 * p], row[2 * p + 1]) / (positions / 2);
    }
    Imported model = import(file);
    ASSERT_EQ(model.error, "") << padding;
    expectNear(model(x), expected);
  }
}

/// Pads, crops, enlarges, permutes, rescales; each value is followed by its position.
TEST(KerasImport, Arrangements) {
  KerasFile file({2, 3, 1});
  file.layer("Rescaling", "s", {{"scale", 2.0}, {"offset", 1.0}});
  file.layer("ZeroPadding2D", "z", {{"padding", {{1, 0}, {0, 2}}}});
  file.layer("UpSampling2D", "u", {{"size", {2, 1}}});
  file.layer("Cropping2D", "k", {{"cropping", {{1, 1}, {0, 1}}}});
  file.layer("Permute", "t", {{"dims", {2, 1, 3}}});
  file.layer("Reshape", "r", {{"target_shape", {-1}}});
  // 3x5 with a row and two columns of zeros; rows doubled; rows 1…4, columns 0…3; columns first.
  std::vector<double> x = {1, 2, 3, 4, 5, 6}, expected;
  auto padded = [&](int row, int column) {
    return row >= 1 && column < 3 ? 2 * x[(row - 1) * 3 + column] + 1 : 0.0;
  };
  for (int column = 0; column < 4; ++column)
    for (int row = 1; row < 5; ++row)
      expected.push_back(padded(row / 2, column));
  Imported model = import(file);
  ASSERT_EQ(model.error, "");
  expectNear(model(x), expected);
}

/// A functional network with branches, its layers out of order; as Keras 2 and 3 write sources.
TEST(KerasImport, FunctionalNetworkWithBranches) {
  for (bool three : {false, true}) {
    KerasFile file({3});
    std::vector<float> w = randomFloats(9, 1);
    file.layer("Concatenate", "j", Json::object(), {"add", "input"});
    file.layer("Dense", "d", {{"use_bias", false}, {"activation", "relu"}}, {"input"});
    file.weight("kernel", {3, 3}, w);
    file.layer("Add", "add", Json::object(), {"d", "input"});
    file.layer("Average", "mean", Json::object(), {"j", "j"});
    if (three)
      for (Json &layer : file.layers) {
        Json references = Json::array();
        for (const Json &node : layer["inbound_nodes"].empty() ? Json() : layer["inbound_nodes"][0])
          references.push_back(
              {{"class_name", "__keras_tensor__"},
               {"config", {{"shape", {nullptr, 3}}, {"keras_history", {node[0], 0, 0}}}}});
        if (!references.empty())
          layer["inbound_nodes"] = {{{"args", {references}}, {"kwargs", Json::object()}}};
      }
    Imported model = import(file);
    ASSERT_EQ(model.error, "") << three;
    std::vector<double> x = {0.5, -1, 2}, expected = x;
    for (int o = 0; o < 3; ++o)
      expected[o] += std::max(x[0] * w[o] + x[1] * w[3 + o] + x[2] * w[6 + o], 0.0);
    expected.insert(expected.end(), x.begin(), x.end());
    expectNear(model(x), expected);
  }
}

TEST(KerasErrors, File) {
  EXPECT_EQ(importBytes("x.h5", "no HDF5").error, "x.h5: error: not an HDF5 file");
  KerasFile bare({3});
  bare.rawConfig = "";
  EXPECT_EQ(import(bare).error,
            "x.h5: error: not a Keras model: it has no attribute 'model_config'; save the whole "
            "model, not its weights alone");
  bare.rawConfig = "{";
  EXPECT_EQ(import(bare).error, "x.h5: error: attribute 'model_config' is no JSON");
  bare.rawConfig = "{}";
  EXPECT_THAT(import(bare).error, HasSubstr("x.h5: error: not a valid file of this format: "));
  KerasFile kind({3});
  kind.network = "Graph";
  EXPECT_EQ(import(kind).error,
            "x.h5: error: the model is a 'Graph', expected Sequential or Functional");
  KerasFile empty({3});
  empty.layers.clear();
  EXPECT_EQ(import(empty).error, "x.h5: error: the model has no layers");
  KerasFile shapeless({3});
  shapeless.layers[0]["config"].erase("batch_input_shape");
  EXPECT_EQ(import(shapeless).error, "x.h5: error: the shape of the input is not stored; save the "
                                     "model after it was built or trained");
  KerasFile open({3});
  open.layers[0]["config"]["batch_input_shape"][1] = nullptr;
  EXPECT_EQ(import(open).error, "x.h5: layer 'input' (InputLayer): error: dimension 1 of the input "
                                "has no fixed extent; save the model with a fixed input shape");
  KerasFile cycle({3});
  cycle.layer("Add", "a", Json::object(), {"a", "input"});
  EXPECT_EQ(import(cycle).error,
            "x.h5: layer 'a' (Add): error: reads a layer that is absent or depends on it");
  KerasFile two({3});
  two.rawConfig = R"({"class_name": "Functional", "config": {"layers": [{"class_name": "InputLayer",
    "config": {"name": "i", "batch_shape": [null, 3]}, "inbound_nodes": []}],
    "input_layers": [["i", 0, 0]], "output_layers": [["i", 0, 0], ["i", 0, 1]]}})";
  EXPECT_EQ(import(two).error,
            "x.h5: error: the model has 1 inputs and 2 outputs, expected one of each");
  two.rawConfig = R"({"class_name": "Functional", "config": {"layers": [{"class_name": "InputLayer",
    "config": {"name": "i", "batch_shape": [null, 3]}, "inbound_nodes": []}],
    "input_layers": [["i", 0, 0]], "output_layers": [["o", 0, 0]]}})";
  EXPECT_THAT(import(two).error, HasSubstr("the output is layer 'o', which is absent"));
}

/// The message for one layer after an input of this shape.
std::string refusal(const std::vector<int64_t> &input, const std::string &kind, const Json &config,
                    const std::vector<std::pair<std::string, std::vector<hsize_t>>> &weights = {}) {
  KerasFile file(input);
  file.layer(kind, "l", config);
  for (const auto &[role, shape] : weights) {
    size_t count = 1;
    for (hsize_t extent : shape)
      count *= extent;
    file.weight(role, shape, std::vector<float>(count, 1));
  }
  std::string text = import(file).error;
  size_t at = text.find(" error: ");
  return at == std::string::npos ? "no error: " + text : text.substr(at + 8);
}

TEST(KerasErrors, Layers) {
  EXPECT_THAT(refusal({3}, "LSTM", {}),
              HasSubstr("layer is not supported; recurrent layers are read from NIR files; "
                        "supported: Activation, "));
  EXPECT_THAT(refusal({3}, "LeakyReLU", {}),
              HasSubstr("layer is not supported; a spiking neuron approximates rectifiers only, "
                        "train with ReLU instead; supported: "));
  EXPECT_EQ(
      refusal({3}, "Dense", {}),
      "weight 'kernel' is absent from the file; save the model after it was built or trained");
  EXPECT_EQ(refusal({3}, "Dense", {}, {{"kernel", {3, 2}}, {"bias", {2}}, {"kernel_scale", {2}}}),
            "weight 'kernel_scale' is not read, as those of quantised layers and of LoRA; save the "
            "model in plain numbers");
  EXPECT_EQ(refusal({3}, "Dense", {}, {{"kernel", {3, 2}}, {"inner/kernel", {3, 2}}}),
            "'model_weights/l/l/kernel:0' is the second weight of this name in the group of one "
            "layer; give the layers of networks inside names of their own, or save the model as "
            ".keras");
  EXPECT_EQ(refusal({3}, "Dense", {}, {{"kernel", {0, 2}}}),
            "data set 'model_weights/l/l/kernel:0' is empty, expected the numbers of a weight");
  std::string deep = "g";
  while (deep.size() < 2 * 15)
    deep += "/g";
  EXPECT_EQ(refusal({3}, "Dense", {}, {{deep, {1}}}),
            "group 'model_weights/l/l/" + deep.substr(0, 2 * 15 - 1) +
                "' is nested too deep, expected the weights of a layer within 16 groups");
  EXPECT_EQ(refusal({3}, "Activation", {{"activation", "tanh"}}),
            "activation 'tanh' is not supported, expected linear, relu, relu6, or softmax or "
            "sigmoid at the end");
  EXPECT_EQ(refusal({3}, "Activation", {{"activation", 5}}), "'activation' is 5, expected a word");
  EXPECT_EQ(
      refusal({3}, "Activation",
              {{"activation", {{"class_name", "ReLU"}, {"config", {{"negative_slope", 0.1}}}}}}),
      "negative_slope and threshold are not supported: a spiking neuron approximates "
      "max(x, 0)");
  Json deepList = 1;
  for (int depth = 0; depth < 1100; ++depth)
    deepList = Json::array({deepList});
  EXPECT_THAT(
      refusal({3}, "Activation", {{"activation", deepList}}),
      testing::HasSubstr("attribute 'model_config': lists and objects are nested deeper than 1000 "
                         "levels"));
  EXPECT_EQ(refusal({3}, "ReLU", {{"max_value", "six"}}),
            "'max_value' is \"six\", expected a number");
  EXPECT_EQ(refusal({3}, "ReLU", {{"negative_slope", 0.1}}),
            "negative_slope and threshold are not supported: a spiking neuron approximates "
            "max(x, 0)");
  EXPECT_EQ(refusal({3}, "Dense", {{"use_bias", 1}}, {{"kernel", {3, 2}}}),
            "'use_bias' is 1, expected true or false");
  EXPECT_EQ(refusal({3}, "Reshape", {{"target_shape", {"a"}}}),
            "'target_shape' is [\"a\"], expected whole numbers");
  EXPECT_EQ(refusal({3}, "Reshape", {{"target_shape", {0, 3}}}), "target_shape 0x3 is no shape");
  EXPECT_EQ(refusal({4, 4, 1}, "MaxPooling2D", {{"pool_size", {2, 2, 2}}}),
            "'pool_size' has 3 numbers, expected 2");
  EXPECT_EQ(refusal({4, 4, 1}, "MaxPooling2D", {{"strides", {0, 1}}}),
            "kernel, strides and dilation are from 1 to 1048576, found 0");
  EXPECT_EQ(refusal({4, 4, 1}, "MaxPooling2D", {{"padding", "full"}}),
            "padding is 'full', expected valid or same");
  EXPECT_EQ(refusal({4, 4, 1}, "MaxPooling1D", {}),
            "input is 1x1x4x4, expected batch, channels and 1 dimensions");
  EXPECT_EQ(refusal({4}, "GlobalMaxPooling2D", {}),
            "input is 1x4, expected batch, channels and 2 dimensions");
  EXPECT_EQ(refusal({4, 4, 1}, "Conv2D", {}, {{"kernel", {3, 3, 1}}}),
            "weights are 3x3x1, expected 4 dimensions");
  EXPECT_EQ(refusal({3}, "Dense", {{"units", 4}}, {{"kernel", {3, 2}}}),
            "'units' is 4, but the weights are 3x2; save the model again");
  EXPECT_EQ(refusal({4, 4, 1}, "Conv2D", {{"kernel_size", {3, 2}}}, {{"kernel", {3, 3, 1, 2}}}),
            "'kernel_size' is 3 × 2, but the weights are 3x3x1x2; save the model again");
  EXPECT_EQ(refusal({4, 4, 1}, "Conv2D", {{"groups", 1.5}}, {{"kernel", {3, 3, 1, 2}}}),
            "'groups' is 1.5, expected whole numbers");
  EXPECT_EQ(refusal({3}, "Normalization", {{"axis", {4}}}, {{"mean", {3}}, {"variance", {3}}}),
            "axis is 4, expected a dimension of 1x3");
  EXPECT_EQ(refusal({3}, "Normalization", {{"axis", {1}}}, {{"mean", {2}}, {"variance", {3}}}),
            "mean is 2, expected 1x3");
  EXPECT_EQ(refusal({3}, "Normalization", {{"mean", "half"}}),
            "'mean' is \"half\", expected numbers");
  EXPECT_EQ(
      refusal({3}, "Normalization", {{"mean", {1, 1, 1}}, {"variance", {1, -1, 1}}, {"axis", {1}}}),
      "variance is -1, expected 0 or more");
  EXPECT_EQ(refusal({3}, "BatchNormalization",
                    {{"epsilon", -1.5}, {"scale", false}, {"center", false}},
                    {{"moving_mean", {3}}, {"moving_variance", {3}}}),
            "variance of channel 0 is 1, with epsilon -1.5: expected more than 0");
  EXPECT_EQ(refusal({3}, "Activation", {{"activation", Json(std::vector<int>(1000, 7))}}).size(),
            96u);
  EXPECT_EQ(refusal({4, 4, 1}, "BatchNormalization", {{"axis", 5}},
                    {{"moving_mean", {1}}, {"moving_variance", {1}}}),
            "axis is 5, expected a dimension of 1x4x4x1");
  EXPECT_EQ(refusal({4, 4, 1}, "ZeroPadding2D", {{"padding", {1, 2, 3}}}),
            "'padding' has 3 numbers for an input of 1x4x4x1");
  EXPECT_EQ(refusal({4, 4, 1}, "UpSampling2D", {{"interpolation", "bilinear"}}),
            "only images are enlarged, and only with interpolation 'nearest'");
  EXPECT_EQ(refusal({4, 4, 1}, "UpSampling2D", {{"size", 0}}), "size is 0, expected 1 to 1024");
  EXPECT_EQ(refusal({4}, "Average", {{"axis", 1}}),
            "averages one input, expected two or more; over pixels use GlobalAveragePooling2D");
  EXPECT_EQ(refusal({4}, "Concatenate", {{"axis", 7}}), "axis is 7, expected a dimension of 1x4");
}

} // namespace
} // namespace spindle
