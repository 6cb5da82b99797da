func.func @scan(%a: memref<64xf32>, %b: memref<64xf32>, %m: memref<64xf32>) -> (f32, f32) {
  %z = arith.constant 0.0 : f32
  %lo = arith.constant -3.0e38 : f32
  %r:2 = affine.for %i = 0 to 64 iter_args(%s = %z, %x = %lo) -> (f32, f32) {
    %v = affine.load %a[%i] : memref<64xf32>
    %t = arith.addf %s, %v : f32
    affine.store %t, %b[%i] : memref<64xf32>
    %y = arith.maxnumf %x, %v : f32
    affine.store %y, %m[%i] : memref<64xf32>
    affine.yield %t, %y : f32, f32
  }
  return %r#0, %r#1 : f32, f32
}
