func.func @iir(%x: memref<64xf32>, %y: memref<64xf32>, %c: memref<5xf32>) {
  %z = arith.constant 0.0 : f32
  %b0 = affine.load %c[0] : memref<5xf32>
  %b1 = affine.load %c[1] : memref<5xf32>
  %b2 = affine.load %c[2] : memref<5xf32>
  %a1 = affine.load %c[3] : memref<5xf32>
  %a2 = affine.load %c[4] : memref<5xf32>
  %r:4 = affine.for %i = 0 to 64 iter_args(%x1 = %z, %x2 = %z, %y1 = %z, %y2 = %z) -> (f32, f32, f32, f32) {
    %v = affine.load %x[%i] : memref<64xf32>
    %p0 = arith.mulf %b0, %v : f32
    %p1 = arith.mulf %b1, %x1 : f32
    %p2 = arith.mulf %b2, %x2 : f32
    %q1 = arith.mulf %a1, %y1 : f32
    %q2 = arith.mulf %a2, %y2 : f32
    %s0 = arith.addf %p0, %p1 : f32
    %s1 = arith.addf %s0, %p2 : f32
    %s2 = arith.subf %s1, %q2 : f32
    %s3 = arith.subf %s2, %q1 : f32
    affine.store %s3, %y[%i] : memref<64xf32>
    affine.yield %v, %x1, %s3, %y1 : f32, f32, f32, f32
  }
  return
}
