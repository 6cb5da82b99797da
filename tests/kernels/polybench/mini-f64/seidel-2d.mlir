// A := mean of each element and its eight neighbours, in place (Gauss-Seidel)
func.func @kernel_seidel_2d(%A: memref<40x40xf64>) {
  %nine = arith.constant 9.0 : f64
  affine.for %t = 0 to 20 {
    affine.for %i = 1 to 39 {
      affine.for %j = 1 to 39 {
        %northwest = affine.load %A[%i - 1, %j - 1] : memref<40x40xf64>
        %north = affine.load %A[%i - 1, %j] : memref<40x40xf64>
        %sum2 = arith.addf %northwest, %north : f64
        %northeast = affine.load %A[%i - 1, %j + 1] : memref<40x40xf64>
        %sum3 = arith.addf %sum2, %northeast : f64
        %west = affine.load %A[%i, %j - 1] : memref<40x40xf64>
        %sum4 = arith.addf %sum3, %west : f64
        %here = affine.load %A[%i, %j] : memref<40x40xf64>
        %sum5 = arith.addf %sum4, %here : f64
        %east = affine.load %A[%i, %j + 1] : memref<40x40xf64>
        %sum6 = arith.addf %sum5, %east : f64
        %southwest = affine.load %A[%i + 1, %j - 1] : memref<40x40xf64>
        %sum7 = arith.addf %sum6, %southwest : f64
        %south = affine.load %A[%i + 1, %j] : memref<40x40xf64>
        %sum8 = arith.addf %sum7, %south : f64
        %southeast = affine.load %A[%i + 1, %j + 1] : memref<40x40xf64>
        %sum9 = arith.addf %sum8, %southeast : f64
        %mean = arith.divf %sum9, %nine : f64
        affine.store %mean, %A[%i, %j] : memref<40x40xf64>
      }
    }
  }
  return
}
