// RUN: spindle-opt %s --snn-quantize-weights="bits=4 steps=4" --split-input-file | FileCheck %s
// RUN: spindle-opt %s --snn-quantize-weights="bits=4" --split-input-file | FileCheck %s --check-prefix=UNKNOWN
!in = !snn.spike_bundle<2x!snn.spike_train<?xf32>>
!out = !snn.spike_bundle<3x!snn.spike_train<?xf32>>
// In four steps the second neuron gets 0.08 at most, the third one 4 · 0.7 of 2: it may spike.
// CHECK-LABEL: @silent
// UNKNOWN-LABEL: @silent
func.func @silent(%x: tensor<2xf32>) -> !out {
  // CHECK: dense<{{.}}[7.000000e+00, 0.000000e+00], [0.000000e+00, 0.000000e+00], [7.000000e+00, -7.000000e+00]]>
  // CHECK: threshold = array<f32: 1.400000e+01, 2.000000e+01, 2.000000e+01>
  // UNKNOWN: dense<{{.}}[7.000000e+00, 0.000000e+00], [7.000000e+00, 7.000000e+00], [7.000000e+00, -7.000000e+00]]>
  // UNKNOWN: threshold = array<f32: 1.400000e+01, 1.400000e+03, 2.000000e+01>
  %s = snn.encode regular %x {maximum = 1.0 : f32} : tensor<2xf32> -> !in
  %w = arith.constant dense<[[1.0, 0.0], [0.01, 0.01], [0.7, -0.7]]> : tensor<3x2xf32>
  %c = snn.dense %s, %w : (!in, tensor<3x2xf32>) -> !snn.current<3xf32>
  %o = snn.if %c reset subtract {threshold = array<f32: 2.0>} : !snn.current<3xf32> -> !out
  return %o : !out
}
// -----
!in = !snn.spike_bundle<1x!snn.spike_train<?xf32>>
// Half of a threshold stays below it, whatever the units of the others are.
// CHECK-LABEL: @margin
// UNKNOWN-LABEL: @margin
func.func @margin(%x: tensor<1xf32>) -> !in {
  // CHECK: initial_membrane = array<f32: 4.000000e+00>, threshold = array<f32: 8.000000e+00>
  // UNKNOWN: threshold = array<f32: 7.000000e+03>
  %s = snn.encode regular %x {maximum = 1.0 : f32} : tensor<1xf32> -> !in
  %w = arith.constant dense<0.001> : tensor<1x1xf32>
  %c = snn.dense %s, %w : (!in, tensor<1x1xf32>) -> !snn.current<1xf32>
  %o = snn.if %c reset subtract {initial_membrane = array<f32: 0.5>, threshold = array<f32: 1.0>} : !snn.current<1xf32> -> !in
  return %o : !in
}
