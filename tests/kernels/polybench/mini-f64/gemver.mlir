// A := A + u1 v1^T + u2 v2^T, x := x + beta A^T y + z, w := w + alpha A x
func.func @kernel_gemver(%alpha: f64, %beta: f64, %A: memref<40x40xf64>, %u1: memref<40xf64>, %v1: memref<40xf64>, %u2: memref<40xf64>, %v2: memref<40xf64>, %w: memref<40xf64>, %x: memref<40xf64>, %y: memref<40xf64>, %z: memref<40xf64>) {
  affine.for %i = 0 to 40 {
    affine.for %j = 0 to 40 {
      %a = affine.load %A[%i, %j] : memref<40x40xf64>
      %u1i = affine.load %u1[%i] : memref<40xf64>
      %v1j = affine.load %v1[%j] : memref<40xf64>
      %first = arith.mulf %u1i, %v1j : f64
      %partial = arith.addf %a, %first : f64
      %u2i = affine.load %u2[%i] : memref<40xf64>
      %v2j = affine.load %v2[%j] : memref<40xf64>
      %second = arith.mulf %u2i, %v2j : f64
      %sum = arith.addf %partial, %second : f64
      affine.store %sum, %A[%i, %j] : memref<40x40xf64>
    }
  }
  affine.for %i = 0 to 40 {
    affine.for %j = 0 to 40 {
      %old = affine.load %x[%i] : memref<40xf64>
      %a = affine.load %A[%j, %i] : memref<40x40xf64>
      %beta_a = arith.mulf %beta, %a : f64
      %yj = affine.load %y[%j] : memref<40xf64>
      %product = arith.mulf %beta_a, %yj : f64
      %sum = arith.addf %old, %product : f64
      affine.store %sum, %x[%i] : memref<40xf64>
    }
  }
  affine.for %i = 0 to 40 {
    %old = affine.load %x[%i] : memref<40xf64>
    %zi = affine.load %z[%i] : memref<40xf64>
    %sum = arith.addf %old, %zi : f64
    affine.store %sum, %x[%i] : memref<40xf64>
  }
  affine.for %i = 0 to 40 {
    affine.for %j = 0 to 40 {
      %old = affine.load %w[%i] : memref<40xf64>
      %a = affine.load %A[%i, %j] : memref<40x40xf64>
      %alpha_a = arith.mulf %alpha, %a : f64
      %xj = affine.load %x[%j] : memref<40xf64>
      %product = arith.mulf %alpha_a, %xj : f64
      %sum = arith.addf %old, %product : f64
      affine.store %sum, %w[%i] : memref<40xf64>
    }
  }
  return
}
