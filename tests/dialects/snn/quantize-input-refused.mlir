// What snn-quantize-input refuses, and why.
// RUN: spindle-opt %s --snn-quantize-input="unit=0.5 high=3" --split-input-file --verify-diagnostics

func.func @joined(%x: tensor<2xf32>) -> !snn.current<2xf32> {
  // expected-error@+1 {{joins numbers that come once per sample, those of the input or of a tensor layer, expected a layer of weights on them}}
  %y = snn.add %x, %x : (tensor<2xf32>, tensor<2xf32>) -> tensor<2xf32>
  %i = snn.encode direct %y : tensor<2xf32> -> !snn.current<2xf32>
  return %i : !snn.current<2xf32>
}
// -----
func.func @open(%x: tensor<2xf32>, %w: tensor<2x2xf32>) -> !snn.current<2xf32> {
  // expected-error@+1 {{cannot take the unit of what it reads into its weights, expected constant ones}}
  %y = snn.dense %x, %w : (tensor<2xf32>, tensor<2x2xf32>) -> tensor<2xf32>
  %i = snn.encode direct %y : tensor<2xf32> -> !snn.current<2xf32>
  return %i : !snn.current<2xf32>
}
// -----
func.func @read(%x: tensor<2xf32>) -> !snn.current<2xf32> {
  // expected-error@+1 {{reads numbers that come once per sample, expected layers of weights, poolings or an encoder}}
  %y = snn.relu %x : tensor<2xf32>
  %i = snn.encode direct %y : tensor<2xf32> -> !snn.current<2xf32>
  return %i : !snn.current<2xf32>
}
