// Bias-free 8c5-16c5-64-10 network with average pooling for MNIST, pixels in 0..1. The archive
// own_lenet_avgpool_nobias.npz holds the weights: filters as [filter, channel, row, column], the others as [outputs, inputs].
module {
  func.func @main(%x: tensor<1x1x28x28xf32>, %w1: tensor<8x1x5x5xf32>, %w2: tensor<16x8x5x5xf32>, %w3: tensor<64x256xf32>, %w4: tensor<10x64xf32>) -> tensor<1x10xf32> {
    %zero = arith.constant 0.000000e+00 : f32
    %i0 = tensor.empty() : tensor<1x8x24x24xf32>
    %z0 = linalg.fill ins(%zero : f32) outs(%i0 : tensor<1x8x24x24xf32>) -> tensor<1x8x24x24xf32>
    %c1 = linalg.conv_2d_nchw_fchw ins(%x, %w1 : tensor<1x1x28x28xf32>, tensor<8x1x5x5xf32>) outs(%z0 : tensor<1x8x24x24xf32>) -> tensor<1x8x24x24xf32>
    %r1 = linalg.max ins(%c1, %z0 : tensor<1x8x24x24xf32>, tensor<1x8x24x24xf32>) outs(%i0 : tensor<1x8x24x24xf32>) -> tensor<1x8x24x24xf32>
    %k = tensor.empty() : tensor<2x2xf32>
    %i1 = tensor.empty() : tensor<1x8x12x12xf32>
    %z1 = linalg.fill ins(%zero : f32) outs(%i1 : tensor<1x8x12x12xf32>) -> tensor<1x8x12x12xf32>
    %s1 = linalg.pooling_nchw_sum {strides = dense<2> : tensor<2xi64>} ins(%r1, %k : tensor<1x8x24x24xf32>, tensor<2x2xf32>) outs(%z1 : tensor<1x8x12x12xf32>) -> tensor<1x8x12x12xf32>
    %q1 = arith.constant dense<4.0> : tensor<1x8x12x12xf32>
    %p1 = arith.divf %s1, %q1 : tensor<1x8x12x12xf32>
    %i2 = tensor.empty() : tensor<1x16x8x8xf32>
    %z2 = linalg.fill ins(%zero : f32) outs(%i2 : tensor<1x16x8x8xf32>) -> tensor<1x16x8x8xf32>
    %c2 = linalg.conv_2d_nchw_fchw ins(%p1, %w2 : tensor<1x8x12x12xf32>, tensor<16x8x5x5xf32>) outs(%z2 : tensor<1x16x8x8xf32>) -> tensor<1x16x8x8xf32>
    %r2 = linalg.max ins(%c2, %z2 : tensor<1x16x8x8xf32>, tensor<1x16x8x8xf32>) outs(%i2 : tensor<1x16x8x8xf32>) -> tensor<1x16x8x8xf32>
    %i3 = tensor.empty() : tensor<1x16x4x4xf32>
    %z3 = linalg.fill ins(%zero : f32) outs(%i3 : tensor<1x16x4x4xf32>) -> tensor<1x16x4x4xf32>
    %s2 = linalg.pooling_nchw_sum {strides = dense<2> : tensor<2xi64>} ins(%r2, %k : tensor<1x16x8x8xf32>, tensor<2x2xf32>) outs(%z3 : tensor<1x16x4x4xf32>) -> tensor<1x16x4x4xf32>
    %q2 = arith.constant dense<4.0> : tensor<1x16x4x4xf32>
    %p2 = arith.divf %s2, %q2 : tensor<1x16x4x4xf32>
    %f = tensor.collapse_shape %p2 [[0], [1, 2, 3]] : tensor<1x16x4x4xf32> into tensor<1x256xf32>
    %i4 = tensor.empty() : tensor<1x64xf32>
    %z4 = linalg.fill ins(%zero : f32) outs(%i4 : tensor<1x64xf32>) -> tensor<1x64xf32>
    %e3 = tensor.empty() : tensor<256x64xf32>
    %t3 = linalg.transpose ins(%w3 : tensor<64x256xf32>) outs(%e3 : tensor<256x64xf32>) permutation = [1, 0]
    %d3 = linalg.matmul ins(%f, %t3 : tensor<1x256xf32>, tensor<256x64xf32>) outs(%z4 : tensor<1x64xf32>) -> tensor<1x64xf32>
    %r3 = linalg.max ins(%d3, %z4 : tensor<1x64xf32>, tensor<1x64xf32>) outs(%i4 : tensor<1x64xf32>) -> tensor<1x64xf32>
    %i5 = tensor.empty() : tensor<1x10xf32>
    %z5 = linalg.fill ins(%zero : f32) outs(%i5 : tensor<1x10xf32>) -> tensor<1x10xf32>
    %e4 = tensor.empty() : tensor<64x10xf32>
    %t4 = linalg.transpose ins(%w4 : tensor<10x64xf32>) outs(%e4 : tensor<64x10xf32>) permutation = [1, 0]
    %d4 = linalg.matmul ins(%r3, %t4 : tensor<1x64xf32>, tensor<64x10xf32>) outs(%z5 : tensor<1x10xf32>) -> tensor<1x10xf32>
    return %d4 : tensor<1x10xf32>
  }
}
