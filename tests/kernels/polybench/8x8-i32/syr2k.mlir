// C := alpha A B^T + alpha B A^T + beta C, lower triangle
func.func @kernel_syr2k(%alpha: i32, %beta: i32, %C: memref<8x8xi32>, %A: memref<8x8xi32>, %B: memref<8x8xi32>) {
  affine.for %i = 0 to 8 {
    affine.for %j = 0 to affine_map<(d0) -> (d0 + 1)>(%i) {
      %c = affine.load %C[%i, %j] : memref<8x8xi32>
      %scaled = arith.muli %c, %beta : i32
      affine.store %scaled, %C[%i, %j] : memref<8x8xi32>
    }
    affine.for %k = 0 to 8 {
      affine.for %j = 0 to affine_map<(d0) -> (d0 + 1)>(%i) {
        %ajk = affine.load %A[%j, %k] : memref<8x8xi32>
        %alpha_a = arith.muli %ajk, %alpha : i32
        %bik = affine.load %B[%i, %k] : memref<8x8xi32>
        %ab = arith.muli %alpha_a, %bik : i32
        %bjk = affine.load %B[%j, %k] : memref<8x8xi32>
        %alpha_b = arith.muli %bjk, %alpha : i32
        %aik = affine.load %A[%i, %k] : memref<8x8xi32>
        %ba = arith.muli %alpha_b, %aik : i32
        %both = arith.addi %ab, %ba : i32
        %c = affine.load %C[%i, %j] : memref<8x8xi32>
        %sum = arith.addi %c, %both : i32
        affine.store %sum, %C[%i, %j] : memref<8x8xi32>
      }
    }
  }
  return
}
