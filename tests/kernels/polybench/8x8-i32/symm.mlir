// C := alpha A B + beta C with A symmetric, its lower triangle given
func.func @kernel_symm(%alpha: i32, %beta: i32, %C: memref<8x8xi32>, %A: memref<8x8xi32>, %B: memref<8x8xi32>) {
  %zero = arith.constant 0 : i32
  affine.for %i = 0 to 8 {
    affine.for %j = 0 to 8 {
      %above = affine.for %k = 0 to affine_map<(d0) -> (d0)>(%i) iter_args(%sum = %zero) -> (i32) {
        %c = affine.load %C[%k, %j] : memref<8x8xi32>
        %bij = affine.load %B[%i, %j] : memref<8x8xi32>
        %alpha_b = arith.muli %alpha, %bij : i32
        %aik = affine.load %A[%i, %k] : memref<8x8xi32>
        %product = arith.muli %alpha_b, %aik : i32
        %new_c = arith.addi %c, %product : i32
        affine.store %new_c, %C[%k, %j] : memref<8x8xi32>
        %bkj = affine.load %B[%k, %j] : memref<8x8xi32>
        %term = arith.muli %bkj, %aik : i32
        %new_sum = arith.addi %sum, %term : i32
        affine.yield %new_sum : i32
      }
      %c = affine.load %C[%i, %j] : memref<8x8xi32>
      %beta_c = arith.muli %beta, %c : i32
      %b = affine.load %B[%i, %j] : memref<8x8xi32>
      %alpha_b = arith.muli %alpha, %b : i32
      %a = affine.load %A[%i, %i] : memref<8x8xi32>
      %diagonal = arith.muli %alpha_b, %a : i32
      %partial = arith.addi %beta_c, %diagonal : i32
      %alpha_above = arith.muli %alpha, %above : i32
      %new = arith.addi %partial, %alpha_above : i32
      affine.store %new, %C[%i, %j] : memref<8x8xi32>
    }
  }
  return
}
