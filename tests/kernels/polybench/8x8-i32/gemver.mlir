// A := A + u1 v1^T + u2 v2^T, x := x + beta A^T y + z, w := w + alpha A x
func.func @kernel_gemver(%alpha: i32, %beta: i32, %A: memref<8x8xi32>, %u1: memref<8xi32>, %v1: memref<8xi32>, %u2: memref<8xi32>, %v2: memref<8xi32>, %w: memref<8xi32>, %x: memref<8xi32>, %y: memref<8xi32>, %z: memref<8xi32>) {
  affine.for %i = 0 to 8 {
    affine.for %j = 0 to 8 {
      %a = affine.load %A[%i, %j] : memref<8x8xi32>
      %u1i = affine.load %u1[%i] : memref<8xi32>
      %v1j = affine.load %v1[%j] : memref<8xi32>
      %first = arith.muli %u1i, %v1j : i32
      %partial = arith.addi %a, %first : i32
      %u2i = affine.load %u2[%i] : memref<8xi32>
      %v2j = affine.load %v2[%j] : memref<8xi32>
      %second = arith.muli %u2i, %v2j : i32
      %sum = arith.addi %partial, %second : i32
      affine.store %sum, %A[%i, %j] : memref<8x8xi32>
    }
  }
  affine.for %i = 0 to 8 {
    affine.for %j = 0 to 8 {
      %old = affine.load %x[%i] : memref<8xi32>
      %a = affine.load %A[%j, %i] : memref<8x8xi32>
      %beta_a = arith.muli %beta, %a : i32
      %yj = affine.load %y[%j] : memref<8xi32>
      %product = arith.muli %beta_a, %yj : i32
      %sum = arith.addi %old, %product : i32
      affine.store %sum, %x[%i] : memref<8xi32>
    }
  }
  affine.for %i = 0 to 8 {
    %old = affine.load %x[%i] : memref<8xi32>
    %zi = affine.load %z[%i] : memref<8xi32>
    %sum = arith.addi %old, %zi : i32
    affine.store %sum, %x[%i] : memref<8xi32>
  }
  affine.for %i = 0 to 8 {
    affine.for %j = 0 to 8 {
      %old = affine.load %w[%i] : memref<8xi32>
      %a = affine.load %A[%i, %j] : memref<8x8xi32>
      %alpha_a = arith.muli %alpha, %a : i32
      %xj = affine.load %x[%j] : memref<8xi32>
      %product = arith.muli %alpha_a, %xj : i32
      %sum = arith.addi %old, %product : i32
      affine.store %sum, %w[%i] : memref<8xi32>
    }
  }
  return
}
