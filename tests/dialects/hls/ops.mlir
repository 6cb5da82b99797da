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
