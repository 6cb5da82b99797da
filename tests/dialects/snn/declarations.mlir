// Functions without a body pass through.
// RUN: spindle-opt %s --snn-quantize-input="unit=0.5 high=3" --snn-quantize-weights="bits=4 integers" --snn-fixed-point-neurons="integers membrane-bits=10 steps=4" | FileCheck %s

!out = !snn.spike_bundle<2x!snn.spike_train<?xf32>>
// CHECK: func.func private @elsewhere(tensor<2xf32>) -> tensor<2xf32>
func.func private @elsewhere(tensor<2xf32>) -> tensor<2xf32>

// CHECK: snn.fixed_lif
func.func @here(%x: tensor<2xf32>) -> !out {
  %w = arith.constant dense<[[3.5, -1.2], [-14.0, 6.6]]> : tensor<2x2xf32>
  %c = snn.dense %x, %w : (tensor<2xf32>, tensor<2x2xf32>) -> tensor<2xf32>
  %i = snn.encode direct %c : tensor<2xf32> -> !snn.current<2xf32>
  %o = snn.if %i reset subtract {threshold = array<f32: 3.1>} : !snn.current<2xf32> -> !out
  return %o : !out
}
