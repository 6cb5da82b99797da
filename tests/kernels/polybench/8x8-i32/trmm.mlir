// B := alpha A^T B with A unit lower triangular
func.func @kernel_trmm(%alpha: i32, %A: memref<8x8xi32>, %B: memref<8x8xi32>) {
  affine.for %i = 0 to 8 {
    affine.for %j = 0 to 8 {
      affine.for %k = affine_map<(d0) -> (d0 + 1)>(%i) to 8 {
        %old = affine.load %B[%i, %j] : memref<8x8xi32>
        %a = affine.load %A[%k, %i] : memref<8x8xi32>
        %b = affine.load %B[%k, %j] : memref<8x8xi32>
        %product = arith.muli %a, %b : i32
        %sum = arith.addi %old, %product : i32
        affine.store %sum, %B[%i, %j] : memref<8x8xi32>
      }
      %b = affine.load %B[%i, %j] : memref<8x8xi32>
      %scaled = arith.muli %alpha, %b : i32
      affine.store %scaled, %B[%i, %j] : memref<8x8xi32>
    }
  }
  return
}
