// RUN: spindle-opt %s --hls-hoist-invariants --hls-share-arrays | FileCheck %s

// CHECK-LABEL: func @hoist
func.func @hoist(%a: memref<8xf64>, %s: f64, %t: f64) {
  // CHECK: %[[p:.*]] = arith.mulf
  // CHECK: affine.for
  affine.for %i = 0 to 8 {
    %x = affine.load %a[%i] : memref<8xf64>
    %p = arith.mulf %s, %t : f64
    %y = arith.mulf %x, %p : f64
    affine.store %y, %a[%i] : memref<8xf64>
  }
  return
}

// CHECK-LABEL: func @share
func.func @share(%s: f64) -> f64 {
  // CHECK: %[[m:.*]] = memref.alloc
  // CHECK-NOT: memref.alloc
  %a = memref.alloc() : memref<f64>
  %b = memref.alloc() : memref<f64>
  affine.store %s, %a[] : memref<f64>
  %x = affine.load %a[] : memref<f64>
  // CHECK: affine.load %[[m]]
  // CHECK: affine.store %{{.*}}, %[[m]]
  affine.store %x, %b[] : memref<f64>
  %y = affine.load %b[] : memref<f64>
  return %y : f64
}
