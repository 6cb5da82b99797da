// Every operation in every form is printed as it is read.
// RUN: spindle-opt %s | spindle-opt | FileCheck %s

// CHECK: rtl.extern @mulf_f64(in clk : i1, in ce : i1, in a : i64, in b : i64, out y : i64) parameters ["EXPONENT", "FRACTION", "LATENCY"] {module_name = "spindle_mulf", source = "spindle_mulf.sv"}
rtl.extern @mulf_f64(in clk : i1, in ce : i1, in a : i64, in b : i64, out y : i64) parameters ["EXPONENT", "FRACTION", "LATENCY"]
    {module_name = "spindle_mulf", source = "spindle_mulf.sv"}
// CHECK: rtl.extern @and_gate(in a : i1, in b : i1, out y : i1) {combinational = {{\[\[}}"a", "y"], ["b", "y"]], has_effects}
rtl.extern @and_gate(in a : i1, in b : i1, out y : i1) {combinational = [["a", "y"], ["b", "y"]], has_effects}

// CHECK-LABEL: rtl.module @everything(in %clk : i1, in %rst : i1, in %strange : i1, in %x : i64, in %i : i8, out y : i64, out z : i8)
rtl.module @everything(in %clk : i1, in %rst : i1, in %en "strange" : i1, in %x : i64, in %i : i8, out y : i64, out z : i8) {
  // CHECK: %[[P:.*]] = rtl.instance "u0" @mulf_f64 parameters {EXPONENT = 11 : i64, FRACTION = 52 : i64, LATENCY = 5 : i64} (clk: %clk : i1, ce: %strange : i1, a: %x : i64, b: %held : i64) -> (y: i64)
  %p = rtl.instance "u0" @mulf_f64 parameters {EXPONENT = 11, FRACTION = 52, LATENCY = 5} (clk: %clk : i1, ce: %en : i1, a: %x : i64, b: %q : i64) -> (y: i64)
  // CHECK: %held = rtl.reg %[[P]], %clk enable %strange reset %rst to -1 {name = "held"} : i64
  %q = rtl.reg %p, %clk enable %en reset %rst to -1 {name = "held"} : i64
  // CHECK: rtl.reg %strange, %clk reset %rst to 1 : i1
  %r = rtl.reg %en, %clk reset %rst to 1 : i1
  // CHECK: rtl.reg %i, %clk : i8
  %s = rtl.reg %i, %clk : i8
  // CHECK: rtl.delay %x by 5, %clk : i64
  %d = rtl.delay %x by 5, %clk : i64
  // CHECK: rtl.delay %i by 0, %clk enable %strange reset %rst : i8
  %e = rtl.delay %i by 0, %clk enable %en reset %rst : i8
  %zero = arith.constant 0 : i64
  // CHECK: %table, %table_0 = rtl.memory "table" %clk depth 3 : i64 ports (%strange, %rst, %[[A:.*]], %x), (%rst, %strange, %[[A]], %{{.*}}) {initial = dense<[1, 2, 3]> : tensor<3xi64>}
  %m:2 = rtl.memory "table" %clk depth 3 : i64 ports (%en, %rst, %a, %x), (%rst, %en, %a, %zero) {initial = dense<[1, 2, 3]> : tensor<3xi64>}
  // CHECK: %[[A]] = rtl.extract %i from 3 : i8 -> i2
  %a = rtl.extract %i from 3 : i8 -> i2
  // CHECK:      %control_idle, %control_run, %control_stop = rtl.machine "control" %clk reset %rst enable %strange {
  // CHECK-NEXT:   idle: %strange -> run else %rst -> stop,
  // CHECK-NEXT:   run: %rst -> idle,
  // CHECK-NEXT:   stop
  // CHECK-NEXT: }
  %f:3 = rtl.machine "control" %clk reset %rst enable %en {idle: %en -> run else %rst -> stop, run: %rst -> idle, stop}
  // CHECK: rtl.one_hot (%control_idle, %x), (%control_run, %held) : i64
  %o = rtl.one_hot (%f#0, %x), (%f#1, %q) : i64
  // CHECK: rtl.one_hot none : i8
  %n = rtl.one_hot none : i8
  // CHECK: rtl.concat %i, %strange : i8, i1 -> i9
  %c = rtl.concat %i, %en : i8, i1 -> i9
  // CHECK: rtl.replicate %strange : i1 -> i8
  %w = rtl.replicate %en : i1 -> i8
  // CHECK: %label = rtl.wire %i {name = "label"} : i8
  %l = rtl.wire %i {name = "label"} : i8
  // CHECK: rtl.output %{{.*}}, %label : i64, i8
  rtl.output %o, %l : i64, i8
}

// CHECK-LABEL: rtl.module @named(in %a : i8, out y : i8) attributes {aliases = {{\[\[}}"x", "a"]], comment = "line 3"}
rtl.module @named(in %a : i8, out y : i8) attributes {aliases = [["x", "a"]], comment = "line 3"} {
  rtl.output %a : i8
}
