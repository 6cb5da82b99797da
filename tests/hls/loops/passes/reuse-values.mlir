// RUN: spindle-opt %s --hls-reuse-values --split-input-file | FileCheck %s

// The stored value goes on; a store that may touch the element ends it.
// CHECK-LABEL: func @forward
func.func @forward(%a: memref<9xf64>, %s: f64) {
  affine.for %i = 0 to 8 {
    // CHECK: affine.store %[[s:.*]], %{{.*}}[%[[i:.*]]]
    // CHECK-NEXT: affine.store %[[s]], %{{.*}}[%[[i]] + 1]
    // CHECK-NEXT: affine.store %[[s]], %{{.*}}[-%[[i]] + 8]
    // CHECK-NEXT: affine.load
    affine.store %s, %a[%i] : memref<9xf64>
    %x = affine.load %a[%i] : memref<9xf64>
    affine.store %x, %a[%i + 1] : memref<9xf64>
    %y = affine.load %a[%i] : memref<9xf64>
    affine.store %y, %a[8 - %i] : memref<9xf64>
    %z = affine.load %a[%i] : memref<9xf64>
    affine.store %z, %a[0] : memref<9xf64>
  }
  return
}

// -----

// Two branches multiply alike: once, in front of them.
#first = affine_set<(d0) : (-d0 + 3 >= 0)>
#last = affine_set<(d0) : (d0 - 6 >= 0)>
// CHECK-LABEL: func @branches
func.func @branches(%a: memref<8xf64>, %b: memref<8xf64>, %s: f64) {
  affine.for %i = 0 to 8 {
    // CHECK: %[[x:.*]] = affine.load
    // CHECK-NEXT: %[[p:.*]] = arith.mulf %[[x]]
    // CHECK-NEXT: affine.if
    // CHECK-NEXT: affine.store %[[p]]
    // CHECK: affine.if
    // CHECK-NEXT: affine.store %[[p]]
    %x = affine.load %a[%i] : memref<8xf64>
    affine.if #first(%i) {
      %p = arith.mulf %x, %s : f64
      affine.store %p, %b[%i] : memref<8xf64>
    }
    affine.if #last(%i) {
      %y = affine.load %a[%i] : memref<8xf64>
      %p = arith.mulf %y, %s : f64
      affine.store %p, %b[%i] : memref<8xf64>
    }
  }
  return
}

// -----

// As a nest unrolled twice leaves it: a word that two copies read under conditions of which one holds the other is read once.
#j = affine_set<(d0) : (-d0 + 3 >= 0)>
#i = affine_set<(d0) : (-d0 + 2 >= 0)>
// CHECK-LABEL: func @copies
func.func @copies(%b: memref<9xf64>, %c: memref<8x9xf64>) {
  affine.for %i = 0 to 4 {
    affine.for %j = 0 to 5 {
      // CHECK: %[[x:.*]] = affine.if #{{.*}} -> f64 {
      // CHECK-NEXT: %[[word:.*]] = affine.load
      // CHECK-NEXT: affine.yield %[[word]]
      // CHECK-NOT: affine.load
      // CHECK: affine.if
      // CHECK-NEXT: affine.store %[[x]]
      affine.if #j(%j) {
        %x = affine.load %b[%j * 2 + 1] : memref<9xf64>
        affine.store %x, %c[%i * 2, %j * 2 + 1] : memref<8x9xf64>
      }
      // CHECK: affine.if
      // CHECK: affine.if
      // CHECK-NEXT: affine.store %[[x]]
      affine.if #i(%i) {
        affine.if #j(%j) {
          %x = affine.load %b[%j * 2 + 1] : memref<9xf64>
          affine.store %x, %c[%i * 2 + 1, %j * 2 + 1] : memref<8x9xf64>
        }
      }
    }
  }
  return
}

// -----

// Not one condition holds the other: whether the word is there, neither says.
#even = affine_set<(d0) : (d0 mod 2 == 0)>
#few = affine_set<(d0) : (-d0 + 3 >= 0)>
// CHECK-LABEL: func @others
func.func @others(%b: memref<8xf64>, %c: memref<8x2xf64>) {
  affine.for %i = 0 to 8 {
    // CHECK: affine.if
    // CHECK-NEXT: affine.load
    affine.if #few(%i) {
      %x = affine.load %b[%i] : memref<8xf64>
      affine.store %x, %c[%i, 0] : memref<8x2xf64>
    }
    // CHECK: affine.if
    // CHECK-NEXT: affine.load
    affine.if #even(%i) {
      %x = affine.load %b[%i] : memref<8xf64>
      affine.store %x, %c[%i, 1] : memref<8x2xf64>
    }
  }
  return
}
