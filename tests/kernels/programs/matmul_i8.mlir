// C += A B on numbers of 8 bits, sums of 32.
func.func @matmul(%a: memref<8x8xi8>, %b: memref<8x8xi8>, %c: memref<8x8xi32>) {
  affine.for %i = 0 to 8 {
    affine.for %j = 0 to 8 {
      affine.for %k = 0 to 8 {
        %x = affine.load %a[%i, %k] : memref<8x8xi8>
        %y = affine.load %b[%k, %j] : memref<8x8xi8>
        %s = affine.load %c[%i, %j] : memref<8x8xi32>
        %u = arith.extsi %x : i8 to i32
        %v = arith.extsi %y : i8 to i32
        %p = arith.muli %u, %v : i32
        %t = arith.addi %s, %p : i32
        affine.store %t, %c[%i, %j] : memref<8x8xi32>
      }
    }
  }
  return
}
