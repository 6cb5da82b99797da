// error: 3:8: error: how often this loop runs is not known before it starts: write it as a for loop over the most iterations it takes, with a condition inside
func.func @while(%x: f32) -> f32 {
  %0 = scf.while (%y = %x) : (f32) -> f32 {
    %one = arith.constant 1.0 : f32
    %go = arith.cmpf ogt, %y, %one : f32
    scf.condition(%go) %y : f32
  } do {
  ^bb0(%y: f32):
    %half = arith.constant 0.5 : f32
    %z = arith.mulf %y, %half : f32
    scf.yield %z : f32
  }
  return %0 : f32
}
// -----
// error: 8:5: error: the bounds of this loop are computed inside another loop from data: write it with bounds that are affine in the outer loop variables, with a condition inside
func.func @rows(%start: memref<9xi32>, %a: memref<64xf32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  affine.for %i = 0 to 8 {
    %n = affine.load %start[%i] : memref<9xi32>
    %end = arith.index_cast %n : i32 to index
    scf.for %j = %c0 to %end step %c1 {
      %x = memref.load %a[%j] : memref<64xf32>
      memref.store %x, %a[%i] : memref<64xf32>
    }
  }
  return
}
// -----
// error: 4:8: error: operation ml_program.global_load is not supported, expected affine, scf, arith, math, memref, linalg, tensor or tosa
ml_program.global private mutable @seed(dense<0> : tensor<i64>) : tensor<i64>
func.func @outside() {
  %0 = ml_program.global_load @seed : tensor<i64>
  return
}
// -----
// error: 3:8: error: there is no hardware for math.tanh
func.func @tanh(%x: f32) -> f32 {
  %0 = math.tanh %x : f32
  return %0 : f32
}
// -----
// error: 3:8: error: there is no hardware for math.fma
func.func @fused(%x: f32) -> f32 {
  %0 = math.fma %x, %x, %x : f32
  return %0 : f32
}
