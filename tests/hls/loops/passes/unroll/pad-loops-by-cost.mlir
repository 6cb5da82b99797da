// RUN: spindle-opt %s --hls-pad-loops | FileCheck %s

// Rows of 1 to 30 elements, each added to 20 times: with 8 at least an iteration starts in each cycle.
// CHECK-LABEL: func @triangle
func.func @triangle(%C: memref<30x30xf64>, %v: f64) {
  // CHECK: } {hls.at_least = 8 : i64}
  affine.for %i = 0 to 30 { affine.for %k = 0 to 20 {
    affine.for %j = 0 to affine_map<(d0) -> (d0 + 1)>(%i) {
      %c = affine.load %C[%i, %j] : memref<30x30xf64>
      %sum = arith.addf %c, %v : f64
      affine.store %sum, %C[%i, %j] : memref<30x30xf64>
  } } }
  return
}

// A sum into one element waits for itself, bubbles or not.
// CHECK-LABEL: func @one_element
func.func @one_element(%C: memref<1xf64>, %v: f64) {
  // CHECK-NOT: hls.at_least
  affine.for %i = 0 to 30 {
    %c = affine.load %C[0] : memref<1xf64>
    %sum = arith.addf %c, %v : f64
    affine.store %sum, %C[0] : memref<1xf64>
  }
  return
}
