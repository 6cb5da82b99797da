// E := A B, F := C D, G := E F
func.func @kernel_3mm(%E: memref<16x18xf64>, %A: memref<16x20xf64>, %B: memref<20x18xf64>, %F: memref<18x22xf64>, %C: memref<18x24xf64>, %D: memref<24x22xf64>, %G: memref<16x22xf64>) {
  %zero = arith.constant 0.0 : f64
  affine.for %i = 0 to 16 {
    affine.for %j = 0 to 18 {
      affine.store %zero, %E[%i, %j] : memref<16x18xf64>
      affine.for %k = 0 to 20 {
        %a = affine.load %A[%i, %k] : memref<16x20xf64>
        %b = affine.load %B[%k, %j] : memref<20x18xf64>
        %product = arith.mulf %a, %b : f64
        %old = affine.load %E[%i, %j] : memref<16x18xf64>
        %sum = arith.addf %old, %product : f64
        affine.store %sum, %E[%i, %j] : memref<16x18xf64>
      }
    }
  }
  affine.for %i = 0 to 18 {
    affine.for %j = 0 to 22 {
      affine.store %zero, %F[%i, %j] : memref<18x22xf64>
      affine.for %k = 0 to 24 {
        %c = affine.load %C[%i, %k] : memref<18x24xf64>
        %d = affine.load %D[%k, %j] : memref<24x22xf64>
        %product = arith.mulf %c, %d : f64
        %old = affine.load %F[%i, %j] : memref<18x22xf64>
        %sum = arith.addf %old, %product : f64
        affine.store %sum, %F[%i, %j] : memref<18x22xf64>
      }
    }
  }
  affine.for %i = 0 to 16 {
    affine.for %j = 0 to 22 {
      affine.store %zero, %G[%i, %j] : memref<16x22xf64>
      affine.for %k = 0 to 18 {
        %e = affine.load %E[%i, %k] : memref<16x18xf64>
        %f = affine.load %F[%k, %j] : memref<18x22xf64>
        %product = arith.mulf %e, %f : f64
        %old = affine.load %G[%i, %j] : memref<16x22xf64>
        %sum = arith.addf %old, %product : f64
        affine.store %sum, %G[%i, %j] : memref<16x22xf64>
      }
    }
  }
  return
}
