// RUN: spindle-opt %s --pass-pipeline='builtin.module(func.func(hls-widen-loops{factor=2},hls-unroll-loops,hls-widen-loops{factor=5},hls-unroll-loops))' --split-input-file | FileCheck %s

// The first factor goes to the innermost loop, the second one to i, which leaves fewer iterations
// than j; k is a reduction.
// CHECK-LABEL: func @product
func.func @product(%a: memref<10x20xf32>, %b: memref<20x4xf32>, %c: memref<10x4xf32>) {
  // CHECK: affine.for %[[k:.*]] = 0 to 20 {
  // CHECK-NEXT: affine.for %[[j:.*]] = 0 to 2 {
  // CHECK-NEXT: affine.for %[[i:.*]] = 0 to 2 {
  // CHECK-COUNT-10: arith.addf
  // CHECK: affine.store %{{.*}}, %{{.*}}[%[[i]] * 5 + 4, %[[j]] * 2 + 1]
  // CHECK-NOT: affine.if
  affine.for %k = 0 to 20 {
    affine.for %i = 0 to 10 {
      affine.for %j = 0 to 4 {
        %x = affine.load %a[%i, %k] : memref<10x20xf32>
        %y = affine.load %b[%k, %j] : memref<20x4xf32>
        %p = arith.mulf %x, %y : f32
        %old = affine.load %c[%i, %j] : memref<10x4xf32>
        %sum = arith.addf %old, %p : f32
        affine.store %sum, %c[%i, %j] : memref<10x4xf32>
      }
    }
  }
  return
}

// -----

// Nothing but the reduction is left: it is legal, and last in the order.
// CHECK-LABEL: func @vector
func.func @vector(%a: memref<10x20xf32>, %c: memref<10xf32>) {
  // CHECK: affine.for %[[i:.*]] = 0 to 5 {
  // CHECK-NEXT: affine.for %[[k:.*]] = 0 to 4 {
  // CHECK: affine.load %{{.*}}[%[[i]] * 2 + 1, %[[k]] * 5 + 4]
  affine.for %k = 0 to 20 {
    affine.for %i = 0 to 10 {
      %x = affine.load %a[%i, %k] : memref<10x20xf32>
      %old = affine.load %c[%i] : memref<10xf32>
      %sum = arith.addf %old, %x : f32
      affine.store %sum, %c[%i] : memref<10xf32>
    }
  }
  return
}

// -----

// An iteration of i needs the next j of the one before: i cannot be innermost and stays whole.
// CHECK-LABEL: func @wavefront
func.func @wavefront(%c: memref<10x21xf32>) {
  // CHECK: affine.for %{{.*}} = 1 to 10 {
  // CHECK-NEXT: affine.for %{{.*}} = 0 to 10 {
  // CHECK-COUNT-2: affine.store
  // CHECK-NOT: affine.store
  affine.for %i = 1 to 10 {
    affine.for %j = 0 to 20 {
      %x = affine.load %c[%i - 1, %j + 1] : memref<10x21xf32>
      affine.store %x, %c[%i, %j] : memref<10x21xf32>
    }
  }
  return
}
