// The names of the program in the circuit: operation, array, loop, line.
// RUN: spindle-opt %s --convert-affine-to-hls --hls-schedule --convert-hls-to-rtl --canonicalize --cse --mlir-print-debuginfo -o %t.mlir
// RUN: spindle-translate --rtl-to-systemverilog %t.mlir > %t.sv
// RUN: FileCheck %s --input-file %t.sv
// RUN: FileCheck %s --input-file %t.sv --check-prefix=MADE
//
// Names change nothing but names.
// RUN: spindle-opt %s --convert-affine-to-hls --hls-schedule --convert-hls-to-rtl --canonicalize --cse -o %t.named
// RUN: spindle-opt %s --convert-affine-to-hls --hls-schedule --convert-hls-to-rtl --strip-debuginfo --canonicalize --cse -o %t.nameless
// RUN: diff %t.named %t.nameless

// Nobody makes names up.
// MADE-NOT: {{(sum|chosen|delayed|compared|both|either|extended)(_[0-9]+)? =}}

// CHECK:      // loop nest at names.mlir:[[#@LINE+38]]:3: interval 1, depth {{[0-9]+}}
// CHECK-NEXT: module scale_nest0 (
// The interface is that of docs/formats/kernel.md, whatever the program calls its arrays.
// CHECK:      input  logic [63:0] arg1_b0_p0_rdata,
// CHECK:      output logic [63:0] mulf_f64_0_a,
//
// The loop without a name, and the one with one.
// CHECK-DAG:  logic [2:0] i0_l[[#@LINE+31]];
// CHECK-DAG:  logic [2:0] column_l[[#@LINE+31]];
//
// A result that comes in through a port; what is delayed says by how many stages.
// CHECK-DAG:  wire [63:0] load_A_l[[#@LINE+29]] = arg1_b0_p0_rdata;
// CHECK-DAG:  wire [63:0] mulf_l[[#@LINE+29]] = mulf_f64_0_y;
// CHECK-DAG:  load_A_l[[#@LINE+27]]_d1 <= arg1_b0_p0_rdata;
// CHECK-DAG:  wire [5:0] load_A_l[[#@LINE+26]]_addr =
// CHECK-DAG:  wire cond_l[[#@LINE+27]] =
// CHECK-DAG:  wire store_buf_fer_l[[#@LINE+27]]_en =
// CHECK-DAG:  wire [63:0] arg0 = v
// CHECK:      endmodule
//
// CHECK:      // loop nest at names.mlir:[[#@LINE+27]]:3: interval 1, depth {{[0-9]+}}
// Values of one line and one operation: each has its own name.
// CHECK-DAG:  wire [63:0] mulf_l77 = mulf_f64_
// CHECK-DAG:  wire [63:0] mulf_l77_2 = mulf_f64_
// CHECK-DAG:  wire [63:0] addf_l77 = addf_f64_
// CHECK-DAG:  wire [63:0] load_buf_fer_l[[#@LINE+24]] =
// An operation of which no line is known.
// CHECK-DAG:  wire [63:0] negf = {~
// CHECK:      endmodule
//
// CHECK:      module scale (
// CHECK-DAG:  arg1_b0_p0_rdata,
// CHECK-DAG:  (* ram_style = "block" *) logic [63:0] buf_fer_b0 [0:63];
// CHECK-DAG:  wire accept = control_is_idle & start;
// CHECK-DAG:  logic [63:0] arg0_kept;
// CHECK:      endmodule
func.func @scale(%alpha: f64, %A: memref<8x8xf64> loc("A"), %y: memref<8x8xf64> loc(unknown)) {
  %buffer = memref.alloc() : memref<8x8xf64> loc("buf fer"("other.mlir":3:1))
  affine.for %i = 0 to 8 {
    affine.for %j loc("column") = 0 to 8 {
      %a = affine.load %A[%i, %j] : memref<8x8xf64>
      %b = arith.mulf %alpha, %a : f64
      affine.if affine_set<(d0, d1) : (d0 - d1 >= 0)>(%i, %j) {
        affine.store %b, %buffer[%i, %j] : memref<8x8xf64>
      }
    }
  }
  affine.for %i = 0 to 8 {
    affine.for %j = 0 to 8 {
      %a = affine.load %buffer[%i, %j] : memref<8x8xf64>
      %b = arith.mulf %a, %a : f64 loc("/folder/other.mlir":77:3)
      %c = arith.mulf %b, %a : f64 loc(callsite("/folder/other.mlir":77:9 at "x.mlir":5:1))
      %d = arith.addf %b, %c : f64 loc(fused["conv1"("/folder/other.mlir":77:12), unknown])
      %e = arith.negf %d : f64 loc(unknown)
      affine.store %e, %y[%i, %j] : memref<8x8xf64>
    }
  }
  return
}
