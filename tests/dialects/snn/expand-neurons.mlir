// Two layers as single neurons.
// RUN: spindle-opt %s --snn-expand-neurons="steps=8" --canonicalize | FileCheck %s

// CHECK-LABEL: func.func @main(
// CHECK-SAME: %[[X:.*]]: tensor<2xf32>) -> (!snn.spike_bundle<2x!snn.spike_train<?xf32>>, !snn.spike_bundle<1x!snn.spike_train<?xf32>>)
func.func @main(%x: tensor<2xf32>) -> tensor<1xf32> {
  // The constant current stays a tensor and becomes the bias of neurons without trains.
  // CHECK: %[[I:.*]] = snn.dense %[[X]]
  // CHECK: %[[NONE:.*]] = snn.spike_bundle_collect() : !snn.spike_bundle<0x
  // CHECK: %[[I0:.*]] = tensor.extract %[[I]]
  // CHECK: %[[N0:.*]] = snn.neuron(%[[NONE]] : {{.*}}, %[[I0]] : f32)
  // CHECK-SAME: reset subtract {initial_membrane = 5.000000e-01 : f32, k = 0.000000e+00 : f32, step = 1.000000e+00 : f32, steps = 8 : i64, v_reset = 0.000000e+00 : f32, vrest = 0.000000e+00 : f32, vth = 1.000000e+00 : f32
  // CHECK: %[[I1:.*]] = tensor.extract %[[I]]
  // CHECK: %[[N1:.*]] = snn.neuron({{.*}}, %[[I1]] : f32)
  // CHECK-SAME: vth = 2.000000e+00 : f32
  %w1 = arith.constant dense<[[1.0, 0.5], [0.25, 2.0]]> : tensor<2x2xf32>
  %i = snn.encode direct %x : tensor<2xf32> -> !snn.current<2xf32>
  %c = snn.dense %i, %w1 : (!snn.current<2xf32>, tensor<2x2xf32>) -> !snn.current<2xf32>
  %s = snn.if %c reset subtract {threshold = array<f32: 1.0, 2.0>, initial_membrane = array<f32: 0.5>}
    : !snn.current<2xf32> -> !snn.spike_bundle<2x!snn.spike_train<?xf32>>
  // CHECK: %[[S:.*]] = snn.spike_bundle_collect(%[[N0]] : {{.*}}, %[[N1]] : {{.*}})
  // CHECK: %[[M:.*]] = snn.neuron(%{{.*}} : {{.*}}, %{{.*}} : tensor<2xf32>, %{{.*}} : f32)
  // CHECK-SAME: k = 2.500000e-01 : f32
  // CHECK: %[[T:.*]] = snn.spike_bundle_collect(%[[M]] : !snn.spike_train<?xf32>)
  // CHECK: return %[[S]], %[[T]]
  %w2 = arith.constant dense<[[1.0, -0.5]]> : tensor<1x2xf32>
  %b2 = arith.constant dense<0.125> : tensor<1xf32>
  %d = snn.dense %s, %w2, %b2 : (!snn.spike_bundle<2x!snn.spike_train<?xf32>>, tensor<1x2xf32>, tensor<1xf32>) -> !snn.current<1xf32>
  %t = snn.lif %d reset zero {threshold = array<f32: 0.5>, tau = array<f32: 4.0>}
    : !snn.current<1xf32> -> !snn.spike_bundle<1x!snn.spike_train<?xf32>>
  %y = snn.decode count %t : !snn.spike_bundle<1x!snn.spike_train<?xf32>> -> tensor<1xf32>
  return %y : tensor<1xf32>
}
