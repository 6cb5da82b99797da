// Each constraint, broken once.
// RUN: spindle-opt %s --split-input-file --verify-diagnostics

// expected-error@+1 {{port 'reg' is named by a keyword of SystemVerilog}}
rtl.module @module_c1(in %a "reg" : i8) {
  rtl.output
}
// -----
// expected-error@+1 {{port 'a-b' is not named by an identifier}}
rtl.module @module_c1(in %a "a-b" : i8) {
  rtl.output
}
// -----
// expected-error@+1 {{two ports are named 'a'}}
rtl.module @module_c1(in %a : i8, out a : i8) {
  rtl.output %a : i8
}
// -----
// expected-error@+1 {{is not named by an identifier of SystemVerilog}}
rtl.module @wire() {
  rtl.output
}
// -----
// expected-error@+1 {{port of type 'f32', expected a signless integer of at least one bit}}
rtl.module @module_c2(in %a : f32) {
  rtl.output
}
// -----
rtl.module @module_c2(in %a : i8, in %b : i8) {
  // expected-error@+1 {{'arith.divui' op is not an operation of a circuit}}
  %c = arith.divui %a, %b : i8
  rtl.output
}
// -----
rtl.module @module_c2() {
  // expected-error@+1 {{makes 'index' in a circuit, expected a signless integer of at least one bit}}
  %c = arith.constant 0 : index
  rtl.output
}
// -----
// expected-error@+1 {{alias ["x", "y"], expected [name, input] of its inputs}}
rtl.module @module_c6(in %a : i8, out y : i8) attributes {aliases = [["x", "y"]]} {
  rtl.output %a : i8
}
// -----
// expected-error@+1 {{alias ["x"], expected [name, input] of its inputs}}
rtl.module @module_c6(in %a : i8, out y : i8) attributes {aliases = [["x"]]} {
  rtl.output %a : i8
}
// -----
// expected-error@+1 {{alias [1, "a"], expected [name, input] of its inputs}}
rtl.module @module_c6(in %a : i8, out y : i8) attributes {aliases = [[1 : i64, "a"]]} {
  rtl.output %a : i8
}
// -----
rtl.module @module_c3(in %a : i8, out y : i8) {
  // expected-error@+1 {{'arith.addi' op is in a combinational cycle, expected a register on it}}
  %b = arith.addi %a, %d : i8
  // expected-note@+1 {{then through 'arith.xori'}}
  %c = arith.xori %b, %a : i8
  // expected-note@+1 {{then through 'rtl.delay'}}
  %d = rtl.delay %c by 0, %clk : i8
  %clk = arith.constant true
  rtl.output %b : i8
}
// -----
rtl.extern @gate(in a : i1, in b : i1, out y : i1) {combinational = [["b", "y"]]}
rtl.module @module_c3(in %a : i1, out y : i1) {
  // expected-error@+1 {{'rtl.instance' op is in a combinational cycle, expected a register on it}}
  %y = rtl.instance "g" @gate (a: %a : i1, b: %z : i1) -> (y: i1)
  // expected-note@+1 {{then through 'arith.andi'}}
  %z = arith.andi %a, %y : i1
  rtl.output %y : i1
}
// -----
rtl.extern @gate(in a : i1, out y : i1)
rtl.module @module_c4(in %a : i1, out y : i1, out z : i1) {
  // expected-note@+1 {{the other one}}
  %y = rtl.instance "g" @gate (a: %a : i1) -> (y: i1)
  // expected-error@+1 {{two instances are named 'g'}}
  %z = rtl.instance "g" @gate (a: %y : i1) -> (y: i1)
  rtl.output %y, %z : i1, i1
}
// -----
rtl.module @module_c5(in %a : i8, out y : i1) {
  // expected-error@+1 {{drives ('i8'), the ports are ('i1')}}
  rtl.output %a : i8
}
// -----
// expected-error@+1 {{port 'begin' is named by a keyword of SystemVerilog}}
rtl.extern @extern_c1(in begin : i8)
// -----
// expected-error@+1 {{combinational path ["a", "z"], expected [input, output] of two of its ports}}
rtl.extern @extern_c2(in a : i8, out y : i8) {combinational = [["a", "z"]]}
// -----
rtl.module @instance_c1() {
  // expected-error@+1 {{there is no module @absent}}
  rtl.instance "u" @absent () -> ()
  rtl.output
}
// -----
rtl.extern @unit(in a : i8, out y : i8)
rtl.module @instance_c2(in %a : i8) {
  // expected-error@+1 {{has 0 inputs, @unit has 1}}
  %y = rtl.instance "u" @unit () -> (y: i8)
  rtl.output
}
// -----
rtl.extern @unit(in a : i8, out y : i8)
rtl.module @instance_c2(in %a : i8) {
  // expected-error@+1 {{input 0 is named "b", expected "a"}}
  %y = rtl.instance "u" @unit (b: %a : i8) -> (y: i8)
  rtl.output
}
// -----
rtl.extern @unit(in a : i8, out y : i8)
rtl.module @instance_c2(in %a : i8) {
  // expected-error@+1 {{output "y" is 'i9', expected 'i8'}}
  %y = rtl.instance "u" @unit (a: %a : i8) -> (y: i9)
  rtl.output
}
// -----
rtl.extern @unit(in a : i8) parameters ["LATENCY"]
rtl.module @instance_c3(in %a : i8) {
  // expected-error@+1 {{parameter 'LATENCY' is not given}}
  rtl.instance "u" @unit (a: %a : i8) -> ()
  rtl.output
}
// -----
rtl.extern @unit(in a : i8) parameters ["LATENCY"]
rtl.module @instance_c3(in %a : i8) {
  // expected-error@+1 {{parameter 'STAGES' is none of @unit}}
  rtl.instance "u" @unit parameters {LATENCY = 1, STAGES = 2} (a: %a : i8) -> ()
  rtl.output
}
// -----
rtl.extern @unit(in a : i8) parameters ["LATENCY"]
rtl.module @instance_c3(in %a : i8) {
  // expected-error@+1 {{parameter 'LATENCY' is neither an integer nor a string}}
  rtl.instance "u" @unit parameters {LATENCY = 1.0 : f32} (a: %a : i8) -> ()
  rtl.output
}
// -----
rtl.module @reg_c1(in %clk : i1, in %a : i8) {
  // expected-error@+1 {{has a reset without a value, or a value without a reset}}
  %q = "rtl.reg"(%a, %clk) {operandSegmentSizes = array<i32: 1, 1, 0, 0>, reset_value = 1 : i8} : (i8, i1) -> i8
  rtl.output
}
// -----
rtl.module @reg_c1(in %clk : i1, in %a : i8) {
  // expected-error@+1 {{reset value does not fit in 'i8'}}
  %q = rtl.reg %a, %clk reset %clk to 256 : i8
  rtl.output
}
// -----
// expected-note@+1 {{prior use here}}
rtl.module @reset(in %clk : i1, in %rst : i8, in %a : i8) {
  // expected-error@+1 {{use of value '%rst' expects different type than prior uses: 'i1' vs 'i8'}}
  %q = rtl.reg %a, %clk reset %rst to 0 : i8
  rtl.output
}
// -----
rtl.module @delay_c1(in %clk : i1, in %a : i8) {
  // expected-error@+1 {{has -1 stages, expected none or more}}
  %q = rtl.delay %a by -1, %clk : i8
  rtl.output
}
// -----
rtl.module @memory_c1(in %clk : i1, in %a : i8) {
  // expected-error@+1 {{has 0 words and 1 ports, expected at least one of each}}
  %q = rtl.memory "m" %clk depth 0 : i8 ports (%clk, %clk, %clk, %a)
  rtl.output
}
// -----
rtl.module @memory_c2(in %clk : i1, in %a : i8) {
  // expected-error@+1 {{port 0: address is 'i8', expected i3 for 5 words}}
  %q = "rtl.memory"(%clk, %clk, %clk, %a, %a) {memory_name = "m", depth = 5 : i64} : (i1, i1, i1, i8, i8) -> i8
  rtl.output
}
// -----
rtl.module @memory_c3(in %clk : i1, in %a : i8) {
  // expected-error@+1 {{initial contents are 'tensor<3xi8>', expected 2 x 'i8'}}
  %q = rtl.memory "m" %clk depth 2 : i8 ports (%clk, %clk, %clk, %a) {initial = dense<0> : tensor<3xi8>}
  rtl.output
}
// -----
rtl.module @machine_c1(in %clk : i1, in %rst : i1) {
  // expected-error@+1 {{two states are named 'a'}}
  %a, %b = rtl.machine "m" %clk reset %rst {a, a}
  rtl.output
}
// -----
rtl.module @machine_c2(in %clk : i1, in %rst : i1) {
  // expected-error@+1 {{there is no state 'c'}}
  %a, %b = rtl.machine "m" %clk reset %rst {a: %clk -> c, b}
  rtl.output
}
// -----
rtl.module @wire_c1(out y : i8) {
  // expected-error@+1 {{has no driver}}
  %y = rtl.wire : i8
  rtl.output %y : i8
}
// -----
rtl.module @concat_c1(in %a : i8) {
  // expected-error@+1 {{joins 2 values of 16 bits to 'i17', expected as many bits}}
  %y = rtl.concat %a, %a : i8, i8 -> i17
  rtl.output
}
// -----
rtl.module @extract_c1(in %a : i8) {
  // expected-error@+1 {{takes 4 bits from bit 5 of 'i8'}}
  %y = rtl.extract %a from 5 : i8 -> i4
  rtl.output
}
// -----
rtl.module @extract_far(in %a : i8) {
  // expected-error@+1 {{takes 4 bits from bit 9223372036854775806 of 'i8'}}
  %y = rtl.extract %a from 9223372036854775806 : i8 -> i4
  rtl.output
}
// -----
rtl.module @replicate_c1(in %a : i8) {
  // expected-error@+1 {{makes 'i12' of 'i8', expected a multiple of its bits}}
  %y = rtl.replicate %a : i8 -> i12
  rtl.output
}
// -----
// expected-note@+1 {{prior use here}}
rtl.module @one_hot_c1(in %v : i1, in %a : i8) {
  // expected-error@+1 {{use of value '%a' expects different type than prior uses: 'i9' vs 'i8'}}
  %y = rtl.one_hot (%v, %a) : i9
  rtl.output
}
// -----
rtl.module @reg_c1(in %clk : i1, in %x : f32) {
  // expected-error@+1 {{a register is a signless integer, found 'f32'}}
  %r = rtl.reg %x, %clk reset %clk to 0 : f32
  rtl.output
}
// -----
rtl.module @reg_c2(in %clk : i1, in %x : i8) {
  // expected-error@+1 {{reset value is 0 : i9, expected a value of 'i8'}}
  %r = "rtl.reg"(%x, %clk, %clk) <{operandSegmentSizes = array<i32: 1, 1, 0, 1>, reset_value = 0 : i9}> : (i8, i1, i1) -> i8
  rtl.output
}
// -----
rtl.module @machine_c1(in %clk : i1, in %rst : i1) {
  // expected-error@+1 {{has 2 states and 1 results, expected one result per state, at least one}}
  %f = "rtl.machine"(%clk, %rst) <{machine_name = "m", states = ["a", "b"], sources = array<i64>, targets = array<i64>, operandSegmentSizes = array<i32: 1, 1, 0, 0>}> : (i1, i1) -> i1
  rtl.output
}
// -----
rtl.module @machine_c2(in %clk : i1, in %rst : i1) {
  // expected-error@+1 {{has 1 conditions, expected one source and target for each}}
  %f = "rtl.machine"(%clk, %rst, %rst) <{machine_name = "m", states = ["a"], sources = array<i64: 0>, targets = array<i64>, operandSegmentSizes = array<i32: 1, 1, 0, 1>}> : (i1, i1, i1) -> i1
  rtl.output
}
// -----
rtl.module @memory_c1(in %clk : i1, in %en : i8, in %we : i1, in %a : i2, in %x : i8) {
  // expected-error@+1 {{port 0: enables are i1}}
  %m = "rtl.memory"(%clk, %en, %we, %a, %x) <{memory_name = "m", depth = 4 : i64}> : (i1, i8, i1, i2, i8) -> i8
  rtl.output
}
// -----
// expected-error@+1 {{the arguments of the body are not of the ports' types}}
"rtl.module"() <{sym_name = "module_c4", function_type = (i8) -> (), input_names = ["a"], output_names = []}> ({
^bb0(%a: i9):
  "rtl.output"() : () -> ()
}) : () -> ()
// -----
// expected-error@+1 {{names and types of ports differ in number}}
"rtl.module"() <{sym_name = "module_c4", function_type = (i8) -> (), input_names = [], output_names = []}> ({
^bb0(%a: i8):
  "rtl.output"() : () -> ()
}) : () -> ()
// -----
rtl.module @wire_c1(out y : i8) {
  // expected-error@+1 {{has no driver}}
  %y = rtl.wire : i8
  rtl.output %y : i8
}
// -----
rtl.module @concat_c1(in %a : i8) {
  // expected-error@+1 {{joins 2 values of 16 bits to 'i17', expected as many bits}}
  %y = rtl.concat %a, %a : i8, i8 -> i17
  rtl.output
}
// -----
rtl.module @extract_c1(in %a : i8) {
  // expected-error@+1 {{takes 4 bits from bit 5 of 'i8'}}
  %y = rtl.extract %a from 5 : i8 -> i4
  rtl.output
}
// -----
rtl.module @extract_far(in %a : i8) {
  // expected-error@+1 {{takes 4 bits from bit 9223372036854775806 of 'i8'}}
  %y = rtl.extract %a from 9223372036854775806 : i8 -> i4
  rtl.output
}
// -----
rtl.module @replicate_c1(in %a : i8) {
  // expected-error@+1 {{makes 'i12' of 'i8', expected a multiple of its bits}}
  %y = rtl.replicate %a : i8 -> i12
  rtl.output
}
// -----
// expected-note@+1 {{prior use here}}
rtl.module @one_hot_c1(in %v : i1, in %a : i8) {
  // expected-error@+1 {{use of value '%a' expects different type than prior uses: 'i9' vs 'i8'}}
  %y = rtl.one_hot (%v, %a) : i9
  rtl.output
}
// -----
rtl.module @reg_c1(in %clk : i1, in %x : f32) {
  // expected-error@+1 {{a register is a signless integer, found 'f32'}}
  %r = rtl.reg %x, %clk reset %clk to 0 : f32
  rtl.output
}
// -----
rtl.module @reg_c2(in %clk : i1, in %x : i8) {
  // expected-error@+1 {{reset value is 0 : i9, expected a value of 'i8'}}
  %r = "rtl.reg"(%x, %clk, %clk) <{operandSegmentSizes = array<i32: 1, 1, 0, 1>, reset_value = 0 : i9}> : (i8, i1, i1) -> i8
  rtl.output
}
// -----
rtl.module @machine_c1(in %clk : i1, in %rst : i1) {
  // expected-error@+1 {{has 2 states and 1 results, expected one result per state, at least one}}
  %f = "rtl.machine"(%clk, %rst) <{machine_name = "m", states = ["a", "b"], sources = array<i64>, targets = array<i64>, operandSegmentSizes = array<i32: 1, 1, 0, 0>}> : (i1, i1) -> i1
  rtl.output
}
// -----
rtl.module @machine_c2(in %clk : i1, in %rst : i1) {
  // expected-error@+1 {{has 1 conditions, expected one source and target for each}}
  %f = "rtl.machine"(%clk, %rst, %rst) <{machine_name = "m", states = ["a"], sources = array<i64: 0>, targets = array<i64>, operandSegmentSizes = array<i32: 1, 1, 0, 1>}> : (i1, i1, i1) -> i1
  rtl.output
}
// -----
rtl.module @memory_c1(in %clk : i1, in %en : i8, in %we : i1, in %a : i2, in %x : i8) {
  // expected-error@+1 {{port 0: enables are i1}}
  %m = "rtl.memory"(%clk, %en, %we, %a, %x) <{memory_name = "m", depth = 4 : i64}> : (i1, i8, i1, i2, i8) -> i8
  rtl.output
}
// -----
// expected-error@+1 {{the arguments of the body are not of the ports' types}}
"rtl.module"() <{sym_name = "module_c4", function_type = (i8) -> (), input_names = ["a"], output_names = []}> ({
^bb0(%a: i9):
  "rtl.output"() : () -> ()
}) : () -> ()
// -----
// expected-error@+1 {{names and types of ports differ in number}}
"rtl.module"() <{sym_name = "module_c4", function_type = (i8) -> (), input_names = [], output_names = []}> ({
^bb0(%a: i8):
  "rtl.output"() : () -> ()
}) : () -> ()
// -----
rtl.module @wire_c1(in %a : i8) {
  // expected-error@+1 {{is 'i9', its driver 'i8'}}
  %w = "rtl.wire"(%a) : (i8) -> i9
  rtl.output
}
