// RUN: spindle-opt %s --snn-fixed-point-neurons --split-input-file | FileCheck %s
// RUN: spindle-opt %s --snn-fixed-point-neurons="membrane-bits=16 fraction-bits=3 decay-bits=8" --split-input-file | FileCheck %s --check-prefix=SHORT

!in = !snn.spike_bundle<3x!snn.spike_train<?xf32>>
!out = !snn.spike_bundle<2x!snn.spike_train<?xf32>>
// Without a leak every membrane is a whole number already.
// CHECK-LABEL: @integrators
func.func @integrators(%s: !in) -> !out {
  // CHECK: snn.fixed_lif {{.*}} reset subtract {decay = 0 : i64, initial_membrane = array<f32: 3.000000e+00>, layer = "a", max_spikes = 2 : i64, refractory = array<i64: 2>, threshold = array<f32: 6.000000e+00, 1.000000e+00>
  %w = arith.constant dense<2.0> : tensor<2x3xf32>
  %c = snn.dense %s, %w : (!in, tensor<2x3xf32>) -> !snn.current<2xf32>
  %o = snn.if %c reset subtract {threshold = array<f32: 6.0, 0.3>, initial_membrane = array<f32: 3.0>, refractory = array<i64: 2>, max_spikes = 2 : i64, layer = "a"} : !snn.current<2xf32> -> !out
  return %o : !out
}
// -----
!in = !snn.spike_bundle<3x!snn.spike_train<?xf32>>
!out = !snn.spike_bundle<2x!snn.spike_train<?xf32>>
// r · rate = 4/8, so that the threshold is (101 - 1)/0.5 = 200 units above the leak; 2^23 - 1 over 2 · 200 leaves 14 bits.
// CHECK-LABEL: @leaky
func.func @leaky(%s: !in) -> !out {
  // CHECK: snn.fixed_lif {{.*}} reset zero {decay = 512 : i64, initial_membrane = array<f32: -3.276800e+04>, threshold = array<f32: 3.276800e+06>, v_reset = array<f32: -9.830400e+04>, weight_shift = 14 : i64}
  // SHORT: snn.fixed_lif {{.*}} reset zero {decay = 32 : i64, decay_bits = 8 : i64, initial_membrane = array<f32: -1.600000e+01>, membrane_bits = 16 : i64, threshold = array<f32: 1.600000e+03>, v_reset = array<f32: -4.800000e+01>, weight_shift = 3 : i64}
  %w = arith.constant dense<2.0> : tensor<2x3xf32>
  %c = snn.dense %s, %w : (!in, tensor<2x3xf32>) -> !snn.current<2xf32>
  %o = snn.lif %c reset zero {threshold = array<f32: 101.0>, tau = array<f32: 8.0>, r = array<f32: 4.0>, v_leak = array<f32: 1.0>, v_reset = array<f32: -2.0>} : !snn.current<2xf32> -> !out
  return %o : !out
}
// -----
!out = !snn.spike_bundle<2x!snn.spike_train<?xf32>>
// Direct currents and membranes that do not spike stay in float.
// CHECK-LABEL: @outside
func.func @outside(%x: tensor<2xf32>) -> tensor<2xf32> {
  // CHECK: snn.if
  // CHECK: snn.li
  %i = snn.encode direct %x : tensor<2xf32> -> !snn.current<2xf32>
  %a = snn.if %i reset zero {threshold = array<f32: 1.0>} : !snn.current<2xf32> -> !out
  %w = arith.constant dense<2.0> : tensor<2x2xf32>
  %c = snn.dense %a, %w : (!out, tensor<2x2xf32>) -> !snn.current<2xf32>
  %v = snn.li %c {tau = array<f32: 8.0>} : !snn.current<2xf32> -> !snn.current<2xf32>
  %y = snn.decode membrane %v : !snn.current<2xf32> -> tensor<2xf32>
  return %y : tensor<2xf32>
}
