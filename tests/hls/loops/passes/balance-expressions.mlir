// RUN: spindle-opt %s --hls-balance-expressions=floats --split-input-file | FileCheck %s --check-prefix=TREE
// RUN: spindle-opt %s --hls-balance-expressions="floats interleave=3" --split-input-file | FileCheck %s --check-prefix=TURNS
// RUN: spindle-opt %s --hls-balance-expressions --split-input-file | FileCheck %s --check-prefix=KEPT
// RUN: not spindle-opt %s --hls-balance-expressions=interleave=0 2>&1 | FileCheck %s --check-prefix=ZERO
// ZERO: 'interleave' is 0, expected the number of partial sums, 1 to leave sums alone

// The carried value is added last.
// TREE-LABEL: func @sum
// TREE: iter_args(%[[acc:.*]] = %
// TREE: %[[p:.*]] = arith.addf %[[x0:.*]], %[[x1:.*]] : f64
// TREE-NEXT: %[[q:.*]] = arith.addf
// TREE-NEXT: %[[r:.*]] = arith.addf %[[p]], %[[q]]
// TREE-NEXT: %[[t:.*]] = arith.addf %[[acc]], %[[r]]
// TREE-NEXT: affine.yield %[[t]]
// TURNS-LABEL: func @sum
// TURNS: %[[none:.*]] = arith.constant -0.000000e+00 : f64
// TURNS: iter_args(%[[a:.*]] = %{{.*}}, %[[b:.*]] = %[[none]], %[[c:.*]] = %[[none]])
// TURNS: %[[t:.*]] = arith.addf %[[a]]
// TURNS: affine.yield %[[b]], %[[c]], %[[t]]
// TURNS: arith.addf
// TURNS: arith.addf
// TURNS: return
// KEPT-LABEL: func @sum
// KEPT: iter_args(%[[acc:.*]] = %
// KEPT: %[[s0:.*]] = arith.addf %[[acc]]
// KEPT-NEXT: %[[s1:.*]] = arith.addf %[[s0]]
func.func @sum(%a: memref<32xf64>, %s: f64) -> f64 {
  %r = affine.for %i = 0 to 8 iter_args(%acc = %s) -> (f64) {
    %0 = affine.load %a[4 * %i] : memref<32xf64>
    %1 = affine.load %a[4 * %i + 1] : memref<32xf64>
    %2 = affine.load %a[4 * %i + 2] : memref<32xf64>
    %3 = affine.load %a[4 * %i + 3] : memref<32xf64>
    %s0 = arith.addf %acc, %0 : f64
    %s1 = arith.addf %s0, %1 : f64
    %s2 = arith.addf %s1, %2 : f64
    %s3 = arith.addf %s2, %3 : f64
    affine.yield %s3 : f64
  }
  return %r : f64
}

// -----

// So is a word that the loop loads and stores again; a choice between two values takes no time.
// TREE-LABEL: func @word
// TREE: %[[old:.*]] = affine.load %{{.*}}[0]
// TREE: %[[first:.*]] = arith.select
// TREE: %[[p:.*]] = arith.addf %[[first]],
// TREE-NEXT: %[[q:.*]] = arith.addf %{{.*}}, %[[p]]
// TREE-NEXT: arith.addf %[[old]], %[[q]]
func.func @word(%a: memref<32xf32>, %sum: memref<1xf32>, %c: i1) {
  affine.for %i = 0 to 8 {
    %old = affine.load %sum[0] : memref<1xf32>
    %0 = affine.load %a[4 * %i] : memref<32xf32>
    %1 = affine.load %a[4 * %i + 1] : memref<32xf32>
    %2 = affine.load %a[4 * %i + 2] : memref<32xf32>
    %first = arith.select %c, %0, %1 : f32
    %s0 = arith.addf %old, %first : f32
    %s1 = arith.addf %s0, %1 : f32
    %s2 = arith.addf %s1, %2 : f32
    affine.store %s2, %sum[0] : memref<1xf32>
  }
  return
}
