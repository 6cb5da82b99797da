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
// -----
// The rectifier moves in front of the maximum; the positive scale between the two goes into the convolution.
// CHECK-LABEL: func.func @maximum
// CHECK: %[[W:.*]] = arith.constant dense<6.000000e+00> : tensor<1x1x1x1xf32>
// CHECK: %[[C:.*]] = snn.conv2d %{{.*}}, %[[W]]
// CHECK: %[[R:.*]] = snn.relu %[[C]]
// CHECK: %[[M:.*]] = snn.max_pool2d %[[R]]
// CHECK: return %[[M]]
func.func @maximum(%x: tensor<1x4x4xf32>) -> tensor<1x2x2xf32> {
  %w = arith.constant dense<3.0> : tensor<1x1x1x1xf32>
  %f = arith.constant dense<2.0> : tensor<1xf32>
  %c = snn.conv2d %x, %w : (tensor<1x4x4xf32>, tensor<1x1x1x1xf32>) -> tensor<1x4x4xf32>
  %m = snn.max_pool2d %c {kernel = array<i64: 2, 2>, strides = array<i64: 2, 2>} : tensor<1x4x4xf32> -> tensor<1x2x2xf32>
  %s = snn.scale %m, %f : (tensor<1x2x2xf32>, tensor<1xf32>) -> tensor<1x2x2xf32>
  %y = snn.relu %s : tensor<1x2x2xf32>
  return %y : tensor<1x2x2xf32>
}
// -----
// A value with two consumers stays as it is.
// CHECK-LABEL: func.func @branch
// CHECK: %[[D:.*]] = snn.dense
// CHECK: %[[S:.*]] = snn.scale %[[D]]
// CHECK: snn.add %[[S]], %[[D]]
func.func @branch(%x: tensor<2xf32>) -> tensor<2xf32> {
  %w = arith.constant dense<[[1.0, 2.0], [3.0, 4.0]]> : tensor<2x2xf32>
  %f = arith.constant dense<2.0> : tensor<2xf32>
  %d = snn.dense %x, %w : (tensor<2xf32>, tensor<2x2xf32>) -> tensor<2xf32>
  %s = snn.scale %d, %f : (tensor<2xf32>, tensor<2xf32>) -> tensor<2xf32>
  %y = snn.add %s, %d : (tensor<2xf32>, tensor<2xf32>) -> tensor<2xf32>
  return %y : tensor<2xf32>
}
// -----
// Two times compressed rows are one: here the second element, doubled, then zero.
// CHECK-LABEL: func.func @rows
// CHECK: snn.sparse %{{.*}} {indices = array<i32: 1>, offsets = array<i64: 0, 1, 1>}
// CHECK-NOT: snn.sparse
func.func @rows(%x: tensor<3xf32>) -> tensor<2xf32> {
  %two = arith.constant dense<2.0> : tensor<1xf32>
  %one = arith.constant dense<1.0> : tensor<1xf32>
  %a = snn.sparse %x, %two {offsets = array<i64: 0, 1>, indices = array<i32: 1>} : (tensor<3xf32>, tensor<1xf32>) -> tensor<1xf32>
  %b = snn.sparse %a, %one {offsets = array<i64: 0, 1, 1>, indices = array<i32: 0>} : (tensor<1xf32>, tensor<1xf32>) -> tensor<2xf32>
  return %b : tensor<2xf32>
}
