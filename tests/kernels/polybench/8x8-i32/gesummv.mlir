// y := alpha A x + beta B x, tmp := A x
func.func @kernel_gesummv(%alpha: i32, %beta: i32, %A: memref<8x8xi32>, %B: memref<8x8xi32>, %tmp: memref<8xi32>, %x: memref<8xi32>, %y: memref<8xi32>) {
  %zero = arith.constant 0 : i32
  affine.for %i = 0 to 8 {
    affine.store %zero, %tmp[%i] : memref<8xi32>
    affine.store %zero, %y[%i] : memref<8xi32>
    affine.for %j = 0 to 8 {
      %a = affine.load %A[%i, %j] : memref<8x8xi32>
      %xj = affine.load %x[%j] : memref<8xi32>
      %ax = arith.muli %a, %xj : i32
      %old_tmp = affine.load %tmp[%i] : memref<8xi32>
      %new_tmp = arith.addi %ax, %old_tmp : i32
      affine.store %new_tmp, %tmp[%i] : memref<8xi32>
      %b = affine.load %B[%i, %j] : memref<8x8xi32>
      %bx = arith.muli %b, %xj : i32
      %old_y = affine.load %y[%i] : memref<8xi32>
      %new_y = arith.addi %bx, %old_y : i32
      affine.store %new_y, %y[%i] : memref<8xi32>
    }
    %t = affine.load %tmp[%i] : memref<8xi32>
    %alpha_t = arith.muli %alpha, %t : i32
    %yi = affine.load %y[%i] : memref<8xi32>
    %beta_y = arith.muli %beta, %yi : i32
    %sum = arith.addi %alpha_t, %beta_y : i32
    affine.store %sum, %y[%i] : memref<8xi32>
  }
  return
}
