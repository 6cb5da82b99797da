func.func @transposed(%a: memref<16x4xi32>) -> i32 {
  %z = arith.constant 0 : i32
  %t = memref.transpose %a (i, j) -> (j, i) : memref<16x4xi32> to memref<4x16xi32, strided<[1, 4]>>
  %r = affine.for %i = 0 to 4 iter_args(%s = %z) -> i32 {
    %r1 = affine.for %j = 0 to 16 iter_args(%q = %s) -> i32 {
      %w = affine.load %t[%i, %j] : memref<4x16xi32, strided<[1, 4]>>
      %v = arith.xori %q, %w : i32
      %three = arith.constant 3 : i32
      %v2 = arith.muli %v, %three : i32
      affine.yield %v2 : i32
    }
    affine.yield %r1 : i32
  }
  return %r : i32
}
