// The whole line from a program to SystemVerilog, pass by pass, and the circuit that `synth` makes in one call.
// Names of signals are in the locations, which only --mlir-print-debuginfo writes.
//
// RUN: rm -rf %t && mkdir %t
// RUN: spindle-opt %s --hls-prepare=top=gemm --hls-default-loops=target=zynq-7020-100mhz --convert-affine-to-hls --hls-schedule --convert-hls-to-rtl --canonicalize --cse --mlir-print-debuginfo -o %t/rtl.mlir
// RUN: FileCheck %s < %t/rtl.mlir
// RUN: spindle-translate --rtl-to-systemverilog %t/rtl.mlir -o %t/passes.sv
// RUN: spindle synth %s --out %t/synth | FileCheck %s --check-prefix=SYNTH
// RUN: diff %t/passes.sv %t/synth/gemm.sv
// RUN: FileCheck %s --check-prefix=NAMES < %t/passes.sv
//
// CHECK: rtl.module @gemm
// NAMES: // loop nest at gemm.mlir:
// NAMES: wire [63:0] mulf_l{{[0-9]+}} = mulf_f64_
// SYNTH: synth gemm: {{[0-9]+}} cycles; 1 addf_f64, 3 mulf_f64

// C := alpha A B + beta C
func.func @gemm(%alpha: f64, %beta: f64, %C: memref<20x25xf64>, %A: memref<20x30xf64>, %B: memref<30x25xf64>) {
  affine.for %i = 0 to 20 {
    affine.for %j = 0 to 25 {
      %c = affine.load %C[%i, %j] : memref<20x25xf64>
      %scaled = arith.mulf %c, %beta : f64
      affine.store %scaled, %C[%i, %j] : memref<20x25xf64>
    }
    affine.for %k = 0 to 30 {
      affine.for %j = 0 to 25 {
        %a = affine.load %A[%i, %k] : memref<20x30xf64>
        %alpha_a = arith.mulf %alpha, %a : f64
        %b = affine.load %B[%k, %j] : memref<30x25xf64>
        %product = arith.mulf %alpha_a, %b : f64
        %c = affine.load %C[%i, %j] : memref<20x25xf64>
        %sum = arith.addf %c, %product : f64
        affine.store %sum, %C[%i, %j] : memref<20x25xf64>
      }
    }
  }
  return
}
