// RUN: spindle-opt %s --canonicalize --split-input-file | FileCheck %s

// CHECK-LABEL: @delays
// CHECK-DAG: %[[A:.*]] = rtl.delay %x by 3, %clk : i8
// CHECK-DAG: %[[B:.*]] = rtl.delay %[[A]] by 2, %clk : i8
// CHECK-DAG: %[[C:.*]] = rtl.delay %x by 4, %clk enable %en : i8
// CHECK: rtl.output %[[A]], %[[B]], %[[C]], %x, %[[A]] :
rtl.module @delays(in %clk : i1, in %en : i1, in %x : i8, out a : i8, out b : i8, out c : i8, out d : i8, out e : i8) {
  %a = rtl.delay %x by 3, %clk : i8
  %b = rtl.delay %x by 5, %clk : i8
  %c0 = rtl.delay %x by 2, %clk enable %en : i8
  %c = rtl.delay %c0 by 2, %clk enable %en : i8
  %d = rtl.delay %x by 0, %clk : i8
  %e = rtl.delay %x by 3, %clk : i8
  rtl.output %a, %b, %c, %d, %e : i8, i8, i8, i8, i8
}
// -----
// A reset to zero shows in a delayed constant; an enable makes delays differ.
// CHECK-LABEL: @constant_delays
// CHECK-DAG: %[[FIVE:.*]] = arith.constant 5 : i8
// CHECK-DAG: %[[B:.*]] = rtl.delay %[[FIVE]] by 3, %clk reset %rst : i8
// CHECK-NEXT: rtl.output %[[FIVE]], %[[B]] :
rtl.module @constant_delays(in %clk : i1, in %rst : i1, out a : i8, out b : i8) {
  %five = arith.constant 5 : i8
  %a = rtl.delay %five by 3, %clk : i8
  %b = rtl.delay %five by 3, %clk reset %rst : i8
  rtl.output %a, %b : i8, i8
}
// -----
// CHECK-LABEL: @one_hot
// CHECK-DAG: %[[ZERO:.*]] = arith.constant 0 : i8
// CHECK-DAG: %[[EITHER:.*]] = arith.ori %u, %v : i1
// CHECK-DAG: %[[B:.*]] = arith.select %[[EITHER]], %x, %[[ZERO]] : i8
// CHECK-DAG: %[[C:.*]] = rtl.one_hot (%u, %x), (%v, %y) : i8
// CHECK: rtl.output %[[ZERO]], %[[B]], %[[C]], %x :
rtl.module @one_hot(in %u : i1, in %v : i1, in %x : i8, in %y : i8, out a : i8, out b : i8, out c : i8, out d : i8) {
  %true = arith.constant true
  %false = arith.constant false
  %zero = arith.constant 0 : i8
  %a = rtl.one_hot (%false, %x), (%u, %zero) : i8
  %b = rtl.one_hot (%u, %x), (%v, %x) : i8
  %c = rtl.one_hot (%u, %x), (%false, %x), (%v, %y) : i8
  %d = rtl.one_hot (%true, %x), (%u, %y) : i8
  rtl.output %a, %b, %c, %d : i8, i8, i8, i8
}
// -----
// CHECK-LABEL: @bits
// CHECK-DAG: %[[C:.*]] = arith.constant 4608 : i16
// CHECK-DAG: %[[D:.*]] = arith.constant -86 : i8
// CHECK-DAG: %[[A:.*]] = rtl.extract %y from 2 : i8 -> i3
// CHECK-DAG: %[[B:.*]] = rtl.extract %x from 5 : i8 -> i2
// CHECK: rtl.output %[[A]], %[[B]], %[[C]], %[[D]], %x :
rtl.module @bits(in %x : i8, in %y : i8, out a : i3, out b : i2, out c : i16, out d : i8, out e : i8) {
  %joined = rtl.concat %x, %y : i8, i8 -> i16
  %a = rtl.extract %joined from 2 : i16 -> i3
  %b0 = rtl.extract %joined from 12 : i16 -> i4
  %b = rtl.extract %b0 from 1 : i4 -> i2
  %c0 = arith.constant 18 : i8
  %c1 = arith.constant 0 : i8
  %c = rtl.concat %c0, %c1 : i8, i8 -> i16
  %d0 = arith.constant -2 : i2
  %d = rtl.replicate %d0 : i2 -> i8
  %e = rtl.concat %x : i8 -> i8
  rtl.output %a, %b, %c, %d, %e : i3, i2, i16, i8, i8
}
// -----
// What feeds only itself goes, what acts stays.
// CHECK-LABEL: @unused
// CHECK-NOT: rtl.reg
// CHECK-NOT: rtl.memory
// CHECK-NOT: "pure"
// CHECK: rtl.instance "acts" @acts
// CHECK-NEXT: rtl.output %x : i8
rtl.extern @pure(in a : i8, out y : i8)
rtl.extern @acts(in a : i8) {has_effects}
rtl.module @unused(in %clk : i1, in %x : i8, out y : i8) {
  %q = rtl.reg %n, %clk : i8
  %n = arith.addi %q, %x : i8
  %p = rtl.instance "pure" @pure (a: %x : i8) -> (y: i8)
  %m = rtl.memory "m" %clk depth 2 : i8 ports (%clk, %clk, %clk, %x)
  rtl.instance "acts" @acts (a: %x : i8) -> ()
  %w = rtl.wire %x : i8
  rtl.output %w : i8
}
// -----
// CHECK-LABEL: @constant_register
// CHECK: %[[SEVEN:.*]] = arith.constant 7 : i8
// CHECK-NEXT: rtl.output %[[SEVEN]] : i8
rtl.module @constant_register(in %clk : i1, in %rst : i1, out y : i8) {
  %seven = arith.constant 7 : i8
  %q = rtl.reg %seven, %clk reset %rst to 7 : i8
  rtl.output %q : i8
}
