// The layers of LeNet-5 on small images, in tosa: convolution, activation, average pooling.
// top: conv_relu_pool
// expect: memref<1x4x4x2xf32>, %arg1: memref<2x3x3x1xf32>, %arg2: memref<2xf32>, %arg3: memref<1x2x2x2xf32>)
func.func @conv_relu_pool(%x: tensor<1x4x4x2xf32>, %w: tensor<2x3x3x1xf32>, %b: tensor<2xf32>) -> tensor<1x2x2x2xf32> {
  %zero = "tosa.const"() <{values = dense<0.0> : tensor<1xf32>}> : () -> tensor<1xf32>
  %image = tosa.reduce_sum %x {axis = 3 : i32} : (tensor<1x4x4x2xf32>) -> tensor<1x4x4x1xf32>
  %sums = tosa.conv2d %image, %w, %b, %zero, %zero {acc_type = f32, dilation = array<i64: 1, 1>, pad = array<i64: 1, 1, 1, 1>, stride = array<i64: 1, 1>} : (tensor<1x4x4x1xf32>, tensor<2x3x3x1xf32>, tensor<2xf32>, tensor<1xf32>, tensor<1xf32>) -> tensor<1x4x4x2xf32>
  %active = tosa.clamp %sums {min_val = 0.0 : f32, max_val = 3.0e+38 : f32} : (tensor<1x4x4x2xf32>) -> tensor<1x4x4x2xf32>
  %pooled = tosa.avg_pool2d %active, %zero, %zero {kernel = array<i64: 2, 2>, stride = array<i64: 2, 2>, pad = array<i64: 0, 0, 0, 0>, acc_type = f32} : (tensor<1x4x4x2xf32>, tensor<1xf32>, tensor<1xf32>) -> tensor<1x2x2x2xf32>
  return %pooled : tensor<1x2x2x2xf32>
}
// -----
// Maximum pooling and the flattening before the dense layers.
func.func @max_pool_flatten(%x: tensor<1x4x6x3xf32>) -> tensor<1x18xf32> {
  %pooled = tosa.max_pool2d %x {kernel = array<i64: 2, 2>, stride = array<i64: 2, 2>, pad = array<i64: 0, 0, 0, 0>} : (tensor<1x4x6x3xf32>) -> tensor<1x2x3x3xf32>
  %shape = tosa.const_shape {values = dense<[1, 18]> : tensor<2xindex>} : () -> !tosa.shape<2>
  %flat = tosa.reshape %pooled, %shape : (tensor<1x2x3x3xf32>, !tosa.shape<2>) -> tensor<1x18xf32>
  return %flat : tensor<1x18xf32>
}
// -----
// Convolution with channels first and average pooling in linalg, as torch-mlir writes them.
#map = affine_map<(d0, d1, d2, d3) -> (d1)>
#all = affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, d3)>
func.func @conv_nchw(%x: tensor<1x2x6x6xf32>, %w: tensor<3x2x3x3xf32>, %b: tensor<3xf32>) -> tensor<1x3x2x2xf32> {
  %zero = arith.constant 0.0 : f32
  %four = arith.constant 4.0 : f32
  %e0 = tensor.empty() : tensor<1x3x4x4xf32>
  %bias = linalg.generic {indexing_maps = [#map, #all], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%b : tensor<3xf32>) outs(%e0 : tensor<1x3x4x4xf32>) {
  ^bb0(%in: f32, %out: f32):
    linalg.yield %in : f32
  } -> tensor<1x3x4x4xf32>
  %sums = linalg.conv_2d_nchw_fchw {dilations = dense<1> : vector<2xi64>, strides = dense<1> : vector<2xi64>} ins(%x, %w : tensor<1x2x6x6xf32>, tensor<3x2x3x3xf32>) outs(%bias : tensor<1x3x4x4xf32>) -> tensor<1x3x4x4xf32>
  %active = linalg.generic {indexing_maps = [#all, #all], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%sums : tensor<1x3x4x4xf32>) outs(%e0 : tensor<1x3x4x4xf32>) {
  ^bb0(%in: f32, %out: f32):
    %positive = arith.cmpf ugt, %in, %zero : f32
    %value = arith.select %positive, %in, %zero : f32
    linalg.yield %value : f32
  } -> tensor<1x3x4x4xf32>
  %e1 = tensor.empty() : tensor<1x3x2x2xf32>
  %init = linalg.fill ins(%zero : f32) outs(%e1 : tensor<1x3x2x2xf32>) -> tensor<1x3x2x2xf32>
  %window = tensor.empty() : tensor<2x2xf32>
  %pooled = linalg.pooling_nchw_sum {dilations = dense<1> : vector<2xi64>, strides = dense<2> : vector<2xi64>} ins(%active, %window : tensor<1x3x4x4xf32>, tensor<2x2xf32>) outs(%init : tensor<1x3x2x2xf32>) -> tensor<1x3x2x2xf32>
  %mean = linalg.generic {indexing_maps = [#all, #all], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%pooled : tensor<1x3x2x2xf32>) outs(%e1 : tensor<1x3x2x2xf32>) {
  ^bb0(%in: f32, %out: f32):
    %value = arith.divf %in, %four : f32
    linalg.yield %value : f32
  } -> tensor<1x3x2x2xf32>
  return %mean : tensor<1x3x2x2xf32>
}
