// RUN: spindle-opt %s --snn-expand-neurons="steps=8" --canonicalize | FileCheck %s

// Layers that compute the answer from counted spikes make none: nothing of them is left.
// CHECK-LABEL: @main
func.func @main(%x: tensor<1xf32>) -> tensor<1xf32> {
  // CHECK: snn.neuron
  // CHECK-NOT: snn.dense
  // CHECK: return {{.*}} : !snn.spike_bundle<1x!snn.spike_train<?xf32>>
  %w = arith.constant dense<0.5> : tensor<1x1xf32>
  %c = snn.encode direct %x : tensor<1xf32> -> !snn.current<1xf32>
  %s = snn.if %c reset subtract {threshold = array<f32: 1.0>} : !snn.current<1xf32> -> !snn.spike_bundle<1x!snn.spike_train<?xf32>>
  %n = snn.decode count %s {maximum = 8 : i64} : !snn.spike_bundle<1x!snn.spike_train<?xf32>> -> tensor<1xf32>
  %r = snn.relu %n {maximum = 4.0 : f32, levels = 255 : i64} : tensor<1xf32>
  %y = snn.dense %r, %w : (tensor<1xf32>, tensor<1x1xf32>) -> tensor<1xf32>
  return %y : tensor<1xf32>
}
