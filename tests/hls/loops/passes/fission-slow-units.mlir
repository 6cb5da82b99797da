// RUN: spindle-opt %s "--hls-fission-loops=target=zynq-7020-100mhz" | FileCheck %s
// RUN: spindle-opt %s --hls-fission-loops | FileCheck %s --check-prefix=UNKNOWN

// A division per row would hold up every iteration of the sum, whose loops then could not change
// places either: it gets a loop of its own. Without a target nothing is slow.
// CHECK-LABEL: func @averages
// UNKNOWN-LABEL: func @averages
func.func @averages(%A: memref<42x38xf64>, %q: memref<42xf64>, %zero: f64, %n: f64) {
  // CHECK: affine.for %{{.*}} = 0 to 42 {
  // CHECK-NEXT: affine.store
  // CHECK-NEXT: affine.for %{{.*}} = 0 to 38 {
  // CHECK: affine.for %{{.*}} = 0 to 42 {
  // CHECK-NEXT: affine.load
  // CHECK-NEXT: arith.divf
  // CHECK-NEXT: affine.store
  // CHECK-NEXT: }
  // UNKNOWN-COUNT-2: affine.for
  // UNKNOWN-NOT: affine.for
  // UNKNOWN: return
  affine.for %i = 0 to 42 {
    affine.store %zero, %q[%i] : memref<42xf64>
    affine.for %j = 0 to 38 {
      %a = affine.load %A[%i, %j] : memref<42x38xf64>
      %old = affine.load %q[%i] : memref<42xf64>
      %sum = arith.addf %old, %a : f64
      affine.store %sum, %q[%i] : memref<42xf64>
    }
    %all = affine.load %q[%i] : memref<42xf64>
    %average = arith.divf %all, %n : f64
    affine.store %average, %q[%i] : memref<42xf64>
  }
  return
}
