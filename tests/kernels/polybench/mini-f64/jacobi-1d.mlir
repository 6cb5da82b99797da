// A and B in turn := means of three neighbours
func.func @kernel_jacobi_1d(%A: memref<30xf64>, %B: memref<30xf64>) {
  %third = arith.constant 0.33333 : f64
  affine.for %t = 0 to 20 {
    affine.for %i = 1 to 29 {
      %left = affine.load %A[%i - 1] : memref<30xf64>
      %here = affine.load %A[%i] : memref<30xf64>
      %two = arith.addf %left, %here : f64
      %right = affine.load %A[%i + 1] : memref<30xf64>
      %three = arith.addf %two, %right : f64
      %mean = arith.mulf %third, %three : f64
      affine.store %mean, %B[%i] : memref<30xf64>
    }
    affine.for %i = 1 to 29 {
      %left = affine.load %B[%i - 1] : memref<30xf64>
      %here = affine.load %B[%i] : memref<30xf64>
      %two = arith.addf %left, %here : f64
      %right = affine.load %B[%i + 1] : memref<30xf64>
      %three = arith.addf %two, %right : f64
      %mean = arith.mulf %third, %three : f64
      affine.store %mean, %A[%i] : memref<30xf64>
    }
  }
  return
}
