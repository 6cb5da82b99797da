// Bias-free 784-128-10 perceptron for MNIST, pixels in 0..1: y = relu(x w1) w2. The archive
// own_mlp_784_128_10_nobias.npz holds w1 and w2 as [inputs, outputs].
module {
  func.func @main(%x: tensor<1x784xf32>, %w1: tensor<784x128xf32>, %w2: tensor<128x10xf32>) -> tensor<1x10xf32> {
    %zero = arith.constant 0.000000e+00 : f32
    %0 = tensor.empty() : tensor<1x128xf32>
    %zeros = linalg.fill ins(%zero : f32) outs(%0 : tensor<1x128xf32>) -> tensor<1x128xf32>
    %sum1 = linalg.matmul ins(%x, %w1 : tensor<1x784xf32>, tensor<784x128xf32>) outs(%zeros : tensor<1x128xf32>) -> tensor<1x128xf32>
    %hidden = linalg.max ins(%sum1, %zeros : tensor<1x128xf32>, tensor<1x128xf32>) outs(%0 : tensor<1x128xf32>) -> tensor<1x128xf32>
    %1 = tensor.empty() : tensor<1x10xf32>
    %zeros2 = linalg.fill ins(%zero : f32) outs(%1 : tensor<1x10xf32>) -> tensor<1x10xf32>
    %sum2 = linalg.matmul ins(%hidden, %w2 : tensor<1x128xf32>, tensor<128x10xf32>) outs(%zeros2 : tensor<1x10xf32>) -> tensor<1x10xf32>
    return %sum2 : tensor<1x10xf32>
  }
}
