// Layers that are called several times, with numbers, and networks that are layers.
#include "tests/frontend/Imported.h"
#include "tests/frontend/NaiveLayers.h"
#include "tests/frontend/keras/KerasFile.h"

#include "gmock/gmock.h"

namespace spindle {
namespace {

using testing::HasSubstr;

constexpr bool kWithoutBias = false;

std::vector<double> product(const std::vector<float> &kernel, const std::vector<double> &x) {
  std::vector<double> sums(kernel.size() / x.size(), 0);
  for (size_t i = 0; i < x.size(); ++i)
    for (size_t o = 0; o < sums.size(); ++o)
      sums[o] += x[i] * kernel[i * sums.size() + o];
  return sums;
}

std::vector<double> rectified(std::vector<double> x) {
  for (double &value : x)
    value = std::max(value, 0.0);
  return x;
}

const Json kDense = {{"use_bias", kWithoutBias}};

/// One kernel, two inputs: d(x) − d(relu(d(x))). Reading the first call for each would give zero.
TEST(KerasCalls, EachCallOfALayerHasAResultOfItsOwn) {
  std::vector<float> kernel = randomFloats(9, 1);
  KerasFile file({3});
  file.layer("Dense", "d", kDense, {"input"}).call({"r"}).weight("kernel", {3, 3}, kernel);
  file.layer("ReLU", "r", Json::object(), {"d"});
  file.layer("Subtract", "s", Json::object(), {"d:0", "d:1"});
  Imported model = import(file);
  ASSERT_EQ(model.error, "");
  std::vector<double> x = {0.5, -1, 2}, first = product(kernel, x),
                      second = product(kernel, rectified(first));
  for (int i = 0; i < 3; ++i)
    first[i] -= second[i];
  expectNear(model(x), first);
}

/// Keras 3 writes `2 - x * 3` as layers of arithmetic with a number among their arguments.
TEST(KerasCalls, NumbersAmongTheArguments) {
  auto argument = [](const char *layer) {
    return Json{{"class_name", "__keras_tensor__"},
                {"config", {{"shape", {nullptr, 3}}, {"keras_history", {layer, 0, 0}}}}};
  };
  auto call = [](const Json &a, const Json &b) {
    Json arguments = Json::array();
    arguments.push_back(a);
    arguments.push_back(b);
    return Json::array({Json{{"args", arguments}, {"kwargs", Json::object()}}});
  };
  KerasFile file({3});
  file.layer("Multiply", "m", Json::object(), {"input"});
  file.layers.back()["inbound_nodes"] = call(argument("input"), 3.0);
  file.layer("Subtract", "s", Json::object(), {"m"});
  file.layers.back()["inbound_nodes"] = call(2, argument("m"));
  file.layer("TrueDivide", "q", Json::object(), {"s"});
  file.layers.back()["inbound_nodes"] = call(argument("s"), 4);
  Imported model = import(file);
  ASSERT_EQ(model.error, "");
  expectNear(model({0.5, -1, 2}), {0.125, 1.25, -1});

  KerasFile other({3});
  other.layer("ReLU", "r", Json::object(), {"input"});
  other.layers.back()["inbound_nodes"] = call(argument("input"), 3);
  EXPECT_EQ(import(other).error, "x.h5: layer 'r' (ReLU): error: is called with the number 3, "
                                 "expected results of layers");
  Json array = {{"class_name", "__numpy__"}, {"config", {{"value", {1, 2, 3}}}}};
  other.layer("Add", "a", Json::object(), {"input"});
  other.layers.back()["inbound_nodes"] = call(argument("input"), array);
  EXPECT_THAT(
      import(other).error,
      HasSubstr("x.h5: layer 'a' (Add): error: is called with {\"class_name\":\"__numpy__\""));
  KerasFile split({3});
  split.layer("Add", "a", Json::object(), {"input"});
  split.layers.back()["inbound_nodes"] =
      Json::array({Json::array({Json::array({"input", 0, 1}), Json::array({"input", 0, 0})})});
  EXPECT_EQ(import(split).error,
            "x.h5: layer 'a' (Add): error: is called with [\"input\",0,1], expected results of "
            "layers and numbers; constants are read as weights of layers");
}

/// x + relu(d(x)), called twice, and two Sequential networks with layers of the same names, one
/// within the other; weights in the groups of Keras 2 and 3.
TEST(KerasCalls, NetworksAreLayers) {
  for (bool three : {false, true}) {
    std::vector<float> a = randomFloats(9, 1), b = randomFloats(12, 2), c = randomFloats(20, 3);
    KerasFile block({3});
    block.layer("Dense", "d", {{"use_bias", kWithoutBias}, {"activation", "relu"}}, {"input"})
        .weight("kernel", {3, 3}, a);
    block.layer("Add", "sum", Json::object(), {"input", "d"});
    KerasFile inner({4});
    inner.layer("Dense", three ? "d" : "last", kDense).weight("kernel", {4, 5}, c);
    KerasFile tail({3});
    tail.layer("Dense", "d", {{"use_bias", kWithoutBias}, {"activation", "relu"}})
        .weight("kernel", {3, 4}, b);
    tail.inside(inner, "inner", three);

    KerasFile file({3});
    std::string second = three ? "block:1" : "block:2"; // Keras 2 counts from the call that made it
    file.inside(block, "block", three).call({"input"}).call({three ? "block:0" : "block:1"});
    file.inside(tail, "tail", three).call({second});
    Imported model = import(file);
    ASSERT_EQ(model.error, "") << three;
    std::vector<double> x = {0.5, -1, 2}, y = x;
    for (int call = 0; call < 2; ++call) {
      std::vector<double> added = rectified(product(a, y));
      for (int i = 0; i < 3; ++i)
        y[i] += added[i];
    }
    expectNear(model(x), product(c, rectified(product(b, y))));
  }
}

/// 2^14 calls in a file of a few kilobytes.
TEST(KerasCalls, NetworksThatCallEachOtherManyTimes) {
  KerasFile network({3});
  network.layer("ReLU", "r", Json::object(), {"input"});
  for (int level = 0; level < 14; ++level) {
    KerasFile outer({3});
    outer.inside(network, "n", true).call({"input"}).call({"n:0"});
    outer.layer("ReLU", "r", Json::object(), {"n:1"});
    network = outer;
  }
  EXPECT_THAT(import(network).error,
              HasSubstr("error: the network has more than 10000 calls of layers"));
  for (int level = 14; level < 40; ++level) {
    KerasFile outer({3});
    outer.inside(network, "n", true).call({"input"});
    network = outer;
  }
  EXPECT_EQ(import(network).error,
            "x.h5: layer 'n' (Functional): error: networks are nested deeper than 32 levels");
}

TEST(KerasCalls, NetworkOfTwoInputs) {
  KerasFile block({3});
  block.layer("ReLU", "r", Json::object(), {"input"});
  KerasFile file({3});
  file.inside(block, "block", true).call({"input", "input"});
  EXPECT_EQ(import(file).error,
            "x.h5: error: the network 'block' has 1 inputs and 1 outputs, expected 2 and one");
}

} // namespace
} // namespace spindle
