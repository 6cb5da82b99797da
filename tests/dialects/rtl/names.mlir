// Names that the program asks for, by the locations of operations.
// RUN: spindle-translate --rtl-to-systemverilog %s > %t.sv
// RUN: FileCheck %s --input-file %t.sv
// RUN: %if verilator %{ verilator --lint-only -Wall -Wno-DECLFILENAME --top-module named %t.sv %}
// RUN: %if yosys %{ yosys -q -p 'read_verilog -sv %t.sv; hierarchy -check -top named; proc; check -assert' %}
//
// RUN: spindle-opt %s --canonicalize --cse | FileCheck %s --check-prefix=MERGED

// The comment is one line, whatever is in it.
// CHECK:      // nest at a  module b;.mlir:3:5
// CHECK-NEXT: module named (
rtl.module @named(in %clk : i1, in %a : i8, in %b : i8, out y : i8, out z : i8, out w : i8, out v : i8)
    attributes {aliases = [["load_A_l10", "a"], ["sum_l12", "b"]], comment = "nest at a\n\tmodule b;.mlir:3:5"} {
  // A NameLoc is the name of the value, which is declared even where it has one reader.
  // CHECK:      logic [15:0] sum_l12_d2;
  // CHECK-NEXT: logic [7:0] _3_reg;
  // CHECK:      wire [7:0] sum_l12_2 = a + b;
  %sum = arith.addi %a, %b : i8 loc("sum_l12"("k.mlir":12:3))
  // One line may make many values, unrolled.
  // CHECK-NEXT: wire [7:0] sum_l12_3 = sum_l12_2 - b;
  %again = arith.subi %sum, %b : i8 loc("sum_l12"("k.mlir":12:3))
  // A NameLoc inside of a location: what a value is a part of, where it has to be declared.
  // CHECK-NEXT: wire [7:0] addr_part = sum_l12_3 ^ b;
  %part = arith.xori %again, %b : i8 loc(fused<"part">["addr_part"])
  // Keywords, other characters, a digit in front, long names.
  // CHECK-NEXT: wire [7:0] wire_2 = addr_part & a;
  %word = arith.andi %part, %a : i8 loc("wire")
  // CHECK-NEXT: wire [7:0] caf___b_c = addr_part | wire_2;
  %strange = arith.ori %part, %word : i8 loc("caf\C3\A9 b.c")
  // CHECK-NEXT: wire [7:0] [[LONG:x{96}]] = caf___b_c + a;
  %long = arith.addi %strange, %a : i8 loc("xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx")
  // CHECK:      // Inputs under the names of the program.
  // CHECK-NEXT: wire [7:0] load_A_l10 = a;
  // CHECK-NEXT: wire [7:0] sum_l12 = b;
  // CHECK:      sum_l12_d2 <= {sum_l12_d2[7:0], sum_l12_2};
  %late = rtl.delay %sum by 2, %clk : i8 loc("sum_l12_d2"("k.mlir":12:3))
  %q = rtl.reg %long, %clk : i8 loc("3.reg")
  // An expression that only an output reads needs no name beside the port's.
  // CHECK:      assign z = _3_reg - late_l12;
  %late2 = arith.addi %late, %word : i8 loc("late_l12")
  %z = arith.subi %q, %late2 : i8 loc(fused<"part">["z"])
  // CHECK:      wire unused = &{1'b0, load_A_l10, sum_l12};
  rtl.output %late2, %z, %q, %long : i8, i8, i8, i8
}

// Equal operations become one, whatever they are called.
// MERGED-LABEL: rtl.module @merged
// MERGED-NEXT:    arith.addi
// MERGED-NEXT:    rtl.delay %{{.*}} by 2
// MERGED-NEXT:    rtl.output
rtl.module @merged(in %clk : i1, in %a : i8, in %b : i8, out y : i8, out z : i8) {
  %x = arith.addi %a, %b : i8 loc("addi_l1")
  %y = arith.addi %a, %b : i8 loc("addi_l2")
  %xd = rtl.delay %x by 2, %clk : i8 loc("addi_l1_d2")
  %yd = rtl.delay %y by 2, %clk : i8 loc("addi_l2_d2")
  rtl.output %xd, %yd : i8, i8
}
