// Programs of the neuron level: the listing, conversions, bundles, order, errors.
#include "tests/emulation/neuron-level/ParsedProgram.h"

#include "gmock/gmock.h"

using namespace spindle;
using namespace spindle::test;
using ::testing::HasSubstr;

namespace {

Floats floats(std::vector<int64_t> shape, std::vector<float> values) { return {shape, values}; }
Indices indices(std::vector<int64_t> values) { return {{int64_t(values.size())}, values}; }
Bundle row(std::vector<Train> trains) { return {{int64_t(trains.size())}, trains}; }

TEST(NeuronProgram, ListingOrdersTheOutputs) {
  ParsedProgram program(kListing);
  // A hidden neuron spikes at its input when one spike of weight 1 reaches 30 from −20: never, so
  // both outputs depend on their bias alone, and without input nothing runs: silent, by index.
  Values arguments{floats({2}, {1, 2}), floats({2}, {60, 0}), floats({2}, {0, 60}), 0.0f, 0.0f};
  EXPECT_EQ(program.interpret(arguments, "dense_2"), Values{indices({0, 1})});
}

/// The listing with parameters under which the hidden neurons repeat their inputs.
TEST(NeuronProgram, ListingWithALowThresholdFollowsTheInputTimes) {
  std::string text = kListing;
  text.replace(text.find("30.0"), 4, "-19.5"); // one spike of weight 1 from −20 suffices
  ParsedProgram program(text);
  auto order = [&](float first, float second, float w, float other) {
    return program.interpret({floats({2}, {first, second}), floats({2}, {w, other}),
                              floats({2}, {other, w}), 0.0f, 0.0f},
                             "dense_2");
  };
  EXPECT_EQ(order(1, 2, 1, 0), Values{indices({0, 1})});
  EXPECT_EQ(order(3, 2, 1, 0), Values{indices({1, 0})});
  EXPECT_EQ(order(3, 3, 1, 0), Values{indices({0, 1})}) << "ties by index";
  EXPECT_EQ(order(kNever, 3, 1, 0), Values{indices({1, 0})}) << "silent last";
  EXPECT_EQ(order(1, 2, 0, 1), Values{indices({1, 0})}) << "weights crossed";
}

TEST(NeuronProgram, ConversionsInvertEachOther) {
  ParsedProgram program(R"(
func.func @f(%t: tensor<2x2x3xf32>, %one: tensor<3xf32>) -> (tensor<2x2x3xf32>, tensor<2x2x?xf32>, tensor<3xf32>, tensor<?xf32>) {
  %b = snn.tensor_to_spike_train_bundle(%t : tensor<2x2x3xf32>) : !snn.spike_bundle<2x2x!train>
  %padded = snn.spike_bundle_to_tensor(%b : !snn.spike_bundle<2x2x!train>) : tensor<2x2x3xf32>
  %open = snn.spike_bundle_to_tensor(%b : !snn.spike_bundle<2x2x!train>) : tensor<2x2x?xf32>
  %c = snn.tensor_to_spike_train_bundle(%one : tensor<3xf32>) : !bundle
  %single = snn.spike_bundle_to_tensor(%c : !bundle) : tensor<3xf32>
  %train = snn.tensor_to_spike_train(%one : tensor<3xf32>) : !train
  %list = snn.spike_train_to_tensor(%train : !train) : tensor<?xf32>
  return %padded, %open, %single, %list : tensor<2x2x3xf32>, tensor<2x2x?xf32>, tensor<3xf32>, tensor<?xf32>
})");
  Floats lists =
      floats({2, 2, 3}, {1, 2, kNever, kNever, kNever, kNever, 0, kNever, kNever, 5, 5, kNever});
  Floats one = floats({3}, {1, 3, kNever});
  Values results = program.interpret({lists, one});
  EXPECT_EQ(results[0], Value(lists));
  EXPECT_EQ(results[1], Value(floats({2, 2, 2}, {1, 2, kNever, kNever, 0, kNever, 5, 5})));
  EXPECT_EQ(results[2], Value(one));
  EXPECT_EQ(results[3], Value(floats({2}, {1, 3})));
}

/// Trains {0}, {1}, … in row-major order: a train tells where it came from.
Bundle numbered(std::vector<int64_t> shape) {
  Bundle bundle{shape, {}};
  for (size_t n = 0; n < neuron_level::sizeOf(shape); ++n)
    bundle.trains.push_back({float(n)});
  return bundle;
}
Bundle withTrains(std::vector<int64_t> shape, std::vector<float> numbers) {
  Bundle bundle{shape, {}};
  for (float number : numbers)
    bundle.trains.push_back({number});
  return bundle;
}

TEST(NeuronProgram, BundlesAreRowMajor) {
  ParsedProgram program(R"(
!b = !snn.spike_bundle<2x3x!train>
func.func @f(%b: !b, %column: !snn.spike_bundle<2x!train>) -> (!train, !snn.spike_bundle<2x4x!train>, !snn.spike_bundle<1x3x!train>, !snn.spike_bundle<2x2x!train>, !snn.spike_bundle<3x2x!train>) {
  %s = snn.spike_bundle_select(%b[1, 0] : !b) : !train
  %i = snn.spike_bundle_insert(%column : !snn.spike_bundle<2x!train> into %b[2] : !b) {axis = 1 : i64} : !snn.spike_bundle<2x4x!train>
  %r = snn.spike_bundle_remove(%b[0] : !b) : !snn.spike_bundle<1x3x!train>
  %l = snn.spike_bundle_slice(%b[0, 0] [2, 2] [1, 2] : !b) : !snn.spike_bundle<2x2x!train>
  %p = snn.spike_bundle_permute(%b permutation [1, 0] : !b) : !snn.spike_bundle<3x2x!train>
  return %s, %i, %r, %l, %p : !train, !snn.spike_bundle<2x4x!train>, !snn.spike_bundle<1x3x!train>, !snn.spike_bundle<2x2x!train>, !snn.spike_bundle<3x2x!train>
})");
  Values results = program.interpret({numbered({2, 3}), withTrains({2}, {10, 11})});
  EXPECT_EQ(results[0], Value(Train{3}));
  EXPECT_EQ(results[1], Value(withTrains({2, 4}, {0, 1, 10, 2, 3, 4, 11, 5})));
  EXPECT_EQ(results[2], Value(withTrains({1, 3}, {3, 4, 5})));
  EXPECT_EQ(results[3], Value(withTrains({2, 2}, {0, 2, 3, 5})));
  EXPECT_EQ(results[4], Value(withTrains({3, 2}, {0, 3, 1, 4, 2, 5})));
}

TEST(NeuronProgram, OrdersPutSilentTrainsLastAndTiesByIndex) {
  ParsedProgram program(R"(
func.func @f(%b: !bundle) -> (tensor<?xindex>, tensor<?xindex>) {
  %o = snn.get_order(%b : !bundle) : tensor<?xindex>
  %r = snn.get_rev_order(%b : !bundle) : tensor<?xindex>
  return %o, %r : tensor<?xindex>, tensor<?xindex>
})");
  Values results = program.interpret({row({{}, {4, 5}, {2, 9}, {4}, {}, {0}})});
  EXPECT_EQ(results[0], Value(indices({5, 2, 1, 3, 0, 4})));
  EXPECT_EQ(results[1], Value(indices({1, 3, 2, 5, 0, 4})));
}

TEST(NeuronProgram, CallsConstantsAndLinearOperationsOnTensors) {
  ParsedProgram program(R"(
func.func private @twice(%x: tensor<2xf32>) -> (tensor<2xf32>, f32) {
  %w = arith.constant dense<[[2.0, 0.0], [1.0, 2.0]]> : tensor<2x2xf32>
  %b = arith.constant dense<[0.5, 0.25]> : tensor<2xf32>
  %y = snn.dense %x, %w, %b : (tensor<2xf32>, tensor<2x2xf32>, tensor<2xf32>) -> tensor<2xf32>
  %one = arith.constant 1 : index
  %s = tensor.extract %y[%one] : tensor<2xf32>
  return %y, %s : tensor<2xf32>, f32
}
func.func @f(%x: tensor<2xf32>) -> (tensor<2xf32>, f32) {
  %y:2 = call @twice(%x) : (tensor<2xf32>) -> (tensor<2xf32>, f32)
  %z:2 = call @twice(%y#0) : (tensor<2xf32>) -> (tensor<2xf32>, f32)
  return %z#0, %y#1 : tensor<2xf32>, f32
})");
  Values results = program.interpret({floats({2}, {1, 3})});
  EXPECT_EQ(results[0], Value(floats({2}, {5.5f, 17.25f}))); // (1, 3) → (2.5, 7.25) → …
  EXPECT_EQ(results[1], Value(7.25f));
}

TEST(NeuronProgramErrors, Data) {
  ParsedProgram program(R"(
func.func @f(%t: tensor<?xf32>) -> tensor<2xf32> {
  %train = snn.tensor_to_spike_train(%t : tensor<?xf32>) : !train
  %list = snn.spike_train_to_tensor(%train : !train) : tensor<2xf32>
  return %list : tensor<2xf32>
})");
  auto errorOf = [&](std::vector<float> times) {
    return program.errorOf({floats({int64_t(times.size())}, times)});
  };
  EXPECT_EQ(errorOf({2, 1}),
            "neurons.mlir:5:12: error: spike time 1 after 2, expected ascending times");
  EXPECT_THAT(errorOf({-1}),
              HasSubstr("spike time -1, expected a number of ms that is not negative, or inf"));
  EXPECT_THAT(errorOf({std::nanf("")}), HasSubstr("spike time nan, expected"));
  EXPECT_THAT(errorOf({kNever, 1}),
              HasSubstr("spike time 1 after inf, expected inf only at the end of a list"));
  EXPECT_EQ(errorOf({1, 2, 3}),
            "neurons.mlir:6:11: error: a train of 3 spikes, expected at most 2");
}

TEST(NeuronProgramErrors, ExtentsOfTheRun) {
  ParsedProgram program(R"(
func.func @select(%b: !bundle) -> !train {
  %t = snn.spike_bundle_select(%b[2] : !bundle) : !train
  return %t : !train
}
func.func @insert(%b: !bundle, %t: !train) -> !bundle {
  %r = snn.spike_bundle_insert(%t : !train into %b[3] : !bundle) : !bundle
  return %r : !bundle
}
func.func @insert_bundle(%b: !snn.spike_bundle<?x?x!train>, %t: !bundle) -> !snn.spike_bundle<?x?x!train> {
  %r = snn.spike_bundle_insert(%t : !bundle into %b[0] : !snn.spike_bundle<?x?x!train>) : !snn.spike_bundle<?x?x!train>
  return %r : !snn.spike_bundle<?x?x!train>
}
func.func @remove(%b: !bundle) -> !bundle {
  %r = snn.spike_bundle_remove(%b[2] : !bundle) : !bundle
  return %r : !bundle
}
func.func @slice(%b: !bundle) -> !bundle {
  %r = snn.spike_bundle_slice(%b[0] [2] [2] : !bundle) : !bundle
  return %r : !bundle
}
func.func @cast(%b: !bundle) -> tensor<3xindex> {
  %o = snn.get_order(%b : !bundle) : tensor<?xindex>
  %r = tensor.cast %o : tensor<?xindex> to tensor<3xindex>
  return %r : tensor<3xindex>
}
func.func @extract(%t: tensor<?xf32>, %i: index) -> f32 {
  %r = tensor.extract %t[%i] : tensor<?xf32>
  return %r : f32
}
func.func @weights(%b: !bundle, %w: tensor<?xf32>) -> !train {
  %r = snn.neuron(%b : !bundle, %w : tensor<?xf32>) {k = 1.0 : f32, vth = 1.0 : f32, vrest = 0.0 : f32} : !train
  return %r : !train
})");
  Bundle two = row({{1}, {2}});
  EXPECT_EQ(program.errorOf({two}, "select"),
            "neurons.mlir:5:8: error: selects index 2 of a bundle with 2 there");
  EXPECT_THAT(program.errorOf({two, Train{}}, "insert"),
              HasSubstr("inserts at position 3 of a bundle with 2 there"));
  EXPECT_THAT(program.errorOf({numbered({2, 3}), two}, "insert_bundle"),
              HasSubstr("inserts a bundle of shape 2, expected 3"));
  EXPECT_THAT(program.errorOf({two}, "remove"),
              HasSubstr("removes position 2 of a bundle with 2 there"));
  EXPECT_THAT(program.errorOf({two}, "slice"),
              HasSubstr("slices up to index 2 of a bundle with 2 there"));
  EXPECT_THAT(program.errorOf({two}, "cast"),
              HasSubstr("the result has shape 2, expected tensor<3xindex>"));
  EXPECT_THAT(program.errorOf({floats({2}, {1, 2}), int64_t(-1)}, "extract"),
              HasSubstr("extracts index -1 of a tensor of shape 2"));
  EXPECT_THAT(program.errorOf({two, floats({3}, {1, 2, 3})}, "weights"),
              HasSubstr("3 weights for 2 trains"));
}

TEST(NeuronProgramErrors, Arguments) {
  ParsedProgram program(R"(
func.func @f(%b: !snn.spike_bundle<2x!train>) -> !snn.spike_bundle<2x!train> {
  return %b : !snn.spike_bundle<2x!train>
})");
  EXPECT_EQ(program.errorOf({}), "neurons.mlir:4:1: error: @f takes 1 arguments, found 0");
  EXPECT_THAT(program.errorOf({row({{1}})}),
              HasSubstr("arg0 has shape 1, expected !snn.spike_bundle<2x!snn.spike_train<?xf32>>"));
  EXPECT_THAT(program.errorOf({1.0f}),
              HasSubstr("arg0 is of another kind, expected !snn.spike_bundle"));
}

TEST(NeuronProgramErrors, Programs) {
  ParsedProgram program(R"(
func.func @layers(%x: tensor<2xf32>) -> tensor<2xf32> {
  %y = snn.relu %x : tensor<2xf32>
  return %y : tensor<2xf32>
}
func.func @unknown(%x: tensor<2xf32>, %w: tensor<2x2xf32>) -> tensor<2xf32> {
  %y = snn.dense %x, %w : (tensor<2xf32>, tensor<2x2xf32>) -> tensor<2xf32>
  return %y : tensor<2xf32>
}
func.func @double(%x: f64) -> f64 {
  return %x : f64
}
func.func @constant() -> f64 {
  %x = arith.constant 1.0 : f64
  return %x : f64
}
func.func @loop(%x: f32) -> f32 {
  %y = call @back(%x) : (f32) -> f32
  return %y : f32
}
func.func @back(%x: f32) -> f32 {
  %y = call @loop(%x) : (f32) -> f32
  return %y : f32
}
func.func private @nobody(f32) -> f32
func.func @absent() -> tensor<2xindex> {
  %x = arith.constant dense_resource<absent> : tensor<2xindex>
  return %x : tensor<2xindex>
})");
  EXPECT_EQ(
      program.errorOf({}, "none"),
      "neurons.mlir:0:0: error: no function @none, expected one of @layers, @unknown, @double, "
      "@constant, @loop, @back, @nobody, @absent");
  EXPECT_THAT(program.errorOf({}, "layers"),
              HasSubstr("snn.relu cannot be evaluated, expected operations of the neuron level and "
                        "linear operations on tensors (a network of layers: pass "
                        "snn-expand-neurons)"));
  EXPECT_THAT(program.errorOf({}, "unknown"),
              HasSubstr("snn.dense has weights that are not constant"));
  EXPECT_THAT(program.errorOf({}, "double"),
              HasSubstr("@double takes a f64, expected trains, bundles"));
  EXPECT_THAT(program.errorOf({}, "constant"),
              HasSubstr("a value of type f64, expected trains, bundles"));
  EXPECT_THAT(program.errorOf({}, "loop"),
              HasSubstr("@loop calls itself, expected calls without recursion"));
  EXPECT_THAT(program.errorOf({}, "nobody"), HasSubstr("@nobody branches or has no body"));
  EXPECT_THAT(program.errorOf({}, "absent"),
              HasSubstr("error: a constant whose numbers are not in the file"));
}

} // namespace
