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

// A sum through two loops that starts from a word and ends in it lives there.
// CHECK-LABEL: func @through_two_loops
func.func @through_two_loops(%A: memref<20x30xf64>, %s: memref<8xf64>) {
  // CHECK-NOT: memref.alloc
  // CHECK: affine.for %[[I:.*]] = 0 to 8 {
  affine.for %i = 0 to 8 {
    // CHECK-NEXT: affine.for
    // CHECK-NEXT: affine.for
    // CHECK-NEXT: %[[OLD:.*]] = affine.load %[[S:.*]][%[[I]]]
    // CHECK: %[[NEW:.*]] = arith.addf %[[OLD]]
    // CHECK-NEXT: affine.store %[[NEW]], %[[S]][%[[I]]]
    // CHECK-NEXT: }
    // CHECK-NEXT: }
    // CHECK-NEXT: }
    %start = affine.load %s[%i] : memref<8xf64>
    %sum = affine.for %j = 0 to 20 iter_args(%outer = %start) -> f64 {
      %row = affine.for %k = 0 to 30 iter_args(%old = %outer) -> f64 {
        %a = affine.load %A[%j, %k] : memref<20x30xf64>
        %new = arith.addf %old, %a : f64
        affine.yield %new : f64
      }
      affine.yield %row : f64
    }
    affine.store %sum, %s[%i] : memref<8xf64>
  }
  return
}

// The loop reads other words of the array, which have to be as they were before it.
// CHECK-LABEL: func @reads_its_own_array
func.func @reads_its_own_array(%s: memref<8xf64>) {
  // CHECK: memref.alloc() : memref<8xf64>
  affine.for %i = 0 to 8 {
    %start = affine.load %s[%i] : memref<8xf64>
    %sum = affine.for %j = 0 to 8 iter_args(%old = %start) -> f64 {
      %a = affine.load %s[%j] : memref<8xf64>
      %new = arith.addf %old, %a : f64
      affine.yield %new : f64
    }
    affine.store %sum, %s[%i] : memref<8xf64>
  }
  return
}

// What the first iteration of a sum starts from is loaded in every iteration: the sum itself then
// needs one load and one store.
// CHECK-LABEL: func @starts_from_memory
func.func @starts_from_memory(%v: memref<8xi32>, %w: memref<32xi32>, %s: memref<8xi32>) {
  affine.for %n = 0 to 8 {
    // CHECK: affine.for %[[K:.*]] = 0 to 32 {
    affine.for %k = 0 to 32 {
      // CHECK-NOT: affine.if
      // CHECK: affine.load %{{.*}}[%{{.*}}] : memref<8xi32>
      // CHECK: affine.load %{{.*}}[%{{.*}}] : memref<8xi32>
      // CHECK: arith.select
      // CHECK: affine.store
      // CHECK-NOT: affine.store
      affine.if affine_set<(d0) : (d0 == 0)>(%k) {
        %old = affine.load %v[%n] : memref<8xi32>
        %half = arith.addi %old, %old : i32
        affine.store %half, %s[%n] : memref<8xi32>
      }
      %sum = affine.load %s[%n] : memref<8xi32>
      %a = affine.load %w[%k] : memref<32xi32>
      %new = arith.addi %sum, %a : i32
      affine.store %new, %s[%n] : memref<8xi32>
    }
  }
  return
}

// No element may be read that the condition keeps away from.
// CHECK-LABEL: func @would_leave_the_array
func.func @would_leave_the_array(%v: memref<8xi32>, %w: memref<32xi32>, %s: memref<8xi32>) {
  affine.for %n = 0 to 8 {
    affine.for %k = 0 to 32 {
      // CHECK: affine.if
      // CHECK-NEXT: affine.load
      affine.if affine_set<(d0, d1) : (d0 == 0, d1 - 1 >= 0)>(%k, %n) {
        %old = affine.load %v[%n - 1] : memref<8xi32>
        affine.store %old, %s[%n] : memref<8xi32>
      }
      %sum = affine.load %s[%n] : memref<8xi32>
      %a = affine.load %w[%k] : memref<32xi32>
      %new = arith.addi %sum, %a : i32
      affine.store %new, %s[%n] : memref<8xi32>
    }
  }
  return
}

// A boundary that is written and read beside a loop: the second store does not wait for the first.
// CHECK-LABEL: func @beside
// CHECK: affine.store %[[V:.*]], %[[U:.*]][%[[I:[a-z0-9]*]]]
// CHECK-NEXT: affine.store %[[V]], %{{.*}}[%[[I]]]
// CHECK-NEXT: %[[OTHER:.*]] = affine.load %[[U]][%[[I]] + 1]
// CHECK-NEXT: affine.store %[[OTHER]], %{{.*}}[%[[I]]]
func.func @beside(%u: memref<9xf64>, %v: memref<8xf64>, %w: memref<8xf64>, %x: f64) {
  affine.for %i = 0 to 8 {
    affine.store %x, %u[%i] : memref<9xf64>
    %a = affine.load %u[%i] : memref<9xf64>
    affine.store %a, %v[%i] : memref<8xf64>
    %b = affine.load %u[%i + 1] : memref<9xf64>
    affine.store %b, %w[%i] : memref<8xf64>
    affine.for %j = 0 to 4 {
      %c = affine.load %v[%i] : memref<8xf64>
      %d = arith.addf %c, %x : f64
      affine.store %d, %v[%i] : memref<8xf64>
    }
  }
  return
}

// A value that a condition yields is moved with what the condition reads.
// CHECK-LABEL: func @condition_in_guard
func.func @condition_in_guard(%a: memref<8xi32>, %x: memref<8xi32>) {
  // CHECK: affine.for %[[I:.*]] = 0 to 8 {
  affine.for %i = 0 to 8 {
    // CHECK-NEXT: %[[OLD:.*]] = affine.load
    // CHECK-NEXT: %[[NEXT:.*]] = affine.apply
    // CHECK-NEXT: %[[NEW:.*]] = affine.if
    // CHECK-NEXT: arith.index_cast %[[NEXT]]
    // CHECK: arith.select %{{.*}}, %[[NEW]], %[[OLD]]
    %old = affine.load %a[%i] : memref<8xi32>
    affine.if affine_set<(d0) : (5 - d0 >= 0)>(%i) {
      %next = affine.apply affine_map<(d0) -> (d0 * 3 + 1)>(%i)
      %new = affine.if affine_set<(d0) : (d0 == 2)>(%i) -> i32 {
        %number = arith.index_cast %next : index to i32
        %sum = arith.addi %old, %number : i32
        affine.yield %sum : i32
      } else {
        affine.yield %old : i32
      }
      affine.store %new, %a[%i] : memref<8xi32>
    }
    %now = affine.load %a[%i] : memref<8xi32>
    affine.store %now, %x[%i] : memref<8xi32>
  }
  return
}
