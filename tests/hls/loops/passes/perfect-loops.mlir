// RUN: spindle-opt %s --hls-perfect-loops | FileCheck %s

// The first value of a sum is chosen instead of stored and loaded again.
// CHECK-LABEL: func @sum
func.func @sum(%s: memref<20xf64>, %A: memref<20x30xf64>) {
  // CHECK: %[[ZERO:.*]] = arith.constant 0.0
  %zero = arith.constant 0.0 : f64
  // CHECK: affine.for %[[I:.*]] = 0 to 20 {
  affine.for %i = 0 to 20 {
    affine.store %zero, %s[%i] : memref<20xf64>
    // CHECK-NEXT: affine.for %[[J:.*]] = 0 to 30 {
    affine.for %j = 0 to 30 {
      // CHECK-NEXT: %[[OLD:.*]] = affine.load %{{.*}}[%[[I]]]
      // CHECK: %[[FIRST:.*]] = arith.cmpi eq, %[[J]]
      // CHECK-NEXT: %[[SO_FAR:.*]] = arith.select %[[FIRST]], %[[ZERO]], %[[OLD]]
      // CHECK-NEXT: affine.load %{{.*}}[%[[I]], %[[J]]]
      // CHECK-NEXT: %[[SUM:.*]] = arith.addf %[[SO_FAR]]
      // CHECK-NEXT: affine.store %[[SUM]], %{{.*}}[%[[I]]]
      // CHECK-NEXT: }
      %a = affine.load %A[%i, %j] : memref<20x30xf64>
      %old = affine.load %s[%i] : memref<20xf64>
      %sum = arith.addf %old, %a : f64
      affine.store %sum, %s[%i] : memref<20xf64>
    }
  }
  return
}

// What stands behind the loop runs in its last iteration and takes the value that was just stored.
// CHECK-LABEL: func @mean
func.func @mean(%s: memref<20xf64>, %m: memref<20xf64>, %A: memref<20x30xf64>, %n: f64) {
  // CHECK: affine.for %[[I:.*]] = 0 to 20 {
  affine.for %i = 0 to 20 {
    // CHECK-NEXT: affine.for %[[J:.*]] = 0 to 30 {
    affine.for %j = 0 to 30 {
      // CHECK: %[[SUM:.*]] = arith.addf
      // CHECK-NEXT: affine.store %[[SUM]]
      %a = affine.load %A[%i, %j] : memref<20x30xf64>
      %old = affine.load %s[%i] : memref<20xf64>
      %sum = arith.addf %old, %a : f64
      affine.store %sum, %s[%i] : memref<20xf64>
    }
    // CHECK-NEXT: affine.if #{{.*}}(%[[J]]) {
    // CHECK-NEXT: arith.divf %[[SUM]]
    // CHECK-NEXT: affine.store %{{.*}}[%[[I]]]
    %all = affine.load %s[%i] : memref<20xf64>
    %mean = arith.divf %all, %n : f64
    affine.store %mean, %m[%i] : memref<20xf64>
  }
  return
}

// A loop that may be empty cannot run what stands beside it.
// CHECK-LABEL: func @may_be_empty
func.func @may_be_empty(%s: memref<20xf64>, %A: memref<20x20xf64>, %zero: f64) {
  // CHECK: affine.for %[[I:.*]] = 0 to 20 {
  // CHECK-NEXT: affine.store %{{.*}}[%[[I]]]
  affine.for %i = 0 to 20 {
    affine.store %zero, %s[%i] : memref<20xf64>
    affine.for %j = 0 to affine_map<(d0) -> (d0)>(%i) {
      %a = affine.load %A[%i, %j] : memref<20x20xf64>
      %old = affine.load %s[%i] : memref<20xf64>
      %sum = arith.addf %old, %a : f64
      affine.store %sum, %s[%i] : memref<20xf64>
    }
  }
  return
}

// A condition that yields a value is a statement, too, before and behind the loop.
// CHECK-LABEL: func @chosen
func.func @chosen(%s: memref<20xf64>, %m: memref<20xf64>, %A: memref<20x30xf64>, %zero: f64) {
  // CHECK: affine.for %[[I:.*]] = 0 to 20 {
  // CHECK-NEXT: affine.for %[[J:.*]] = 0 to 30 {
  affine.for %i = 0 to 20 {
    %w = affine.load %m[%i] : memref<20xf64>
    %is_positive = arith.cmpf ogt, %w, %zero : f64
    // CHECK: scf.if %{{.*}} -> (f64) {
    %first = scf.if %is_positive -> f64 {
      %square = arith.mulf %w, %w : f64
      scf.yield %square : f64
    } else {
      scf.yield %zero : f64
    }
    affine.store %first, %s[%i] : memref<20xf64>
    affine.for %j = 0 to 30 {
      %a = affine.load %A[%i, %j] : memref<20x30xf64>
      %old = affine.load %s[%i] : memref<20xf64>
      %sum = arith.addf %old, %a : f64
      affine.store %sum, %s[%i] : memref<20xf64>
    }
    // CHECK: affine.if #{{.*}}(%[[J]]) {
    // CHECK: affine.if #{{.*}}(%[[I]]) -> f64 {
    %all = affine.load %s[%i] : memref<20xf64>
    %kept = affine.if affine_set<(d0) : (d0 - 1 >= 0)>(%i) -> f64 {
      affine.yield %all : f64
    } else {
      affine.yield %zero : f64
    }
    affine.store %kept, %m[%i] : memref<20xf64>
    // CHECK: return
  }
  return
}

// What the loop before it has stored is read once: it stores again only after that.
// CHECK-LABEL: func @least
func.func @least(%best: memref<1xf64>, %s: memref<20xf64>, %A: memref<20x30xf64>) {
  // CHECK: affine.for %{{.*}} = 0 to 20 {
  // CHECK-NEXT: affine.for %[[J:.*]] = 0 to 30 {
  affine.for %i = 0 to 20 {
    %so_far = affine.load %best[0] : memref<1xf64>
    affine.for %j = 0 to 30 {
      %a = affine.load %A[%i, %j] : memref<20x30xf64>
      %old = affine.load %s[%i] : memref<20xf64>
      %sum = arith.addf %old, %a : f64
      affine.store %sum, %s[%i] : memref<20xf64>
    }
    // CHECK: %[[LEAST:.*]] = arith.minimumf
    // CHECK-NEXT: affine.if #{{.*}}(%[[J]]) {
    // CHECK-NEXT: affine.store %[[LEAST]]
    %all = affine.load %s[%i] : memref<20xf64>
    %least = arith.minimumf %so_far, %all : f64
    affine.store %least, %best[0] : memref<1xf64>
  }
  return
}

// Each row looks for the least sum from where the row before has led: all of its iterations wait for
// the last one of that row, in this order, and there is no other. The rows stay apart.
// CHECK-LABEL: func @trace_back
func.func @trace_back(%cost: memref<8x8xf64>, %path: memref<10xi8>, %m: memref<9xf64>, %w: memref<9xi8>) {
  %none = arith.constant 0 : i8
  // CHECK: affine.for %[[U:.*]] = 0 to 9 {
  // CHECK-NEXT: affine.load %{{.*}}[%[[U]]]
  // CHECK: affine.for %{{.*}} = 1 to 8 {
  // CHECK: }
  // CHECK-NEXT: affine.load
  // CHECK-NEXT: affine.store %{{.*}}[%[[U]] + 1]
  affine.for %u = 0 to 9 {
    %from = affine.load %path[%u] : memref<10xi8>
    %row = arith.index_castui %from : i8 to index
    %start = memref.load %cost[%row, %row] : memref<8x8xf64>
    affine.store %start, %m[%u] : memref<9xf64>
    affine.store %none, %w[%u] : memref<9xi8>
    affine.for %s = 1 to 8 {
      %least = affine.load %m[%u] : memref<9xf64>
      %which = affine.load %w[%u] : memref<9xi8>
      %c = memref.load %cost[%row, %s] : memref<8x8xf64>
      %sum = arith.addf %c, %start : f64
      %lt = arith.cmpf olt, %sum, %least : f64
      %n = arith.select %lt, %sum, %least : f64
      %si = arith.index_cast %s : index to i8
      %x = arith.select %lt, %si, %which : i8
      affine.store %n, %m[%u] : memref<9xf64>
      affine.store %x, %w[%u] : memref<9xi8>
    }
    %to = affine.load %w[%u] : memref<9xi8>
    affine.store %to, %path[%u + 1] : memref<10xi8>
  }
  return
}
