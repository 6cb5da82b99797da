// RUN: spindle-opt %s --snn-list-synapses --verify-diagnostics

func.func @argument(%x: tensor<4xf32>, %w: tensor<1xf32>) -> tensor<2xf32> {
  // expected-error@+1 {{has a weight that is not constant}}
  %y = snn.random %x, %w {key = 1 : i64, probability = 0.5, source_range = array<i64: 0, 4>, target_range = array<i64: 0, 2>} : (tensor<4xf32>, tensor<1xf32>) -> tensor<2xf32>
  return %y : tensor<2xf32>
}
