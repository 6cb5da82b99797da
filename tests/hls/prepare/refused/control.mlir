// error: 3:8: error: the loop has no exit: its condition always holds
func.func @forever(%x: f32) -> f32 {
  %0 = scf.while (%y = %x) : (f32) -> f32 {
    %true = arith.constant true
    scf.condition(%true) %y : f32
  } do {
  ^bb0(%y: f32):
    %half = arith.constant 0.5 : f32
    %z = arith.mulf %y, %half : f32
    scf.yield %z : f32
  }
  return %0 : f32
}
// -----
// error: 4:10: error: which array is accessed changes from one iteration to the next: copy between arrays instead
func.func @swapped(%x: memref<8xf32>, %y: memref<8xf32>, %n: i32) {
  %true = arith.constant true
  %0:2 = scf.while (%a = %x, %b = %y) : (memref<8xf32>, memref<8xf32>) -> (memref<8xf32>, memref<8xf32>) {
    %c0 = arith.constant 0 : index
    %v = memref.load %a[%c0] : memref<8xf32>
    %limit = arith.constant 1.0 : f32
    %go = arith.cmpf olt, %v, %limit : f32
    scf.condition(%go) %a, %b : memref<8xf32>, memref<8xf32>
  } do {
  ^bb0(%a: memref<8xf32>, %b: memref<8xf32>):
    %at = arith.constant 0 : index
    %one = arith.constant 1.0 : f32
    memref.store %one, %a[%at] : memref<8xf32>
    scf.yield %b, %a : memref<8xf32>, memref<8xf32>
  }
  return
}
// -----
// error: 4:8: error: operation ml_program.global_load is not supported, expected affine, scf, arith, math, memref, linalg, tensor, tosa or vector
ml_program.global private mutable @seed(dense<0> : tensor<i64>) : tensor<i64>
func.func @outside() {
  %0 = ml_program.global_load @seed : tensor<i64>
  return
}
// -----
// error: 3:8: error: there is no hardware for math.atan, expected exp, exp2, log, log2, powf, sqrt, rsqrt, tanh, erf, fma, sin, cos or roundings: read other functions from a table of constants
func.func @arc(%x: f64) -> f64 {
  %0 = math.atan %x : f64
  return %0 : f64
}
// -----
// error: 8:3: error: attribute 'hls.independent' names arguments of a function that is called: name none, or write the loop in the top function
func.func @top(%x: memref<8xi32>) {
  func.call @inner(%x) : (memref<8xi32>) -> ()
  return
}

func.func private @inner(%x: memref<8xi32>) {
  affine.for %i = 0 to 8 {
    %v = affine.load %x[%i] : memref<8xi32>
    affine.store %v, %x[%i] : memref<8xi32>
  } {hls.independent = #hls.independent<[0]>}
  return
}
// -----
// error: 5:8: error: the result of memref.atomic_rmw is used, expected a load of the word before or after it
func.func @update(%h: memref<8xi32>) -> i32 {
  %c0 = arith.constant 0 : index
  %one = arith.constant 1 : i32
  %0 = memref.atomic_rmw addi %one, %h[%c0] : (i32, memref<8xi32>) -> i32
  return %0 : i32
}
// -----
// error: 6:8: error: the loop goes from -6917529027641081856 to 6917529027641081856, expected bounds less than 2^63 apart: count from 0
func.func @far(%a: index) -> index {
  %first = arith.constant -6917529027641081856 : index
  %step = arith.constant 4611686018427387904 : index
  %end = arith.constant 6917529027641081856 : index
  %r = scf.for %i = %first to %end step %step iter_args(%s = %a) -> (index) {
    %w = arith.xori %s, %i : index
    scf.yield %w : index
  }
  return %r : index
}
// -----
// error: 3:3: error: the loop goes from -6917529027641081856 to 6917529027641081856, expected bounds less than 2^63 apart: count from 0
func.func @farAffine(%x: memref<8xi32>) {
  affine.for %i = -6917529027641081856 to 6917529027641081856 step 4611686018427387904 {
    %v = affine.load %x[0] : memref<8xi32>
    affine.store %v, %x[1] : memref<8xi32>
  }
  return
}
