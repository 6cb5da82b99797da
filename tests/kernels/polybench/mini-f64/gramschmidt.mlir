// A = Q R with orthonormal columns of Q (modified Gram-Schmidt); A is used up
func.func @kernel_gramschmidt(%A: memref<20x30xf64>, %R: memref<30x30xf64>, %Q: memref<20x30xf64>) {
  %zero = arith.constant 0.0 : f64
  affine.for %k = 0 to 30 {
    %norm = affine.for %i = 0 to 20 iter_args(%sum = %zero) -> (f64) {
      %a = affine.load %A[%i, %k] : memref<20x30xf64>
      %square = arith.mulf %a, %a : f64
      %new = arith.addf %sum, %square : f64
      affine.yield %new : f64
    }
    %root = math.sqrt %norm : f64
    affine.store %root, %R[%k, %k] : memref<30x30xf64>
    affine.for %i = 0 to 20 {
      %a = affine.load %A[%i, %k] : memref<20x30xf64>
      %length = affine.load %R[%k, %k] : memref<30x30xf64>
      %q = arith.divf %a, %length : f64
      affine.store %q, %Q[%i, %k] : memref<20x30xf64>
    }
    affine.for %j = affine_map<(d0) -> (d0 + 1)>(%k) to 30 {
      affine.store %zero, %R[%k, %j] : memref<30x30xf64>
      affine.for %i = 0 to 20 {
        %old = affine.load %R[%k, %j] : memref<30x30xf64>
        %q = affine.load %Q[%i, %k] : memref<20x30xf64>
        %a = affine.load %A[%i, %j] : memref<20x30xf64>
        %product = arith.mulf %q, %a : f64
        %new = arith.addf %old, %product : f64
        affine.store %new, %R[%k, %j] : memref<30x30xf64>
      }
      affine.for %i = 0 to 20 {
        %a = affine.load %A[%i, %j] : memref<20x30xf64>
        %q = affine.load %Q[%i, %k] : memref<20x30xf64>
        %projection = affine.load %R[%k, %j] : memref<30x30xf64>
        %product = arith.mulf %q, %projection : f64
        %new = arith.subf %a, %product : f64
        affine.store %new, %A[%i, %j] : memref<20x30xf64>
      }
    }
  }
  return
}
