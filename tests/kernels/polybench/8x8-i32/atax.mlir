// y := A^T (A x), tmp := A x
func.func @kernel_atax(%A: memref<8x8xi32>, %x: memref<8xi32>, %y: memref<8xi32>, %tmp: memref<8xi32>) {
  %zero = arith.constant 0 : i32
  affine.for %i = 0 to 8 {
    affine.store %zero, %y[%i] : memref<8xi32>
  }
  affine.for %i = 0 to 8 {
    affine.store %zero, %tmp[%i] : memref<8xi32>
    affine.for %j = 0 to 8 {
      %old = affine.load %tmp[%i] : memref<8xi32>
      %a = affine.load %A[%i, %j] : memref<8x8xi32>
      %xj = affine.load %x[%j] : memref<8xi32>
      %product = arith.muli %a, %xj : i32
      %sum = arith.addi %old, %product : i32
      affine.store %sum, %tmp[%i] : memref<8xi32>
    }
    affine.for %j = 0 to 8 {
      %old = affine.load %y[%j] : memref<8xi32>
      %a = affine.load %A[%i, %j] : memref<8x8xi32>
      %t = affine.load %tmp[%i] : memref<8xi32>
      %product = arith.muli %a, %t : i32
      %sum = arith.addi %old, %product : i32
      affine.store %sum, %y[%j] : memref<8xi32>
    }
  }
  return
}
