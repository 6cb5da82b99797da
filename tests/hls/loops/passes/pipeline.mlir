// RUN: rm -rf %t && mkdir %t
// RUN: spindle pipeline %s --graph %t --target zynq-7020-100mhz --out %t/out.mlir | FileCheck %s --check-prefix=PRINTED
// RUN: FileCheck %s < %t/out.mlir
// RUN: spindle pipeline %s --schedule %t/loop0.schedule.csv --target zynq-7020-100mhz --out %t/again.mlir
// RUN: diff %t/out.mlir %t/again.mlir
// RUN: spindle pipeline %s --emit cpp --target zynq-7020-100mhz --out %t/out.cpp
// RUN: FileCheck %s --check-prefix=CPP < %t/out.cpp
// RUN: spindle pipeline %s --emit llvm --target zynq-7020-100mhz --out %t/out.ll
// RUN: FileCheck %s --check-prefix=LLVM < %t/out.ll
// RUN: spindle schedule %t/loop0.json --algorithm modulo
// RUN: not spindle pipeline %s --resources mulf --target zynq-7020-100mhz --out %t/out.mlir 2>&1 | FileCheck %s --check-prefix=UNITS
// RUN: not spindle pipeline %s --loop 7 --target zynq-7020-100mhz --out %t/out.mlir 2>&1 | FileCheck %s --check-prefix=LOOP

// PRINTED: loop 0 ({{.*}}pipeline.mlir:[[#]]:3): interval 1, depth {{[0-9]+}}, {{[0-9]+}} stages; recurrence 1
// UNITS: --resources: error: 'mulf', expected a unit and a number of at least 1, e.g. fmul=2
// LOOP: no innermost loop 7, expected a number below 1
// CPP: extern "C" void scale(double arg0[64], double arg1) {
// CPP: #pragma HLS pipeline II=1
// LLVM: define void @scale(

// CHECK: func.func @scale(%[[a:.*]]: memref<64xf64>, %[[s:.*]]: f64)
// CHECK: affine.load %[[a]][0]
// CHECK: affine.for %[[k:.*]] = {{[0-9]+}} to 64 iter_args
// CHECK: } {hls.interval = 1 : i64}
// CHECK: affine.store %{{.*}}, %[[a]][63]
func.func @scale(%a: memref<64xf64>, %s: f64) {
  affine.for %i = 0 to 64 {
    %x = affine.load %a[%i] : memref<64xf64>
    %y = arith.mulf %x, %s : f64
    affine.store %y, %a[%i] : memref<64xf64>
  }
  return
}
