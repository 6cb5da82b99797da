#include "core/network/HardwareNetwork.h"

#include "core/support/formats/Json.h"

#include "gmock/gmock.h"

#include <set>

using namespace spindle;
using ::testing::HasSubstr;

namespace {

class HardwareFile : public ::testing::Test {
protected:
  std::string path = ::testing::TempDir() + "hardware-" +
                     ::testing::UnitTest::GetInstance()->current_test_info()->name() + ".json";
  void TearDown() override { std::remove(path.c_str()); }

  std::string errorAfter(const std::string &pointer, const Json &value) {
    llvm::cantFail(writeHardwareNetwork(path, network));
    Json json = llvm::cantFail(readJson(path));
    json[Json::json_pointer(pointer)] = value;
    llvm::cantFail(writeJson(path, json));
    llvm::Expected<HardwareNetwork> back = readHardwareNetwork(path);
    return back ? "no error" : toText(back.takeError());
  }

  HardwareNetwork network{"main",
                          "zynq-7020-100mhz",
                          10,
                          4,
                          90,
                          {{"dense1", 3, 2, 4, 5, 9, 12, 70}, {"pool", 6, 1, 1, 0, 3, 0, {}}},
                          {{"input.spikes", ArrayRole::Input, "input", {4, 7}, 1},
                           {"dense1.weight", ArrayRole::Weights, "dense1", {3, 7}, 5},
                           {"dense1.spikes", ArrayRole::Spikes, "dense1", {4, 3}, 1},
                           {"answer", ArrayRole::Answer, "", {3}, 4}},
                          "af1349b9"};
};

TEST_F(HardwareFile, RoundTrip) {
  network.layers[0].style = LayerStyle::Event;
  network.arrays.push_back({"p.spikes", ArrayRole::Spikes, "p", {4, 2}, 2, 3, 2, {0, 2}});
  network.arrays.push_back({"c.spikes", ArrayRole::Spikes, "c", {4, 3}, 3, 6, 2, {0, 1, 2}, 3});
  network.arrays.push_back(
      {"c.currents", ArrayRole::Currents, "c", {1, 3}, 18, 6, 2, {0, 1, 2}, 3, 9, true});
  network.layers[0].kind = LayerKind::Tensor;
  network.arrays.push_back(
      {"c.pixels", ArrayRole::Pixels, "c", {1, 3}, 18, 6, 2, {0, 1, 2}, 3, 9, true});
  network.arrays.push_back({"images", ArrayRole::Images, "", {}, 16});
  network.arrays.push_back({"class", ArrayRole::Class, "p", {1, 1}, 5, 1, 1, {0}, 1, 5, true});
  network.arrays.back().answer = AnswerKind::FirstSpikes;
  network.tile = {"main_tile", "c", 7, "p", 3, 16};
  for (std::optional<uint64_t> cycles : {std::optional<uint64_t>(90), {}}) {
    network.predictedCycles = cycles;
    llvm::cantFail(writeHardwareNetwork(path, network));
    llvm::Expected<HardwareNetwork> back = readHardwareNetwork(path);
    ASSERT_TRUE(bool(back)) << toText(back.takeError());
    EXPECT_EQ(*back, network);
  }
}

TEST_F(HardwareFile, ATableHasRoom) {
  network.tile = {"main_tile", "dense1", 7, "input", 0, 16};
  for (int targets : {0, 4097})
    EXPECT_THAT(errorAfter("/tile/targets", targets), HasSubstr("expected 1 to 4096"));
  EXPECT_EQ(errorAfter("/tile/targets", 4096), "no error");
}

/// Words of neighbours, uneven ones too, and words of channels; the last word has no neuron.
TEST(SpikePlaces, EveryNeuronHasOne) {
  HardwareArray plain{"a", ArrayRole::Spikes, "a", {4, 7}, 1};
  HardwareArray words{"b", ArrayRole::Spikes, "b", {4, 4}, 3, 10, 3, {0, 3, 5, 8}};
  HardwareArray channels{"c", ArrayRole::Spikes, "c", {4, 4}, 3, 6, 2, {2, 0, 1, 6}, 3};
  for (const HardwareArray *array : {&plain, &words, &channels}) {
    std::set<std::pair<size_t, unsigned>> taken;
    for (size_t step = 0; step < 4; ++step)
      for (size_t neuron = 0; neuron < neuronsOf(*array); ++neuron) {
        SpikePlace place = placeOf(*array, step, neuron);
        EXPECT_TRUE(taken.insert({place.element, place.bit}).second) << array->name;
        EXPECT_EQ(place.element / size_t(array->shape[1]), step) << array->name;
        EXPECT_EQ(neuronAt(*array, place), neuron) << array->name;
      }
  }
  HardwareArray values{"d", ArrayRole::Answer, "d", {1, 2}, 12, 9, 3, {1, 5}, 1, 4, true};
  EXPECT_EQ(placeOf(values, 0, 3).bit, 8u); // two values of four bits before it
  EXPECT_FALSE(holds(values, 0));
  EXPECT_FALSE(holds(values, 4));
  EXPECT_TRUE(holds(values, 7));
  EXPECT_FALSE(holds(values, 8));
  EXPECT_EQ(placeOf(words, 1, 5).element, 6u); // not the third bit of the second word
  EXPECT_EQ(placeOf(channels, 0, 3).element, 1u);
  EXPECT_EQ(placeOf(channels, 0, 3).bit, 1u);
}

TEST_F(HardwareFile, ValuesThatFitNothingAreRefused) {
  EXPECT_THAT(errorAfter("/layers/0/style", "ring"),
              HasSubstr("layers[0].style is 'ring', expected clock or event"));
  EXPECT_THAT(errorAfter("/layers/0/as", "matrix"),
              HasSubstr("layers[0].as is 'matrix', expected spiking or tensor"));
  network.arrays[2] = {"dense1.spikes", ArrayRole::Spikes, "dense1", {4, 2}, 2, 3, 2, {0, 2}};
  EXPECT_EQ(errorAfter("/layers/0/style", "event"), "no error");
  EXPECT_THAT(errorAfter("/arrays/2/first", Json{0, 1, 2}),
              HasSubstr("expected an element for each of the 2 words of a step"));
  EXPECT_THAT(errorAfter("/arrays/2/per_word", 3),
              HasSubstr("arrays[2].per_word is 3, expected 1 to 2, the values of a word"));
  EXPECT_THAT(
      errorAfter("/arrays/0/role", "out"),
      HasSubstr("expected input, weights, spikes, answer, currents, images, pixels or class"));
  EXPECT_THAT(errorAfter("/arrays/2/shape", Json{5, 3}),
              HasSubstr("arrays[2].shape is a list, expected 4 steps and a number of neurons"));
  EXPECT_THAT(errorAfter("/arrays/1/bits", 65),
              HasSubstr("arrays[1].bits is 65, expected 1 to 64"));
}

} // namespace
