// RUN: spindle-opt %s --hls-partition-arrays --split-input-file --verify-diagnostics | FileCheck %s

// Eight elements per iteration, two ports a bank: four banks in turn.
// CHECK-LABEL: func @cyclic
// CHECK-SAME: %{{.*}}: memref<64xf32> {hls.partition = [#hls.partition<cyclic 4>]}
func.func @cyclic(%a: memref<64xf32>) {
  affine.for %i = 0 to 8 {
    // CHECK: affine.load {{.*}} {hls.bank = 0 : i64}
    // CHECK: affine.load {{.*}} {hls.bank = 1 : i64}
    // CHECK: affine.load {{.*}} {hls.bank = 2 : i64}
    // CHECK: affine.load {{.*}} {hls.bank = 3 : i64}
    // CHECK: affine.load {{.*}} {hls.bank = 0 : i64}
    %0 = affine.load %a[8 * %i] : memref<64xf32>
    %1 = affine.load %a[8 * %i + 1] : memref<64xf32>
    %2 = affine.load %a[8 * %i + 2] : memref<64xf32>
    %3 = affine.load %a[8 * %i + 3] : memref<64xf32>
    %4 = affine.load %a[8 * %i + 4] : memref<64xf32>
    %5 = affine.load %a[8 * %i + 5] : memref<64xf32>
    %6 = affine.load %a[8 * %i + 6] : memref<64xf32>
    %7 = affine.load %a[8 * %i + 7] : memref<64xf32>
  }
  return
}

// -----

// Neighbours change their bank, halves do not.
// CHECK-LABEL: func @block
// CHECK-SAME: {hls.partition = [#hls.partition<block 2>]}
func.func @block(%a: memref<16xf32>) {
  affine.for %i = 0 to 7 {
    // CHECK: affine.load %{{.*}}[%{{.*}}] {hls.bank = 0 : i64}
    // CHECK: affine.load %{{.*}}[%{{.*}} + 1] {hls.bank = 0 : i64}
    // CHECK: affine.load %{{.*}}[%{{.*}} + 8] {hls.bank = 1 : i64}
    // CHECK: affine.load %{{.*}}[%{{.*}} + 9] {hls.bank = 1 : i64}
    %0 = affine.load %a[%i] : memref<16xf32>
    %1 = affine.load %a[%i + 1] : memref<16xf32>
    %2 = affine.load %a[%i + 8] : memref<16xf32>
    %3 = affine.load %a[%i + 9] : memref<16xf32>
  }
  return
}

// -----

// A given partition is kept, also where none is needed.
// CHECK-LABEL: func @given
func.func @given(%s: f32) {
  // CHECK: memref.alloc() {hls.partition = [#hls.partition<none>, #hls.partition<complete>]}
  %a = memref.alloc() {hls.partition = [#hls.partition<none>, #hls.partition<complete>]} : memref<4x3xf32>
  affine.for %i = 0 to 4 {
    // CHECK: affine.store %{{.*}}, %{{.*}}[%{{.*}}, 2] {hls.bank = 2 : i64}
    affine.store %s, %a[%i, 2] : memref<4x3xf32>
  }
  return
}

// -----

// Two accesses have two ports.
// CHECK-LABEL: func @enough(
// CHECK-SAME: memref<4xf32>)
func.func @enough(%a: memref<4xf32>) {
  %0 = affine.load %a[0] : memref<4xf32>
  %1 = affine.load %a[1] : memref<4xf32>
  return
}

// -----

// The bank of this access changes: hardware chooses among both.
// CHECK-LABEL: func @wandering
// CHECK: affine.load %{{.*}}[%{{.*}}] : memref<8xf32>
func.func @wandering(%a: memref<8xf32> {hls.partition = [#hls.partition<cyclic 2>]}) {
  affine.for %i = 0 to 8 {
    %0 = affine.load %a[%i] : memref<8xf32>
  }
  return
}

// -----

// expected-error@+1 {{attribute 'hls.partition' is [#hls.partition<cyclic 9>], expected one of #hls.partition<none>, #hls.partition<complete>, #hls.partition<block N> and #hls.partition<cyclic N>, N at most the extent, for each of 1 dimensions}}
func.func @malformed(%a: memref<8xf32> {hls.partition = [#hls.partition<cyclic 9>]}) {
  return
}
