// The square root by Newton's iteration, until a step changes little.
func.func @newton(%a: f32, %x: memref<1xf32>) -> (f32, i32) {
  %half = arith.constant 0.5 : f32
  %tiny = arith.constant 1.0e-6 : f32
  %zero = arith.constant 0 : i32
  %one = arith.constant 1 : i32
  %most = arith.constant 40 : i32
  %one_f = arith.constant 1.0 : f32
  %positive = math.absf %a : f32
  %start = arith.addf %positive, %one_f : f32
  %c0 = arith.constant 0 : index
  %result:2 = scf.while (%r = %start, %n = %zero) : (f32, i32) -> (f32, i32) {
    %quotient = arith.divf %start, %r : f32
    %sum = arith.addf %r, %quotient : f32
    %next = arith.mulf %sum, %half : f32
    %change = arith.subf %next, %r : f32
    %size = math.absf %change : f32
    %large = arith.cmpf ogt, %size, %tiny : f32
    %few = arith.cmpi slt, %n, %most : i32
    %goes_on = arith.andi %large, %few : i1
    %count = arith.addi %n, %one : i32
    scf.condition(%goes_on) %next, %count : f32, i32
  } do {
  ^bb0(%r: f32, %n: i32):
    scf.yield %r, %n : f32, i32
  }
  memref.store %result#0, %x[%c0] : memref<1xf32>
  return %result#0, %result#1 : f32, i32
}
