// A and B in turn := means of five neighbours
func.func @kernel_jacobi_2d(%A: memref<30x30xf64>, %B: memref<30x30xf64>) {
  %fifth = arith.constant 0.2 : f64
  affine.for %t = 0 to 20 {
    affine.for %i = 1 to 29 {
      affine.for %j = 1 to 29 {
        %here = affine.load %A[%i, %j] : memref<30x30xf64>
        %left = affine.load %A[%i, %j - 1] : memref<30x30xf64>
        %two = arith.addf %here, %left : f64
        %right = affine.load %A[%i, %j + 1] : memref<30x30xf64>
        %three = arith.addf %two, %right : f64
        %below = affine.load %A[%i + 1, %j] : memref<30x30xf64>
        %four = arith.addf %three, %below : f64
        %above = affine.load %A[%i - 1, %j] : memref<30x30xf64>
        %five = arith.addf %four, %above : f64
        %mean = arith.mulf %fifth, %five : f64
        affine.store %mean, %B[%i, %j] : memref<30x30xf64>
      }
    }
    affine.for %i = 1 to 29 {
      affine.for %j = 1 to 29 {
        %here = affine.load %B[%i, %j] : memref<30x30xf64>
        %left = affine.load %B[%i, %j - 1] : memref<30x30xf64>
        %two = arith.addf %here, %left : f64
        %right = affine.load %B[%i, %j + 1] : memref<30x30xf64>
        %three = arith.addf %two, %right : f64
        %below = affine.load %B[%i + 1, %j] : memref<30x30xf64>
        %four = arith.addf %three, %below : f64
        %above = affine.load %B[%i - 1, %j] : memref<30x30xf64>
        %five = arith.addf %four, %above : f64
        %mean = arith.mulf %fifth, %five : f64
        affine.store %mean, %A[%i, %j] : memref<30x30xf64>
      }
    }
  }
  return
}
