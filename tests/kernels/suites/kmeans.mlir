func.func @assign(%p: memref<16x2xf32>, %c: memref<3x2xf32>, %who: memref<16xi32>, %sum: memref<3x2xf32>) {
  %big = arith.constant 3.0e38 : f32
  %z = arith.constant 0 : i32
  %zf = arith.constant 0.0 : f32
  affine.for %k = 0 to 3 { affine.for %d = 0 to 2 { affine.store %zf, %sum[%k, %d] : memref<3x2xf32> } }
  affine.for %i = 0 to 16 {
    %b:2 = affine.for %k = 0 to 3 iter_args(%m = %big, %w = %z) -> (f32, i32) {
      %s = affine.for %d = 0 to 2 iter_args(%a = %zf) -> f32 {
        %x = affine.load %p[%i, %d] : memref<16x2xf32>
        %y = affine.load %c[%k, %d] : memref<3x2xf32>
        %e = arith.subf %x, %y : f32
        %q = arith.mulf %e, %e : f32
        %t = arith.addf %a, %q : f32
        affine.yield %t : f32
      }
      %lt = arith.cmpf olt, %s, %m : f32
      %n = arith.select %lt, %s, %m : f32
      %ki = arith.index_cast %k : index to i32
      %v = arith.select %lt, %ki, %w : i32
      affine.yield %n, %v : f32, i32
    }
    affine.store %b#1, %who[%i] : memref<16xi32>
    %wi = arith.index_cast %b#1 : i32 to index
    affine.for %d = 0 to 2 {
      %x = affine.load %p[%i, %d] : memref<16x2xf32>
      %o = memref.load %sum[%wi, %d] : memref<3x2xf32>
      %n = arith.addf %o, %x : f32
      memref.store %n, %sum[%wi, %d] : memref<3x2xf32>
    }
  }
  return
}
