func.func @conv(%x: memref<1x2x8x8xf32>, %k: memref<3x2x3x3xf32>, %y: memref<1x3x6x6xf32>, %p: memref<1x3x3x3xf32>) {
  linalg.conv_2d_nchw_fchw {dilations = dense<1> : vector<2xi64>, strides = dense<1> : vector<2xi64>} ins(%x, %k : memref<1x2x8x8xf32>, memref<3x2x3x3xf32>) outs(%y : memref<1x3x6x6xf32>)
  %w = memref.alloc() : memref<2x2xf32>
  %lo = arith.constant -1.0e30 : f32
  linalg.fill ins(%lo : f32) outs(%p : memref<1x3x3x3xf32>)
  linalg.pooling_nchw_max {dilations = dense<1> : vector<2xi64>, strides = dense<2> : vector<2xi64>} ins(%y, %w : memref<1x3x6x6xf32>, memref<2x2xf32>) outs(%p : memref<1x3x3x3xf32>)
  memref.dealloc %w : memref<2x2xf32>
  return
}
