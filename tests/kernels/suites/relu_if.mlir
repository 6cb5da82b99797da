// a value by a condition on data before and behind a loop
func.func @rows(%a: memref<8x8xf32>, %w: memref<8xf32>, %o: memref<8xf32>) {
  %z = arith.constant 0.0 : f32
  affine.for %i = 0 to 8 {
    %g = affine.load %w[%i] : memref<8xf32>
    %pos = arith.cmpf ogt, %g, %z : f32
    %start = scf.if %pos -> f32 {
      %h = arith.mulf %g, %g : f32
      scf.yield %h : f32
    } else {
      scf.yield %z : f32
    }
    %s = affine.for %j = 0 to 8 iter_args(%acc = %start) -> f32 {
      %x = affine.load %a[%i, %j] : memref<8x8xf32>
      %p = arith.mulf %x, %g : f32
      %t = arith.addf %acc, %p : f32
      affine.yield %t : f32
    }
    %neg = arith.cmpf olt, %s, %z : f32
    scf.if %neg {
      affine.store %z, %o[%i] : memref<8xf32>
    } else {
      affine.store %s, %o[%i] : memref<8xf32>
    }
  }
  return
}
