// C := alpha A B + beta C with A symmetric, its lower triangle given
func.func @kernel_symm(%alpha: f64, %beta: f64, %C: memref<20x30xf64>, %A: memref<20x20xf64>, %B: memref<20x30xf64>) {
  %zero = arith.constant 0.0 : f64
  affine.for %i = 0 to 20 {
    affine.for %j = 0 to 30 {
      %above = affine.for %k = 0 to affine_map<(d0) -> (d0)>(%i) iter_args(%sum = %zero) -> (f64) {
        %c = affine.load %C[%k, %j] : memref<20x30xf64>
        %bij = affine.load %B[%i, %j] : memref<20x30xf64>
        %alpha_b = arith.mulf %alpha, %bij : f64
        %aik = affine.load %A[%i, %k] : memref<20x20xf64>
        %product = arith.mulf %alpha_b, %aik : f64
        %new_c = arith.addf %c, %product : f64
        affine.store %new_c, %C[%k, %j] : memref<20x30xf64>
        %bkj = affine.load %B[%k, %j] : memref<20x30xf64>
        %term = arith.mulf %bkj, %aik : f64
        %new_sum = arith.addf %sum, %term : f64
        affine.yield %new_sum : f64
      }
      %c = affine.load %C[%i, %j] : memref<20x30xf64>
      %beta_c = arith.mulf %beta, %c : f64
      %b = affine.load %B[%i, %j] : memref<20x30xf64>
      %alpha_b = arith.mulf %alpha, %b : f64
      %a = affine.load %A[%i, %i] : memref<20x20xf64>
      %diagonal = arith.mulf %alpha_b, %a : f64
      %partial = arith.addf %beta_c, %diagonal : f64
      %alpha_above = arith.mulf %alpha, %above : f64
      %new = arith.addf %partial, %alpha_above : f64
      affine.store %new, %C[%i, %j] : memref<20x30xf64>
    }
  }
  return
}
