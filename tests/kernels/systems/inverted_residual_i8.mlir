// An inverted residual block of 8-bit integers, as MobileNetV2 has them, for 100 images of 8 × 8 pixels and 8 channels: expanded to
// 48 channels, a 3 × 3 convolution of each channel alone, projected to 8, the input added. Sums times 2^30 / 2^37 and rounded; the
// two inner layers cut off below zero and at 6, which is 96 here.
func.func @inverted_residual(%images: tensor<100x8x8x8xi8>, %w1: tensor<48x1x1x8xi8>, %w2: tensor<3x3x48x1xi8>, %w3: tensor<8x1x1x48xi8>,
                             %b1: tensor<48xi32>, %b2: tensor<48xi32>, %b3: tensor<8xi32>) -> tensor<100x8x8x8xi8> {
  %zero8 = "tosa.const"() <{values = dense<0> : tensor<1xi8>}> : () -> tensor<1xi8>
  %zero32 = "tosa.const"() <{values = dense<0> : tensor<1xi32>}> : () -> tensor<1xi32>
  %factor = "tosa.const"() <{values = dense<1073741824> : tensor<1xi32>}> : () -> tensor<1xi32>
  %shift = "tosa.const"() <{values = dense<37> : tensor<1xi8>}> : () -> tensor<1xi8>
  %first = arith.constant 0 : index
  %step = arith.constant 1 : index
  %count = arith.constant 100 : index
  %empty = tensor.empty() : tensor<100x8x8x8xi8>
  %results = scf.for %n = %first to %count step %step iter_args(%before = %empty) -> tensor<100x8x8x8xi8> {
    %x = tensor.extract_slice %images[%n, 0, 0, 0] [1, 8, 8, 8] [1, 1, 1, 1] : tensor<100x8x8x8xi8> to tensor<1x8x8x8xi8>
    %sum1 = tosa.conv2d %x, %w1, %b1, %zero8, %zero8 {acc_type = i32, dilation = array<i64: 1, 1>, pad = array<i64: 0, 0, 0, 0>, stride = array<i64: 1, 1>}
        : (tensor<1x8x8x8xi8>, tensor<48x1x1x8xi8>, tensor<48xi32>, tensor<1xi8>, tensor<1xi8>) -> tensor<1x8x8x48xi32>
    %wide_scaled = tosa.rescale %sum1, %factor, %shift, %zero32, %zero8 {input_unsigned = false, output_unsigned = false, per_channel = false, rounding_mode = SINGLE_ROUND, scale32 = true}
        : (tensor<1x8x8x48xi32>, tensor<1xi32>, tensor<1xi8>, tensor<1xi32>, tensor<1xi8>) -> tensor<1x8x8x48xi8>
    %wide = tosa.clamp %wide_scaled {min_val = 0 : i8, max_val = 96 : i8} : (tensor<1x8x8x48xi8>) -> tensor<1x8x8x48xi8>
    %sum2 = tosa.depthwise_conv2d %wide, %w2, %b2, %zero8, %zero8 {acc_type = i32, dilation = array<i64: 1, 1>, pad = array<i64: 1, 1, 1, 1>, stride = array<i64: 1, 1>}
        : (tensor<1x8x8x48xi8>, tensor<3x3x48x1xi8>, tensor<48xi32>, tensor<1xi8>, tensor<1xi8>) -> tensor<1x8x8x48xi32>
    %deep_scaled = tosa.rescale %sum2, %factor, %shift, %zero32, %zero8 {input_unsigned = false, output_unsigned = false, per_channel = false, rounding_mode = SINGLE_ROUND, scale32 = true}
        : (tensor<1x8x8x48xi32>, tensor<1xi32>, tensor<1xi8>, tensor<1xi32>, tensor<1xi8>) -> tensor<1x8x8x48xi8>
    %deep = tosa.clamp %deep_scaled {min_val = 0 : i8, max_val = 96 : i8} : (tensor<1x8x8x48xi8>) -> tensor<1x8x8x48xi8>
    %sum3 = tosa.conv2d %deep, %w3, %b3, %zero8, %zero8 {acc_type = i32, dilation = array<i64: 1, 1>, pad = array<i64: 0, 0, 0, 0>, stride = array<i64: 1, 1>}
        : (tensor<1x8x8x48xi8>, tensor<8x1x1x48xi8>, tensor<8xi32>, tensor<1xi8>, tensor<1xi8>) -> tensor<1x8x8x8xi32>
    %narrow = tosa.rescale %sum3, %factor, %shift, %zero32, %zero8 {input_unsigned = false, output_unsigned = false, per_channel = false, rounding_mode = SINGLE_ROUND, scale32 = true}
        : (tensor<1x8x8x8xi32>, tensor<1xi32>, tensor<1xi8>, tensor<1xi32>, tensor<1xi8>) -> tensor<1x8x8x8xi8>
    %y = tosa.add %narrow, %x : (tensor<1x8x8x8xi8>, tensor<1x8x8x8xi8>) -> tensor<1x8x8x8xi8>
    %after = tensor.insert_slice %y into %before[%n, 0, 0, 0] [1, 8, 8, 8] [1, 1, 1, 1] : tensor<1x8x8x8xi8> into tensor<100x8x8x8xi8>
    scf.yield %after : tensor<100x8x8x8xi8>
  }
  return %results : tensor<100x8x8x8xi8>
}
