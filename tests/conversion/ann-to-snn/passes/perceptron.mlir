// RUN: spindle-opt %s --convert-ann-to-snn='scales=4,2' | FileCheck %s
// RUN: spindle-opt %s --convert-ann-to-snn='scales=4:2,2 encoding=poisson input-maximum=8 neuron=lif tau=20 reset=zero initial-membrane=0 decoding=count' | FileCheck %s --check-prefix=CHOSEN
// RUN: spindle-opt %s --convert-ann-to-snn='scales=4,2 first-spike steps=9 input-maximum=8' | FileCheck %s --check-prefix=FIRST

// Weights of the first layer are divided by the scale 4, those of the second multiplied by it; powers of two are exact.
// The host computes what stands before the first rectifier.
// CHECK: func.func @main(%[[X:.*]]: tensor<2xf32>) -> tensor<1xf32>
// CHECK-NEXT: %[[W:.*]] = arith.constant dense<{{\[}}[2.500000e-01, -5.000000e-01], [7.500000e-01, 1.000000e+00]]>
// CHECK-NEXT: %[[B:.*]] = arith.constant dense<[5.000000e-01, -2.500000e-01]>
// CHECK-NEXT: %[[A:.*]] = snn.dense %[[X]], %[[W]], %[[B]] {layer = "dense1"}
// CHECK-NEXT: %[[I:.*]] = snn.encode direct %[[A]]
// CHECK-NEXT: %[[S:.*]] = snn.if %[[I]] reset subtract {initial_membrane = array<f32: 5.000000e-01>, layer = "dense1", threshold = array<f32: 1.000000e+00>}
// CHECK-NEXT: %[[V:.*]] = arith.constant dense<{{\[}}[2.000000e+01, -4.000000e+00]]>
// CHECK-NEXT: %[[C:.*]] = snn.dense %[[S]], %[[V]] {layer = "dense2"}
// CHECK-NEXT: %[[M:.*]] = snn.integrator %[[C]] {layer = "dense2"}
// CHECK-NEXT: snn.decode membrane %[[M]]

// Inputs spike with rate x / 8, which the weights take back; the two channels have scales of their own.
// CHOSEN: snn.encode poisson %{{.*}} {layer = "input", maximum = 8.000000e+00 : f32}
// CHOSEN-NEXT: arith.constant dense<{{\[}}[2.000000e+00, -4.000000e+00], [1.200000e+01, 1.600000e+01]]>
// CHOSEN-NEXT: arith.constant dense<[5.000000e-01, -5.000000e-01]>
// CHOSEN: snn.lif %{{.*}} reset zero {layer = "dense1", r = array<f32: 2.000000e+01>, tau = array<f32: 2.000000e+01>
// CHOSEN-NEXT: arith.constant dense<{{\[}}[1.000000e+01, -1.000000e+00]]>
// CHOSEN: snn.lif %{{.*}} reset zero {layer = "dense2"
// CHOSEN-NEXT: snn.decode count

// Two windows of four steps: input and layer. An input of 8 is 4 steps, an activation of 4 as well; biases wait in the membranes, half a step rounds.
// FIRST: snn.encode latency %{{.*}} {layer = "input", maximum = 8.000000e+00 : f32, steps = 4 : i64}
// FIRST-NEXT: arith.constant dense<{{\[}}[2.000000e+00, -4.000000e+00], [6.000000e+00, 8.000000e+00]]>
// FIRST-NEXT: snn.dense
// FIRST-NEXT: snn.first_spike %{{.*}} {initial_membrane = array<f32: 2.500000e+00, -5.000000e-01>, layer = "dense1", start = 4 : i64, window = 4 : i64}
func.func @main(%x: tensor<2xf32>) -> tensor<1xf32> {
  %w = arith.constant dense<[[1.0, -2.0], [3.0, 4.0]]> : tensor<2x2xf32>
  %b = arith.constant dense<[2.0, -1.0]> : tensor<2xf32>
  %v = arith.constant dense<[[5.0, -1.0]]> : tensor<1x2xf32>
  %1 = snn.dense %x, %w, %b {layer = "dense1"} : (tensor<2xf32>, tensor<2x2xf32>, tensor<2xf32>) -> tensor<2xf32>
  %2 = snn.relu %1 {layer = "dense1"} : tensor<2xf32>
  %3 = snn.dense %2, %v {layer = "dense2"} : (tensor<2xf32>, tensor<1x2xf32>) -> tensor<1xf32>
  return %3 : tensor<1xf32>
}
