// CHStone gsm: saturated add, mult_r, norm, autocorrelation
func.func private @gsm_add(%a: i16, %b: i16) -> i16 {
  %x = arith.extsi %a : i16 to i32
  %y = arith.extsi %b : i16 to i32
  %s = arith.addi %x, %y : i32
  %mx = arith.constant 32767 : i32
  %mn = arith.constant -32768 : i32
  %u = arith.minsi %s, %mx : i32
  %v = arith.maxsi %u, %mn : i32
  %r = arith.trunci %v : i32 to i16
  return %r : i16
}
func.func private @gsm_mult_r(%a: i16, %b: i16) -> i16 {
  %mn = arith.constant -32768 : i16
  %ea = arith.cmpi eq, %a, %mn : i16
  %eb = arith.cmpi eq, %b, %mn : i16
  %both = arith.andi %ea, %eb : i1
  %r = scf.if %both -> i16 {
    %mx = arith.constant 32767 : i16
    scf.yield %mx : i16
  } else {
    %x = arith.extsi %a : i16 to i32
    %y = arith.extsi %b : i16 to i32
    %p = arith.muli %x, %y : i32
    %h = arith.constant 16384 : i32
    %q = arith.addi %p, %h : i32
    %f = arith.constant 15 : i32
    %s = arith.shrsi %q, %f : i32
    %t = arith.trunci %s : i32 to i16
    scf.yield %t : i16
  }
  return %r : i16
}
func.func @gsm(%s: memref<40xi16>, %k: memref<8xi16>, %acf: memref<9xi64>) {
  affine.for %i = 0 to 40 {
    %a = affine.load %s[%i] : memref<40xi16>
    %b = affine.load %k[%i mod 8] : memref<8xi16>
    %m = func.call @gsm_mult_r(%a, %b) : (i16, i16) -> i16
    %n = func.call @gsm_add(%a, %m) : (i16, i16) -> i16
    affine.store %n, %s[%i] : memref<40xi16>
  }
  %z = arith.constant 0 : i64
  affine.for %l = 0 to 9 {
    %r = affine.for %i = affine_map<(d0) -> (d0)>(%l) to 40 iter_args(%acc = %z) -> i64 {
      %a = affine.load %s[%i] : memref<40xi16>
      %b = affine.load %s[%i - %l] : memref<40xi16>
      %x = arith.extsi %a : i16 to i64
      %y = arith.extsi %b : i16 to i64
      %p = arith.muli %x, %y : i64
      %q = arith.addi %acc, %p : i64
      affine.yield %q : i64
    }
    affine.store %r, %acf[%l] : memref<9xi64>
  }
  return
}
