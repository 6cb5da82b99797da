// Successive inputs by AXI4-Stream on the command line.
//
// RUN: rm -rf %t && spindle synth %s --system dataflow --inputs --bus stream --out %t 2> %t.remarks | FileCheck %s
// RUN: FileCheck %s --check-prefix=REMARK < %t.remarks
// RUN: FileCheck %s --check-prefix=AXI < %t/axi.json
// RUN: FileCheck %s --check-prefix=KERNEL < %t/kernel.json
// RUN: FileCheck %s --check-prefix=GRAPH < %t/system.json
// RUN: FileCheck %s --check-prefix=DOT < %t/system.dot
// RUN: spindle-opt %t/system.mlir --convert-system-to-func | FileCheck %s --check-prefix=IR
// RUN: spindle synth %s --system dataflow --inputs --bus memory --out %t | FileCheck %s --check-prefix=MEMORY
// RUN: FileCheck %s --check-prefix=ARRAYS < %t/axi.json
//
// CHECK: system stages: dataflow, 4 tasks on 4 circuits, 5 inputs; {{[0-9]+}} cycles
// CHECK-NEXT: task0 stages_in0 on circuit 0: cycles 1 to 9, last
// CHECK: task3 stages_out1 on circuit 3
// REMARK: streams.mlir:[[# @LINE + 15]]:64: remark: argument 2 stays an array, moved as a whole: it is written, and tasks do not surely write all of an input before one reads any
// AXI: "name": "arg0"
// AXI-NEXT: "bytes": 4
// AXI-NEXT: "beats": 8
// AXI-NEXT: "last_bytes": 4
// AXI: "name": "arg1"
// KERNEL: "kind": "stream"
// KERNEL: "shape": [
// GRAPH: "kind": "stream"
// DOT: s0 [shape=cds, label="arg0"];
// DOT: s0 -> t0;
// DOT: t3 -> s1;
// IR: call @stages_in0(
// MEMORY: dataflow, 2 tasks on 2 circuits
// ARRAYS-NOT: "streams"
func.func @stages(%in: memref<5x8xi32>, %out: memref<5x8xi32>, %sums: memref<5x8xi32>) {
  %t = memref.alloc() : memref<8xi32>
  affine.for %n = 0 to 5 {
    affine.for %i = 0 to 8 {
      %x = affine.load %in[%n, %i] : memref<5x8xi32>
      %y = affine.load %sums[%n, %i] : memref<5x8xi32>
      %z = arith.addi %x, %y : i32
      affine.store %z, %sums[%n, %i] : memref<5x8xi32>
      affine.store %z, %t[%i] : memref<8xi32>
    }
    affine.for %i = 0 to 8 {
      %x = affine.load %t[7 - %i] : memref<8xi32>
      affine.store %x, %out[%n, %i] : memref<5x8xi32>
    }
  }
  return
}
