// RUN: spindle-opt %s | spindle-opt | FileCheck %s

// CHECK-LABEL: hls.kernel @scale target "zynq-7020-100mhz" clock 1.000000e+01 arguments [0]
hls.kernel @scale target "zynq-7020-100mhz" clock 1.0e+01 arguments [0] {
^bb0(%factor: f64):
  hls.memory @x : memref<8xf64> {argument = 1 : i64}
  hls.unit @mulf_f64_0 does ["mulf"] on f64 by "spindle_mulf" {interval = 1 : i64, latency = 6 : i64, parameters = {LATENCY = 6 : i64}}
  hls.tasks {
    // CHECK: hls.pipeline "nest0" interval 1 depth 8
    hls.pipeline "nest0" interval 1 depth 8 {
    ^bb0(%i: index):
      // CHECK: hls.load @x bank 0 port 0[%{{.*}}] {hls.start = 0 : i64} : f64
      %a = hls.load @x bank 0 port 0 [%i] {hls.start = 0 : i64} : f64
      %y = arith.mulf %a, %factor {hls.start = 1 : i64, hls.unit = @mulf_f64_0} : f64
      hls.store %y, @x bank 0 port 1 [%i] {hls.start = 7 : i64} : f64
      hls.yield
    } {at_least = array<i64: 1>, dependences = [#hls.dependence<0 -> 2 after 0>], lower_bounds = [affine_map<() -> (0)>], upper_bounds = [affine_map<() -> (8)>]}
    // CHECK: hls.repeat "steps" after ["nest0"]
    hls.repeat "steps" after ["nest0"] {
    ^bb0(%t: index):
      hls.tasks {
        hls.pipeline "sum" interval 7 depth 8 of %t carries %factor : f64 {
        ^bb0(%i: index, %acc: f64):
          %a = hls.load @x bank 0 port 0 [%i] {hls.start = 0 : i64} : f64
          %s = arith.mulf %a, %acc {hls.start = 1 : i64, hls.unit = @mulf_f64_0} : f64
          hls.yield %s : f64
        } {at_least = array<i64: 1>, dependences = [], lower_bounds = [affine_map<(t) -> (t)>], upper_bounds = [affine_map<(t) -> (8)>]}
      }
    } {lower_bound = affine_map<() -> (0)>, upper_bound = affine_map<() -> (4)>}
  }
}

// CHECK-LABEL: hls.kernel @open
hls.kernel @open target "zynq-7020-100mhz" clock 1.0e+01 arguments [0] {
^bb0(%start: i32):
  hls.memory @n : memref<i32> {registers}
  hls.memory @go : memref<i1> {registers}
  // CHECK: %[[HELD:.*]] = hls.held @n : i32
  %held = hls.held @n : i32
  %end = arith.index_cast %held : i32 to index
  %zero = arith.constant 0 : i32
  hls.tasks {
    // CHECK: hls.pipeline "while0" interval 1 depth 1 carries %{{.*}} : i32
    hls.pipeline "while0" interval 1 depth 1 carries %start : i32 {
    ^bb0(%x: i32):
      %one = arith.constant {hls.start = 0 : i64} 1 : i32
      %less = arith.subi %x, %one {hls.start = 0 : i64} : i32
      %more = arith.cmpi sgt, %less, %one {hls.start = 0 : i64} : i32
      hls.store %less, @n bank 0 {hls.start = 0 : i64} : i32
      hls.store %more, @go bank 0 {hls.start = 0 : i64} : i1
      // CHECK: hls.yield %{{.*}} : i32 while %{{.*}}
      hls.yield %less : i32 while %more
    } {at_least = array<i64>, dependences = [], lower_bounds = [], upper_bounds = []}
    // CHECK: hls.repeat "loop0" after ["while0"] while @go
    hls.repeat "loop0" after ["while0"] while @go {
    ^bb0(%t: index):
      hls.tasks {
        // CHECK: hls.pipeline "nest0" interval 1 depth 1 of
        hls.pipeline "nest0" interval 1 depth 1 of %end {
        ^bb0(%i: index):
          %false = arith.constant {hls.start = 0 : i64} false
          hls.store %false, @go bank 0 {hls.start = 0 : i64} : i1
          hls.yield
        } {at_least = array<i64: 1>, dependences = [], lower_bounds = [affine_map<(n) -> (0)>], upper_bounds = [affine_map<(n) -> (n)>]}
      }
    } {lower_bound = affine_map<() -> (0)>, upper_bound = affine_map<() -> ()>}
  }
}

// CHECK-LABEL: hls.kernel @streams
hls.kernel @streams target "zynq-7020-100mhz" clock 1.0e+01 arguments [] {
  // CHECK: hls.fifo @arg0 : i11 {argument = 0 : i64, depth = 2 : i64}
  hls.fifo @arg0 : i11 {argument = 0 : i64, depth = 2 : i64}
  hls.fifo @stream0 : i11 {depth = 16 : i64}
  %zero = arith.constant 0 : i11
  hls.tasks {
    hls.pipeline "while0" interval 1 depth 1 carries %zero : i11 {
    ^bb0(%last: i11):
      // CHECK: %[[TOKEN:.*]] = hls.pop @arg0 {hls.start = 0 : i64} : i11
      %token = hls.pop @arg0 {hls.start = 0 : i64} : i11
      // CHECK: %[[MORE:.*]] = arith.cmpi
      %more = arith.cmpi ne, %token, %last {hls.start = 0 : i64} : i11
      // CHECK: hls.push %[[TOKEN]], @stream0 if %[[MORE]] {hls.start = 0 : i64} : i11
      hls.push %token, @stream0 if %more {hls.start = 0 : i64} : i11
      hls.yield %token : i11 while %more
    } {at_least = array<i64>, dependences = [], lower_bounds = [], upper_bounds = []}
  }
}

// CHECK-LABEL: func.func private @producer(!hls.stream<i8>)
func.func private @producer(!hls.stream<i8>)
// CHECK-LABEL: func.func @program
func.func @program() -> i8 {
  // CHECK: %[[S:.*]] = hls.make_stream {depth = 4 : i64} : <i8>
  %s = hls.make_stream {depth = 4 : i64} : !hls.stream<i8>
  func.call @producer(%s) : (!hls.stream<i8>) -> ()
  // CHECK: %[[T:.*]] = hls.read %[[S]] : <i8>
  %t = hls.read %s : !hls.stream<i8>
  // CHECK: hls.write %[[T]], %[[S]] : <i8>
  hls.write %t, %s : !hls.stream<i8>
  return %t : i8
}
