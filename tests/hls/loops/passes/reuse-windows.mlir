// RUN: spindle-opt %s --hls-reuse-windows --split-input-file | FileCheck %s

// Three words of a row: each is read once, two iterations before it is read for; the others wait in registers.
// CHECK-LABEL: func @row
func.func @row(%x: memref<34xf32>, %y: memref<32xf32>) {
  // CHECK: %[[zero:.*]] = arith.constant 0.0
  // CHECK: affine.for %[[i:.*]] = -2 to 32 iter_args(%[[one:.*]] = %[[zero]], %[[two:.*]] = %[[zero]])
  // CHECK-NEXT: %[[new:.*]] = affine.load %{{.*}}[%[[i]] + 2]
  // CHECK-NEXT: affine.if
  // CHECK: arith.addf %[[two]], %[[one]]
  // CHECK: affine.yield %[[new]], %[[one]]
  affine.for %i = 0 to 32 {
    %a = affine.load %x[%i] : memref<34xf32>
    %b = affine.load %x[%i + 1] : memref<34xf32>
    %c = affine.load %x[%i + 2] : memref<34xf32>
    %d = arith.addf %a, %b : f32
    %e = arith.addf %d, %c : f32
    affine.store %e, %y[%i] : memref<32xf32>
  }
  return
}

// -----

// From row to row through a line of the lengthened loop.
// CHECK-LABEL: func @columns
func.func @columns(%x: memref<34x32xi16>, %y: memref<32x32xi16>) {
  // CHECK: %[[above:.*]] = memref.alloc() : memref<32xi16>
  // CHECK: %[[line:.*]] = memref.alloc() : memref<32xi16>
  // CHECK: affine.for %[[i:.*]] = -2 to 32
  // CHECK-NEXT: affine.for %[[j:.*]] = 0 to 32
  // CHECK-NEXT: %[[new:.*]] = affine.load %{{.*}}[%[[i]] + 2, %[[j]]]
  // CHECK-NEXT: %[[mid:.*]] = affine.load %[[line]][%[[j]]]
  // CHECK-NEXT: affine.store %[[new]], %[[line]][%[[j]]]
  // CHECK-NEXT: affine.load %[[above]][%[[j]]]
  // CHECK-NEXT: affine.store %[[mid]], %[[above]][%[[j]]]
  // CHECK-NEXT: affine.if
  affine.for %i = 0 to 32 {
    affine.for %j = 0 to 32 {
      %a = affine.load %x[%i, %j] : memref<34x32xi16>
      %b = affine.load %x[%i + 1, %j] : memref<34x32xi16>
      %c = affine.load %x[%i + 2, %j] : memref<34x32xi16>
      %d = arith.addi %a, %b : i16
      %e = arith.addi %d, %c : i16
      affine.store %e, %y[%i, %j] : memref<32x32xi16>
    }
  }
  return
}

// -----

// What the nest writes itself stays, and so do two words, for which there are ports.
// CHECK-LABEL: func @stays
func.func @stays(%x: memref<34xf32>, %y: memref<33xf32>) {
  // CHECK: affine.for %{{.*}} = 0 to 32 {
  // CHECK: affine.for %{{.*}} = 0 to 32 {
  affine.for %i = 0 to 32 {
    %a = affine.load %x[%i] : memref<34xf32>
    %b = affine.load %x[%i + 1] : memref<34xf32>
    %c = affine.load %x[%i + 2] : memref<34xf32>
    %d = arith.addf %a, %b : f32
    %e = arith.addf %d, %c : f32
    affine.store %e, %x[%i] : memref<34xf32>
  }
  affine.for %i = 0 to 32 {
    %a = affine.load %x[%i] : memref<34xf32>
    %b = affine.load %x[%i + 1] : memref<34xf32>
    %c = arith.addf %a, %b : f32
    affine.store %c, %y[%i] : memref<33xf32>
  }
  return
}
