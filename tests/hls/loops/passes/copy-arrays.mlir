// RUN: spindle-opt %s --hls-copy-arrays | FileCheck %s

// The rows below i hold what was there before the nest: they are read from a copy.
// CHECK-LABEL: func @triangular
func.func @triangular(%B: memref<20x30xf64>, %A: memref<20x20xf64>) {
  // CHECK: %[[COPY:.*]] = memref.alloc() : memref<20x30xf64>
  // CHECK: affine.for %[[R:.*]] = 0 to 20 {
  // CHECK-NEXT: affine.for %[[C:.*]] = 0 to 30 {
  // CHECK-NEXT: %[[WORD:.*]] = affine.load %[[B:.*]][%[[R]], %[[C]]]
  // CHECK-NEXT: affine.store %[[WORD]], %[[COPY]][%[[R]], %[[C]]]
  // CHECK: affine.for %[[I:.*]] = 0 to 19 {
  // CHECK-NEXT: affine.for %[[K:.*]] =
  // CHECK-NEXT: affine.for %[[J:.*]] = 0 to 30 {
  affine.for %i = 0 to 19 { affine.for %k = affine_map<(d0) -> (d0 + 1)>(%i) to 20 { affine.for %j = 0 to 30 {
    // CHECK: affine.load %[[COPY]][%[[K]], %[[J]]]
    // CHECK: affine.load %[[B]][%[[I]], %[[J]]]
    // CHECK: affine.store %{{.*}}, %[[B]][%[[I]], %[[J]]]
    %a = affine.load %A[%k, %i] : memref<20x20xf64>
    %b = affine.load %B[%k, %j] : memref<20x30xf64>
    %product = arith.mulf %a, %b : f64
    %c = affine.load %B[%i, %j] : memref<20x30xf64>
    %sum = arith.addf %c, %product : f64
    affine.store %sum, %B[%i, %j] : memref<20x30xf64>
  } } }
  return
}
