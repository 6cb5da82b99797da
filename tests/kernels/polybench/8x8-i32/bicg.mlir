// s := A^T r, q := A p
func.func @kernel_bicg(%A: memref<8x8xi32>, %s: memref<8xi32>, %q: memref<8xi32>, %p: memref<8xi32>, %r: memref<8xi32>) {
  %zero = arith.constant 0 : i32
  affine.for %i = 0 to 8 {
    affine.store %zero, %s[%i] : memref<8xi32>
  }
  affine.for %i = 0 to 8 {
    affine.store %zero, %q[%i] : memref<8xi32>
    affine.for %j = 0 to 8 {
      %sj = affine.load %s[%j] : memref<8xi32>
      %ri = affine.load %r[%i] : memref<8xi32>
      %a = affine.load %A[%i, %j] : memref<8x8xi32>
      %ra = arith.muli %ri, %a : i32
      %s_sum = arith.addi %sj, %ra : i32
      affine.store %s_sum, %s[%j] : memref<8xi32>
      %qi = affine.load %q[%i] : memref<8xi32>
      %pj = affine.load %p[%j] : memref<8xi32>
      %ap = arith.muli %a, %pj : i32
      %q_sum = arith.addi %qi, %ap : i32
      affine.store %q_sum, %q[%i] : memref<8xi32>
    }
  }
  return
}
