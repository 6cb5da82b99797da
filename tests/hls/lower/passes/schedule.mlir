// RUN: spindle-opt %s --convert-affine-to-hls --hls-schedule | FileCheck %s
// RUN: spindle-opt %s --convert-affine-to-hls --hls-schedule=limits=mulf_f32=1 | FileCheck %s --check-prefix=LIMITED
// RUN: spindle-opt %s --convert-affine-to-hls --hls-schedule=exact | FileCheck %s --check-prefix=EXACT
// RUN: not spindle-opt %s --convert-affine-to-hls --hls-schedule=limits=mulf_f32=no 2>&1 | FileCheck %s --check-prefix=LIMITS
// RUN: not spindle-opt %s --convert-affine-to-hls --hls-schedule --hls-schedule 2>&1 | FileCheck %s --check-prefix=TWICE

// LIMITS: limits: error: 'mulf_f32=no', expected a unit and a number of at least 1
// TWICE: the kernel has a schedule already

// Two products; data are read after one cycle and kept for another (the clock period): one iteration a cycle with two multipliers, every second with one.
// CHECK-DAG: hls.unit @mulf_f32_0 does ["mulf"] on f32 by "spindle_mulf"
// CHECK-DAG: hls.unit @mulf_f32_1
// CHECK: hls.pipeline "nest0" interval 1 depth
// CHECK: hls.load @arg0 bank 0 port {{[01]}}[%{{.*}}] {hls.start = 0 : i64} : f32
// CHECK: arith.mulf %{{.*}} {hls.start = 2 : i64, hls.unit = @mulf_f32_{{[01]}}} : f32
// LIMITED-NOT: @mulf_f32_1
// LIMITED: hls.pipeline "nest0" interval 2
// EXACT: hls.pipeline "nest0" interval 1
// EXACT: hls.least_depth
func.func @products(%x: memref<8xf32>, %y: memref<8xf32>, %a: f32, %b: f32) {
  affine.for %i = 0 to 8 {
    %value = affine.load %x[%i] : memref<8xf32>
    %first = arith.mulf %value, %a : f32
    %second = arith.mulf %first, %b : f32
    affine.store %second, %y[%i] : memref<8xf32>
  }
  return
}
