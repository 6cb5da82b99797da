// A := mean of each element and its eight neighbours, in place (Gauss-Seidel)
func.func @kernel_seidel_2d(%A: memref<8x8xi32>) {
  %nine = arith.constant 9 : i32
  affine.for %t = 0 to 8 {
    affine.for %i = 1 to 7 {
      affine.for %j = 1 to 7 {
        %northwest = affine.load %A[%i - 1, %j - 1] : memref<8x8xi32>
        %north = affine.load %A[%i - 1, %j] : memref<8x8xi32>
        %sum2 = arith.addi %northwest, %north : i32
        %northeast = affine.load %A[%i - 1, %j + 1] : memref<8x8xi32>
        %sum3 = arith.addi %sum2, %northeast : i32
        %west = affine.load %A[%i, %j - 1] : memref<8x8xi32>
        %sum4 = arith.addi %sum3, %west : i32
        %here = affine.load %A[%i, %j] : memref<8x8xi32>
        %sum5 = arith.addi %sum4, %here : i32
        %east = affine.load %A[%i, %j + 1] : memref<8x8xi32>
        %sum6 = arith.addi %sum5, %east : i32
        %southwest = affine.load %A[%i + 1, %j - 1] : memref<8x8xi32>
        %sum7 = arith.addi %sum6, %southwest : i32
        %south = affine.load %A[%i + 1, %j] : memref<8x8xi32>
        %sum8 = arith.addi %sum7, %south : i32
        %southeast = affine.load %A[%i + 1, %j + 1] : memref<8x8xi32>
        %sum9 = arith.addi %sum8, %southeast : i32
        %mean = arith.divsi %sum9, %nine : i32
        affine.store %mean, %A[%i, %j] : memref<8x8xi32>
      }
    }
  }
  return
}
