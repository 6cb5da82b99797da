// RUN: spindle-opt %s --hls-fission-loops | FileCheck %s --check-prefix=FISSION
// RUN: spindle-opt %s --hls-fission-loops --hls-perfect-loops --hls-fuse-loops | FileCheck %s --check-prefix=FUSE
// RUN: spindle-opt %s --hls-fission-loops --hls-perfect-loops "--hls-fuse-loops=limits=mulf_f64=1" | FileCheck %s --check-prefix=LIMIT

// Two sums over one matrix become two nests; the initial value stays with its sum.
// FISSION-LABEL: func @two_sums
func.func @two_sums(%A: memref<42x38xf64>, %s: memref<38xf64>, %q: memref<42xf64>, %zero: f64) {
  // FISSION: affine.for %[[I:.*]] = 0 to 42 {
  // FISSION-NEXT: affine.store %{{.*}}, %[[Q:.*]][%[[I]]]
  // FISSION-NEXT: affine.for
  // FISSION-NOT: affine.for
  // FISSION: affine.store %{{.*}}, %[[Q]][%[[I]]]
  // FISSION: affine.for %{{.*}} = 0 to 42 {
  // FISSION-NEXT: affine.for
  affine.for %i = 0 to 42 {
    affine.store %zero, %q[%i] : memref<42xf64>
    affine.for %j = 0 to 38 {
      %a = affine.load %A[%i, %j] : memref<42x38xf64>
      %s_old = affine.load %s[%j] : memref<38xf64>
      %s_sum = arith.addf %s_old, %a : f64
      affine.store %s_sum, %s[%j] : memref<38xf64>
      %q_old = affine.load %q[%i] : memref<42xf64>
      %q_sum = arith.addf %q_old, %a : f64
      affine.store %q_sum, %q[%i] : memref<42xf64>
    }
  }
  return
}

// A statement that reads what the next iteration of the other overwrites cannot be parted from it.
// FISSION-LABEL: func @circle
func.func @circle(%a: memref<21xf64>, %b: memref<21xf64>) {
  // FISSION-COUNT-1: affine.for
  // FISSION-NOT: affine.for
  // FISSION: return
  affine.for %i = 0 to 20 {
    %x = affine.load %b[%i] : memref<21xf64>
    affine.store %x, %a[%i] : memref<21xf64>
    %y = affine.load %a[%i] : memref<21xf64>
    affine.store %y, %b[%i + 1] : memref<21xf64>
  }
  return
}

// Scaling goes into the first iteration of the sum that follows, unless there is one multiplier.
// FUSE-LABEL: func @scaled_sum
// LIMIT-LABEL: func @scaled_sum
func.func @scaled_sum(%C: memref<20x25xf64>, %A: memref<20x30xf64>, %B: memref<30x25xf64>, %beta: f64) {
  // FUSE: affine.for %{{.*}} = 0 to 20
  // FUSE-NEXT: affine.for %[[K:.*]] = 0 to 30
  // FUSE-NEXT: affine.for %{{.*}} = 0 to 25
  // FUSE: arith.mulf
  // FUSE: arith.cmpi eq, %[[K]]
  // FUSE-NEXT: arith.select
  // FUSE: affine.store
  // FUSE-NOT: affine.for
  // LIMIT: affine.for %{{.*}} = 0 to 20
  // LIMIT: affine.for %{{.*}} = 0 to 25
  // LIMIT: affine.for %{{.*}} = 0 to 20
  // LIMIT: affine.for %{{.*}} = 0 to 30
  affine.for %i = 0 to 20 {
    affine.for %j = 0 to 25 {
      %c = affine.load %C[%i, %j] : memref<20x25xf64>
      %scaled = arith.mulf %c, %beta : f64
      affine.store %scaled, %C[%i, %j] : memref<20x25xf64>
    }
    affine.for %k = 0 to 30 {
      affine.for %j = 0 to 25 {
        %a = affine.load %A[%i, %k] : memref<20x30xf64>
        %b = affine.load %B[%k, %j] : memref<30x25xf64>
        %product = arith.mulf %a, %b : f64
        %c = affine.load %C[%i, %j] : memref<20x25xf64>
        %sum = arith.addf %c, %product : f64
        affine.store %sum, %C[%i, %j] : memref<20x25xf64>
      }
    }
  }
  return
}
