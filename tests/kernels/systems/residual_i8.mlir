// A residual block of 8-bit integers for 100 images of 8 × 8 pixels and 16 channels: two convolutions of 3 × 3, a third one
// as the shortcut, their sum; sums times 2^30 / 2^38, rounded, and what is below zero cut off.
func.func @residual(%images: tensor<100x8x8x16xi8>, %w1: tensor<16x3x3x16xi8>, %w2: tensor<16x3x3x16xi8>, %w3: tensor<16x3x3x16xi8>,
                    %b1: tensor<16xi32>, %b2: tensor<16xi32>, %b3: tensor<16xi32>) -> tensor<100x8x8x16xi8> {
  %zero8 = "tosa.const"() <{values = dense<0> : tensor<1xi8>}> : () -> tensor<1xi8>
  %zero32 = "tosa.const"() <{values = dense<0> : tensor<1xi32>}> : () -> tensor<1xi32>
  %factor = "tosa.const"() <{values = dense<1073741824> : tensor<1xi32>}> : () -> tensor<1xi32>
  %shift = "tosa.const"() <{values = dense<38> : tensor<1xi8>}> : () -> tensor<1xi8>
  %first = arith.constant 0 : index
  %step = arith.constant 1 : index
  %count = arith.constant 100 : index
  %empty = tensor.empty() : tensor<100x8x8x16xi8>
  %results = scf.for %n = %first to %count step %step iter_args(%before = %empty) -> tensor<100x8x8x16xi8> {
    %x = tensor.extract_slice %images[%n, 0, 0, 0] [1, 8, 8, 16] [1, 1, 1, 1] : tensor<100x8x8x16xi8> to tensor<1x8x8x16xi8>
    %sum1 = tosa.conv2d %x, %w1, %b1, %zero8, %zero8 {acc_type = i32, dilation = array<i64: 1, 1>, pad = array<i64: 1, 1, 1, 1>, stride = array<i64: 1, 1>}
        : (tensor<1x8x8x16xi8>, tensor<16x3x3x16xi8>, tensor<16xi32>, tensor<1xi8>, tensor<1xi8>) -> tensor<1x8x8x16xi32>
    %hidden_scaled = tosa.rescale %sum1, %factor, %shift, %zero32, %zero8 {input_unsigned = false, output_unsigned = false, per_channel = false, rounding_mode = SINGLE_ROUND, scale32 = true}
        : (tensor<1x8x8x16xi32>, tensor<1xi32>, tensor<1xi8>, tensor<1xi32>, tensor<1xi8>) -> tensor<1x8x8x16xi8>
    %hidden = tosa.clamp %hidden_scaled {min_val = 0 : i8, max_val = 127 : i8} : (tensor<1x8x8x16xi8>) -> tensor<1x8x8x16xi8>
    %sum2 = tosa.conv2d %hidden, %w2, %b2, %zero8, %zero8 {acc_type = i32, dilation = array<i64: 1, 1>, pad = array<i64: 1, 1, 1, 1>, stride = array<i64: 1, 1>}
        : (tensor<1x8x8x16xi8>, tensor<16x3x3x16xi8>, tensor<16xi32>, tensor<1xi8>, tensor<1xi8>) -> tensor<1x8x8x16xi32>
    %sum3 = tosa.conv2d %x, %w3, %b3, %zero8, %zero8 {acc_type = i32, dilation = array<i64: 1, 1>, pad = array<i64: 1, 1, 1, 1>, stride = array<i64: 1, 1>}
        : (tensor<1x8x8x16xi8>, tensor<16x3x3x16xi8>, tensor<16xi32>, tensor<1xi8>, tensor<1xi8>) -> tensor<1x8x8x16xi32>
    %sum = tosa.add %sum2, %sum3 : (tensor<1x8x8x16xi32>, tensor<1x8x8x16xi32>) -> tensor<1x8x8x16xi32>
    %y_scaled = tosa.rescale %sum, %factor, %shift, %zero32, %zero8 {input_unsigned = false, output_unsigned = false, per_channel = false, rounding_mode = SINGLE_ROUND, scale32 = true}
        : (tensor<1x8x8x16xi32>, tensor<1xi32>, tensor<1xi8>, tensor<1xi32>, tensor<1xi8>) -> tensor<1x8x8x16xi8>
    %y = tosa.clamp %y_scaled {min_val = 0 : i8, max_val = 127 : i8} : (tensor<1x8x8x16xi8>) -> tensor<1x8x8x16xi8>
    %after = tensor.insert_slice %y into %before[%n, 0, 0, 0] [1, 8, 8, 16] [1, 1, 1, 1] : tensor<1x8x8x16xi8> into tensor<100x8x8x16xi8>
    scf.yield %after : tensor<100x8x8x16xi8>
  }
  return %results : tensor<100x8x8x16xi8>
}
