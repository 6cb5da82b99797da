// RUN: spindle-opt %s --hls-forward-results | FileCheck %s

// A sum carried by the inner loop goes into a word for each iteration of the loop around it.
// CHECK-LABEL: func @carried
func.func @carried(%s: memref<20xf64>, %A: memref<20x30xf64>, %zero: f64) {
  // CHECK: %[[SUMS:.*]] = memref.alloc() : memref<18xf64>
  // CHECK: affine.for %[[I:.*]] = 2 to 20 {
  affine.for %i = 2 to 20 {
    // CHECK-NEXT: affine.store %{{.*}}, %[[SUMS]][%[[I]] - 2]
    // CHECK-NEXT: affine.for %[[J:.*]] = 0 to 30 {
    // CHECK-NEXT: %[[OLD:.*]] = affine.load %[[SUMS]][%[[I]] - 2]
    // CHECK: %[[NEW:.*]] = arith.addf %[[OLD]]
    // CHECK-NEXT: affine.store %[[NEW]], %[[SUMS]][%[[I]] - 2]
    // CHECK-NEXT: }
    // CHECK-NEXT: %[[SUM:.*]] = affine.load %[[SUMS]][%[[I]] - 2]
    // CHECK-NEXT: affine.store %[[SUM]]
    %sum = affine.for %j = 0 to 30 iter_args(%old = %zero) -> f64 {
      %a = affine.load %A[%i, %j] : memref<20x30xf64>
      %new = arith.addf %old, %a : f64
      affine.yield %new : f64
    }
    affine.store %sum, %s[%i] : memref<20xf64>
  }
  return
}

// Words that one iteration reads twice, writes and reads again, or writes twice.
// CHECK-LABEL: func @in_one_iteration
func.func @in_one_iteration(%a: memref<20xf64>, %b: memref<20xf64>, %zero: f64) {
  // CHECK: affine.for %[[I:.*]] = 0 to 20 {
  affine.for %i = 0 to 20 {
    // CHECK-NEXT: %[[A:.*]] = affine.load %{{.*}}[%[[I]]]
    // CHECK-NEXT: %[[SUM:.*]] = arith.addf %[[A]], %[[A]]
    // CHECK-NEXT: %[[TWICE:.*]] = arith.addf %[[SUM]], %[[SUM]]
    // CHECK-NEXT: affine.store %[[TWICE]]
    // CHECK-NEXT: }
    %x = affine.load %a[%i] : memref<20xf64>
    %y = affine.load %a[%i] : memref<20xf64>
    affine.store %zero, %b[%i] : memref<20xf64>
    %sum = arith.addf %x, %y : f64
    affine.store %sum, %b[%i] : memref<20xf64>
    %z = affine.load %b[%i] : memref<20xf64>
    %twice = arith.addf %z, %z : f64
    affine.store %twice, %b[%i] : memref<20xf64>
  }
  return
}

// Another element of the array may be the same one: nothing is known behind that store.
// CHECK-LABEL: func @may_be_the_same
func.func @may_be_the_same(%a: memref<20xf64>, %v: f64) {
  // CHECK: affine.load
  // CHECK: affine.store
  // CHECK: affine.load
  // CHECK: affine.store
  affine.for %i = 0 to 19 {
    %x = affine.load %a[%i] : memref<20xf64>
    %w = arith.addf %x, %v : f64
    affine.store %w, %a[18 - %i] : memref<20xf64>
    %y = affine.load %a[%i] : memref<20xf64>
    %sum = arith.mulf %y, %w : f64
    affine.store %sum, %a[%i] : memref<20xf64>
  }
  return
}

// Here it cannot: no integer is 19 minus itself.
// CHECK-LABEL: func @never_the_same
func.func @never_the_same(%a: memref<20xf64>, %v: f64) {
  // CHECK: affine.load
  // CHECK: affine.store
  // CHECK-NOT: affine.load
  // CHECK: affine.store
  affine.for %i = 0 to 20 {
    %x = affine.load %a[%i] : memref<20xf64>
    %w = arith.addf %x, %v : f64
    affine.store %w, %a[19 - %i] : memref<20xf64>
    %y = affine.load %a[%i] : memref<20xf64>
    %sum = arith.mulf %y, %w : f64
    affine.store %sum, %a[%i] : memref<20xf64>
  }
  return
}
