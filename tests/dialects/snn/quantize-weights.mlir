// RUN: spindle-opt %s --snn-quantize-weights="bits=4" --split-input-file | FileCheck %s --check-prefixes=CHECK,CHANNEL
// RUN: spindle-opt %s --snn-quantize-weights="bits=4 per-channel=false" --split-input-file | FileCheck %s --check-prefixes=CHECK,LAYER

!in = !snn.spike_bundle<3x!snn.spike_train<?xf32>>
!out = !snn.spike_bundle<2x!snn.spike_train<?xf32>>
// Units of 7 levels: 0.5 and 2 per channel, 2 for the layer.
// CHECK-LABEL: @dense
func.func @dense(%s: !in) -> !out {
  // CHANNEL-DAG: dense<{{\[}}[7.000000e+00, -2.000000e+00, 0.000000e+00], [-7.000000e+00, 3.000000e+00, 0.000000e+00]]>
  // CHANNEL-DAG: dense<[2.000000e+00, -1.000000e+00]>
  // CHANNEL: snn.if {{.*}} reset zero {initial_membrane = array<f32: 1.000000e+00, 0.000000e+00>, threshold = array<f32: 6.000000e+00, 2.000000e+00>, v_reset = array<f32: -4.000000e+00, -1.000000e+00>}
  // LAYER-DAG: dense<{{\[}}[2.000000e+00, -1.000000e+00, 0.000000e+00], [-7.000000e+00, 3.000000e+00, 0.000000e+00]]>
  // LAYER-DAG: dense<[1.000000e+00, -1.000000e+00]>
  // LAYER: snn.if {{.*}} reset zero {threshold = array<f32: 2.000000e+00>, v_reset = array<f32: -1.000000e+00>}
  %w = arith.constant dense<[[3.5, -1.2, 0.0], [-14.0, 6.6, 0.9]]> : tensor<2x3xf32>
  %b = arith.constant dense<[1.1, -2.0]> : tensor<2xf32>
  %c = snn.dense %s, %w, %b : (!in, tensor<2x3xf32>, tensor<2xf32>) -> !snn.current<2xf32>
  %o = snn.if %c reset zero {threshold = array<f32: 3.1>, v_reset = array<f32: -1.9>, initial_membrane = array<f32: 0.4>} : !snn.current<2xf32> -> !out
  return %o : !out
}
// -----
!in = !snn.spike_bundle<1x!snn.spike_train<?xf32>>
!out = !snn.spike_bundle<2x!snn.spike_train<?xf32>>
// A threshold of less than half a unit becomes one unit; the leak is a membrane too.
// CHECK-LABEL: @leaky
func.func @leaky(%s: !in) -> !out {
  // CHECK: snn.lif {{.*}} reset subtract {tau = array<f32: 4.000000e+00>, threshold = array<f32: 1.000000e+00>, v_leak = array<f32: 3.000000e+00>}
  %w = arith.constant dense<7.0> : tensor<2x1xf32>
  %c = snn.dense %s, %w : (!in, tensor<2x1xf32>) -> !snn.current<2xf32>
  %o = snn.lif %c reset subtract {threshold = array<f32: 0.3>, tau = array<f32: 4.0>, v_leak = array<f32: 2.9>} : !snn.current<2xf32> -> !out
  return %o : !out
}
// -----
!in = !snn.spike_bundle<1x!snn.spike_train<?xf32>>
// CHECK-LABEL: @readout
func.func @readout(%s: !in) -> !snn.current<2xf32> {
  // CHANNEL: snn.integrator {{.*}} {r = array<f32: 2.000000e+00, 4.000000e+00>}
  // LAYER: snn.integrator {{.*}} {r = array<f32: 4.000000e+00>}
  %w = arith.constant dense<[[14.0], [-28.0]]> : tensor<2x1xf32>
  %c = snn.dense %s, %w : (!in, tensor<2x1xf32>) -> !snn.current<2xf32>
  %v = snn.integrator %c : !snn.current<2xf32> -> !snn.current<2xf32>
  return %v : !snn.current<2xf32>
}
// -----
!in = !snn.spike_bundle<1x!snn.spike_train<?xf32>>
// Layers that meet share the unit of the larger; a population of spikes as they are stays.
// CHECK-LABEL: @add
func.func @add(%s: !in) -> !in {
  // CHECK-DAG: dense<7.000000e+00> : tensor<1x1xf32>
  // CHECK-DAG: dense<3.000000e+00> : tensor<1x1xf32>
  // CHECK: snn.if {{.*}} reset subtract {threshold = array<f32: 5.000000e+00>
  // CHECK: snn.if {{.*}} reset subtract {threshold = array<f32: 2.500000e+00>
  %w = arith.constant dense<0.875> : tensor<1x1xf32>
  %u = arith.constant dense<0.37> : tensor<1x1xf32>
  %c = snn.dense %s, %w : (!in, tensor<1x1xf32>) -> !snn.current<1xf32>
  %d = snn.dense %s, %u : (!in, tensor<1x1xf32>) -> !snn.current<1xf32>
  %e = snn.add %c, %d : (!snn.current<1xf32>, !snn.current<1xf32>) -> !snn.current<1xf32>
  %o = snn.if %e reset subtract {threshold = array<f32: 0.6>} : !snn.current<1xf32> -> !in
  %f = snn.add %o, %s : (!in, !in) -> !snn.current<1xf32>
  %p = snn.if %f reset subtract {threshold = array<f32: 2.5>} : !snn.current<1xf32> -> !in
  return %p : !in
}
// -----
!in = !snn.spike_bundle<1x4x4x!snn.spike_train<?xf32>>
!out = !snn.spike_bundle<1x1x1x!snn.spike_train<?xf32>>
// An average becomes a sum of four, and the current counts quarters of the unit 0.5.
// CHECK-LABEL: @average
func.func @average(%s: !in) -> !out {
  // CHECK: snn.sum_pool2d {{.*}} {kernel = array<i64: 2, 2>, layer = "p", strides = array<i64: 2, 2>}
  // CHECK-DAG: dense<{{.*}}-7.000000e+00, 2.000000e+00], [0.000000e+00, 4.000000e+00]{{.*}}> : tensor<1x1x2x2xf32>
  // CHECK-DAG: dense<8.000000e+00> : tensor<1xf32>
  // CHECK: snn.if {{.*}} reset subtract {threshold = array<f32: 2.400000e+01>}
  %w = arith.constant dense<[[[[-3.5, 1.0], [0.0, 2.0]]]]> : tensor<1x1x2x2xf32>
  %b = arith.constant dense<1.0> : tensor<1xf32>
  %a = snn.avg_pool2d %s {kernel = array<i64: 2, 2>, strides = array<i64: 2, 2>, layer = "p"} : !in -> !snn.current<1x2x2xf32>
  %c = snn.conv2d %a, %w, %b : (!snn.current<1x2x2xf32>, tensor<1x1x2x2xf32>, tensor<1xf32>) -> !snn.current<1x1x1xf32>
  %o = snn.if %c reset subtract {threshold = array<f32: 3.0>} : !snn.current<1x1x1xf32> -> !out
  return %o : !out
}
// -----
!in = !snn.spike_bundle<1x2x2x!snn.spike_train<?xf32>>
!out = !snn.spike_bundle<1x!snn.spike_train<?xf32>>
// An average that divides by the inputs inside the image, or that others read, stays.
// CHECK-LABEL: @averages_that_stay
func.func @averages_that_stay(%s: !in) -> (!out, !out, !out) {
  // CHECK-COUNT-2: snn.avg_pool2d
  // CHECK-NOT: snn.sum_pool2d
  %w = arith.constant dense<7.0> : tensor<1x4xf32>
  %a = snn.avg_pool2d %s {kernel = array<i64: 2, 2>, strides = array<i64: 2, 2>, padding = array<i64: 1, 1, 1, 1>, count_include_pad = false} : !in -> !snn.current<1x2x2xf32>
  %f = snn.reshape %a : !snn.current<1x2x2xf32> -> !snn.current<4xf32>
  %c = snn.dense %f, %w : (!snn.current<4xf32>, tensor<1x4xf32>) -> !snn.current<1xf32>
  %o = snn.if %c reset zero {threshold = array<f32: 1.0>} : !snn.current<1xf32> -> !out
  %v = arith.constant dense<7.0> : tensor<1x1xf32>
  %b = snn.avg_pool2d %s {kernel = array<i64: 2, 2>, strides = array<i64: 2, 2>} : !in -> !snn.current<1x1x1xf32>
  %g = snn.reshape %b : !snn.current<1x1x1xf32> -> !snn.current<1xf32>
  %d = snn.dense %g, %v : (!snn.current<1xf32>, tensor<1x1xf32>) -> !snn.current<1xf32>
  %e = snn.dense %g, %v : (!snn.current<1xf32>, tensor<1x1xf32>) -> !snn.current<1xf32>
  %p = snn.if %d reset zero {threshold = array<f32: 1.0>} : !snn.current<1xf32> -> !out
  %q = snn.if %e reset zero {threshold = array<f32: 1.0>} : !snn.current<1xf32> -> !out
  return %o, %p, %q : !out, !out, !out
}
// -----
!in = !snn.spike_bundle<1x!snn.spike_train<?xf32>>
// What has no weights needs no population.
// CHECK-LABEL: @unread
func.func @unread(%s: !in) -> !in {
  // CHECK: snn.sparse
  %w = arith.constant dense<7.0> : tensor<1x1xf32>
  %c = snn.dense %s, %w : (!in, tensor<1x1xf32>) -> !snn.current<1xf32>
  %o = snn.if %c reset zero {threshold = array<f32: 3.0>} : !snn.current<1xf32> -> !in
  %none = arith.constant dense<> : tensor<0xf32>
  %r = snn.sparse %o, %none {offsets = array<i64: 0, 0>, indices = array<i32>} : (!in, tensor<0xf32>) -> !snn.current<1xf32>
  %y = snn.decode membrane %r : !snn.current<1xf32> -> tensor<1xf32>
  return %o : !in
}
// -----
!in = !snn.spike_bundle<4x!snn.spike_train<?xf32>>
!out = !snn.spike_bundle<2x!snn.spike_train<?xf32>>
// Rows with delays have units as rows without.
// CHECK-LABEL: @delays
func.func @delays(%s: !in) -> !out {
  // CHANNEL: arith.constant dense<[7.000000e+00, -7.000000e+00, 4.000000e+00]>
  // LAYER: arith.constant dense<[7.000000e+00, -4.000000e+00, 2.000000e+00]>
  // CHECK: snn.delayed_sparse {{.*}}delays = array<i16: 1, 7, 0>
  // CHANNEL: threshold = array<f32: 7.000000e+00, 1.200000e+01>
  // LAYER: threshold = array<f32: 7.000000e+00>
  %w = arith.constant dense<[2.0, -1.2, 0.7]> : tensor<3xf32>
  %c = snn.delayed_sparse %s, %w {offsets = array<i64: 0, 1, 3>, indices = array<i32: 3, 2, 0>, delays = array<i16: 1, 7, 0>} : (!in, tensor<3xf32>) -> !snn.current<2xf32>
  %o = snn.if %c reset zero {threshold = array<f32: 2.0>} : !snn.current<2xf32> -> !out
  return %o : !out
}
