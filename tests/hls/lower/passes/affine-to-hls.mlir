// RUN: spindle-opt %s --convert-affine-to-hls=target=zynq-7020-100mhz | FileCheck %s
// RUN: not spindle-opt %s --convert-affine-to-hls=target=missing 2>&1 | FileCheck %s --check-prefix=TARGET

// TARGET: missing

// A perfect nest is a pipeline, a loop with two nests in it a repeat; accesses have no port yet.
// CHECK-NOT: func.func
// CHECK: hls.kernel @twice_hardware target "zynq-7020-100mhz" clock 1.000000e+01 arguments [1]
// CHECK: ^bb0(%[[factor:.*]]: f32):
// CHECK: hls.memory @arg0 : memref<4x8xf32> {argument = 0 : i64{{.*}}}
// CHECK: hls.repeat "loop0" {
// CHECK: hls.pipeline "nest0" interval 1 depth 1 {
// CHECK: hls.load @arg0 bank 0[%{{.*}}] : f32
// CHECK: arith.mulf %{{.*}}, %[[factor]] : f32
// CHECK: hls.store %{{.*}}, @arg0 bank 0[%{{.*}}] : f32
// CHECK: dependences = [#hls.dependence<
// CHECK: hls.pipeline "nest1" interval 1 depth 1 after ["nest0"]
func.func @twice(%x: memref<4x8xf32>, %factor: f32, %bound: i32 {hls.bound}) {
  affine.for %i = 0 to 4 {
    affine.for %j = 0 to 8 {
      %a = affine.load %x[%i, %j] : memref<4x8xf32>
      %b = arith.mulf %a, %factor : f32
      affine.store %b, %x[%i, %j] : memref<4x8xf32>
    }
    affine.for %j = 1 to 8 {
      %a = affine.load %x[%i, %j - 1] : memref<4x8xf32>
      affine.store %a, %x[%i, %j] : memref<4x8xf32>
    }
  }
  return
}
