// One rewrite each.
// RUN: spindle-opt %s --snn-compose-linear --split-input-file | FileCheck %s

// CHECK-LABEL: @dense_of_dense
func.func @dense_of_dense(%x: tensor<2xf32>) -> tensor<1xf32> {
  // W₂W₁ = [1 2][[1 0] [3 4]] = [7 8], W₂b₁ + b₂ = 1·1 + 2·1 + 5 = 8
  // CHECK-DAG: %[[W:.*]] = arith.constant dense<{{\[}}[7.000000e+00, 8.000000e+00]]>
  // CHECK-DAG: %[[B:.*]] = arith.constant dense<8.000000e+00>
  // CHECK: %[[Y:.*]] = snn.dense %arg0, %[[W]], %[[B]] {layer = "second"}
  // CHECK-NEXT: return %[[Y]]
  %w1 = arith.constant dense<[[1.0, 0.0], [3.0, 4.0]]> : tensor<2x2xf32>
  %b1 = arith.constant dense<1.0> : tensor<2xf32>
  %w2 = arith.constant dense<[[1.0, 2.0]]> : tensor<1x2xf32>
  %b2 = arith.constant dense<5.0> : tensor<1xf32>
  %h = snn.dense %x, %w1, %b1 {layer = "first"} : (tensor<2xf32>, tensor<2x2xf32>, tensor<2xf32>) -> tensor<2xf32>
  %y = snn.dense %h, %w2, %b2 {layer = "second"} : (tensor<2xf32>, tensor<1x2xf32>, tensor<1xf32>) -> tensor<1xf32>
  return %y : tensor<1xf32>
}
// -----
// CHECK-LABEL: @relu_between
func.func @relu_between(%x: tensor<1xf32>) -> tensor<1xf32> {
  // CHECK: snn.dense
  // CHECK-NEXT: snn.relu
  // CHECK-NEXT: snn.dense
  %w = arith.constant dense<2.0> : tensor<1x1xf32>
  %h = snn.dense %x, %w : (tensor<1xf32>, tensor<1x1xf32>) -> tensor<1xf32>
  %r = snn.relu %h : tensor<1xf32>
  %y = snn.dense %r, %w : (tensor<1xf32>, tensor<1x1xf32>) -> tensor<1xf32>
  return %y : tensor<1xf32>
}
// -----
// A bias before padding would have to enter the padding: it stays.
// CHECK-LABEL: @padding
func.func @padding(%x: tensor<1x2x2xf32>) -> tensor<1x3x2xf32> {
  // CHECK: snn.scale
  // CHECK-NEXT: snn.conv2d
  %w = arith.constant dense<1.0> : tensor<1x1x2x1xf32>
  %f = arith.constant dense<3.0> : tensor<1xf32>
  %b = arith.constant dense<1.0> : tensor<1xf32>
  %s = snn.scale %x, %f, %b : (tensor<1x2x2xf32>, tensor<1xf32>, tensor<1xf32>) -> tensor<1x2x2xf32>
  %y = snn.conv2d %s, %w {padding = array<i64: 1, 0, 1, 0>} : (tensor<1x2x2xf32>, tensor<1x1x2x1xf32>) -> tensor<1x3x2xf32>
  return %y : tensor<1x3x2xf32>
}
// -----
// CHECK-LABEL: @transposes_meet
func.func @transposes_meet(%x: tensor<2x3x4xf32>) -> tensor<2x3x4xf32> {
  // CHECK-NEXT: %[[R:.*]] = snn.relu %arg0 {layer = "a"}
  // CHECK-NEXT: return %[[R]]
  %t = snn.transpose %x {permutation = array<i64: 1, 2, 0>} : tensor<2x3x4xf32> -> tensor<3x4x2xf32>
  %r = snn.relu %t {layer = "a"} : tensor<3x4x2xf32>
  %u = snn.transpose %r {permutation = array<i64: 2, 0, 1>} : tensor<3x4x2xf32> -> tensor<2x3x4xf32>
  return %u : tensor<2x3x4xf32>
}
// -----
// Weights that are no constants are left alone.
// CHECK-LABEL: @unknown_weights
func.func @unknown_weights(%x: tensor<1xf32>, %w: tensor<1x1xf32>) -> tensor<1xf32> {
  // CHECK-COUNT-2: snn.dense
  %h = snn.dense %x, %w : (tensor<1xf32>, tensor<1x1xf32>) -> tensor<1xf32>
  %y = snn.dense %h, %w : (tensor<1xf32>, tensor<1x1xf32>) -> tensor<1xf32>
  return %y : tensor<1xf32>
}
