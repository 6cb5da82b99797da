// x1 := x1 + A y1, x2 := x2 + A^T y2
func.func @kernel_mvt(%x1: memref<40xf64>, %x2: memref<40xf64>, %y1: memref<40xf64>, %y2: memref<40xf64>, %A: memref<40x40xf64>) {
  affine.for %i = 0 to 40 {
    affine.for %j = 0 to 40 {
      %old = affine.load %x1[%i] : memref<40xf64>
      %a = affine.load %A[%i, %j] : memref<40x40xf64>
      %y = affine.load %y1[%j] : memref<40xf64>
      %product = arith.mulf %a, %y : f64
      %sum = arith.addf %old, %product : f64
      affine.store %sum, %x1[%i] : memref<40xf64>
    }
  }
  affine.for %i = 0 to 40 {
    affine.for %j = 0 to 40 {
      %old = affine.load %x2[%i] : memref<40xf64>
      %a = affine.load %A[%j, %i] : memref<40x40xf64>
      %y = affine.load %y2[%j] : memref<40xf64>
      %product = arith.mulf %a, %y : f64
      %sum = arith.addf %old, %product : f64
      affine.store %sum, %x2[%i] : memref<40xf64>
    }
  }
  return
}
