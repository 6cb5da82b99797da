// A table in LUT RAM that nobody writes has no style, also where another module says so: tools make logic of it.
// RUN: spindle-translate --rtl-to-systemverilog %s | FileCheck %s
// RUN: spindle-translate --rtl-to-systemverilog %s > %t.sv
// RUN: %if yosys %{ yosys -q -p 'read_verilog -sv %t.sv; synth_xilinx -family xc7 -flatten -top top' %}

rtl.module @reader(in %clk : i1, in %x : i4, out enable : i1, out write : i1, out data : i8) {
  %true = arith.constant true
  %false = arith.constant false
  %none = arith.constant 0 : i8
  rtl.output %true, %false, %none : i1, i1, i8
}

// CHECK: module top
// CHECK-NOT: ram_style
// CHECK: logic [7:0] constants [0:2];
// CHECK: (* ram_style = "distributed" *) logic [7:0] written [0:2];
rtl.module @top(in %clk : i1, in %x : i4, out y : i8, out z : i8) {
  %true = arith.constant true
  %enable, %write, %data = rtl.instance "reader" @reader (clk: %clk : i1, x: %x : i4) -> (enable: i1, write: i1, data: i8)
  %address = arith.trunci %x : i4 to i2
  %y = rtl.memory "constants" %clk depth 3 : i8 ports (%enable, %write, %address, %data) {distributed, initial = dense<[7, 9, 2]> : tensor<3xi8>}
  %z = rtl.memory "written" %clk depth 3 : i8 ports (%enable, %true, %address, %y) {distributed, initial = dense<[7, 9, 2]> : tensor<3xi8>}
  rtl.output %y, %z : i8, i8
}

// A memory that one port writes and another one reads has one writing port, also where the reader's module says so: LUT RAM has no second one, and without `-flatten` tools do not see it.
// RUN: spindle-translate --rtl-to-systemverilog %s > %t.kept.sv
// RUN: %if yosys %{ yosys -q -p 'read_verilog -sv %t.kept.sv; synth_xilinx -family xc7 -top shared' %}
// CHECK: module shared
// CHECK: (* ram_style = "distributed" *) logic [7:0] words [0:2];
// CHECK-COUNT-1: always_ff
// CHECK-NOT: always
// CHECK: endmodule
rtl.module @shared(in %clk : i1, in %x : i4, in %we : i1, in %d : i8, out y : i8) {
  %enable, %write, %data = rtl.instance "reader" @reader (clk: %clk : i1, x: %x : i4) -> (enable: i1, write: i1, data: i8)
  %a = arith.trunci %x : i4 to i2
  %y, %unread = rtl.memory "words" %clk depth 3 : i8 ports (%enable, %write, %a, %data), (%we, %we, %a, %d) {distributed}
  rtl.output %y : i8
}
