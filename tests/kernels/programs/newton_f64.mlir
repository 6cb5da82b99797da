// The square root by Newton's iteration, until a step changes little.
func.func @newton(%a: f64, %x: memref<1xf64>) -> (f64, i32) {
  %half = arith.constant 0.5 : f64
  %tiny = arith.constant 1.0e-6 : f64
  %zero = arith.constant 0 : i32
  %one = arith.constant 1 : i32
  %most = arith.constant 40 : i32
  %one_f = arith.constant 1.0 : f64
  %positive = math.absf %a : f64
  %start = arith.addf %positive, %one_f : f64
  %c0 = arith.constant 0 : index
  %result:2 = scf.while (%r = %start, %n = %zero) : (f64, i32) -> (f64, i32) {
    %quotient = arith.divf %start, %r : f64
    %sum = arith.addf %r, %quotient : f64
    %next = arith.mulf %sum, %half : f64
    %change = arith.subf %next, %r : f64
    %size = math.absf %change : f64
    %large = arith.cmpf ogt, %size, %tiny : f64
    %few = arith.cmpi slt, %n, %most : i32
    %goes_on = arith.andi %large, %few : i1
    %count = arith.addi %n, %one : i32
    scf.condition(%goes_on) %next, %count : f64, i32
  } do {
  ^bb0(%r: f64, %n: i32):
    scf.yield %r, %n : f64, i32
  }
  memref.store %result#0, %x[%c0] : memref<1xf64>
  return %result#0, %result#1 : f64, i32
}
