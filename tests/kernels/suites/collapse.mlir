func.func @collapse(%a: memref<4x4x4xi32>) -> i32 {
  %z = arith.constant 0 : i32
  %f = memref.collapse_shape %a [[0, 1], [2]] : memref<4x4x4xi32> into memref<16x4xi32>
  %e = memref.expand_shape %f [[0, 1], [2]] output_shape [2, 8, 4] : memref<16x4xi32> into memref<2x8x4xi32>
  %r = affine.for %i = 0 to 16 iter_args(%s = %z) -> i32 {
    %x = affine.load %f[%i, 0] : memref<16x4xi32>
    %y = affine.load %e[%i floordiv 8, %i mod 8, 1] : memref<2x8x4xi32>
    %u = arith.muli %x, %y : i32
    %v = arith.addi %s, %u : i32
    affine.yield %v : i32
  }
  return %r : i32
}
