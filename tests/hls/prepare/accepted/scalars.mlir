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
// -----
// Sums with their carry and products with their upper half, of sizes with and without a unit.
// absent: _extended
func.func @both_halves(%a: memref<16xi64>, %b: memref<16xi64>, %c: memref<16x6xi64>, %d: memref<16x2xi1>) {
  affine.for %i = 0 to 16 {
    %x = affine.load %a[%i] : memref<16xi64>
    %y = affine.load %b[%i] : memref<16xi64>
    %mix = arith.constant 0x9e3779b97f4a7c15 : i64
    %u = arith.muli %x, %mix : i64
    %v = arith.muli %y, %mix : i64
    %low, %high = arith.mului_extended %u, %v : i64
    %low_s, %high_s = arith.mulsi_extended %u, %v : i64
    %sum, %carry = arith.addui_extended %u, %v : i64, i1
    affine.store %low, %c[%i, 0] : memref<16x6xi64>
    affine.store %high, %c[%i, 1] : memref<16x6xi64>
    affine.store %high_s, %c[%i, 2] : memref<16x6xi64>
    affine.store %sum, %c[%i, 3] : memref<16x6xi64>
    affine.store %carry, %d[%i, 0] : memref<16x2xi1>
    %p = arith.trunci %u : i64 to i47
    %q = arith.trunci %v : i64 to i47
    %pq, %pq_high = arith.mulsi_extended %p, %q : i47
    %wide = arith.extsi %pq_high : i47 to i64
    affine.store %wide, %c[%i, 4] : memref<16x6xi64>
    %r = arith.trunci %u : i64 to i13
    %s = arith.trunci %v : i64 to i13
    %rs, %rs_high = arith.mului_extended %r, %s : i13
    %more, %rs_carry = arith.addui_extended %rs, %rs_high : i13, i1
    %wider = arith.extui %more : i13 to i64
    affine.store %wider, %c[%i, 5] : memref<16x6xi64>
    affine.store %rs_carry, %d[%i, 1] : memref<16x2xi1>
  }
  return
}
// -----
// Functions in doubles.
// absent: math.tanh
// absent: math.erf
func.func @functions(%a: memref<64xf64>, %b: memref<64xf64>, %c: memref<64xf64>, %d: memref<64xf64>) {
  affine.for %i = 0 to 64 {
    %x = affine.load %a[%i] : memref<64xf64>
    %t = math.tanh %x : f64
    %e = math.erf %x : f64
    %size = math.absf %x : f64
    %l = math.log %size : f64
    %f = math.fma %t, %e, %l : f64
    affine.store %t, %b[%i] : memref<64xf64>
    affine.store %e, %c[%i] : memref<64xf64>
    affine.store %f, %d[%i] : memref<64xf64>
  }
  return
}
// -----
// Values that cgeist leaves open, and that are read where a loop does not run: zeros.
// absent: llvm.mlir
func.func @last(%a: memref<8xi32>, %n: i32) -> (i32, f32) {
  %u = llvm.mlir.undef : i32
  %v = llvm.mlir.poison : f32
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %k = arith.constant 1 : i32
  %m = arith.andi %n, %k : i32
  %e = arith.index_cast %m : i32 to index
  %r:2 = scf.for %i = %c0 to %e step %c1 iter_args(%x = %u, %f = %v) -> (i32, f32) {
    %y = memref.load %a[%i] : memref<8xi32>
    %g = arith.sitofp %y : i32 to f32
    scf.yield %y, %g : i32, f32
  }
  return %r#0, %r#1 : i32, f32
}
// -----
// Classes of numbers: about zero, about the least normal one, and about infinity.
func.func @classes(%n: memref<128xi1>, %i: memref<128xi1>, %f: memref<128xi1>, %m: memref<128xi1>) {
  affine.for %k = 0 to 128 {
    %at = arith.index_cast %k : index to i32
    %c40 = arith.constant 40 : i32
    %c80 = arith.constant 80 : i32
    %zero = arith.constant 0 : i32
    %normal = arith.constant 8388608 : i32
    %infinity = arith.constant 2139095040 : i32
    %isLow = arith.cmpi slt, %at, %c40 : i32
    %isHigh = arith.cmpi sgt, %at, %c80 : i32
    %lower = arith.select %isLow, %zero, %normal : i32
    %start = arith.select %isHigh, %infinity, %lower : i32
    %place = arith.remsi %at, %c40 : i32
    %c20 = arith.constant 20 : i32
    %step = arith.subi %place, %c20 : i32
    %bits = arith.addi %start, %step : i32
    %x = arith.bitcast %bits : i32 to f32
    %isNan = math.isnan %x : f32
    %isInf = math.isinf %x : f32
    %isFinite = math.isfinite %x : f32
    %isNormal = math.isnormal %x : f32
    affine.store %isNan, %n[%k] : memref<128xi1>
    affine.store %isInf, %i[%k] : memref<128xi1>
    affine.store %isFinite, %f[%k] : memref<128xi1>
    affine.store %isNormal, %m[%k] : memref<128xi1>
  }
  return
}
// -----
// Of all widths, and a sine beside its cosine.
// absent: math.is
func.func @classes_of_halves(%a: memref<16xf16>, %b: memref<16xbf16>, %c: memref<16xf64>, %r: memref<6x16xi1>, %s: memref<16xf32>) {
  affine.for %i = 0 to 16 {
    %x = affine.load %a[%i] : memref<16xf16>
    %y = affine.load %b[%i] : memref<16xbf16>
    %z = affine.load %c[%i] : memref<16xf64>
    %root = math.sqrt %x : f16
    %0 = math.isnan %root : f16
    %1 = math.isnormal %x : f16
    %2 = math.isinf %y : bf16
    %3 = math.isfinite %y : bf16
    %log = math.log %z : f64
    %4 = math.isnan %log : f64
    %5 = math.isfinite %z : f64
    affine.store %0, %r[0, %i] : memref<6x16xi1>
    affine.store %1, %r[1, %i] : memref<6x16xi1>
    affine.store %2, %r[2, %i] : memref<6x16xi1>
    affine.store %3, %r[3, %i] : memref<6x16xi1>
    affine.store %4, %r[4, %i] : memref<6x16xi1>
    affine.store %5, %r[5, %i] : memref<6x16xi1>
    %w = arith.truncf %z : f64 to f32
    %sine, %cosine = math.sincos %w : f32
    %sum = arith.addf %sine, %cosine : f32
    affine.store %sum, %s[%i] : memref<16xf32>
  }
  return
}
