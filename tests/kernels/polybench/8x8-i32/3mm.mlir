// E := A B, F := C D, G := E F
func.func @kernel_3mm(%E: memref<8x8xi32>, %A: memref<8x8xi32>, %B: memref<8x8xi32>, %F: memref<8x8xi32>, %C: memref<8x8xi32>, %D: memref<8x8xi32>, %G: memref<8x8xi32>) {
  %zero = arith.constant 0 : i32
  affine.for %i = 0 to 8 {
    affine.for %j = 0 to 8 {
      affine.store %zero, %E[%i, %j] : memref<8x8xi32>
      affine.for %k = 0 to 8 {
        %a = affine.load %A[%i, %k] : memref<8x8xi32>
        %b = affine.load %B[%k, %j] : memref<8x8xi32>
        %product = arith.muli %a, %b : i32
        %old = affine.load %E[%i, %j] : memref<8x8xi32>
        %sum = arith.addi %old, %product : i32
        affine.store %sum, %E[%i, %j] : memref<8x8xi32>
      }
    }
  }
  affine.for %i = 0 to 8 {
    affine.for %j = 0 to 8 {
      affine.store %zero, %F[%i, %j] : memref<8x8xi32>
      affine.for %k = 0 to 8 {
        %c = affine.load %C[%i, %k] : memref<8x8xi32>
        %d = affine.load %D[%k, %j] : memref<8x8xi32>
        %product = arith.muli %c, %d : i32
        %old = affine.load %F[%i, %j] : memref<8x8xi32>
        %sum = arith.addi %old, %product : i32
        affine.store %sum, %F[%i, %j] : memref<8x8xi32>
      }
    }
  }
  affine.for %i = 0 to 8 {
    affine.for %j = 0 to 8 {
      affine.store %zero, %G[%i, %j] : memref<8x8xi32>
      affine.for %k = 0 to 8 {
        %e = affine.load %E[%i, %k] : memref<8x8xi32>
        %f = affine.load %F[%k, %j] : memref<8x8xi32>
        %product = arith.muli %e, %f : i32
        %old = affine.load %G[%i, %j] : memref<8x8xi32>
        %sum = arith.addi %old, %product : i32
        affine.store %sum, %G[%i, %j] : memref<8x8xi32>
      }
    }
  }
  return
}
