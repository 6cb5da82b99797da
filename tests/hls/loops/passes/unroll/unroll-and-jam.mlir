// RUN: spindle-opt %s --hls-unroll-and-jam --split-input-file | FileCheck %s

// Two sums side by side; the carried value becomes two.
// CHECK-LABEL: func @rows
func.func @rows(%a: memref<8x5xf64>, %x: memref<5xf64>, %y: memref<8xf64>) {
  // CHECK: affine.for %[[i:.*]] = 0 to 4 {
  // CHECK: %[[y0:.*]] = affine.load %{{.*}}[%[[i]] * 2]
  // CHECK: %[[y1:.*]] = affine.load %{{.*}}[%[[i]] * 2 + 1]
  // CHECK: %[[sums:.*]]:2 = affine.for %{{.*}} = 0 to 5 iter_args(%{{.*}} = %[[y0]], %{{.*}} = %[[y1]])
  // CHECK-COUNT-2: arith.addf
  // CHECK: affine.store %[[sums]]#0, %{{.*}}[%[[i]] * 2]
  // CHECK: affine.store %[[sums]]#1, %{{.*}}[%[[i]] * 2 + 1]
  affine.for %i = 0 to 8 {
    %y0 = affine.load %y[%i] : memref<8xf64>
    %sum = affine.for %j = 0 to 5 iter_args(%acc = %y0) -> (f64) {
      %m = affine.load %a[%i, %j] : memref<8x5xf64>
      %v = affine.load %x[%j] : memref<5xf64>
      %p = arith.mulf %m, %v : f64
      %s = arith.addf %acc, %p : f64
      affine.yield %s : f64
    }
    affine.store %sum, %y[%i] : memref<8xf64>
  } {hls.unroll_and_jam = 2 : i64}
  return
}

// -----

// CHECK-LABEL: func @remainder
func.func @remainder(%a: memref<7x5xf64>) {
  // CHECK: affine.for %{{.*}} = 0 to 2 {
  // CHECK: affine.for
  // CHECK-COUNT-3: affine.store
  // CHECK: affine.for %[[j:.*]] = 0 to 5
  // CHECK: affine.store %{{.*}}, %{{.*}}[6, %[[j]]]
  affine.for %i = 0 to 7 {
    affine.for %j = 0 to 5 {
      %m = affine.load %a[%i, %j] : memref<7x5xf64>
      %s = arith.addf %m, %m : f64
      affine.store %s, %a[%i, %j] : memref<7x5xf64>
    }
  } {hls.unroll_and_jam = 3 : i64}
  return
}
