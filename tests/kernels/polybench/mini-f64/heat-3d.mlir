// Heat in three dimensions by finite differences, from A to B and back in each step
func.func @kernel_heat_3d(%A: memref<10x10x10xf64>, %B: memref<10x10x10xf64>) {
  %eighth = arith.constant 0.125 : f64
  %two = arith.constant 2.0 : f64
  affine.for %t = 0 to 20 {
    affine.for %i = 1 to 9 {
      affine.for %j = 1 to 9 {
        affine.for %k = 1 to 9 {
          %here = affine.load %A[%i, %j, %k] : memref<10x10x10xf64>
          %twice = arith.mulf %two, %here : f64
          %i_after = affine.load %A[%i + 1, %j, %k] : memref<10x10x10xf64>
          %i_partial = arith.subf %i_after, %twice : f64
          %i_before = affine.load %A[%i - 1, %j, %k] : memref<10x10x10xf64>
          %i_sum = arith.addf %i_partial, %i_before : f64
          %i_part = arith.mulf %eighth, %i_sum : f64
          %j_after = affine.load %A[%i, %j + 1, %k] : memref<10x10x10xf64>
          %j_partial = arith.subf %j_after, %twice : f64
          %j_before = affine.load %A[%i, %j - 1, %k] : memref<10x10x10xf64>
          %j_sum = arith.addf %j_partial, %j_before : f64
          %j_part = arith.mulf %eighth, %j_sum : f64
          %k_after = affine.load %A[%i, %j, %k + 1] : memref<10x10x10xf64>
          %k_partial = arith.subf %k_after, %twice : f64
          %k_before = affine.load %A[%i, %j, %k - 1] : memref<10x10x10xf64>
          %k_sum = arith.addf %k_partial, %k_before : f64
          %k_part = arith.mulf %eighth, %k_sum : f64
          %ij = arith.addf %i_part, %j_part : f64
          %ijk = arith.addf %ij, %k_part : f64
          %new = arith.addf %ijk, %here : f64
          affine.store %new, %B[%i, %j, %k] : memref<10x10x10xf64>
        }
      }
    }
    affine.for %i = 1 to 9 {
      affine.for %j = 1 to 9 {
        affine.for %k = 1 to 9 {
          %here = affine.load %B[%i, %j, %k] : memref<10x10x10xf64>
          %twice = arith.mulf %two, %here : f64
          %i_after = affine.load %B[%i + 1, %j, %k] : memref<10x10x10xf64>
          %i_partial = arith.subf %i_after, %twice : f64
          %i_before = affine.load %B[%i - 1, %j, %k] : memref<10x10x10xf64>
          %i_sum = arith.addf %i_partial, %i_before : f64
          %i_part = arith.mulf %eighth, %i_sum : f64
          %j_after = affine.load %B[%i, %j + 1, %k] : memref<10x10x10xf64>
          %j_partial = arith.subf %j_after, %twice : f64
          %j_before = affine.load %B[%i, %j - 1, %k] : memref<10x10x10xf64>
          %j_sum = arith.addf %j_partial, %j_before : f64
          %j_part = arith.mulf %eighth, %j_sum : f64
          %k_after = affine.load %B[%i, %j, %k + 1] : memref<10x10x10xf64>
          %k_partial = arith.subf %k_after, %twice : f64
          %k_before = affine.load %B[%i, %j, %k - 1] : memref<10x10x10xf64>
          %k_sum = arith.addf %k_partial, %k_before : f64
          %k_part = arith.mulf %eighth, %k_sum : f64
          %ij = arith.addf %i_part, %j_part : f64
          %ijk = arith.addf %ij, %k_part : f64
          %new = arith.addf %ijk, %here : f64
          affine.store %new, %A[%i, %j, %k] : memref<10x10x10xf64>
        }
      }
    }
  }
  return
}
