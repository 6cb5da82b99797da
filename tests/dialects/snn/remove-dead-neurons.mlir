// Emulates a network, removes what was silent, and emulates what is left.
// RUN: rm -rf %t && split-file %s %t
// RUN: spindle emulate %t/flow.yaml --out %t
// RUN: spindle-opt %t/20-snn.mlir --snn-remove-dead-neurons=trace=%t/30-spikes.h5 -o %t/small.mlir
// RUN: FileCheck %s < %t/small.mlir
// RUN: cp %t/30-emulation.json %t/before.json && cp %t/small.mlir %t/20-snn.mlir
// RUN: spindle emulate %t/flow.yaml --out %t
// RUN: FileCheck %s --check-prefix=ANSWERS < %t/before.json
// RUN: FileCheck %s --check-prefix=ANSWERS < %t/30-emulation.json
// ANSWERS: "correct_by_step": [
// ANSWERS-NEXT: 2,
// ANSWERS-NEXT: 2,
// ANSWERS-NEXT: 2
// ANSWERS: "spikes": [
// ANSWERS-NEXT: 15,
// ANSWERS-NEXT: 8,
// ANSWERS-NEXT: 0

// Filter 1 of 3 is silent: its bias is -9. Of 4 outputs numbers 0 and 2 are.
// CHECK: dense<{{\[}}{{\[}}{{\[}}[1.000000e+00]]], {{\[}}{{\[}}[2.000000e+00]]]]> : tensor<2x1x1x1xf32>
// CHECK: dense<[2.500000e-01, 5.000000e-01]> : tensor<2xf32>
// CHECK: snn.conv2d {{.*}} -> tensor<2x1x4xf32>
// CHECK: snn.encode direct {{.*}} -> !snn.current<2x1x4xf32>
// CHECK: snn.if {{.*}} {layer = "conv", threshold = array<f32: 1.000000e+00, 3.000000e+00>} {{.*}} -> <2x1x4x
// CHECK: snn.sum_pool2d {{.*}} -> !snn.current<2x1x2xf32>
// CHECK: snn.reshape {{.*}} -> !snn.current<4xf32>
// CHECK: dense<{{\[}}[1.000000e+00, 2.000000e+00, 5.000000e+00, 6.000000e+00], [0.000000e+00, 1.000000e+00, 0.000000e+00, 1.000000e+00]]> : tensor<2x4xf32>
// CHECK: snn.if {{.*}} {layer = "dense", threshold = array<f32: 2.000000e+00>} {{.*}} -> <2x
// CHECK: dense<{{\[}}[1.000000e+00, 0.000000e+00], [0.000000e+00, 2.000000e+00]]> : tensor<2x2xf32>
// CHECK: snn.integrator {{.*}} -> <2xf32>

//--- 20-snn.mlir
func.func @main(%x: tensor<1x1x4xf32>) -> tensor<2xf32> {
  %w1 = arith.constant dense<[[[[1.0]]], [[[3.0]]], [[[2.0]]]]> : tensor<3x1x1x1xf32>
  %b1 = arith.constant dense<[0.25, -9.0, 0.5]> : tensor<3xf32>
  %w2 = arith.constant dense<[[0.1, 0.1, 0.1, 0.1, 0.1, 0.1], [1.0, 2.0, 3.0, 4.0, 5.0, 6.0],
                              [-1.0, -1.0, 9.0, 9.0, 0.0, 0.0], [0.0, 1.0, 0.0, 1.0, 0.0, 1.0]]> : tensor<4x6xf32>
  %w3 = arith.constant dense<[[7.0, 1.0, 7.0, 0.0], [7.0, 0.0, 7.0, 2.0]]> : tensor<2x4xf32>
  %c1 = snn.conv2d %x, %w1, %b1 {layer = "conv"} : (tensor<1x1x4xf32>, tensor<3x1x1x1xf32>, tensor<3xf32>) -> tensor<3x1x4xf32>
  %e = snn.encode direct %c1 : tensor<3x1x4xf32> -> !snn.current<3x1x4xf32>
  %s1 = snn.if %e reset subtract {layer = "conv", threshold = array<f32: 1.0, 2.0, 3.0>}
    : !snn.current<3x1x4xf32> -> !snn.spike_bundle<3x1x4x!snn.spike_train<?xf32>>
  %p = snn.sum_pool2d %s1 {kernel = array<i64: 1, 2>, strides = array<i64: 1, 2>}
    : !snn.spike_bundle<3x1x4x!snn.spike_train<?xf32>> -> !snn.current<3x1x2xf32>
  %f = snn.reshape %p : !snn.current<3x1x2xf32> -> !snn.current<6xf32>
  %c2 = snn.dense %f, %w2 {layer = "dense"} : (!snn.current<6xf32>, tensor<4x6xf32>) -> !snn.current<4xf32>
  %s2 = snn.if %c2 reset zero {layer = "dense", threshold = array<f32: 2.0>}
    : !snn.current<4xf32> -> !snn.spike_bundle<4x!snn.spike_train<?xf32>>
  %c3 = snn.dense %s2, %w3 {layer = "out"} : (!snn.spike_bundle<4x!snn.spike_train<?xf32>>, tensor<2x4xf32>) -> !snn.current<2xf32>
  %v = snn.integrator %c3 {layer = "out"} : !snn.current<2xf32> -> !snn.current<2xf32>
  %y = snn.decode membrane %v : !snn.current<2xf32> -> tensor<2xf32>
  return %y : tensor<2xf32>
}
//--- samples.csv
0.0,0.9,0.0,0.0,0
0.0,0.0,0.9,0.9,1
//--- flow.yaml
model: {path: 20-snn.mlir}
dataset: {format: csv, images: samples.csv, shape: [1, 1, 4]}
emulation: {steps: 3, encoding: direct}
