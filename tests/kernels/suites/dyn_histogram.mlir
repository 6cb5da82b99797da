func.func @histogram(%feature: memref<64xi32>, %weight: memref<64xf32>, %hist: memref<16xf32>) {
  %c15 = arith.constant 15 : i32
  affine.for %i = 0 to 64 {
    %f = affine.load %feature[%i] : memref<64xi32>
    %m = arith.andi %f, %c15 : i32
    %k = arith.index_cast %m : i32 to index
    %w = affine.load %weight[%i] : memref<64xf32>
    %h = memref.load %hist[%k] : memref<16xf32>
    %s = arith.addf %h, %w : f32
    memref.store %s, %hist[%k] : memref<16xf32>
  }
  return
}
