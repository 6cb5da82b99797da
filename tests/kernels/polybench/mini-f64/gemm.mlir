// C := alpha A B + beta C
func.func @kernel_gemm(%alpha: f64, %beta: f64, %C: memref<20x25xf64>, %A: memref<20x30xf64>, %B: memref<30x25xf64>) {
  affine.for %i = 0 to 20 {
    affine.for %j = 0 to 25 {
      %c = affine.load %C[%i, %j] : memref<20x25xf64>
      %scaled = arith.mulf %c, %beta : f64
      affine.store %scaled, %C[%i, %j] : memref<20x25xf64>
    }
    affine.for %k = 0 to 30 {
      affine.for %j = 0 to 25 {
        %a = affine.load %A[%i, %k] : memref<20x30xf64>
        %alpha_a = arith.mulf %alpha, %a : f64
        %b = affine.load %B[%k, %j] : memref<30x25xf64>
        %product = arith.mulf %alpha_a, %b : f64
        %c = affine.load %C[%i, %j] : memref<20x25xf64>
        %sum = arith.addf %c, %product : f64
        affine.store %sum, %C[%i, %j] : memref<20x25xf64>
      }
    }
  }
  return
}
