#include "tests/emulation/layers/LayerCases.h"

namespace spindle::test {

namespace {

/// Values of 50 neurons.
std::string perNeuron(float step) {
  std::string values = "0.0";
  for (int k = 1; k < 50; ++k)
    values += ", " + std::to_string(step * float(k));
  return values;
}

/// A recurrent population whose spikes only layers of weights read.
void rest(NetworkBuilder &n, int64_t delay, const std::string &resets, int64_t period = 5) {
  mlir::Value data = n.last();
  mlir::Value inhibitory = n.feedback("cells", {50}, delay).sparse({50}, 0.2, false).last();
  n.from(data).poisson().sparse({50}, 0.3, false);
  n.population(
      "dual_cuba_lif",
      "layer = \"cells\", reset = #snn<reset zero>, threshold = array<f32: 0.3>, tau = array<f32: "
      "5.0>, tau_exc = array<f32: 2.0>, tau_inh = array<f32: 3.0>, refractory = "
      "array<i64: " +
          std::to_string(period) + ">, v_reset = array<f32: " + resets + ">",
      inhibitory);
  n.dense(4).integrator().decode();
}

/// A recurrent population of integers; `membrane` says how v is computed.
void restInFixedPoint(NetworkBuilder &n, const char *kind, const std::string &membrane) {
  std::vector<int64_t> offsets(51);
  std::vector<int32_t> own(50), back;
  for (int32_t k = 0; k < 50; ++k) {
    offsets[size_t(k) + 1] = k + 1;
    own[size_t(k)] = k % 30;
    back.push_back((7 * k + 3) % 50);
  }
  mlir::Value data = n.last();
  mlir::Value again = n.feedback("cells", {50}).sparse({50}, offsets, back, -1).last();
  n.from(data).poisson().sparse({50}, offsets, own, 4).add(again);
  n.population(kind, "layer = \"cells\", reset = #snn<reset zero>, threshold = array<f32: 10.0>, "
                     "v_reset = array<f32: 1.0>, refractory = array<i64: 5>, " +
                         membrane);
  n.dense(4).integrator().decode();
}

} // namespace

std::vector<LayersNetworkCase> recurrentCases() {
  return {
      {"Recurrent",
       {17},
       [](NetworkBuilder &n) {
         mlir::Value input = n.regular().dense(40).last();
         mlir::Value slow = n.feedback("second", {9}, 4).sparse({40}, 0.3).last();
         mlir::Value own = n.feedback("first", {40}, 2).sparse({40}, 0.2, false).last();
         n.from(input).add(slow).add(own);
         n.integrateAndFire(snn::Reset::Subtract, {1}, {0}, {0}, "first").dense(9);
         n.integrateAndFire(snn::Reset::Zero, {1}, {0}, {0}, "second").dense(3);
         fire(n);
         n.decode();
       }},
      {"SeveralSpikesComeBackAsRows",
       {10},
       [](NetworkBuilder &n) {
         mlir::Value input = n.poisson().dense(15).last();
         mlir::Value back = n.feedback("cells", {15}, 2).reshape({3, 5}).sparse({15}, 0.2).last();
         mlir::Value own = n.feedback("cells", {15}, 2).dense(15, false).last();
         n.from(own).add(back).add(input);
         n.population(
             "if", "layer = \"cells\", reset = #snn<reset subtract>, threshold = array<f32: 0.8>, "
                   "max_spikes = 3 : i64");
         n.dense(4).integrator().decode();
       }},
      {"ReceptorsOfARecurrentPopulation",
       {60},
       [](NetworkBuilder &n) {
         mlir::Value data = n.last();
         mlir::Value inhibitory = n.feedback("cells", {60}).sparse({60}, 0.1, false).last();
         mlir::Value excitatory = n.feedback("cells", {60}).sparse({60}, 0.1, false).last();
         n.from(data).poisson().sparse({60}, 0.05, false).add(excitatory);
         n.population(
             "dual_cuba_lif",
             "layer = \"cells\", reset = #snn<reset zero>, threshold = array<f32: 0.4>, tau = "
             "array<f32: 5.0>, tau_exc = array<f32: 2.0>, tau_inh = array<f32: 3.0>, "
             "refractory = array<i64: 2>",
             inhibitory);
         n.decode();
       }},
      {"RestingNeurons", {30}, [](NetworkBuilder &n) { rest(n, 1, perNeuron(-0.01f)); }},
      {"RestingNeuronsOfALongDelay", {30}, [](NetworkBuilder &n) { rest(n, 3, "0.1"); }},
      {"NeuronsThatRestForever", {30}, [](NetworkBuilder &n) { rest(n, 1, "0.1", 1'000'000'000); }},
      {"RestingIntegers", // in words
       {30},
       [](NetworkBuilder &n) {
         restInFixedPoint(n, "fixed_lif", "decay = 0 : i64, membrane_bits = 16 : i64");
       }},
      {"RestingIntegersInWideNumbers",
       {30},
       [](NetworkBuilder &n) {
         restInFixedPoint(n, "fixed_lif",
                          "decay = 4096 : i64, weight_shift = 2 : i64, membrane_bits = 25 : i64");
       }},
      {"RestingIntegersWithSynapses",
       {30},
       [](NetworkBuilder &n) {
         restInFixedPoint(n, "fixed_cuba_lif",
                          "decay = 16 : i64, decay_syn = 2048 : i64, membrane_bits = 16 : i64");
       }},
  };
}

} // namespace spindle::test
