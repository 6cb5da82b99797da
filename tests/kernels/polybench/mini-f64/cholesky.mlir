// A := L with L L^T = A, lower triangle
func.func @kernel_cholesky(%A: memref<40x40xf64>) {
  affine.for %i = 0 to 40 {
    affine.for %j = 0 to affine_map<(d0) -> (d0)>(%i) {
      affine.for %k = 0 to affine_map<(d0) -> (d0)>(%j) {
        %old = affine.load %A[%i, %j] : memref<40x40xf64>
        %left = affine.load %A[%i, %k] : memref<40x40xf64>
        %right = affine.load %A[%j, %k] : memref<40x40xf64>
        %product = arith.mulf %left, %right : f64
        %new = arith.subf %old, %product : f64
        affine.store %new, %A[%i, %j] : memref<40x40xf64>
      }
      %a = affine.load %A[%i, %j] : memref<40x40xf64>
      %diagonal = affine.load %A[%j, %j] : memref<40x40xf64>
      %quotient = arith.divf %a, %diagonal : f64
      affine.store %quotient, %A[%i, %j] : memref<40x40xf64>
    }
    affine.for %k = 0 to affine_map<(d0) -> (d0)>(%i) {
      %old = affine.load %A[%i, %i] : memref<40x40xf64>
      %l = affine.load %A[%i, %k] : memref<40x40xf64>
      %square = arith.mulf %l, %l : f64
      %new = arith.subf %old, %square : f64
      affine.store %new, %A[%i, %i] : memref<40x40xf64>
    }
    %d = affine.load %A[%i, %i] : memref<40x40xf64>
    %root = math.sqrt %d : f64
    affine.store %root, %A[%i, %i] : memref<40x40xf64>
  }
  return
}
