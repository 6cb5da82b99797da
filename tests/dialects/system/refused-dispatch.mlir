// RUN: not spindle-opt %s --system-dispatch=kind=other 2>&1 | FileCheck %s --check-prefix=KIND
// RUN: not spindle-opt %s --system-dispatch=share=some 2>&1 | FileCheck %s --check-prefix=SHARE
// RUN: not spindle-opt %s --system-dispatch 2>&1 | FileCheck %s
// KIND: error: kind is 'other', expected centralised or dataflow
// SHARE: error: share is 'some', expected auto, all or none
// CHECK: refused-dispatch.mlir:[[# @LINE + 8]]:3: error: affine.store stands between launches, expected all of it in kernels (system-search, system-outline)
system.module @kernels {
  system.func @f(%x: memref<8xi32>) {
    system.return
  }
}
func.func @f(%x: memref<8xi32>) {
  %zero = arith.constant 0 : i32
  affine.store %zero, %x[0] : memref<8xi32>
  system.launch_func @kernels::@f (%x : memref<8xi32>)
  return
}
