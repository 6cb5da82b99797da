// RUN: spindle-opt %s --hls-unroll-loops --split-input-file --verify-diagnostics
// RUN: not spindle-opt %s --hls-unroll-loops=loops=2by4 2>&1 | FileCheck %s
// CHECK: cannot read '2by4', expected depth:factor such as 2:4 or 0:full

func.func @unbounded(%a: memref<8xf64>, %n: index) {
  // expected-error@+1 {{cannot be unrolled completely: nothing bounds its trip count}}
  affine.for %i = 0 to %n {
    %x = affine.load %a[%i] : memref<8xf64>
  } {hls.unroll = 0 : i64}
  return
}

// -----

func.func @maximum(%a: memref<8xf64>) {
  affine.for %i = 0 to 8 {
    // expected-error@+1 {{has a lower bound that is a maximum, expected one expression: normalise or split the loop before it is unrolled}}
    affine.for %j = max affine_map<(d0) -> (d0, 2)>(%i) to 8 {
      %x = affine.load %a[%j] : memref<8xf64>
    } {hls.unroll = 2 : i64}
  }
  return
}

// -----

func.func @minimum(%a: memref<8xf64>) {
  affine.for %i = 0 to 8 {
    // expected-error@+1 {{cannot be unrolled 2 times with a remainder after it, as its bounds are minima or maxima: unroll its inner loops first, or this one completely}}
    affine.for %j = 0 to min affine_map<(d0) -> (d0, 6)>(%i) {
      affine.for %k = 0 to 8 {
        %x = affine.load %a[%k] : memref<8xf64>
      }
    } {hls.unroll = 2 : i64}
  }
  return
}

// -----

func.func @varying(%a: memref<8xf64>) {
  affine.for %i = 0 to 8 {
    // expected-error@+1 {{cannot be unrolled completely, as its trip count varies and there are loops inside: unroll these first}}
    affine.for %j = 0 to affine_map<(d0) -> (d0)>(%i) {
      affine.for %k = 0 to 8 {
        %x = affine.load %a[%k] : memref<8xf64>
      }
    } {hls.unroll = 0 : i64}
  }
  return
}
