// RUN: spindle-opt %s --convert-affine-to-hls --hls-schedule | FileCheck %s
// RUN: spindle-opt %s --convert-affine-to-hls --hls-schedule --convert-hls-to-rtl --canonicalize --cse | FileCheck %s --check-prefix=RTL

// Factors of 8 and 24 bits, which change places; a product with 5 that needs no unit; one of all 32 bits.
// CHECK-DAG: hls.unit @muli_i32_18x25_0 does ["muli"] on i32 by "spindle_muli" {interval = 1 : i64, latency = 1 : i64, operand_bits = array<i64: 18, 25>, parameters = {A = 18 : i64, B = 25 : i64, LATENCY = 1 : i64, WIDTH = 32 : i64}}
// CHECK-DAG: hls.unit @muli_i32_0 does ["muli"] on i32 by "spindle_muli" {interval = 1 : i64, latency = 2 : i64, parameters
// CHECK: %[[byte:.*]] = arith.extsi %{{.*}} : i8 to i32
// CHECK: %[[three:.*]] = arith.extui %{{.*}} : i24 to i32
// CHECK: arith.muli %[[byte]], %[[three]] {hls.start = {{[0-9]+}} : i64, hls.unit = @muli_i32_18x25_0} : i32
// CHECK: arith.muli %{{.*}}, %{{.*}} {hls.start = {{[0-9]+}} : i64} : i32
// CHECK: arith.muli %{{.*}} {hls.start = {{[0-9]+}} : i64, hls.unit = @muli_i32_0} : i32

// RTL-DAG: rtl.extern @muli_i32_18x25(in clk : i1, in ce : i1, in a : i18, in b : i25, out y : i32)
// RTL-DAG: rtl.extern @muli_i32(in clk : i1, in ce : i1, in a : i32, in b : i32, out y : i32)
// RTL-NOT: arith.muli
func.func @products(%a: memref<8xi8>, %b: memref<8xi24>, %c: memref<8xi32>) {
  %five = arith.constant 5 : i32
  affine.for %i = 0 to 8 {
    %x = affine.load %a[%i] : memref<8xi8>
    %y = affine.load %b[%i] : memref<8xi24>
    %z = affine.load %c[%i] : memref<8xi32>
    %u = arith.extsi %x : i8 to i32
    %v = arith.extui %y : i24 to i32
    %p = arith.muli %v, %u : i32
    %q = arith.muli %p, %five : i32
    %r = arith.muli %q, %z : i32
    affine.store %r, %c[%i] : memref<8xi32>
  }
  return
}
