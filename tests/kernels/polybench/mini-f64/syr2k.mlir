// C := alpha A B^T + alpha B A^T + beta C, lower triangle
func.func @kernel_syr2k(%alpha: f64, %beta: f64, %C: memref<30x30xf64>, %A: memref<30x20xf64>, %B: memref<30x20xf64>) {
  affine.for %i = 0 to 30 {
    affine.for %j = 0 to affine_map<(d0) -> (d0 + 1)>(%i) {
      %c = affine.load %C[%i, %j] : memref<30x30xf64>
      %scaled = arith.mulf %c, %beta : f64
      affine.store %scaled, %C[%i, %j] : memref<30x30xf64>
    }
    affine.for %k = 0 to 20 {
      affine.for %j = 0 to affine_map<(d0) -> (d0 + 1)>(%i) {
        %ajk = affine.load %A[%j, %k] : memref<30x20xf64>
        %alpha_a = arith.mulf %ajk, %alpha : f64
        %bik = affine.load %B[%i, %k] : memref<30x20xf64>
        %ab = arith.mulf %alpha_a, %bik : f64
        %bjk = affine.load %B[%j, %k] : memref<30x20xf64>
        %alpha_b = arith.mulf %bjk, %alpha : f64
        %aik = affine.load %A[%i, %k] : memref<30x20xf64>
        %ba = arith.mulf %alpha_b, %aik : f64
        %both = arith.addf %ab, %ba : f64
        %c = affine.load %C[%i, %j] : memref<30x30xf64>
        %sum = arith.addf %c, %both : f64
        affine.store %sum, %C[%i, %j] : memref<30x30xf64>
      }
    }
  }
  return
}
