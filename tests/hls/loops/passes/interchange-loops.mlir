// RUN: spindle-opt %s --hls-interchange-loops | FileCheck %s

// A reduction leaves the innermost loop: the additions into one element are a row apart.
// CHECK-LABEL: func @product
func.func @product(%C: memref<20x25xf64>, %A: memref<20x30xf64>, %B: memref<30x25xf64>) {
  // CHECK: affine.for %[[I:.*]] = 0 to 20
  // CHECK-NEXT: affine.for %[[K:.*]] = 0 to 30
  // CHECK-NEXT: affine.for %[[J:.*]] = 0 to 25
  // CHECK-NEXT: affine.load %{{.*}}[%[[I]], %[[K]]]
  affine.for %i = 0 to 20 { affine.for %j = 0 to 25 { affine.for %k = 0 to 30 {
    %a = affine.load %A[%i, %k] : memref<20x30xf64>
    %b = affine.load %B[%k, %j] : memref<30x25xf64>
    %product = arith.mulf %a, %b : f64
    %c = affine.load %C[%i, %j] : memref<20x25xf64>
    %sum = arith.addf %c, %product : f64
    affine.store %sum, %C[%i, %j] : memref<20x25xf64>
  } } }
  return
}

// A triangle keeps its shape: its short rows follow each other in one iteration of k.
// CHECK-LABEL: func @triangle
func.func @triangle(%C: memref<30x30xf64>, %A: memref<30x20xf64>) {
  // CHECK: affine.for %[[K:.*]] = 0 to 20
  // CHECK-NEXT: affine.for %[[I:.*]] = 0 to 30
  // CHECK-NEXT: affine.for %[[J:.*]] = 0 to #{{.*}}(%[[I]])
  affine.for %i = 0 to 30 { affine.for %k = 0 to 20 {
    affine.for %j = 0 to affine_map<(d0) -> (d0 + 1)>(%i) {
      %a = affine.load %A[%i, %k] : memref<30x20xf64>
      %c = affine.load %C[%i, %j] : memref<30x30xf64>
      %sum = arith.addf %c, %a : f64
      affine.store %sum, %C[%i, %j] : memref<30x30xf64>
  } } }
  return
}

// Bounds that read the loop that moves inside are computed anew.
// CHECK-LABEL: func @above_the_diagonal
func.func @above_the_diagonal(%C: memref<20xf64>, %A: memref<20x20xf64>) {
  // CHECK: affine.for %[[K:.*]] = 1 to 20
  // CHECK-NEXT: affine.for %[[I:.*]] = 0 to #{{.*}}(%[[K]])
  // CHECK-NEXT: affine.load %{{.*}}[%[[K]], %[[I]]]
  affine.for %i = 0 to 20 { affine.for %k = affine_map<(d0) -> (d0 + 1)>(%i) to 20 {
    %a = affine.load %A[%k, %i] : memref<20x20xf64>
    %c = affine.load %C[%i] : memref<20xf64>
    %sum = arith.addf %c, %a : f64
    affine.store %sum, %C[%i] : memref<20xf64>
  } }
  return
}

// The order of additions into one element is part of the meaning: no order but the written one.
// CHECK-LABEL: func @one_element
func.func @one_element(%C: memref<1xf64>, %A: memref<20x10xf64>) {
  // CHECK: affine.for %{{.*}} = 0 to 20
  // CHECK-NEXT: affine.for %{{.*}} = 0 to 10
  affine.for %i = 0 to 20 { affine.for %k = 0 to 10 {
    %a = affine.load %A[%i, %k] : memref<20x10xf64>
    %c = affine.load %C[0] : memref<1xf64>
    %sum = arith.addf %c, %a : f64
    affine.store %sum, %C[0] : memref<1xf64>
  } }
  return
}

// A convolution: the channel and the window of the kernel leave the inside together.
// CHECK-LABEL: func @convolution
func.func @convolution(%X: memref<2x6x6xf64>, %W: memref<3x2x3x3xf64>, %Y: memref<3x4x4xf64>) {
  // CHECK: affine.for %[[X:.*]] = 0 to 4
  // CHECK-NEXT: affine.for %[[C:.*]] = 0 to 2
  // CHECK-NEXT: affine.for %[[V:.*]] = 0 to 3
  // CHECK-NEXT: affine.for %[[H:.*]] = 0 to 3
  // CHECK-NEXT: affine.for %[[O:.*]] = 0 to 3
  // CHECK-NEXT: affine.for %[[Y:.*]] = 0 to 4
  // CHECK-NEXT: affine.load %{{.*}}[%[[C]], %[[Y]] + %[[V]], %[[X]] + %[[H]]]
  affine.for %o = 0 to 3 { affine.for %y = 0 to 4 { affine.for %x = 0 to 4 {
    affine.for %c = 0 to 2 { affine.for %v = 0 to 3 { affine.for %h = 0 to 3 {
      %a = affine.load %X[%c, %y + %v, %x + %h] : memref<2x6x6xf64>
      %w = affine.load %W[%o, %c, %v, %h] : memref<3x2x3x3xf64>
      %product = arith.mulf %a, %w : f64
      %sum = affine.load %Y[%o, %y, %x] : memref<3x4x4xf64>
      %new = arith.addf %sum, %product : f64
      affine.store %new, %Y[%o, %y, %x] : memref<3x4x4xf64>
    } } }
  } } }
  return
}
