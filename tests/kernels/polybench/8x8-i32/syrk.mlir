// C := alpha A A^T + beta C, lower triangle
func.func @kernel_syrk(%alpha: i32, %beta: i32, %C: memref<8x8xi32>, %A: memref<8x8xi32>) {
  affine.for %i = 0 to 8 {
    affine.for %j = 0 to affine_map<(d0) -> (d0 + 1)>(%i) {
      %c = affine.load %C[%i, %j] : memref<8x8xi32>
      %scaled = arith.muli %c, %beta : i32
      affine.store %scaled, %C[%i, %j] : memref<8x8xi32>
    }
    affine.for %k = 0 to 8 {
      affine.for %j = 0 to affine_map<(d0) -> (d0 + 1)>(%i) {
        %aik = affine.load %A[%i, %k] : memref<8x8xi32>
        %alpha_a = arith.muli %alpha, %aik : i32
        %ajk = affine.load %A[%j, %k] : memref<8x8xi32>
        %product = arith.muli %alpha_a, %ajk : i32
        %c = affine.load %C[%i, %j] : memref<8x8xi32>
        %sum = arith.addi %c, %product : i32
        affine.store %sum, %C[%i, %j] : memref<8x8xi32>
      }
    }
  }
  return
}
