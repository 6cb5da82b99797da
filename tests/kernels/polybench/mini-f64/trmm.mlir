// B := alpha A^T B with A unit lower triangular
func.func @kernel_trmm(%alpha: f64, %A: memref<20x20xf64>, %B: memref<20x30xf64>) {
  affine.for %i = 0 to 20 {
    affine.for %j = 0 to 30 {
      affine.for %k = affine_map<(d0) -> (d0 + 1)>(%i) to 20 {
        %old = affine.load %B[%i, %j] : memref<20x30xf64>
        %a = affine.load %A[%k, %i] : memref<20x20xf64>
        %b = affine.load %B[%k, %j] : memref<20x30xf64>
        %product = arith.mulf %a, %b : f64
        %sum = arith.addf %old, %product : f64
        affine.store %sum, %B[%i, %j] : memref<20x30xf64>
      }
      %b = affine.load %B[%i, %j] : memref<20x30xf64>
      %scaled = arith.mulf %alpha, %b : f64
      affine.store %scaled, %B[%i, %j] : memref<20x30xf64>
    }
  }
  return
}
