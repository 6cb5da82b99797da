// exact GELU and tanh GELU in f64 and f32, log-softmax
func.func @gelu(%x: memref<8xf64>, %y: memref<8xf64>, %t: memref<8xf64>, %l: memref<8xf32>) {
  %h = arith.constant 0.5 : f64
  %one = arith.constant 1.0 : f64
  %r = arith.constant 0.70710678118654752 : f64
  affine.for %i = 0 to 8 {
    %v = affine.load %x[%i] : memref<8xf64>
    %s = arith.mulf %v, %r : f64
    %e = math.erf %s : f64
    %p = arith.addf %e, %one : f64
    %q = arith.mulf %p, %h : f64
    %o = arith.mulf %q, %v : f64
    affine.store %o, %y[%i] : memref<8xf64>
    %u = math.tanh %v : f64
    affine.store %u, %t[%i] : memref<8xf64>
    %w = arith.truncf %v : f64 to f32
    %a = math.absf %w : f32
    %g = math.log %a : f32
    affine.store %g, %l[%i] : memref<8xf32>
  }
  return
}
