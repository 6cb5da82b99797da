// y := alpha A x + beta B x, tmp := A x
func.func @kernel_gesummv(%alpha: f64, %beta: f64, %A: memref<30x30xf64>, %B: memref<30x30xf64>, %tmp: memref<30xf64>, %x: memref<30xf64>, %y: memref<30xf64>) {
  %zero = arith.constant 0.0 : f64
  affine.for %i = 0 to 30 {
    affine.store %zero, %tmp[%i] : memref<30xf64>
    affine.store %zero, %y[%i] : memref<30xf64>
    affine.for %j = 0 to 30 {
      %a = affine.load %A[%i, %j] : memref<30x30xf64>
      %xj = affine.load %x[%j] : memref<30xf64>
      %ax = arith.mulf %a, %xj : f64
      %old_tmp = affine.load %tmp[%i] : memref<30xf64>
      %new_tmp = arith.addf %ax, %old_tmp : f64
      affine.store %new_tmp, %tmp[%i] : memref<30xf64>
      %b = affine.load %B[%i, %j] : memref<30x30xf64>
      %bx = arith.mulf %b, %xj : f64
      %old_y = affine.load %y[%i] : memref<30xf64>
      %new_y = arith.addf %bx, %old_y : f64
      affine.store %new_y, %y[%i] : memref<30xf64>
    }
    %t = affine.load %tmp[%i] : memref<30xf64>
    %alpha_t = arith.mulf %alpha, %t : f64
    %yi = affine.load %y[%i] : memref<30xf64>
    %beta_y = arith.mulf %beta, %yi : f64
    %sum = arith.addf %alpha_t, %beta_y : f64
    affine.store %sum, %y[%i] : memref<30xf64>
  }
  return
}
