// A[r, q, :] := C4^T A[r, q, :]
func.func @kernel_doitgen(%A: memref<10x8x12xf64>, %C4: memref<12x12xf64>, %sum: memref<12xf64>) {
  %zero = arith.constant 0.0 : f64
  affine.for %r = 0 to 10 {
    affine.for %q = 0 to 8 {
      affine.for %p = 0 to 12 {
        affine.store %zero, %sum[%p] : memref<12xf64>
        affine.for %s = 0 to 12 {
          %old = affine.load %sum[%p] : memref<12xf64>
          %a = affine.load %A[%r, %q, %s] : memref<10x8x12xf64>
          %c = affine.load %C4[%s, %p] : memref<12x12xf64>
          %product = arith.mulf %a, %c : f64
          %new = arith.addf %old, %product : f64
          affine.store %new, %sum[%p] : memref<12xf64>
        }
      }
      affine.for %p = 0 to 12 {
        %new = affine.load %sum[%p] : memref<12xf64>
        affine.store %new, %A[%r, %q, %p] : memref<10x8x12xf64>
      }
    }
  }
  return
}
