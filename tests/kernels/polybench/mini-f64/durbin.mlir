// Solves the Yule-Walker equations of r for y (Durbin's recursion)
func.func @kernel_durbin(%r: memref<40xf64>, %y: memref<40xf64>) {
  %zero = arith.constant 0.0 : f64
  %one = arith.constant 1.0 : f64
  %z = memref.alloc() : memref<40xf64>
  %r0 = affine.load %r[0] : memref<40xf64>
  %minus_r0 = arith.negf %r0 : f64
  affine.store %minus_r0, %y[0] : memref<40xf64>
  %end:2 = affine.for %k = 1 to 40 iter_args(%alpha = %minus_r0, %beta = %one) -> (f64, f64) {
    %square = arith.mulf %alpha, %alpha : f64
    %rest = arith.subf %one, %square : f64
    %new_beta = arith.mulf %rest, %beta : f64
    %sum = affine.for %i = 0 to affine_map<(d0) -> (d0)>(%k) iter_args(%partial = %zero) -> (f64) {
      %rki = affine.load %r[%k - %i - 1] : memref<40xf64>
      %yi = affine.load %y[%i] : memref<40xf64>
      %product = arith.mulf %rki, %yi : f64
      %new = arith.addf %partial, %product : f64
      affine.yield %new : f64
    }
    %rk = affine.load %r[%k] : memref<40xf64>
    %total = arith.addf %rk, %sum : f64
    %minus = arith.negf %total : f64
    %new_alpha = arith.divf %minus, %new_beta : f64
    affine.for %i = 0 to affine_map<(d0) -> (d0)>(%k) {
      %yi = affine.load %y[%i] : memref<40xf64>
      %mirror = affine.load %y[%k - %i - 1] : memref<40xf64>
      %product = arith.mulf %new_alpha, %mirror : f64
      %new = arith.addf %yi, %product : f64
      affine.store %new, %z[%i] : memref<40xf64>
    }
    affine.for %i = 0 to affine_map<(d0) -> (d0)>(%k) {
      %new = affine.load %z[%i] : memref<40xf64>
      affine.store %new, %y[%i] : memref<40xf64>
    }
    affine.store %new_alpha, %y[%k] : memref<40xf64>
    affine.yield %new_alpha, %new_beta : f64, f64
  }
  memref.dealloc %z : memref<40xf64>
  return
}
