// s := A^T r, q := A p
func.func @kernel_bicg(%A: memref<42x38xf64>, %s: memref<38xf64>, %q: memref<42xf64>, %p: memref<38xf64>, %r: memref<42xf64>) {
  %zero = arith.constant 0.0 : f64
  affine.for %i = 0 to 38 {
    affine.store %zero, %s[%i] : memref<38xf64>
  }
  affine.for %i = 0 to 42 {
    affine.store %zero, %q[%i] : memref<42xf64>
    affine.for %j = 0 to 38 {
      %sj = affine.load %s[%j] : memref<38xf64>
      %ri = affine.load %r[%i] : memref<42xf64>
      %a = affine.load %A[%i, %j] : memref<42x38xf64>
      %ra = arith.mulf %ri, %a : f64
      %s_sum = arith.addf %sj, %ra : f64
      affine.store %s_sum, %s[%j] : memref<38xf64>
      %qi = affine.load %q[%i] : memref<42xf64>
      %pj = affine.load %p[%j] : memref<38xf64>
      %ap = arith.mulf %a, %pj : f64
      %q_sum = arith.addf %qi, %ap : f64
      affine.store %q_sum, %q[%i] : memref<42xf64>
    }
  }
  return
}
