// RUN: spindle-opt %s --hls-buffer-arrays | FileCheck %s

// The row that 8 iterations read again and again is copied once; what fits no buffer stays.
// CHECK-LABEL: func @rows
func.func @rows(%a: memref<4x16xf64>, %big: memref<4x100xf64>) {
  // CHECK: %[[buffer:.*]] = memref.alloc() : memref<1x16xf64>
  // CHECK: affine.for %[[i:.*]] = 0 to 4 {
  affine.for %i = 0 to 4 {
    // CHECK: affine.for %{{.*}} = 0 to 1
    // CHECK: affine.for %[[k:.*]] = 0 to 16
    // CHECK: affine.load %{{.*}}[%{{.*}}, %[[k]]]
    // CHECK: affine.store %{{.*}}, %[[buffer]]
    // CHECK: affine.for %{{.*}} = 0 to 8
    // CHECK: affine.for %[[j:.*]] = 0 to 16
    // CHECK: affine.load %[[buffer]][0, %[[j]]]
    // CHECK: affine.load %{{.*}} : memref<4x100xf64>
    affine.for %n = 0 to 8 {
      affine.for %j = 0 to 16 {
        %x = affine.load %a[%i, %j] : memref<4x16xf64>
        %y = affine.load %big[%i, %j + %n * 10] : memref<4x100xf64>
      }
    } {hls.buffer = 64 : i64}
  }
  return
}
