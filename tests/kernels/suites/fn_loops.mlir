// a function with loops and an array argument, called in a loop with a bound from its argument
func.func private @dot(%a: memref<8x8xf32>, %b: memref<8x8xf32>, %i: index, %j: index, %n: index) -> f32 {
  %z = arith.constant 0.0 : f32
  %r = affine.for %k = 0 to %n iter_args(%s = %z) -> f32 {
    %x = affine.load %a[symbol(%i), %k] : memref<8x8xf32>
    %y = affine.load %b[%k, symbol(%j)] : memref<8x8xf32>
    %p = arith.mulf %x, %y : f32
    %t = arith.addf %s, %p : f32
    affine.yield %t : f32
  }
  return %r : f32
}
func.func @mm(%a: memref<8x8xf32>, %b: memref<8x8xf32>, %c: memref<8x8xf32>) {
  %n = arith.constant 8 : index
  affine.for %i = 0 to 8 {
    affine.for %j = 0 to 8 {
      %s = func.call @dot(%a, %b, %i, %j, %n) : (memref<8x8xf32>, memref<8x8xf32>, index, index, index) -> f32
      affine.store %s, %c[%i, %j] : memref<8x8xf32>
    }
  }
  return
}
