// What snn-expand-neurons refuses, and why.
// RUN: spindle-opt %s --snn-expand-neurons --split-input-file --verify-diagnostics

// expected-error@+1 {{expected a function @main and 1 to 16777216 steps}}
module {
}
// -----
// expected-error@+1 {{expected a network of one input}}
func.func @main(%x: tensor<1xf32>, %y: tensor<1xf32>) {
  return
}
// -----
func.func @main(%x: tensor<1xf32>) {
  %r = snn.relu %x : tensor<1xf32>
  // expected-error@+1 {{expected a single encoder into spikes, of the input itself}}
  %s = snn.encode poisson %r : tensor<1xf32> -> !snn.spike_bundle<1x!snn.spike_train<?xf32>>
  return
}
// -----
func.func @main(%x: tensor<1xf32>) {
  %s = snn.encode poisson %x : tensor<1xf32> -> !snn.spike_bundle<1x!snn.spike_train<?xf32>>
  // expected-error@+1 {{cannot be expanded, expected linear operations of the same step}}
  %d = snn.delay %s {steps = array<i64: 1>} : !snn.spike_bundle<1x!snn.spike_train<?xf32>> -> !snn.spike_bundle<1x!snn.spike_train<?xf32>>
  return
}
// -----
func.func @main(%x: tensor<1xf32>) {
  %w = arith.constant dense<1.0> : tensor<1xf32>
  %s = snn.encode poisson %x : tensor<1xf32> -> !snn.spike_bundle<1x!snn.spike_train<?xf32>>
  // expected-error@+1 {{cannot be expanded, expected linear operations of the same step}}
  %d = snn.delayed_sparse %s, %w {offsets = array<i64: 0, 1>, indices = array<i32: 0>, delays = array<i16: 3>} : (!snn.spike_bundle<1x!snn.spike_train<?xf32>>, tensor<1xf32>) -> !snn.current<1xf32>
  return
}
// -----
func.func @main(%x: tensor<1xf32>) {
  %s = snn.encode poisson %x : tensor<1xf32> -> !snn.spike_bundle<1x!snn.spike_train<?xf32>>
  // expected-error@+1 {{cannot be expanded, expected one signal of spikes or encoded current}}
  %c = snn.add %s, %s : (!snn.spike_bundle<1x!snn.spike_train<?xf32>>, !snn.spike_bundle<1x!snn.spike_train<?xf32>>) -> !snn.current<1xf32>
  return
}
// -----
func.func @main(%x: tensor<1x1xf32>) {
  %s = snn.encode poisson %x : tensor<1x1xf32> -> !snn.spike_bundle<1x1x!snn.spike_train<?xf32>>
  %v = snn.reshape %s : !snn.spike_bundle<1x1x!snn.spike_train<?xf32>> -> !snn.spike_bundle<1x!snn.spike_train<?xf32>>
  %one = arith.constant dense<1.0> : tensor<1xf32>
  %w = snn.relu %one : tensor<1xf32>
  %m = snn.reshape %w : tensor<1xf32> -> tensor<1x1xf32>
  // expected-error@+1 {{has weights that are not constant}}
  %c = snn.dense %v, %m : (!snn.spike_bundle<1x!snn.spike_train<?xf32>>, tensor<1x1xf32>) -> !snn.current<1xf32>
  return
}
// -----
func.func @main(%x: tensor<1xf32>) {
  %i = snn.encode direct %x : tensor<1xf32> -> !snn.current<1xf32>
  // expected-error@+1 {{cannot be expanded, expected snn.if or snn.lif on the grid of steps}}
  %s = snn.if %i reset zero {threshold = array<f32: 1.0>, discretization = #snn<discretization exact_crossing>} : !snn.current<1xf32> -> !snn.spike_bundle<1x!snn.spike_train<?xf32>>
  return
}
// -----
func.func @main(%x: tensor<1xf32>) {
  %i = snn.encode direct %x : tensor<1xf32> -> !snn.current<1xf32>
  %v = snn.integrator %i : !snn.current<1xf32> -> !snn.current<1xf32>
  // expected-error@+1 {{reads what does not spike, expected current of spikes or an encoder}}
  %s = snn.if %v reset zero {threshold = array<f32: 1.0>} : !snn.current<1xf32> -> !snn.spike_bundle<1x!snn.spike_train<?xf32>>
  return
}
// -----
func.func @main(%x: tensor<2xf32>) {
  %s = snn.encode poisson %x : tensor<2xf32> -> !snn.spike_bundle<2x!snn.spike_train<?xf32>>
  %w = arith.constant dense<0.1> : tensor<2x2xf32>
  %c = snn.dense %s, %w : (!snn.spike_bundle<2x!snn.spike_train<?xf32>>, tensor<2x2xf32>) -> !snn.current<2xf32>
  // expected-error@+1 {{cannot be merged with the linear operation before it, or its weights be divided, without rounding; give it a population of its own or quantise the weights}}
  %d = snn.dense %c, %w : (!snn.current<2xf32>, tensor<2x2xf32>) -> !snn.current<2xf32>
  return
}
// -----
// expected-error@+1 {{has no populations to expand, expected a spiking network}}
func.func @main(%x: tensor<1xf32>) -> tensor<1xf32> {
  %y = snn.relu %x : tensor<1xf32>
  return %y : tensor<1xf32>
}
// -----
// expected-error@+1 {{expected a function @main and 1 to 16777216 steps}}
module {
  func.func private @main(tensor<1xf32>) -> tensor<1xf32>
}
