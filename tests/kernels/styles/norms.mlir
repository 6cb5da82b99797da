// Calls, square roots, scalar results.
func.func private @dot(%x: memref<12xf64>, %y: memref<12xf64>) -> f64 {
  %z = arith.constant 0.0 : f64
  %s = affine.for %k = 0 to 12 iter_args(%a = %z) -> (f64) {
    %0 = affine.load %x[%k] : memref<12xf64>
    %1 = affine.load %y[%k] : memref<12xf64>
    %p = arith.mulf %0, %1 : f64
    %2 = arith.addf %p, %a : f64
    affine.yield %2 : f64
  }
  return %s : f64
}
func.func @norms(%x: memref<12xf64>, %y: memref<12xf64>) -> (f64, f64) {
  %a = call @dot(%x, %x) : (memref<12xf64>, memref<12xf64>) -> f64
  %b = call @dot(%y, %y) : (memref<12xf64>, memref<12xf64>) -> f64
  %c = math.sqrt %a : f64
  %d = math.sqrt %b : f64
  return %c, %d : f64, f64
}
