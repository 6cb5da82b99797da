// Archives of Keras (.keras): the same networks as in HDF5, and what can be wrong with them.
#include "core/support/CounterRandom.h"
#include "core/support/files/File.h"
#include "core/support/formats/Hdf5.h"
#include "core/support/formats/ZipFile.h"
#include "tests/frontend/keras/KerasFile.h"

#include "fmt/format.h"
#include "gmock/gmock.h"

namespace spindle {
namespace {

struct Stored {
  std::string name; // within the file of weights
  std::vector<uint64_t> shape;
  std::vector<float> values;
};

/// An archive as Keras writes it, member by member.
class KerasArchive {
public:
  KerasArchive(const Json &network, const std::vector<Stored> &weights) {
    members["metadata.json"] = R"({"keras_version": "3.0.0"})";
    members["config.json"] = network.dump();
    TemporaryFolder folder;
    auto writer = Hdf5Writer::create(folder / "w.h5");
    EXPECT_TRUE(bool(writer));
    EXPECT_FALSE(writer->attribute("layers", "made", "by a test"));
    for (const Stored &weight : weights)
      EXPECT_FALSE(writer->writeArray(weight.name, weight.shape, weight.values));
    EXPECT_FALSE(writer->close());
    members["model.weights.h5"] = *readFile(folder / "w.h5");
  }
  std::string bytes() const {
    TemporaryFolder folder;
    auto archive = createZip(folder / "x.keras");
    EXPECT_TRUE(bool(archive));
    for (const auto &[name, content] : members) {
      zip_source_t *source = zip_source_buffer(archive->get(), content.data(), content.size(), 0);
      zip_int64_t at = zip_file_add(archive->get(), name.c_str(), source, ZIP_FL_ENC_UTF_8);
      EXPECT_GE(at, 0);
      zip_set_file_compression(archive->get(), static_cast<zip_uint64_t>(at), method, 0);
    }
    EXPECT_EQ(zip_close(archive->get()), 0);
    archive->release(); // NOLINT: closed
    return *readFile(folder / "x.keras");
  }
  Imported imported(const std::string &name = "x.keras") const {
    return importBytes(name, bytes());
  }

  std::map<std::string, std::string> members;
  int method = ZIP_CM_STORE;
};

std::string graphOf(Imported network) {
  if (!network.error.empty())
    return network.error;
  std::string text;
  llvm::raw_string_ostream stream(text);
  network.module->print(stream);
  return text;
}

/// Every kind of layer that has weights, some twice, some in a network inside; the same numbers
/// under names in HDF5 and under numbers in an archive.
struct BothForms {
  KerasFile file{{6, 6, 4}};
  std::vector<Stored> weights;
  uint64_t seed = 1;

  void layer(const std::string &kind, const std::string &name, Json config,
             const std::string &group,
             const std::vector<std::pair<std::string, std::vector<hsize_t>>> &roles) {
    file.layer(kind, name, std::move(config));
    for (const auto &[role, shape] : roles) {
      size_t count = 1;
      for (hsize_t extent : shape)
        count *= extent;
      std::vector<float> values = randomFloats(count, seed++);
      for (float &value : values)
        value = std::abs(value) + 0.25f; // variances, too
      weights.push_back({group + "/vars/" + std::to_string(counts[group]++),
                         {shape.begin(), shape.end()},
                         values});
      file.weight(role, shape, values);
    }
  }
  std::map<std::string, size_t> counts; // of weights, by group
};

TEST(KerasArchive, SameAsHdf5) {
  BothForms both;
  both.layer("Conv2D", "a", {{"activation", "relu"}}, "layers/conv2d",
             {{"kernel", {3, 3, 4, 4}}, {"bias", {4}}});
  both.layer("BatchNormalization", "b", Json::object(), "layers/batch_normalization",
             {{"gamma", {4}}, {"beta", {4}}, {"moving_mean", {4}}, {"moving_variance", {4}}});
  both.layer("DepthwiseConv2D", "c", {{"use_bias", false}}, "layers/depthwise_conv2d",
             {{"depthwise_kernel", {2, 2, 4, 1}}});
  both.layer("BatchNormalization", "d", {{"scale", false}}, "layers/batch_normalization_1",
             {{"beta", {4}}, {"moving_mean", {4}}, {"moving_variance", {4}}});
  both.layer(
      "SeparableConv2D", "e", Json::object(), "layers/separable_conv2d",
      {{"depthwise_kernel", {2, 2, 4, 1}}, {"pointwise_kernel", {1, 1, 4, 3}}, {"bias", {3}}});
  both.layer("BatchNormalization", "f", {{"center", false}}, "layers/batch_normalization_2",
             {{"gamma", {3}}, {"moving_mean", {3}}, {"moving_variance", {3}}});
  both.layer("Flatten", "g", Json::object(), "layers/flatten", {});
  both.layer("Normalization", "h", {{"axis", {-1}}}, "layers/normalization",
             {{"mean", {12}}, {"variance", {12}}});
  both.layer("Dense", "i", {{"activation", "relu"}}, "layers/dense",
             {{"kernel", {12, 8}}, {"bias", {8}}});
  both.layer("Dense", "j", {{"use_bias", false}}, "layers/dense_1", {{"kernel", {8, 3}}});
  TemporaryFolder folder;
  std::string expected = graphOf(import(both.file));
  ASSERT_THAT(expected, testing::HasSubstr("func.func"));
  for (int method : {ZIP_CM_STORE, ZIP_CM_DEFLATE}) {
    KerasArchive archive(Json::parse(both.file.config()), both.weights);
    archive.method = method;
    EXPECT_EQ(graphOf(archive.imported()), expected);
    EXPECT_EQ(graphOf(archive.imported("x.h5")), expected); // the bytes say what it is
  }
  ModelOptions options;
  options.path = both.file.write(folder / "y.keras"); // older versions wrote HDF5 under this name
  EXPECT_EQ(graphOf(import(options)), expected);
}

Json dense(const std::string &name, const Json &more = Json::object()) {
  Json config = more;
  config["name"] = name;
  return {{"class_name", "Dense"}, {"config", config}};
}

Json sequential(const Json &layers, const std::string &name = "net") {
  return {{"class_name", "Sequential"}, {"config", {{"name", name}, {"layers", layers}}}};
}

Json input(int64_t extent) {
  return {{"class_name", "InputLayer"},
          {"config", {{"name", "input"}, {"batch_shape", {nullptr, extent}}}}};
}

/// Names of groups count classes, in every network anew; names of layers play no part.
TEST(KerasArchive, NetworksInside) {
  Json inner = sequential(
      Json::array({dense("x", {{"use_bias", false}}), dense("y", {{"use_bias", false}})}), "inner");
  Json outer = sequential(Json::array(
      {input(2), dense("x", {{"use_bias", false}}), inner, dense("y", {{"use_bias", false}})}));
  KerasArchive archive(outer, {{"layers/dense/vars/0", {2, 1}, {1, 10}},
                               {"layers/sequential/layers/dense/vars/0", {1, 1}, {2}},
                               {"layers/sequential/layers/dense_1/vars/0", {1, 1}, {3}},
                               {"layers/dense_1/vars/0", {1, 1}, {5}}});
  Imported network = archive.imported();
  ASSERT_EQ(network.error, "");
  expectNear(network({1, 2}), {(1 + 20) * 2 * 3 * 5});
}

/// A layer that networks share is stored in the first of them; of several of its name nobody knows
/// which one is meant.
TEST(KerasArchive, SharedLayers) {
  Json shared = dense("shared", {{"use_bias", false}});
  Json outer = sequential(Json::array({input(1), sequential(Json::array({shared}), "one"),
                                       sequential(Json::array({shared}), "two")}));
  std::vector<Stored> weights{{"layers/sequential/layers/dense/vars/0", {1, 1}, {3}}};
  Imported network = KerasArchive(outer, weights).imported();
  ASSERT_EQ(network.error, "");
  expectNear(network({2}), {18});
  outer["config"]["layers"].push_back(sequential(Json::array({shared}), "three"));
  weights.push_back({"layers/sequential_2/layers/dense/vars/0", {1, 1}, {4}});
  EXPECT_EQ(KerasArchive(outer, weights).imported().error,
            "x.keras: error: the weights of layer 'shared' may be in "
            "'layers/sequential/layers/dense/vars' or in 'layers/sequential_2/layers/dense/vars'; "
            "give the layers of networks inside names of their own");
}

TEST(KerasArchive, ShapeOfANetworkWithoutInput) {
  for (bool inConfig : {true, false}) {
    Json network = sequential(Json::array({dense("x", {{"use_bias", false}})}));
    if (inConfig)
      network["config"]["build_input_shape"] = {nullptr, 2};
    else
      network["build_config"] = {{"input_shape", {nullptr, 2}}};
    KerasArchive archive(network, {{"layers/dense/vars/0", {2, 1}, {1, 10}}});
    Imported imported = archive.imported();
    ASSERT_EQ(imported.error, "");
    expectNear(imported({1, 2}), {21});
    network["config"]["build_input_shape"] = {nullptr, nullptr};
    KerasArchive open(network, {});
    EXPECT_EQ(open.imported().error, "x.keras: error: dimension 1 of the input has no fixed "
                                     "extent; save the model with a fixed input shape");
  }
}

/// Keras says beside them what numbers of no type of HDF5 are.
TEST(KerasArchive, NumbersOfSixteenBits) {
  KerasArchive archive(sequential(Json::array({input(2), dense("x", {{"use_bias", false}})})), {});
  TemporaryFolder folder;
  auto writer = Hdf5Writer::create(folder / "w.h5");
  ASSERT_TRUE(bool(writer));
  ASSERT_FALSE(writer->writeArray("layers/dense/vars/0", {2, 1}, std::vector<int64_t>{1, 2}));
  ASSERT_FALSE(writer->attribute("layers/dense/vars/0", "dtype", "bfloat16"));
  ASSERT_FALSE(writer->close());
  archive.members["model.weights.h5"] = *readFile(folder / "w.h5");
  EXPECT_EQ(archive.imported().error, "x.keras: error: the weight 'layers/dense/vars/0' is of "
                                      "bfloat16; save the model in float32");
}

TEST(KerasArchive, Errors) {
  Json network = sequential(Json::array({input(2), dense("x")}));
  std::vector<Stored> weights{{"layers/dense/vars/0", {2, 1}, {1, 10}},
                              {"layers/dense/vars/1", {1}, {1}}};
  KerasArchive sound(network, weights);
  EXPECT_EQ(sound.imported().error, "");
  for (const char *name : {"config.json", "model.weights.h5"}) {
    KerasArchive without = sound;
    without.members.erase(name);
    EXPECT_EQ(without.imported().error, fmt::format("x.keras: error: member '{}' is absent", name));
  }
  KerasArchive changed = sound;
  changed.members["model.weights.h5"] = "no HDF5";
  EXPECT_EQ(changed.imported().error, "x.keras: error: not an HDF5 file");
  changed = sound;
  changed.members["config.json"] = "{";
  EXPECT_EQ(changed.imported().error, "x.keras: error: member 'config.json' is no JSON");
  changed.members["config.json"] = "[1, 2]";
  EXPECT_EQ(changed.imported().error,
            "x.keras: error: member 'config.json' is [1,2], expected an object");
  changed.members["config.json"] = std::string((64 << 20) + 1, ' ');
  changed.method = ZIP_CM_DEFLATE;
  EXPECT_EQ(changed.imported().error, "x.keras: error: member 'config.json' has 67108865 bytes, "
                                      "expected at most 33554432");
  KerasArchive fewer(network, {weights[0]});
  EXPECT_EQ(fewer.imported().error,
            "x.keras: error: layer 'x' (Dense) has 1 weights in 'layers/dense/vars', expected 2: "
            "kernel, bias");
  KerasArchive none(network, {});
  EXPECT_EQ(none.imported().error,
            "x.keras: layer 'x' (Dense): error: weight 'kernel' is absent from the file; save the "
            "model after it was built or trained");
  auto withLayer = [&](const Json &more) {
    Json layer = dense("x");
    layer.update(more);
    return KerasArchive(sequential(Json::array({input(2), layer})), weights).imported().error;
  };
  EXPECT_EQ(withLayer({{"registered_name", "Dense"}, {"module", "keras.layers"}}), "");
  EXPECT_EQ(withLayer({{"registered_name", "mine>Dense"}}),
            "x.keras: layer 'x' (Dense): error: is the class 'mine>Dense' of a program, which the "
            "file does not hold; use layers of Keras");
  EXPECT_EQ(
      withLayer({{"class_name", "Average"}, {"module", "keras.src.ops.numpy"}}),
      "x.keras: layer 'x' (Average): error: is a function of keras.ops, of which Add, Divide, "
      "Multiply, Subtract, TrueDivide are read; use layers");
  EXPECT_EQ(withLayer({{"config", {{"name", std::string(1025, 'n')}}}}),
            "x.keras: error: the name of layer '" + std::string(40, 'n') +
                "…' has 1025 bytes, expected at most 1024");
  EXPECT_EQ(importBytes("x.keras", "PK nonsense").error,
            "x.keras: error: not a Keras archive, or cut off");
}

/// Any damage ends in an error or a network, never in a crash.
TEST(KerasArchive, Damage) {
  KerasArchive sound(sequential(Json::array({input(2), dense("x")})),
                     {{"layers/dense/vars/0", {2, 1}, {1, 10}}, {"layers/dense/vars/1", {1}, {1}}});
  std::string bytes = sound.bytes();
  CounterRandom random(7);
  for (int round = 0; round < 60; ++round) {
    std::string damaged = bytes;
    for (uint32_t k = 0; k <= random.below(4); ++k)
      damaged[random.below(static_cast<uint32_t>(damaged.size()))] =
          static_cast<char>(random.below(256));
    if (random.below(4) == 0)
      damaged.resize(random.below(static_cast<uint32_t>(damaged.size())));
    Imported imported = importBytes("x.keras", damaged);
    EXPECT_TRUE(imported.error.empty() || imported.error.find(" error: ") != std::string::npos);
  }
}

} // namespace
} // namespace spindle
