// RUN: spindle-opt %s --hls-skew-loops | FileCheck %s

// Each element needs the new ones above and to the left: elements of one diagonal are independent.
// CHECK-LABEL: func @above_and_left
func.func @above_and_left(%A: memref<64x64xf64>) {
  // CHECK: affine.for %[[WAVE:.*]] = 2 to 127 {
  // CHECK-NEXT: affine.for %[[J:.*]] = max #{{.*}}(%[[WAVE]]) to min #{{.*}}(%[[WAVE]]) {
  // CHECK-NEXT: affine.load %{{.*}}[%[[WAVE]] - %[[J]] - 1, %[[J]]]
  // CHECK-NEXT: affine.load %{{.*}}[%[[WAVE]] - %[[J]], %[[J]] - 1]
  affine.for %i = 1 to 64 { affine.for %j = 1 to 64 {
    %a = affine.load %A[%i - 1, %j] : memref<64x64xf64>
    %b = affine.load %A[%i, %j - 1] : memref<64x64xf64>
    %sum = arith.addf %a, %b : f64
    affine.store %sum, %A[%i, %j] : memref<64x64xf64>
  } }
  return
}

// Nothing grows along a dependence on a fixed element.
// CHECK-LABEL: func @last_one
func.func @last_one(%A: memref<8x8xf64>) {
  // CHECK: affine.for %{{.*}} = 0 to 8
  // CHECK-NEXT: affine.for %{{.*}} = 0 to 8
  affine.for %i = 0 to 8 { affine.for %j = 0 to 8 {
    %a = affine.load %A[7, 7] : memref<8x8xf64>
    %b = affine.load %A[%i, %j] : memref<8x8xf64>
    %sum = arith.addf %a, %b : f64
    affine.store %sum, %A[%i, %j] : memref<8x8xf64>
  } }
  return
}
