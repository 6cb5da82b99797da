// What snn-quantize-weights refuses, and why.
// RUN: spindle-opt %s --snn-quantize-weights --split-input-file --verify-diagnostics
// RUN: not spindle-opt %s --snn-quantize-weights="bits=1" --split-input-file 2>&1 | FileCheck %s
// CHECK: expected 2 to 16 bits for a weight, found 1

!s = !snn.spike_bundle<1x!snn.spike_train<?xf32>>
!i = !snn.current<1xf32>
func.func @not_constant(%s: !s, %w: tensor<1x1xf32>) -> !s {
  // expected-error@+1 {{has weights that are not constant}}
  %c = snn.dense %s, %w : (!s, tensor<1x1xf32>) -> !i
  %o = snn.if %c reset zero {threshold = array<f32: 1.0>} : !i -> !s
  return %o : !s
}
// -----
!s = !snn.spike_bundle<1x!snn.spike_train<?xf32>>
!i = !snn.current<1xf32>
func.func @twice(%s: !s) -> (!s, !s) {
  %w = arith.constant dense<1.0> : tensor<1x1xf32>
  // expected-error@+1 {{is read more than once, expected one population for each layer}}
  %c = snn.dense %s, %w : (!s, tensor<1x1xf32>) -> !i
  %o = snn.if %c reset zero {threshold = array<f32: 1.0>} : !i -> !s
  %p = snn.if %c reset zero {threshold = array<f32: 2.0>} : !i -> !s
  return %o, %p : !s, !s
}
// -----
!s = !snn.spike_bundle<1x!snn.spike_train<?xf32>>
!i = !snn.current<1xf32>
func.func @two_layers(%s: !s) -> !s {
  %w = arith.constant dense<1.0> : tensor<1x1xf32>
  // expected-error@+1 {{has weights that do not lead to a population, expected one linear operation with weights before each; snn-compose-linear with rows merges those that follow each other}}
  %b = snn.dense %s, %w : (!s, tensor<1x1xf32>) -> !i
  %c = snn.dense %b, %w : (!i, tensor<1x1xf32>) -> !i
  %o = snn.if %c reset zero {threshold = array<f32: 1.0>} : !i -> !s
  return %o : !s
}
// -----
!s = !snn.spike_bundle<1x!snn.spike_train<?xf32>>
!i = !snn.current<1xf32>
func.func @mixed(%s: !s) -> !s {
  %w = arith.constant dense<1.0> : tensor<1x1xf32>
  %c = snn.dense %s, %w : (!s, tensor<1x1xf32>) -> !i
  %d = snn.add %c, %s : (!i, !s) -> !i
  // expected-error@+1 {{adds currents with weights to currents without, expected weights on all; put an snn.scale on the others}}
  %o = snn.if %d reset zero {threshold = array<f32: 1.0>} : !i -> !s
  return %o : !s
}
// -----
!s = !snn.spike_bundle<1x!snn.spike_train<?xf32>>
!i = !snn.current<1xf32>
func.func @temporal(%s: !s) -> !s {
  %w = arith.constant dense<1.0> : tensor<1x1xf32>
  %c = snn.dense %s, %w : (!s, tensor<1x1xf32>) -> !i
  // expected-error@+1 {{cannot follow integer weights, expected neurons with one current and a threshold in its unit}}
  %o = snn.first_spike %c {start = 8 : i64, window = 8 : i64} : !i -> !s
  return %o : !s
}
// -----
!s = !snn.spike_bundle<1x2x!snn.spike_train<?xf32>>
!i = !snn.current<1x2xf32>
func.func @bias(%s: !s) -> !s {
  %f = arith.constant dense<2.0> : tensor<1xf32>
  %b = arith.constant dense<1.0> : tensor<1x2xf32>
  // expected-error@+1 {{has biases of another number than weights per channel, expected one for each channel}}
  %c = snn.scale %s, %f, %b : (!s, tensor<1xf32>, tensor<1x2xf32>) -> !i
  %o = snn.if %c reset zero {threshold = array<f32: 1.0>} : !i -> !s
  return %o : !s
}
// -----
// expected-error@+1 {{the network has no populations to quantise, expected a layer that rectifies}}
func.func @ann(%x: tensor<1xf32>) -> tensor<1xf32> {
  %y = snn.relu %x : tensor<1xf32>
  return %y : tensor<1xf32>
}
