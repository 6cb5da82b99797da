// Memories become block RAM by their attribute; words at the start and two writing ports too.
// REQUIRES: yosys
// RUN: spindle-translate --rtl-to-systemverilog %s > %t.sv
// RUN: %if verilator %{ verilator --lint-only -Wall -Wno-DECLFILENAME -Wno-MULTITOP %t.sv %}
// RUN: yosys -q -p 'read_verilog -sv %t.sv; synth_xilinx -family xc7 -top two_ports -flatten -run :map_ffs; tee -o %t.two stat'
// RUN: FileCheck %s --check-prefix=TWO --input-file %t.two
// RUN: yosys -q -p 'read_verilog -sv %t.sv; synth_xilinx -family xc7 -top table_of_constants -flatten -run :map_ffs; tee -o %t.table stat'
// RUN: FileCheck %s --check-prefix=TABLE --input-file %t.table

// RUN: yosys -q -p 'read_verilog -sv %t.sv; synth_xilinx -family xc7 -top lut_ram -flatten -run :map_ffs; tee -o %t.small stat'
// RUN: FileCheck %s --check-prefix=SMALL --input-file %t.small

// TWO-NOT: dff
// TWO: RAMB36E1 {{ *}}2
// TWO-NOT: dff
rtl.module @two_ports(in %clk : i1, in %en0 : i1, in %en1 : i1, in %we0 : i1, in %we1 : i1, in %a0 : i10, in %a1 : i10,
                      in %d0 : i64, in %d1 : i64, out q0 : i64, out q1 : i64) {
  %q0, %q1 = rtl.memory "words" %clk depth 600 : i64 ports (%en0, %we0, %a0, %d0), (%en1, %we1, %a1, %d1)
  rtl.output %q0, %q1 : i64, i64
}

// TABLE: RAMB18E1 {{ *}}1
rtl.module @table_of_constants(in %clk : i1, in %en : i1, in %a : i4, out q : i8) {
  %false = arith.constant false
  %zero = arith.constant 0 : i8
  %q = rtl.memory "words" %clk depth 16 : i8 ports (%en, %false, %a, %zero)
      {initial = dense<[3, 1, 4, 1, 5, 9, 2, 6, 5, 3, 5, 8, 9, 7, 9, 3]> : tensor<16xi8>}
  rtl.output %q : i8
}

// LUT RAM: 20 x 6 bits fit the four LUTs of one RAM32M; small constants are LUTs.
// SMALL-NOT: RAMB
// SMALL: RAM32M {{ *}}1
// SMALL-NOT: RAMB
rtl.module @lut_ram(in %clk : i1, in %we : i1, in %a : i5, in %b : i5, in %d : i6, in %c : i4, out q : i6, out r : i8) {
  %true = arith.constant true
  %false = arith.constant false
  %none = arith.constant 0 : i6
  %zero = arith.constant 0 : i8
  %q, %unread = rtl.memory "words" %clk depth 20 : i6 ports (%true, %false, %b, %none), (%we, %we, %a, %d) {distributed}
  %r = rtl.memory "constants" %clk depth 16 : i8 ports (%true, %false, %c, %zero)
      {distributed, initial = dense<[3, 1, 4, 1, 5, 9, 2, 6, 5, 3, 5, 8, 9, 7, 9, 3]> : tensor<16xi8>}
  rtl.output %q, %r : i6, i8
}
