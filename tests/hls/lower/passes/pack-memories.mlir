// RUN: spindle-opt %s --hls-pack-memories --canonicalize --cse --split-input-file | FileCheck %s

// Two banks of 1,024 bytes that a pipeline writes and reads together: half a block as words of 16
// bits, half a block each alone.
rtl.module @body(in %clk : i1, in %go : i1, in %at : i10, out en0 : i1, out en1 : i1, out addr0 : i10, out addr1 : i10, out other : i10) {
  %one = arith.constant 1 : i10
  %next = arith.addi %at, %one : i10
  rtl.output %go, %go, %next, %next, %at : i1, i1, i10, i10, i10
}
// CHECK-LABEL: rtl.module @same
// CHECK-DAG: %[[both:.*]] = rtl.concat %d1, %d0 : i8, i8 -> i16
// CHECK: rtl.memory "local0_b0" %clk depth 1024 : i16 ports (%{{.*}}, %{{.*}}, %{{.*}}, %[[both]])
// CHECK-NOT: rtl.memory
// CHECK-DAG: rtl.extract %{{.*}} from 0 : i16 -> i8
// CHECK-DAG: rtl.extract %{{.*}} from 8 : i16 -> i8
rtl.module @same(in %clk : i1, in %go : i1, in %at : i10, in %d0 : i8, in %d1 : i8, out y0 : i8, out y1 : i8) {
  %en0, %en1, %addr0, %addr1, %other = rtl.instance "body" @body (clk: %clk : i1, go: %go : i1, at: %at : i10) -> (en0: i1, en1: i1, addr0: i10, addr1: i10, other: i10)
  %y0 = rtl.memory "local0_b0" %clk depth 1024 : i8 ports (%en0, %en0, %addr0, %d0)
  %y1 = rtl.memory "local0_b1" %clk depth 1024 : i8 ports (%en1, %en1, %addr1, %d1)
  rtl.output %y0, %y1 : i8, i8
}

// -----

rtl.module @body(in %clk : i1, in %go : i1, in %at : i10, out en0 : i1, out en1 : i1, out addr0 : i10, out addr1 : i10, out other : i10) {
  %one = arith.constant 1 : i10
  %next = arith.addi %at, %one : i10
  rtl.output %go, %go, %next, %next, %at : i1, i1, i10, i10, i10
}
// Other addresses, another array, a bank that is not written at the same time, LUT RAM: they stay.
// CHECK-LABEL: rtl.module @different
// CHECK-COUNT-7: rtl.memory {{.*}} : i8
rtl.module @different(in %clk : i1, in %go : i1, in %we : i1, in %at : i10, in %d0 : i8, in %d1 : i8, out y0 : i8, out y1 : i8, out y2 : i8, out y3 : i8, out y4 : i8, out y5 : i8, out y6 : i8) {
  %en0, %en1, %addr0, %addr1, %other = rtl.instance "body" @body (clk: %clk : i1, go: %go : i1, at: %at : i10) -> (en0: i1, en1: i1, addr0: i10, addr1: i10, other: i10)
  %y0 = rtl.memory "local0_b0" %clk depth 1024 : i8 ports (%en0, %en0, %addr0, %d0)
  %y1 = rtl.memory "local0_b1" %clk depth 1024 : i8 ports (%en1, %en1, %other, %d1)
  %y2 = rtl.memory "local1_b0" %clk depth 1024 : i8 ports (%en1, %en1, %addr1, %d1)
  %y3 = rtl.memory "local2_b0" %clk depth 1024 : i8 ports (%en0, %en0, %addr0, %d0)
  %y4 = rtl.memory "local2_b1" %clk depth 1024 : i8 ports (%en1, %we, %addr1, %d1)
  %y5 = rtl.memory "local3_b0" %clk depth 1024 : i8 ports (%en0, %en0, %addr0, %d0) {distributed}
  %y6 = rtl.memory "local3_b1" %clk depth 1024 : i8 ports (%en1, %en1, %addr1, %d1) {distributed}
  rtl.output %y0, %y1, %y2, %y3, %y4, %y5, %y6 : i8, i8, i8, i8, i8, i8, i8
}

// -----

// Contents go side by side; words of 18 bits fill a block of their own, so that nothing is gained.
// CHECK-LABEL: rtl.module @constants
// CHECK-COUNT-1: rtl.memory "table_b0" {{.*}} : i16 {{.*}}initial = dense<[513, 1027]> : tensor<2xi16>
// CHECK-COUNT-2: rtl.memory "wide_b{{.}}" {{.*}} : i18
rtl.module @constants(in %clk : i1, in %go : i1, in %at : i1, in %far : i10, out y0 : i8, out y1 : i8, out y2 : i18, out y3 : i18) {
  %false = arith.constant false
  %zero = arith.constant 0 : i8
  %none = arith.constant 0 : i18
  %y0 = rtl.memory "table_b0" %clk depth 2 : i8 ports (%go, %false, %at, %zero) {initial = dense<[1, 3]> : tensor<2xi8>}
  %y1 = rtl.memory "table_b1" %clk depth 2 : i8 ports (%go, %false, %at, %zero) {initial = dense<[2, 4]> : tensor<2xi8>}
  %y2 = rtl.memory "wide_b0" %clk depth 1024 : i18 ports (%go, %go, %far, %none)
  %y3 = rtl.memory "wide_b1" %clk depth 1024 : i18 ports (%go, %go, %far, %none)
  rtl.output %y0, %y1, %y2, %y3 : i8, i8, i18, i18
}
