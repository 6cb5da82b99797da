// RUN: not spindle synth %s --top returns --system dataflow --out %t 2>&1 | FileCheck %s --check-prefix=RETURNS
// RUN: not spindle synth %s --top beside --system dataflow --inputs --out %t 2>&1 | FileCheck %s --check-prefix=BESIDE
// RUN: not spindle synth %s --top beside --system dataflow --budget lut=3 --out %t 2>&1 | FileCheck %s --check-prefix=BUDGET
// RUN: not spindle synth %s --top nothing --system dataflow --out %t 2>&1 | FileCheck %s --check-prefix=NOTHING
// RUN: not spindle synth %s --top beside --inputs --out %t 2>&1 | FileCheck %s --check-prefix=ALONE
// RUN: not spindle synth %s --top beside --system host --out %t 2>&1 | FileCheck %s --check-prefix=KIND
//
// RETURNS: refused.mlir:[[# @LINE + 7]]:1: error: returns 'i32': a system returns arrays, store it in one
// BESIDE: refused.mlir:[[# @LINE + 15]]:3: error: affine.for stands beside or in place of the loop over inputs: expected one loop with constant bounds and step 1, and nothing else
// BUDGET: refused.mlir:[[# @LINE + 9]]:1: error: the system takes about {{[0-9.]+}} LUT of 3 in the budget; its largest kernel is beside_{{[0-9]}} with {{[0-9.]+}} LUT
// NOTHING: refused.mlir:[[# @LINE + 19]]:1: error: has no operation that becomes a kernel, expected one at least
// ALONE: error: --inputs requires --system
// KIND: error: --system: host not in {centralised,dataflow}

func.func @returns(%x: memref<8xi32>) -> i32 {
  %0 = affine.load %x[0] : memref<8xi32>
  return %0 : i32
}
func.func @beside(%x: memref<8xi32>) {
  affine.for %i = 0 to 8 {
    %y = affine.load %x[%i] : memref<8xi32>
    affine.store %y, %x[7 - %i] : memref<8xi32>
  }
  affine.for %i = 0 to 4 {
    %y = affine.load %x[%i] : memref<8xi32>
    affine.store %y, %x[%i + 4] : memref<8xi32>
  }
  return
}
func.func @nothing(%x: memref<8xi32>) {
  return
}
