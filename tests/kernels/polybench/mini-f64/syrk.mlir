// C := alpha A A^T + beta C, lower triangle
func.func @kernel_syrk(%alpha: f64, %beta: f64, %C: memref<30x30xf64>, %A: memref<30x20xf64>) {
  affine.for %i = 0 to 30 {
    affine.for %j = 0 to affine_map<(d0) -> (d0 + 1)>(%i) {
      %c = affine.load %C[%i, %j] : memref<30x30xf64>
      %scaled = arith.mulf %c, %beta : f64
      affine.store %scaled, %C[%i, %j] : memref<30x30xf64>
    }
    affine.for %k = 0 to 20 {
      affine.for %j = 0 to affine_map<(d0) -> (d0 + 1)>(%i) {
        %aik = affine.load %A[%i, %k] : memref<30x20xf64>
        %alpha_a = arith.mulf %alpha, %aik : f64
        %ajk = affine.load %A[%j, %k] : memref<30x20xf64>
        %product = arith.mulf %alpha_a, %ajk : f64
        %c = affine.load %C[%i, %j] : memref<30x30xf64>
        %sum = arith.addf %c, %product : f64
        affine.store %sum, %C[%i, %j] : memref<30x30xf64>
      }
    }
  }
  return
}
