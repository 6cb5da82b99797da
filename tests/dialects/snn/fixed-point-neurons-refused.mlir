// RUN: spindle-opt %s --snn-fixed-point-neurons --split-input-file --verify-diagnostics

!s = !snn.spike_bundle<2x!snn.spike_train<?xf32>>
func.func @crossing(%s: !s) -> !s {
  %w = arith.constant dense<2.0> : tensor<2x2xf32>
  %c = snn.dense %s, %w : (!s, tensor<2x2xf32>) -> !snn.current<2xf32>
  // expected-error@+1 {{has no counterpart in fixed point, expected snn.if or snn.lif on the grid of steps}}
  %o = snn.if %c reset zero {threshold = array<f32: 1.0>, discretization = #snn<discretization exact_crossing>} : !snn.current<2xf32> -> !s
  return %o : !s
}
// -----
!s = !snn.spike_bundle<2x!snn.spike_train<?xf32>>
func.func @differing(%s: !s) -> !s {
  %w = arith.constant dense<2.0> : tensor<2x2xf32>
  %c = snn.dense %s, %w : (!s, tensor<2x2xf32>) -> !snn.current<2xf32>
  // expected-error@+1 {{has tau, r or v_leak that differ between its neurons, expected one value}}
  %o = snn.lif %c reset zero {threshold = array<f32: 1.0>, tau = array<f32: 2.0, 3.0>} : !snn.current<2xf32> -> !s
  return %o : !s
}
// -----
!s = !snn.spike_bundle<2x!snn.spike_train<?xf32>>
func.func @slow(%s: !s) -> !s {
  %w = arith.constant dense<2.0> : tensor<2x2xf32>
  %c = snn.dense %s, %w : (!s, tensor<2x2xf32>) -> !snn.current<2xf32>
  // expected-error@+1 {{leaks less than 12 bits can say, expected more decay-bits}}
  %o = snn.lif %c reset zero {threshold = array<f32: 1.0>, tau = array<f32: 10000.0>} : !snn.current<2xf32> -> !s
  return %o : !s
}
// -----
!s = !snn.spike_bundle<2x!snn.spike_train<?xf32>>
func.func @negative(%s: !s) -> !s {
  %w = arith.constant dense<2.0> : tensor<2x2xf32>
  %c = snn.dense %s, %w : (!s, tensor<2x2xf32>) -> !snn.current<2xf32>
  // expected-error@+1 {{has an r that is not positive}}
  %o = snn.if %c reset zero {threshold = array<f32: 1.0>, r = array<f32: -1.0>} : !snn.current<2xf32> -> !s
  return %o : !s
}
// -----
!s = !snn.spike_bundle<2x!snn.spike_train<?xf32>>
func.func @subtracts(%s: !s) -> !s {
  %w = arith.constant dense<2.0> : tensor<2x2xf32>
  %c = snn.dense %s, %w : (!s, tensor<2x2xf32>) -> !snn.current<2xf32>
  // expected-error@+1 {{subtracts its threshold and leaks to another value than zero, which fixed point cannot say}}
  %o = snn.lif %c reset subtract {threshold = array<f32: 1.0>, tau = array<f32: 2.0>, v_leak = array<f32: 1.0>} : !snn.current<2xf32> -> !s
  return %o : !s
}
// -----
!s = !snn.spike_bundle<2x!snn.spike_train<?xf32>>
func.func @large(%s: !s) -> !s {
  %w = arith.constant dense<2.0> : tensor<2x2xf32>
  %c = snn.dense %s, %w : (!s, tensor<2x2xf32>) -> !snn.current<2xf32>
  // expected-error@+1 {{has the threshold 10000000 in units of its membrane, expected at most 8388607; use more membrane-bits or fewer fraction-bits}}
  %o = snn.if %c reset zero {threshold = array<f32: 1.0e7>} : !snn.current<2xf32> -> !s
  return %o : !s
}
