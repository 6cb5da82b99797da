// What only a look at all modules shows.
// RUN: not spindle-translate --rtl-to-systemverilog --split-input-file %s 2>&1 | FileCheck %s

// CHECK: the circuit is not valid: 'rtl.instance' op makes @a contain itself
rtl.module @a(in %x : i8) {
  rtl.instance "b" @b (x: %x : i8) -> ()
  rtl.output
}
rtl.module @b(in %x : i8) {
  rtl.instance "a" @a (x: %x : i8) -> ()
  rtl.output
}
// -----
// CHECK: the circuit is not valid: 'rtl.instance' op is in a combinational cycle, expected a register on it; then through 'arith.andi'
rtl.module @inverter(in %x : i1, out y : i1) {
  %true = arith.constant true
  %y = arith.xori %x, %true : i1
  rtl.output %y : i1
}
rtl.module @ring(in %en : i1, out y : i1) {
  %y = rtl.instance "a" @inverter (x: %z : i1) -> (y: i1)
  %z = arith.andi %y, %en : i1
  rtl.output %z : i1
}
