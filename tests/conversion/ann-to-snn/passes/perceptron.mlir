// RUN: spindle-opt %s --convert-ann-to-snn='scales=4,2' | FileCheck %s
// RUN: spindle-opt %s --convert-ann-to-snn='scales=4:2,2 encoding=poisson input-maximum=8 neuron=lif tau=20 reset=zero initial-membrane=0 decoding=count' | FileCheck %s --check-prefix=CHOSEN
// RUN: spindle-opt %s --convert-ann-to-snn='scales=4,2 first-spike steps=9 input-maximum=8' | FileCheck %s --check-prefix=FIRST

// Weights of the first layer are divided by the scale 4, those of the second multiplied by it; powers of two are exact.
// The host computes what stands before the first rectifier.
// CHECK-LABEL: func.func @main
// CHECK-SAME: (%[[X:.*]]: tensor<2xf32>) -> tensor<1xf32>
// CHECK-DAG: %[[W:.*]] = arith.constant dense<{{\[}}[2.500000e-01, -5.000000e-01], [7.500000e-01, 1.000000e+00]]>
// CHECK-DAG: %[[B:.*]] = arith.constant dense<[5.000000e-01, -2.500000e-01]>
// CHECK-DAG: %[[V:.*]] = arith.constant dense<{{\[}}[2.000000e+01, -4.000000e+00]]>
// CHECK: %[[A:.*]] = snn.dense %[[X]], %[[W]], %[[B]] {layer = "dense1"}
// CHECK: %[[I:.*]] = snn.encode direct %[[A]]
// CHECK: %[[S:.*]] = snn.if %[[I]] reset subtract
// CHECK-SAME: initial_membrane = array<f32: 5.000000e-01>
// CHECK: %[[C:.*]] = snn.dense %[[S]], %[[V]] {layer = "dense2"}
// CHECK: %[[M:.*]] = snn.integrator %[[C]]
// CHECK: snn.decode membrane %[[M]]

// Inputs spike with rate x / 8, which the weights take back; the rows of channels have scales of their own.
// CHOSEN-DAG: arith.constant dense<{{\[}}[2.000000e+00, -4.000000e+00], [1.200000e+01, 1.600000e+01]]>
// CHOSEN-DAG: arith.constant dense<[5.000000e-01, -5.000000e-01]>
// CHOSEN-DAG: arith.constant dense<{{\[}}[1.000000e+01, -1.000000e+00]]>
// CHOSEN: snn.encode poisson
// CHOSEN-SAME: 8.000000e+00
// CHOSEN: snn.lif %{{.*}} reset zero
// CHOSEN-SAME: initial_membrane = array<f32: 0.000000e+00>
// CHOSEN-SAME: tau = array<f32: 2.000000e+01>
// CHOSEN: snn.lif
// CHOSEN: snn.decode count

// Nine steps, three for each of encoder, layer and answer; the biases wait in the membranes.
// FIRST: snn.encode latency
// FIRST-SAME: steps = 3
// FIRST: snn.first_spike
func.func @main(%x: tensor<2xf32>) -> tensor<1xf32> {
  %w = arith.constant dense<[[1.0, -2.0], [3.0, 4.0]]> : tensor<2x2xf32>
  %b = arith.constant dense<[2.0, -1.0]> : tensor<2xf32>
  %v = arith.constant dense<[[5.0, -1.0]]> : tensor<1x2xf32>
  %1 = snn.dense %x, %w, %b {layer = "dense1"} : (tensor<2xf32>, tensor<2x2xf32>, tensor<2xf32>) -> tensor<2xf32>
  %2 = snn.relu %1 {layer = "dense1"} : tensor<2xf32>
  %3 = snn.dense %2, %v {layer = "dense2"} : (tensor<2xf32>, tensor<1x2xf32>) -> tensor<1xf32>
  return %3 : tensor<1xf32>
}
