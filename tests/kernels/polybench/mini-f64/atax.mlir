// y := A^T (A x), tmp := A x
func.func @kernel_atax(%A: memref<38x42xf64>, %x: memref<42xf64>, %y: memref<42xf64>, %tmp: memref<38xf64>) {
  %zero = arith.constant 0.0 : f64
  affine.for %i = 0 to 42 {
    affine.store %zero, %y[%i] : memref<42xf64>
  }
  affine.for %i = 0 to 38 {
    affine.store %zero, %tmp[%i] : memref<38xf64>
    affine.for %j = 0 to 42 {
      %old = affine.load %tmp[%i] : memref<38xf64>
      %a = affine.load %A[%i, %j] : memref<38x42xf64>
      %xj = affine.load %x[%j] : memref<42xf64>
      %product = arith.mulf %a, %xj : f64
      %sum = arith.addf %old, %product : f64
      affine.store %sum, %tmp[%i] : memref<38xf64>
    }
    affine.for %j = 0 to 42 {
      %old = affine.load %y[%j] : memref<42xf64>
      %a = affine.load %A[%i, %j] : memref<38x42xf64>
      %t = affine.load %tmp[%i] : memref<38xf64>
      %product = arith.mulf %a, %t : f64
      %sum = arith.addf %old, %product : f64
      affine.store %sum, %y[%j] : memref<42xf64>
    }
  }
  return
}
