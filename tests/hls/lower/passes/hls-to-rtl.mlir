// RUN: spindle-opt %s --convert-affine-to-hls --hls-schedule --convert-hls-to-rtl --canonicalize --cse | FileCheck %s
// RUN: spindle-opt %s --convert-affine-to-hls --hls-schedule --convert-hls-to-rtl=top=other | FileCheck %s --check-prefix=TOP
// RUN: not spindle-opt %s --convert-affine-to-hls --convert-hls-to-rtl 2>&1 | FileCheck %s --check-prefix=UNSCHEDULED
// RUN: not spindle-opt %s --convert-affine-to-hls --hls-schedule --hls-schedule 2>&1 | FileCheck %s --check-prefix=TWICE
// RUN: not spindle-opt %s --convert-hls-to-rtl 2>&1 | FileCheck %s --check-prefix=NONE

// UNSCHEDULED: the kernel has operations without a start, expected a scheduled one (hls-schedule)
// TWICE: the kernel has a schedule already
// NONE: 0 kernels, expected one hls.kernel
// TOP: rtl.module @other

// The module of a kernel has the ports of docs/formats/kernel.md.
// CHECK-NOT: hls.kernel
// CHECK: rtl.module @increment
// CHECK: start
// CHECK: arg0_b0_p0_en
func.func @increment(%x: memref<8xi32>) {
  %one = arith.constant 1 : i32
  affine.for %i = 0 to 8 {
    %value = affine.load %x[%i] : memref<8xi32>
    %next = arith.addi %value, %one : i32
    affine.store %next, %x[%i] : memref<8xi32>
  }
  return
}
