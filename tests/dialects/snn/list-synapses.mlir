// RUN: spindle-opt %s --snn-list-synapses --split-input-file | FileCheck %s
// RUN: spindle-opt %s --snn-list-synapses --split-input-file | spindle-opt --split-input-file --snn-list-synapses | FileCheck %s

// All pairs but those of a neuron with itself; the part begins with row 2, row 4 is outside.
// CHECK-LABEL: func.func @all
func.func @all(%x: tensor<4xf32>, %b: tensor<3xf32>) -> tensor<3xf32> {
  // CHECK: %[[W:.*]] = arith.constant dense<2.500000e-01> : tensor<4xf32>
  // CHECK: snn.sparse %{{.*}}, %[[W]], %{{.*}} {indices = array<i32: 1, 3, 1, 2>, layer = "all", offsets = array<i64: 0, 2, 4, 4>}
  // CHECK-NOT: snn.random
  %w = arith.constant dense<0.25> : tensor<1xf32>
  %y = snn.random %x, %w, %b {autapses = false, first = 2 : i64, key = 1 : i64, layer = "all", probability = 1.0, source_range = array<i64: 1, 4>, target_range = array<i64: 0, 4>}
    : (tensor<4xf32>, tensor<1xf32>, tensor<3xf32>) -> tensor<3xf32>
  return %y : tensor<3xf32>
}
// -----
// What a file says of its synapses stays.
// CHECK-LABEL: func.func @kind
func.func @kind(%x: tensor<4xf32>) -> tensor<2xf32> {
  // CHECK: snn.sparse {{.*}} synapse_kind = "dense"
  %w = arith.constant dense<0.25> : tensor<1xf32>
  %y = snn.random %x, %w {fan_in = 2 : i64, key = 1 : i64, source_range = array<i64: 0, 4>, synapse_kind = "dense", target_range = array<i64: 0, 2>} : (tensor<4xf32>, tensor<1xf32>) -> tensor<2xf32>
  return %y : tensor<2xf32>
}
// -----
// CHECK-LABEL: func.func @none
func.func @none(%x: tensor<4xf32>) -> tensor<2xf32> {
  // CHECK: snn.sparse {{.*}} {indices = array<i32>, offsets = array<i64: 0, 0, 0>} : (tensor<4xf32>, tensor<0xf32>)
  %w = arith.constant dense<0.25> : tensor<1xf32>
  %y = snn.random %x, %w {fan_in = 0 : i64, key = 1 : i64, source_range = array<i64: 0, 4>, target_range = array<i64: 0, 2>} : (tensor<4xf32>, tensor<1xf32>) -> tensor<2xf32>
  return %y : tensor<2xf32>
}
