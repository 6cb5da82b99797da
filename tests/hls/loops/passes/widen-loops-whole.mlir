// RUN: spindle-opt %s --pass-pipeline='builtin.module(func.func(hls-widen-loops{factor=9},hls-unroll-loops))' | FileCheck %s --check-prefix=ALL
// RUN: spindle-opt %s --pass-pipeline='builtin.module(func.func(hls-widen-loops{factor=8},hls-unroll-loops))' | FileCheck %s --check-prefix=ONE

// A factor with room for all iterations of the innermost loop goes on to the loops around it, as
// long as it has room for all of theirs: 9 takes a window of 3 x 3, 8 one row of it.
// ALL-LABEL: func @window
// ONE-LABEL: func @window
func.func @window(%x: memref<28x28xi16>, %y: memref<26x26xi16>) {
  // ALL: affine.for %{{.*}} = 0 to 26 {
  // ALL-NEXT: affine.for %{{.*}} = 0 to 26 {
  // ALL-NOT: affine.for
  // ALL-COUNT-9: affine.store
  // ALL-NOT: affine.store
  // ONE-COUNT-3: affine.for
  // ONE-NOT: affine.for
  // ONE-COUNT-3: affine.store
  // ONE-NOT: affine.store
  affine.for %i = 0 to 26 {
    affine.for %j = 0 to 26 {
      affine.for %p = 0 to 3 {
        affine.for %q = 0 to 3 {
          %a = affine.load %x[%i + %p, %j + %q] : memref<28x28xi16>
          %c = affine.load %y[%i, %j] : memref<26x26xi16>
          %s = arith.addi %c, %a : i16
          affine.store %s, %y[%i, %j] : memref<26x26xi16>
        }
      }
    }
  }
  return
}
