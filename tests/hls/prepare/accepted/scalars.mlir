// Calls in calls, results of all kinds.
// top: top
// absent: call
func.func private @square(%x: f64) -> f64 {
  %y = arith.mulf %x, %x : f64
  return %y : f64
}
func.func private @norm(%a: memref<5xf64>) -> f64 {
  %zero = arith.constant 0.0 : f64
  %sum = affine.for %i = 0 to 5 iter_args(%s = %zero) -> (f64) {
    %x = affine.load %a[%i] : memref<5xf64>
    %y = func.call @square(%x) : (f64) -> f64
    %t = arith.addf %s, %y : f64
    affine.yield %t : f64
  }
  %root = math.sqrt %sum : f64
  return %root : f64
}
func.func @top(%a: memref<5xf64>, %b: memref<5xf64>, %n: i16) -> (f64, i16, i1) {
  %x = call @norm(%a) : (memref<5xf64>) -> f64
  %y = call @norm(%b) : (memref<5xf64>) -> f64
  %less = arith.cmpf olt, %x, %y : f64
  %z = arith.select %less, %x, %y : f64
  %m = arith.addi %n, %n : i16
  return %z, %m, %less : f64, i16, i1
}
// -----
// Rounding, reciprocal roots and magnitudes out of what there are units for.
// absent: math.floor
// absent: math.round
// absent: rsqrt
func.func @rounding(%a: memref<64xf64>, %b: memref<64xf32>, %c: memref<64xi32>) {
  %ten = arith.constant 2.5 : f32
  affine.for %i = 0 to 64 {
    %x = affine.load %a[%i] : memref<64xf64>
    %floor = math.floor %x : f64
    %ceil = math.ceil %x : f64
    %trunc = math.trunc %x : f64
    %round = math.round %x : f64
    %even = math.roundeven %x : f64
    %s1 = arith.mulf %floor, %ceil : f64
    %s2 = arith.addf %s1, %trunc : f64
    %s3 = arith.divf %s2, %round : f64
    %s4 = arith.divf %s3, %even : f64
    affine.store %s4, %a[%i] : memref<64xf64>
    %y = affine.load %b[%i] : memref<64xf32>
    %z = arith.mulf %y, %ten : f32
    %w = math.round %z : f32
    %magnitude = math.absf %w : f32
    %root = math.rsqrt %magnitude : f32
    affine.store %root, %b[%i] : memref<64xf32>
    %n = affine.load %c[%i] : memref<64xi32>
    %m = math.absi %n : i32
    %seven = arith.constant 7 : i32
    %q = arith.floordivsi %n, %seven : i32
    %r = arith.ceildivsi %n, %seven : i32
    %p = arith.muli %q, %r : i32
    %t = arith.addi %p, %m : i32
    affine.store %t, %c[%i] : memref<64xi32>
  }
  return
}
// -----
// Numbers of every width, and what flags would allow is not done.
// absent: fastmath
func.func @widths(%a: i64, %b: i7, %c: f32, %d: index) -> (i64, f64, index) {
  %wide = arith.extsi %b : i7 to i64
  %sum = arith.addi %a, %wide : i64
  %low = arith.trunci %sum : i64 to i7
  %f = arith.sitofp %low : i7 to f64
  %e = arith.extf %c : f32 to f64
  %g = arith.mulf %f, %e fastmath<fast> : f64
  %h = arith.addf %g, %e fastmath<fast> : f64
  %k = arith.addi %d, %d : index
  return %sum, %h, %k : i64, f64, index
}
