// Views of an array whose places change, sums carried through two loops.
func.func @sub(%x: memref<16x16xi32>, %y: memref<4x4xi32>) {
  affine.for %i = 0 to 4 {
    affine.for %j = 0 to 4 {
      %i4 = affine.apply affine_map<(d0) -> (d0 * 4)>(%i)
      %j4 = affine.apply affine_map<(d0) -> (d0 * 4)>(%j)
      %s = memref.subview %x[%i4, %j4] [4, 4] [1, 1] : memref<16x16xi32> to memref<4x4xi32, strided<[16, 1], offset: ?>>
      %m0 = arith.constant -2147483648 : i32
      %c0 = arith.constant 0 : index
      %c1 = arith.constant 1 : index
      %c4 = arith.constant 4 : index
      %m = scf.for %a = %c0 to %c4 step %c1 iter_args(%p = %m0) -> (i32) {
        %q = scf.for %b = %c0 to %c4 step %c1 iter_args(%r = %p) -> (i32) {
          %v = memref.load %s[%a, %b] : memref<4x4xi32, strided<[16, 1], offset: ?>>
          %w = arith.maxsi %v, %r : i32
          scf.yield %w : i32
        }
        scf.yield %q : i32
      }
      affine.store %m, %y[%i, %j] : memref<4x4xi32>
    }
  }
  return
}
