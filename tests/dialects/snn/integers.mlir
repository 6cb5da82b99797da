// From pixels to answers in integers: input, weights, populations.
// RUN: spindle-opt %s --snn-quantize-input="unit=0.5 high=3" --snn-quantize-weights="bits=4 integers" --snn-fixed-point-neurons="integers membrane-bits=10 steps=4" --split-input-file | FileCheck %s

!out = !snn.spike_bundle<2x!snn.spike_train<?xf32>>
// Weights of 7 levels, 3.5 · 0.5 / 7 = 0.25 for the first neuron, 14 · 0.5 / 7 = 1 for the second: thresholds 3.1 / 0.25 and 3.1. Readouts have one
// unit, 3.5 / 7, and hold 4 · (7 + 4) and half a unit's initial membrane: 7 bits with the sign.
// CHECK-LABEL: @perceptron
func.func @perceptron(%x: tensor<2xf32>) -> !snn.current<2xf32> {
  // CHECK: snn.quantize %arg0 {high = 3 : i64, layer = "input", low = 0 : i64, unit = 5.000000e-01 : f32}
  // CHECK: dense<{{\[}}[7.000000e+00, -2.000000e+00], [-7.000000e+00, 3.000000e+00]]>
  // CHECK: snn.dense
  // CHECK: snn.encode direct
  // CHECK: snn.fixed_lif {{.*}} reset subtract {decay = 0 : i64, initial_membrane = array<f32: 2.000000e+00, 1.000000e+00>, membrane_bits = 10 : i64, threshold = array<f32: 1.200000e+01, 3.000000e+00>}
  // CHECK: dense<{{\[}}[7.000000e+00, 4.000000e+00], [-2.000000e+00, 0.000000e+00]]>
  // CHECK: snn.fixed_li {{.*}} {decay = 0 : i64, initial_membrane = array<f32: 1.000000e+00>, membrane_bits = 7 : i64, unit = 5.000000e-01 : f32}
  %w = arith.constant dense<[[3.5, -1.2], [-14.0, 6.6]]> : tensor<2x2xf32>
  %u = arith.constant dense<[[3.5, 2.0], [-1.0, 0.0]]> : tensor<2x2xf32>
  %c = snn.dense %x, %w : (tensor<2xf32>, tensor<2x2xf32>) -> tensor<2xf32>
  %i = snn.encode direct %c : tensor<2xf32> -> !snn.current<2xf32>
  %o = snn.if %i reset subtract {threshold = array<f32: 3.1>, initial_membrane = array<f32: 0.6>} : !snn.current<2xf32> -> !out
  %d = snn.dense %o, %u : (!out, tensor<2x2xf32>) -> !snn.current<2xf32>
  %v = snn.integrator %d {initial_membrane = array<f32: 0.5>} : !snn.current<2xf32> -> !snn.current<2xf32>
  return %v : !snn.current<2xf32>
}
// -----
!out = !snn.spike_bundle<1x!snn.spike_train<?xf32>>
// A threshold of 3500 / 0.25 = 14000 units: half of 511 holds it after 6 shifts to the right, as 219.
// CHECK-LABEL: @shift
func.func @shift(%x: tensor<2xf32>) -> !out {
  // CHECK: %[[SUM:.*]] = snn.dense
  // CHECK: %[[Q:.*]] = snn.quantize %[[SUM]] {high = 511 : i64, low = -511 : i64, unit = 6.400000e+01 : f32}
  // CHECK: snn.encode direct %[[Q]]
  // CHECK: snn.fixed_lif {{.*}} threshold = array<f32: 2.190000e+02>
  %w = arith.constant dense<[[3.5, -1.2]]> : tensor<1x2xf32>
  %c = snn.dense %x, %w : (tensor<2xf32>, tensor<1x2xf32>) -> tensor<1xf32>
  %i = snn.encode direct %c : tensor<1xf32> -> !snn.current<1xf32>
  %o = snn.if %i reset subtract {threshold = array<f32: 3500.0>} : !snn.current<1xf32> -> !out
  return %o : !out
}
// -----
!in = !snn.spike_bundle<2x!snn.spike_train<?xf32>>
// The maximum of an encoder counts units, and the encoder integers.
// CHECK-LABEL: @regular
func.func @regular(%x: tensor<2xf32>) -> !in {
  %w = arith.constant dense<7.0> : tensor<2x2xf32>
  // CHECK: %[[Q:.*]] = snn.quantize
  // CHECK: snn.encode regular %[[Q]] {integers, maximum = 3.000000e+00 : f32}
  %s = snn.encode regular %x {maximum = 1.5 : f32} : tensor<2xf32> -> !in
  %c = snn.dense %s, %w : (!in, tensor<2x2xf32>) -> !snn.current<2xf32>
  %o = snn.if %c reset subtract {threshold = array<f32: 9.0>} : !snn.current<2xf32> -> !in
  return %o : !in
}
// -----
!in = !snn.spike_bundle<1x2x2x!snn.spike_train<?xf32>>
!out = !snn.spike_bundle<1x1x1x!snn.spike_train<?xf32>>
!i = !snn.current<1x1x1xf32>
// Averages become sums, wherever they are read: by a population (a threshold of four units for one), by two layers, and by a join whose other
// way has no weights of its own. The layers of the join share the unit (7 / 7) / 4 of the current, so that 2 becomes 2 · 4 / 4.
// CHECK-LABEL: @averages
func.func @averages(%s: !in) -> (!out, !out) {
  // CHECK-NOT: snn.avg_pool2d
  // CHECK: snn.fixed_lif {{.*}} threshold = array<f32: 4.000000e+00>
  // CHECK: snn.conv2d
  // CHECK: snn.scale
  // CHECK: snn.add
  // CHECK: snn.fixed_lif {{.*}} threshold = array<f32: 8.000000e+00>
  %w = arith.constant dense<7.0> : tensor<1x1x1x1xf32>
  %a = snn.avg_pool2d %s {kernel = array<i64: 2, 2>, strides = array<i64: 2, 2>} : !in -> !i
  %o = snn.if %a reset subtract {threshold = array<f32: 1.0>} : !i -> !out
  %c = snn.conv2d %a, %w : (!i, tensor<1x1x1x1xf32>) -> !i
  %j = snn.add %c, %a : (!i, !i) -> !i
  %p = snn.if %j reset subtract {threshold = array<f32: 2.0>} : !i -> !out
  return %o, %p : !out, !out
}
// -----
!in = !snn.spike_bundle<2x!snn.spike_train<?xf32>>
// Units of r · rate · w_in · rate_syn = 2/4 · 2/2 = 1/2: 100 is 200 of them, and 511 over 400 leaves no bit behind the point.
// CHECK-LABEL: @cuba
func.func @cuba(%s: !in) -> !in {
  // CHECK: snn.fixed_cuba_lif {{.*}} reset zero {decay = 1024 : i64, decay_syn = 2048 : i64, {{.*}}membrane_bits = 10 : i64, threshold = array<f32: 2.000000e+02>
  %w = arith.constant dense<7.0> : tensor<2x2xf32>
  %c = snn.dense %s, %w : (!in, tensor<2x2xf32>) -> !snn.current<2xf32>
  %o = snn.cuba_lif %c reset zero {threshold = array<f32: 100.0>, tau = array<f32: 4.0>, r = array<f32: 2.0>, tau_syn = array<f32: 2.0>, w_in = array<f32: 2.0>} : !snn.current<2xf32> -> !in
  return %o : !in
}
