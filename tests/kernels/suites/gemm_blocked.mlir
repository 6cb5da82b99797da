// MachSuite gemm/blocked: 8x8 by blocks of 4
func.func @bbgemm(%m1: memref<64xf64>, %m2: memref<64xf64>, %prod: memref<64xf64>) {
  affine.for %jj = 0 to 8 step 4 {
    affine.for %kk = 0 to 8 step 4 {
      affine.for %i = 0 to 8 {
        affine.for %k = 0 to 4 {
          %t = affine.load %m1[%i * 8 + %k + %kk] : memref<64xf64>
          affine.for %j = 0 to 4 {
            %b = affine.load %m2[(%k + %kk) * 8 + %jj + %j] : memref<64xf64>
            %p = arith.mulf %t, %b : f64
            %c = affine.load %prod[%i * 8 + %jj + %j] : memref<64xf64>
            %s = arith.addf %c, %p : f64
            affine.store %s, %prod[%i * 8 + %jj + %j] : memref<64xf64>
          }
        }
      }
    }
  }
  return
}
