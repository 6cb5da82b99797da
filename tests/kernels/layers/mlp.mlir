// Dense layers. The transposed weights are read in place, no array holds them.
// absent: memref<12x8xf32>
func.func @dense_relu(%x: tensor<1x12xf32>, %w: tensor<8x12xf32>, %b: tensor<8xf32>) -> tensor<1x8xf32> {
  %zero = arith.constant 0.0 : f32
  %e0 = tensor.empty() : tensor<12x8xf32>
  %turned = linalg.transpose ins(%w : tensor<8x12xf32>) outs(%e0 : tensor<12x8xf32>) permutation = [1, 0]
  %e1 = tensor.empty() : tensor<1x8xf32>
  %init = linalg.fill ins(%zero : f32) outs(%e1 : tensor<1x8xf32>) -> tensor<1x8xf32>
  %sums = linalg.matmul ins(%x, %turned : tensor<1x12xf32>, tensor<12x8xf32>) outs(%init : tensor<1x8xf32>) -> tensor<1x8xf32>
  %biases = linalg.broadcast ins(%b : tensor<8xf32>) outs(%e1 : tensor<1x8xf32>) dimensions = [0]
  %biased = linalg.map { arith.addf } ins(%biases, %sums : tensor<1x8xf32>, tensor<1x8xf32>) outs(%e1 : tensor<1x8xf32>)
  %zeros = linalg.fill ins(%zero : f32) outs(%e1 : tensor<1x8xf32>) -> tensor<1x8xf32>
  %active = linalg.map { arith.maximumf } ins(%biased, %zeros : tensor<1x8xf32>, tensor<1x8xf32>) outs(%e1 : tensor<1x8xf32>)
  return %active : tensor<1x8xf32>
}
// -----
// The same in tosa with constant weights, which become a constant array.
// expect: memref.global "private" constant
func.func @dense_tosa(%x: tensor<1x1x4xf32>) -> tensor<1x1x3xf32> {
  %zero = "tosa.const"() <{values = dense<0.0> : tensor<1xf32>}> : () -> tensor<1xf32>
  %w = "tosa.const"() <{values = dense<[[[0.1, 0.2, 0.3], [0.4, 0.5, 0.6], [-0.7, 0.8, -0.9], [1.0, 1.1, 1.2]]]> : tensor<1x4x3xf32>}> : () -> tensor<1x4x3xf32>
  %b = "tosa.const"() <{values = dense<[[[0.5, -0.5, 0.25]]]> : tensor<1x1x3xf32>}> : () -> tensor<1x1x3xf32>
  %sums = tosa.matmul %x, %w, %zero, %zero : (tensor<1x1x4xf32>, tensor<1x4x3xf32>, tensor<1xf32>, tensor<1xf32>) -> tensor<1x1x3xf32>
  %biased = tosa.add %sums, %b : (tensor<1x1x3xf32>, tensor<1x1x3xf32>) -> tensor<1x1x3xf32>
  %active = tosa.clamp %biased {min_val = 0.0 : f32, max_val = 3.0e+38 : f32} : (tensor<1x1x3xf32>) -> tensor<1x1x3xf32>
  return %active : tensor<1x1x3xf32>
}
// -----
// A tensor that is changed stays what it was for the caller.
// expect: %arg1: memref<4xf32>)
func.func @update(%x: tensor<4xf32>) -> (tensor<4xf32>, f32) {
  %two = arith.constant 2.0 : f32
  %c1 = arith.constant 1 : index
  %y = tensor.insert %two into %x[%c1] : tensor<4xf32>
  %first = tensor.extract %x[%c1] : tensor<4xf32>
  return %y, %first : tensor<4xf32>, f32
}
