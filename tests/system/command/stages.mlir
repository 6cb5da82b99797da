// A program over successive inputs on the command line.
//
// RUN: rm -rf %t && spindle synth %s --system centralised --inputs --out %t | FileCheck %s --check-prefix=CENTRAL
// RUN: spindle synth %s --system dataflow --inputs --out %t | FileCheck %s
// RUN: FileCheck %s --check-prefix=GRAPH < %t/system.json
// RUN: spindle-opt %t/system.mlir | FileCheck %s --check-prefix=IR
// RUN: FileCheck %s --check-prefix=DELAY < %t/system.json
// RUN: FileCheck %s --check-prefix=PAGE < %t/report.html
// RUN: spindle synth %s --system dataflow --inputs --whole-arrays --out %t
// RUN: FileCheck %s --check-prefix=WHOLE < %t/system.json
// RUN: spindle synth %s --system dataflow --groups 1 --out %t | FileCheck %s --check-prefix=ONE
// RUN: spindle synth %s --out %t
// RUN: not ls %t/system.json
//
// CENTRAL: system stages: centralised, 2 tasks on 2 circuits, 5 inputs; {{[0-9]+}} cycles
// CHECK: system stages: dataflow, 2 tasks on 2 circuits, 5 inputs; {{[0-9]+}} cycles
// CHECK-NEXT: task0 stages_0 on circuit 0: cycles 1 to {{[0-9]+}}, last {{[0-9]+}} to {{[0-9]+}}
// CHECK-NEXT: task1 stages_1 on circuit 1: cycles
// CHECK-NEXT: estimate stages: {{[0-9]+}} LUT
// GRAPH: "buffers": 2
// DELAY: "delay":
// WHOLE-NOT: "delay":
// PAGE: task1, predicted: input 4, cycles
// IR: system.channel buffers 2 : memref<8xi32>
// ONE: system stages: dataflow, 1 task on 1 circuit;
func.func @stages(%in: memref<5x8xi32>, %out: memref<5x8xi32>) {
  %t = memref.alloc() : memref<8xi32>
  affine.for %n = 0 to 5 {
    affine.for %i = 0 to 8 {
      %x = affine.load %in[%n, %i] : memref<5x8xi32>
      %y = arith.addi %x, %x : i32
      affine.store %y, %t[%i] : memref<8xi32>
    }
    affine.for %i = 0 to 8 {
      %x = affine.load %t[7 - %i] : memref<8xi32>
      affine.store %x, %out[%n, %i] : memref<5x8xi32>
    }
  }
  return
}
