// RUN: spindle-opt %s --hls-unroll-loops --split-input-file | FileCheck %s

// The remainder is guarded: one loop stays one loop.
// CHECK: #[[last:.*]] = affine_set<(d0) : (d0 * -2 + 3 >= 0)>
// CHECK-LABEL: func @remainder
func.func @remainder(%a: memref<5xf64>) {
  // CHECK: affine.for %[[t:.*]] = 0 to 3 {
  // CHECK: affine.store %{{.*}}, %{{.*}}[%[[t]] * 2]
  // CHECK: affine.if #[[last]](%[[t]]) {
  // CHECK: affine.store %{{.*}}, %{{.*}}[%[[t]] * 2 + 1]
  // CHECK-NOT: affine.for
  affine.for %i = 0 to 5 {
    %x = affine.load %a[%i] : memref<5xf64>
    %y = arith.addf %x, %x : f64
    affine.store %y, %a[%i] : memref<5xf64>
  } {hls.unroll = 2 : i64}
  return
}

// -----

// A factor that divides the trip count needs no guard; carried values go through all copies.
// CHECK-LABEL: func @carried
func.func @carried(%a: memref<8xf64>, %s: f64) -> f64 {
  // CHECK: affine.for %{{.*}} = 0 to 2 iter_args(%[[acc:.*]] = %{{.*}}) -> (f64) {
  // CHECK-NOT: affine.if
  // CHECK-COUNT-4: arith.addf
  // CHECK-NEXT: affine.yield
  %r = affine.for %i = 0 to 8 iter_args(%acc = %s) -> (f64) {
    %x = affine.load %a[%i] : memref<8xf64>
    %y = arith.addf %acc, %x : f64
    affine.yield %y : f64
  } {hls.unroll = 4 : i64}
  return %r : f64
}

// -----

// A triangle, completely: as many copies as the longest row has, each with its guard.
// CHECK-LABEL: func @triangle
func.func @triangle(%a: memref<3xf64>) {
  // CHECK: affine.for %[[i:.*]] = 0 to 3 {
  // CHECK-NOT: affine.for
  // CHECK: affine.load %{{.*}}[0]
  // CHECK: affine.if
  // CHECK: affine.load %{{.*}}[1]
  // CHECK: affine.if
  // CHECK: affine.load %{{.*}}[2]
  affine.for %i = 0 to 3 {
    affine.for %j = 0 to affine_map<(d0) -> (d0 + 1)>(%i) {
      %x = affine.load %a[%j] : memref<3xf64>
      affine.store %x, %a[%i] : memref<3xf64>
    } {hls.unroll = 0 : i64}
  }
  return
}

// -----

// The last iteration is the second lane's: the first one does not choose.
// CHECK-LABEL: func @last_lane
func.func @last_lane(%a: memref<8xf64>, %s: f64) {
  // CHECK: %[[x:.*]] = affine.load %{{.*}}[%[[t:.*]] * 2]
  // CHECK-NOT: arith.select
  // CHECK: affine.store %[[x]], %{{.*}}[%[[t]] * 2]
  // CHECK: %[[y:.*]] = affine.load %{{.*}}[%[[t]] * 2 + 1]
  // CHECK: %[[last:.*]] = arith.cmpi eq
  // CHECK: %[[v:.*]] = arith.select %[[last]], %{{.*}}, %[[y]]
  // CHECK-NEXT: affine.store %[[v]]
  %zero = arith.constant 0 : index
  affine.for %i = 0 to 8 {
    %x = affine.load %a[%i] : memref<8xf64>
    %left = affine.apply affine_map<(d0) -> (7 - d0)>(%i)
    %last = arith.cmpi eq, %left, %zero : index
    %v = arith.select %last, %s, %x : f64
    affine.store %v, %a[%i] : memref<8xf64>
  } {hls.unroll = 2 : i64}
  return
}
