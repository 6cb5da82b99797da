// RUN: spindle-opt %s --split-input-file -verify-diagnostics --hls-unroll-loops --hls-unroll-and-jam --hls-tile-loops --hls-buffer-arrays | FileCheck %s

// Directives of loops with known bounds count wherever other loops of the function end.
// CHECK-LABEL: @beside
// CHECK: affine.for %{{.*}} = 0 to 4 {
// CHECK-COUNT-2: affine.store
// CHECK: scf.for
// CHECK: affine.for %{{.*}} = 0 to 2 {
// CHECK-COUNT-4: affine.store
// CHECK-NOT: hls.
// CHECK: return
func.func @beside(%x: memref<8xi32>, %y: memref<8xi32>, %n: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  affine.for %i = 0 to 8 {
    %v = affine.load %x[%i] : memref<8xi32>
    affine.store %v, %y[%i] : memref<8xi32>
  } {hls.unroll = 2 : i64}
  scf.for %k = %c0 to %n step %c1 {
    affine.for %i = 0 to 8 {
      %v = affine.load %y[%i] : memref<8xi32>
      affine.store %v, %x[%i] : memref<8xi32>
    } {hls.unroll = 4 : i64}
  }
  return
}

// -----

// What data end, and what is around it, stays, and says so.
// CHECK-LABEL: @around
// CHECK: affine.for %{{.*}} = 0 to 8
// CHECK: scf.for
func.func @around(%x: memref<8xi32>, %n: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  // expected-warning @+1 {{'hls.unroll' is ignored: it is for loops that data end neither themselves nor inside}}
  affine.for %i = 0 to 8 {
    // expected-warning @+1 {{'hls.tile' is ignored: it is for loops that data end neither themselves nor inside}}
    scf.for %k = %c0 to %n step %c1 {
      %v = affine.load %x[%i] : memref<8xi32>
      affine.store %v, %x[%i] : memref<8xi32>
    } {hls.tile = 2 : i64}
  } {hls.unroll = 2 : i64}
  return
}
