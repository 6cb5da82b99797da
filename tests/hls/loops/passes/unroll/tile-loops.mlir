// RUN: spindle-opt %s --hls-tile-loops --split-input-file --verify-diagnostics | FileCheck %s

// CHECK-LABEL: func @gemm
func.func @gemm(%c: memref<8x6xf64>) {
  // CHECK: affine.for %[[I:.*]] = 0 to 2 {
  // CHECK-NEXT: affine.for %[[J:.*]] = 0 to 2 {
  // CHECK-NEXT: affine.for %[[i:.*]] = 0 to 4 {
  // CHECK-NEXT: affine.for %[[j:.*]] = 0 to 3 {
  // CHECK: affine.load %{{.*}}[%[[i]] + %[[I]] * 4, %[[j]] + %[[J]] * 3]
  affine.for %i = 0 to 8 {
    affine.for %j = 0 to 6 {
      %x = affine.load %c[%i, %j] : memref<8x6xf64>
      affine.store %x, %c[%i, %j] : memref<8x6xf64>
    } {hls.tile = 3 : i64}
  } {hls.tile = 4 : i64}
  return
}

// -----

func.func @reversed(%a: memref<9x9xf64>) {
  // expected-error@+1 {{cannot be tiled: a dependence would be turned round}}
  affine.for %i = 0 to 8 {
    affine.for %j = 0 to 8 {
      // expected-note@+1 {{the later access}}
      %m = affine.load %a[%i, %j + 1] : memref<9x9xf64>
      // expected-note@+1 {{the earlier access}}
      affine.store %m, %a[%i + 1, %j] : memref<9x9xf64>
    } {hls.tile = 2 : i64}
  } {hls.tile = 2 : i64}
  return
}

// -----

func.func @triangle(%a: memref<9x9xf64>) {
  // expected-note@+1 {{this one}}
  affine.for %i = 0 to 8 {
    // expected-error@+1 {{cannot be tiled: its bounds depend on a loop that is tiled too}}
    affine.for %j = 0 to affine_map<(d0) -> (d0)>(%i) {
      %m = affine.load %a[%i, %j] : memref<9x9xf64>
    } {hls.tile = 2 : i64}
  } {hls.tile = 2 : i64}
  return
}

// -----

func.func @all(%a: memref<9xf64>) {
  // expected-error@+1 {{cannot be tiled by all its iterations, expected a size}}
  affine.for %j = 0 to 9 {
    %m = affine.load %a[%j] : memref<9xf64>
  } {hls.tile = 0 : i64}
  return
}

// -----

func.func @carries(%a: memref<9xf64>, %s: f64) -> f64 {
  // expected-error@+1 {{cannot be tiled: it carries values from iteration to iteration}}
  %r = affine.for %i = 0 to 8 iter_args(%acc = %s) -> (f64) {
    affine.yield %acc : f64
  } {hls.tile = 2 : i64}
  return %r : f64
}
