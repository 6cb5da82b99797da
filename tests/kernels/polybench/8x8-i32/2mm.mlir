// tmp := alpha A B, D := tmp C + beta D
func.func @kernel_2mm(%alpha: i32, %beta: i32, %tmp: memref<8x8xi32>, %A: memref<8x8xi32>, %B: memref<8x8xi32>, %C: memref<8x8xi32>, %D: memref<8x8xi32>) {
  %zero = arith.constant 0 : i32
  affine.for %i = 0 to 8 {
    affine.for %j = 0 to 8 {
      affine.store %zero, %tmp[%i, %j] : memref<8x8xi32>
      affine.for %k = 0 to 8 {
        %a = affine.load %A[%i, %k] : memref<8x8xi32>
        %alpha_a = arith.muli %alpha, %a : i32
        %b = affine.load %B[%k, %j] : memref<8x8xi32>
        %product = arith.muli %alpha_a, %b : i32
        %old = affine.load %tmp[%i, %j] : memref<8x8xi32>
        %sum = arith.addi %old, %product : i32
        affine.store %sum, %tmp[%i, %j] : memref<8x8xi32>
      }
    }
  }
  affine.for %i = 0 to 8 {
    affine.for %j = 0 to 8 {
      %d = affine.load %D[%i, %j] : memref<8x8xi32>
      %scaled = arith.muli %d, %beta : i32
      affine.store %scaled, %D[%i, %j] : memref<8x8xi32>
      affine.for %k = 0 to 8 {
        %t = affine.load %tmp[%i, %k] : memref<8x8xi32>
        %c = affine.load %C[%k, %j] : memref<8x8xi32>
        %product = arith.muli %t, %c : i32
        %old = affine.load %D[%i, %j] : memref<8x8xi32>
        %sum = arith.addi %old, %product : i32
        affine.store %sum, %D[%i, %j] : memref<8x8xi32>
      }
    }
  }
  return
}
