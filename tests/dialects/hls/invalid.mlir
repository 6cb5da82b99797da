// RUN: spindle-opt %s -split-input-file -verify-diagnostics
// Every rule of the verifiers, broken once.

hls.kernel @k target "t" clock 1.0e+01 arguments [0] {
^bb0(%factor: f64):
  hls.memory @x : memref<8xf64>
  hls.unit @mul does ["mulf"] on f64 by "spindle_mulf" {interval = 1 : i64, latency = 6 : i64, parameters = {}}
  hls.tasks {
    hls.pipeline "p" interval 1 depth 8 {
    ^bb0(%i: index):
      %a = hls.load @x bank 0 port 0 [%i] {hls.start = 0 : i64} : f64
      // expected-error @below {{starts in cycle 0, but its operand is there in cycle 1 (pipeline_c4)}}
      %y = arith.mulf %a, %factor {hls.start = 0 : i64, hls.unit = @mul} : f64
      hls.store %y, @x bank 0 port 1 [%i] {hls.start = 7 : i64} : f64
      hls.yield
    } {at_least = array<i64: 1>, dependences = [], lower_bounds = [affine_map<() -> (0)>], upper_bounds = [affine_map<() -> (8)>]}
  }
}

// -----

hls.kernel @k target "t" clock 1.0e+01 arguments [0] {
^bb0(%factor: f64):
  hls.memory @x : memref<8xf64>
  hls.unit @mul does ["mulf"] on f64 by "spindle_mulf" {interval = 1 : i64, latency = 6 : i64, parameters = {}}
  hls.tasks {
    hls.pipeline "p" interval 1 depth 7 {
    ^bb0(%i: index):
      %a = hls.load @x bank 0 port 0 [%i] {hls.start = 0 : i64} : f64
      %y = arith.mulf %a, %factor {hls.start = 1 : i64, hls.unit = @mul} : f64
      // expected-error @below {{starts in cycle 6, but its operand is there in cycle 7 (pipeline_c4)}}
      hls.store %y, @x bank 0 port 1 [%i] {hls.start = 6 : i64} : f64
      hls.yield
    } {at_least = array<i64: 1>, dependences = [], lower_bounds = [affine_map<() -> (0)>], upper_bounds = [affine_map<() -> (8)>]}
  }
}

// -----

hls.kernel @k target "t" clock 1.0e+01 arguments [0] {
^bb0(%factor: f64):
  hls.memory @x : memref<8xf64>
  hls.unit @mul does ["mulf"] on f64 by "spindle_mulf" {interval = 1 : i64, latency = 6 : i64, parameters = {}}
  hls.tasks {
    hls.pipeline "p" interval 1 depth 8 {
    ^bb0(%i: index):
      // expected-error @below {{starts in cycle 0, expected 1 or later (pipeline_c5)}}
      %a = hls.load @x bank 0 port 0 [%i] {hls.start = 0 : i64} : f64
      %y = arith.mulf %a, %factor {hls.start = 1 : i64, hls.unit = @mul} : f64
      // expected-note @below {{because of this access 7 iterations before}}
      hls.store %y, @x bank 0 port 1 [%i] {hls.start = 7 : i64} : f64
      hls.yield
    } {at_least = array<i64: 1>, dependences = [#hls.dependence<2 -> 0 after 7>], lower_bounds = [affine_map<() -> (0)>], upper_bounds = [affine_map<() -> (8)>]}
  }
}

// -----

hls.kernel @k target "t" clock 1.0e+01 arguments [0] {
^bb0(%factor: f64):
  hls.memory @x : memref<8xf64>
  hls.unit @mul does ["mulf"] on f64 by "spindle_mulf" {interval = 1 : i64, latency = 6 : i64, parameters = {}}
  hls.tasks {
      // expected-error @below {{names no accesses (pipeline_c5)}}
    hls.pipeline "p" interval 1 depth 8 {
    ^bb0(%i: index):
      %a = hls.load @x bank 0 port 0 [%i] {hls.start = 0 : i64} : f64
      %y = arith.mulf %a, %factor {hls.start = 1 : i64, hls.unit = @mul} : f64
      hls.store %y, @x bank 0 port 1 [%i] {hls.start = 7 : i64} : f64
      hls.yield
    } {at_least = array<i64: 1>, dependences = [#hls.dependence<2 -> 1 after 7>], lower_bounds = [affine_map<() -> (0)>], upper_bounds = [affine_map<() -> (8)>]}
  }
}

// -----

hls.kernel @k target "t" clock 1.0e+01 arguments [0] {
^bb0(%factor: f64):
  hls.memory @x : memref<8xf64>
  hls.unit @mul does ["mulf"] on f64 by "spindle_mulf" {interval = 1 : i64, latency = 6 : i64, parameters = {}}
  hls.tasks {
    hls.pipeline "p" interval 1 depth 8 {
    ^bb0(%i: index):
      // expected-note @below {{by this operation}}
      %a = hls.load @x bank 0 port 0 [%i] {hls.start = 0 : i64} : f64
      %y = arith.mulf %a, %factor {hls.start = 1 : i64, hls.unit = @mul} : f64
      // expected-error @below {{takes x bank 0 port 0 in cycle 7 modulo 1, which is taken (pipeline_c6)}}
      hls.store %y, @x bank 0 port 0 [%i] {hls.start = 7 : i64} : f64
      hls.yield
    } {at_least = array<i64: 1>, dependences = [], lower_bounds = [affine_map<() -> (0)>], upper_bounds = [affine_map<() -> (8)>]}
  }
}

// -----

hls.kernel @k target "t" clock 1.0e+01 arguments [0] {
^bb0(%factor: f64):
  hls.memory @x : memref<8xf64>
  hls.unit @mul does ["mulf"] on f64 by "spindle_mulf" {interval = 1 : i64, latency = 6 : i64, parameters = {}}
  hls.tasks {
      // expected-error @below {{has depth 9, expected 8 (pipeline_c7)}}
    hls.pipeline "p" interval 1 depth 9 {
    ^bb0(%i: index):
      %a = hls.load @x bank 0 port 0 [%i] {hls.start = 0 : i64} : f64
      %y = arith.mulf %a, %factor {hls.start = 1 : i64, hls.unit = @mul} : f64
      hls.store %y, @x bank 0 port 1 [%i] {hls.start = 7 : i64} : f64
      hls.yield
    } {at_least = array<i64: 1>, dependences = [], lower_bounds = [affine_map<() -> (0)>], upper_bounds = [affine_map<() -> (8)>]}
  }
}

// -----

hls.kernel @k target "t" clock 1.0e+01 arguments [0] {
^bb0(%factor: f64):
  hls.memory @x : memref<8xf64>
  hls.unit @mul does ["mulf"] on f64 by "spindle_mulf" {interval = 1 : i64, latency = 6 : i64, parameters = {}}
  hls.tasks {
      // expected-error @below {{expected an interval and a depth of at least 1 (pipeline_c1)}}
    hls.pipeline "p" interval 0 depth 8 {
    ^bb0(%i: index):
      %a = hls.load @x bank 0 port 0 [%i] {hls.start = 0 : i64} : f64
      %y = arith.mulf %a, %factor {hls.start = 1 : i64, hls.unit = @mul} : f64
      hls.store %y, @x bank 0 port 1 [%i] {hls.start = 7 : i64} : f64
      hls.yield
    } {at_least = array<i64: 1>, dependences = [], lower_bounds = [affine_map<() -> (0)>], upper_bounds = [affine_map<() -> (8)>]}
  }
}

// -----

hls.kernel @k target "t" clock 1.0e+01 arguments [0] {
^bb0(%factor: f64):
  hls.memory @x : memref<8xf64>
  hls.unit @mul does ["mulf"] on f64 by "spindle_mulf" {interval = 1 : i64, latency = 6 : i64, parameters = {}}
  hls.tasks {
      // expected-error @below {{of level 0 takes 1 values, expected 0 (pipeline_c2)}}
    hls.pipeline "p" interval 1 depth 8 {
    ^bb0(%i: index):
      %a = hls.load @x bank 0 port 0 [%i] {hls.start = 0 : i64} : f64
      %y = arith.mulf %a, %factor {hls.start = 1 : i64, hls.unit = @mul} : f64
      hls.store %y, @x bank 0 port 1 [%i] {hls.start = 7 : i64} : f64
      hls.yield
    } {at_least = array<i64: 1>, dependences = [], lower_bounds = [affine_map<(d0) -> (d0)>], upper_bounds = [affine_map<() -> (8)>]}
  }
}

// -----

hls.kernel @k target "t" clock 1.0e+01 arguments [0] {
^bb0(%factor: f64):
  hls.memory @x : memref<8xf64>
  hls.unit @mul does ["mulf"] on f64 by "spindle_mulf" {interval = 1 : i64, latency = 6 : i64, parameters = {}}
  hls.tasks {
    hls.pipeline "p" interval 1 depth 8 {
    ^bb0(%i: index):
      %a = hls.load @x bank 0 port 0 [%i] {hls.start = 0 : i64} : f64
      // expected-error @below {{names a unit that is not in the kernel (pipeline_c3)}}
      %y = arith.mulf %a, %factor {hls.start = 1 : i64, hls.unit = @missing} : f64
      hls.store %y, @x bank 0 port 1 [%i] {hls.start = 7 : i64} : f64
      hls.yield
    } {at_least = array<i64: 1>, dependences = [], lower_bounds = [affine_map<() -> (0)>], upper_bounds = [affine_map<() -> (8)>]}
  }
}

// -----

hls.kernel @k target "t" clock 1.0e+01 arguments [0] {
^bb0(%factor: f64):
  hls.memory @x : memref<8xf64>
  hls.unit @mul does ["mulf"] on f64 by "spindle_mulf" {interval = 1 : i64, latency = 6 : i64, parameters = {}}
  hls.tasks {
    hls.pipeline "p" interval 1 depth 8 {
    ^bb0(%i: index):
      // expected-error @below {{expected a start cycle of at least 0 (pipeline_c3)}}
      %a = hls.load @x bank 0 port 0 [%i] {hls.start = -1 : i64} : f64
      %y = arith.mulf %a, %factor {hls.start = 1 : i64, hls.unit = @mul} : f64
      hls.store %y, @x bank 0 port 1 [%i] {hls.start = 7 : i64} : f64
      hls.yield
    } {at_least = array<i64: 1>, dependences = [], lower_bounds = [affine_map<() -> (0)>], upper_bounds = [affine_map<() -> (8)>]}
  }
}

// -----

hls.kernel @k target "t" clock 1.0e+01 arguments [0] {
^bb0(%factor: f64):
  hls.memory @x : memref<8xf64>
  hls.unit @mul does ["mulf"] on f64 by "spindle_mulf" {interval = 1 : i64, latency = 6 : i64, parameters = {}}
  hls.tasks {
    hls.pipeline "p" interval 1 depth 8 {
    ^bb0(%i: index):
      %a = hls.load @x bank 0 port 0 [%i] {hls.start = 0 : i64} : f64
      %y = arith.mulf %a, %factor {hls.start = 1 : i64, hls.unit = @mul} : f64
      // expected-error @below {{does not fit unit mul (pipeline_c3)}}
      %z = arith.addf %a, %a {hls.start = 1 : i64, hls.unit = @mul} : f64
      hls.store %y, @x bank 0 port 1 [%i] {hls.start = 7 : i64} : f64
      hls.yield
    } {at_least = array<i64: 1>, dependences = [], lower_bounds = [affine_map<() -> (0)>], upper_bounds = [affine_map<() -> (8)>]}
  }
}

// -----

hls.kernel @k target "t" clock 1.0e+01 arguments [0] {
^bb0(%factor: f64):
  hls.memory @x : memref<8xf64>
  hls.unit @mul does ["mulf"] on f64 by "spindle_mulf" {interval = 1 : i64, latency = 6 : i64, parameters = {}}
  hls.tasks {
    hls.pipeline "p" interval 1 depth 8 {
    ^bb0(%i: index):
      %a = hls.load @x bank 0 port 0 [%i] {hls.start = 0 : i64} : f64
      %y = arith.mulf %a, %factor {hls.start = 1 : i64, hls.unit = @mul} : f64
      // expected-error @below {{uses bank 0 port 2 of a memory with 1 banks and 2 ports (store_c2)}}
      hls.store %y, @x bank 0 port 2 [%i] {hls.start = 7 : i64} : f64
      hls.yield
    } {at_least = array<i64: 1>, dependences = [], lower_bounds = [affine_map<() -> (0)>], upper_bounds = [affine_map<() -> (8)>]}
  }
}

// -----

hls.kernel @k target "t" clock 1.0e+01 arguments [0] {
^bb0(%factor: f64):
  hls.memory @x : memref<8xf64>
  hls.unit @mul does ["mulf"] on f64 by "spindle_mulf" {interval = 1 : i64, latency = 6 : i64, parameters = {}}
  hls.tasks {
    hls.pipeline "p" interval 1 depth 8 {
    ^bb0(%i: index):
      // expected-error @below {{uses bank 0 port 5 of a memory with 1 banks and 2 ports (load_c2)}}
      %a = hls.load @x bank 0 port 5 [%i] {hls.start = 0 : i64} : f64
      %y = arith.mulf %a, %factor {hls.start = 1 : i64, hls.unit = @mul} : f64
      hls.store %y, @x bank 0 port 1 [%i] {hls.start = 7 : i64} : f64
      hls.yield
    } {at_least = array<i64: 1>, dependences = [], lower_bounds = [affine_map<() -> (0)>], upper_bounds = [affine_map<() -> (8)>]}
  }
}

// -----

hls.kernel @k target "t" clock 1.0e+01 arguments [0] {
^bb0(%factor: f64):
  hls.memory @x : memref<8xf64>
  hls.unit @mul does ["mulf"] on f64 by "spindle_mulf" {interval = 1 : i64, latency = 6 : i64, parameters = {}}
  hls.tasks {
      // expected-error @below {{waits for 'q', expected an earlier task (tasks_c2)}}
    hls.pipeline "p" interval 1 depth 8 after ["q"] {
    ^bb0(%i: index):
      %a = hls.load @x bank 0 port 0 [%i] {hls.start = 0 : i64} : f64
      %y = arith.mulf %a, %factor {hls.start = 1 : i64, hls.unit = @mul} : f64
      hls.store %y, @x bank 0 port 1 [%i] {hls.start = 7 : i64} : f64
      hls.yield
    } {at_least = array<i64: 1>, dependences = [], lower_bounds = [affine_map<() -> (0)>], upper_bounds = [affine_map<() -> (8)>]}
  }
}

// -----

hls.kernel @k target "t" clock 1.0e+01 arguments [0] {
^bb0(%factor: f64):
  hls.memory @x : memref<8xf64>
  hls.unit @mul does ["mulf"] on f64 by "spindle_mulf" {interval = 1 : i64, latency = 6 : i64, parameters = {}}
  hls.tasks {
    hls.pipeline "p" interval 1 depth 8 {
    ^bb0(%i: index):
      %a = hls.load @x bank 0 port 0 [%i] {hls.start = 0 : i64} : f64
      %y = arith.mulf %a, %factor {hls.start = 1 : i64, hls.unit = @mul} : f64
      hls.store %y, @x bank 0 port 1 [%i] {hls.start = 7 : i64} : f64
      hls.yield
    } {at_least = array<i64: 1>, dependences = [], lower_bounds = [affine_map<() -> (0)>], upper_bounds = [affine_map<() -> (8)>]}
      // expected-error @below {{is the second task named 'p' (tasks_c1)}}
    hls.pipeline "p" interval 1 depth 8 after ["p"] {
    ^bb0(%i: index):
      %a = hls.load @x bank 0 port 0 [%i] {hls.start = 0 : i64} : f64
      %y = arith.mulf %a, %factor {hls.start = 1 : i64, hls.unit = @mul} : f64
      hls.store %y, @x bank 0 port 1 [%i] {hls.start = 7 : i64} : f64
      hls.yield
    } {at_least = array<i64: 1>, dependences = [], lower_bounds = [affine_map<() -> (0)>], upper_bounds = [affine_map<() -> (8)>]}
  }
}

// -----

hls.kernel @k target "t" clock 1.0e+01 arguments [0] {
^bb0(%factor: f64):
  hls.memory @x : memref<8xf64>
  hls.unit @mul does ["mulf"] on f64 by "spindle_mulf" {interval = 1 : i64, latency = 6 : i64, parameters = {}}
  hls.tasks {
    hls.pipeline "p" interval 1 depth 8 {
    ^bb0(%i: index):
      // expected-note @below {{used here too}}
      %a = hls.load @x bank 0 port 0 [%i] {hls.start = 0 : i64} : f64
      %y = arith.mulf %a, %factor {hls.start = 1 : i64, hls.unit = @mul} : f64
      hls.store %y, @x bank 0 port 1 [%i] {hls.start = 7 : i64} : f64
      hls.yield
    } {at_least = array<i64: 1>, dependences = [], lower_bounds = [affine_map<() -> (0)>], upper_bounds = [affine_map<() -> (8)>]}
    hls.pipeline "q" interval 1 depth 8 {
    ^bb0(%i: index):
      // expected-error @below {{uses x bank 0 port 0 in a task that may run at the same time as another that uses it (kernel_c3)}}
      %a = hls.load @x bank 0 port 0 [%i] {hls.start = 0 : i64} : f64
      %y = arith.mulf %a, %factor {hls.start = 1 : i64, hls.unit = @mul} : f64
      hls.store %y, @x bank 0 port 1 [%i] {hls.start = 7 : i64} : f64
      hls.yield
    } {at_least = array<i64: 1>, dependences = [], lower_bounds = [affine_map<() -> (0)>], upper_bounds = [affine_map<() -> (8)>]}
  }
}

// -----

// expected-error @below {{has 2 argument indices, expected 1 (kernel_c1)}}
hls.kernel @k target "t" clock 1.0e+01 arguments [0, 1] {
^bb0(%factor: f64):
  hls.tasks {}
}

// -----

// expected-error @below {{expected one hls.tasks, at the end (kernel_c2)}}
hls.kernel @k target "t" clock 1.0e+01 arguments [] {
  hls.tasks {}
  hls.memory @x : memref<8xf64>
}

// -----

hls.kernel @k target "t" clock 1.0e+01 arguments [] {
  // expected-error @below {{expected a row-major memref of static shape}}
  hls.memory @x : memref<?xf64> 
  hls.tasks {}
}

// -----

hls.kernel @k target "t" clock 1.0e+01 arguments [] {
  // expected-error @below {{has 0 partitions for 1 dimensions (memory_c2)}}
  hls.memory @x : memref<8xf64> {partition = []}
  hls.tasks {}
}

// -----

hls.kernel @k target "t" clock 1.0e+01 arguments [] {
  // expected-error @below {{attribute 'partition' failed to satisfy constraint: partitions of the dimensions of an array}}
  hls.memory @x : memref<8xf64> {partition = [{kind = "cyclic"}]}
  hls.tasks {}
}

// -----

hls.kernel @k target "t" clock 1.0e+01 arguments [] {
  // expected-error @below {{has 0 ports and read latency 1, expected at least 1 of both (memory_c3)}}
  hls.memory @x : memref<8xf64> {ports = 0 : i64}
  hls.tasks {}
}

// -----

hls.kernel @k target "t" clock 1.0e+01 arguments [] {
  // expected-error @below {{has latency 0 and interval 1, expected at least 1 of both (unit_c1)}}
  hls.unit @mul does ["mulf"] on f64 by "m" {interval = 1 : i64, latency = 0 : i64, parameters = {}}
  hls.tasks {}
}

// -----

hls.kernel @k target "t" clock 1.0e+01 arguments [] {
  // expected-error @below {{looks at 18 bits of operands of type 'i16', expected 1 to those of an integer (unit_c2)}}
  hls.unit @mul does ["muli"] on i16 by "m" {interval = 1 : i64, latency = 1 : i64, operand_bits = array<i64: 16, 18>, parameters = {}}
  hls.tasks {}
}

// -----

hls.kernel @k target "t" clock 1.0e+01 arguments [] {
  // expected-error @below {{looks at 18 bits of operands of type 'f64', expected 1 to those of an integer (unit_c2)}}
  hls.unit @mul does ["mulf"] on f64 by "m" {interval = 1 : i64, latency = 1 : i64, operand_bits = array<i64: 18, 18>, parameters = {}}
  hls.tasks {}
}

// -----

hls.kernel @k target "t" clock 1.0e+01 arguments [] {
  hls.tasks {
    hls.pipeline "p" interval 1 depth 1 {
      %x = arith.constant 3 : i16
      // expected-error @below {{has a result of type 'i24', expected i32 (multiply_pair_c1)}}
      %y = hls.multiply_pair %x, %x by %x {hls.start = 0 : i64} : i16 -> i24
      hls.yield
    } {at_least = array<i64>, dependences = [], lower_bounds = [], upper_bounds = []}
  }
}

// -----

hls.kernel @k target "t" clock 1.0e+01 arguments [] {
  hls.tasks {
    // expected-error @below {{expected an index argument and one hls.tasks (repeat_c1)}}
    hls.repeat "r" {
    ^bb0(%t: index):
    } {lower_bound = affine_map<() -> (0)>, upper_bound = affine_map<() -> (4)>}
  }
}

// -----

hls.kernel @k target "t" clock 1.0e+01 arguments [] {
  // expected-error @below {{is LUT RAM with 1 ports and read latency 1, expected an array inside, at least 2 ports and a latency of 0 or 1 (memory_c4)}}
  hls.memory @x : memref<8xf64> {distributed, ports = 1 : i64}
  hls.tasks {}
}

// -----

hls.kernel @k target "t" clock 1.0e+01 arguments [] {
  // expected-error @below {{is LUT RAM with 2 ports and read latency 2}}
  hls.memory @x : memref<8xf64> {distributed, read_latency = 2 : i64}
  hls.tasks {}
}

// -----

// The last port of LUT RAM writes.
hls.kernel @k target "t" clock 1.0e+01 arguments [] {
  hls.memory @x : memref<8xf64> {distributed, read_latency = 0 : i64}
  hls.tasks {
    hls.pipeline "p" interval 1 depth 1 {
    ^bb0(%i: index):
      // expected-error @below {{uses bank 0 port 1 of a memory with 1 banks and 2 ports (load_c2)}}
      %a = hls.load @x bank 0 port 1 [%i] {hls.start = 0 : i64} : f64
      hls.yield
    } {at_least = array<i64: 1>, dependences = [], lower_bounds = [affine_map<() -> (0)>], upper_bounds = [affine_map<() -> (8)>]}
  }
}

// -----

hls.kernel @k target "t" clock 1.0e+01 arguments [0] {
^bb0(%factor: f64):
  hls.memory @x : memref<1xf64> {registers, initial = dense<1.0> : tensor<1xf64>}
  hls.tasks {
    hls.pipeline "p" interval 1 depth 1 {
      // expected-error @below {{writes the constants of @x (store_c3)}}
      hls.store %factor, @x bank 0 {hls.start = 0 : i64} : f64
      hls.yield
    } {at_least = array<i64>, dependences = [], lower_bounds = [], upper_bounds = []}
  }
}

// -----

hls.kernel @k target "t" clock 1.0e+01 arguments [0] {
^bb0(%n: i32):
  hls.tasks {
    // expected-error @below {{has 1 levels and a condition, expected one of both (pipeline_c8)}}
    hls.pipeline "nest" interval 1 depth 1 {
    ^bb0(%i: index):
      %go = arith.cmpi eq, %n, %n {hls.start = 0 : i64} : i32
      hls.yield while %go
    } {at_least = array<i64: 1>, dependences = [], lower_bounds = [affine_map<() -> (0)>], upper_bounds = [affine_map<() -> (8)>]}
  }
}

// -----

hls.kernel @k target "t" clock 1.0e+01 arguments [] {
  hls.memory @x : memref<8xi1>
  hls.tasks {
    // expected-error @below {{knows in cycle 1 whether there is another iteration, expected cycle 0 or earlier (pipeline_c8)}}
    hls.pipeline "while" interval 1 depth 2 {
      %c0 = arith.constant {hls.start = 0 : i64} 0 : index
      %go = hls.load @x bank 0 port 0 [%c0] {hls.start = 0 : i64} : i1
      hls.yield while %go
    } {at_least = array<i64>, dependences = [], lower_bounds = [], upper_bounds = []}
  }
}

// -----

hls.kernel @k target "t" clock 1.0e+01 arguments [] {
  hls.memory @n : memref<i32> {registers}
  hls.tasks {
    // expected-error @below {{expected a register of rank 0 and type i1 as condition (repeat_c3)}}
    hls.repeat "loop" while @n {
    ^bb0(%t: index):
      hls.tasks {}
    } {lower_bound = affine_map<() -> (0)>, upper_bound = affine_map<() -> (4)>}
  }
}

// -----

hls.kernel @k target "t" clock 1.0e+01 arguments [] {
  hls.tasks {
    // expected-error @below {{has no upper bound, expected a condition and a counter from 0 that nothing uses (repeat_c3)}}
    hls.repeat "loop" {
    ^bb0(%t: index):
      hls.tasks {}
    } {lower_bound = affine_map<() -> (0)>, upper_bound = affine_map<() -> ()>}
  }
}

// -----

hls.kernel @k target "t" clock 1.0e+01 arguments [] {
  hls.memory @n : memref<2xi32>
  // expected-error @below {{expected a register of rank 0 and type 'i32' (held_c1)}}
  %n = hls.held @n : i32
  hls.tasks {}
}

// -----

hls.kernel @k target "t" clock 1.0e+01 arguments [] {
  hls.tasks {
    // expected-error @below {{has 1 lower and 0 upper bounds for 1 levels (pipeline_c2)}}
    hls.pipeline "nest" interval 1 depth 1 {
    ^bb0(%i: index):
      hls.yield
    } {at_least = array<i64: 1>, dependences = [], lower_bounds = [affine_map<() -> (0)>], upper_bounds = []}
  }
}

// -----

hls.kernel @k target "t" clock 1.0e+01 arguments [] {
  hls.tasks {
    // expected-error @below {{has 0 block arguments, expected 1 counters and 0 carried values (pipeline_c2)}}
    hls.pipeline "nest" interval 1 depth 1 {
      hls.yield
    } {at_least = array<i64: 1>, dependences = [], lower_bounds = [affine_map<() -> (0)>], upper_bounds = [affine_map<() -> (8)>]}
  }
}

// -----

hls.kernel @k target "t" clock 1.0e+01 arguments [] {
  hls.memory @x : memref<i32>
  hls.tasks {
    hls.pipeline "run" interval 1 depth 2 {
      // expected-error @below {{names a memory that is not in the kernel (load_c1)}}
      %a = hls.load @y bank 0 port 0 {hls.start = 0 : i64} : i32
      hls.yield
    } {at_least = array<i64>, dependences = [], lower_bounds = [], upper_bounds = []}
  }
}

// -----

hls.kernel @k target "t" clock 1.0e+01 arguments [] {
  hls.memory @x : memref<8xi32>
  hls.tasks {
    hls.pipeline "run" interval 1 depth 2 {
      // expected-error @below {{has no address for a bank of 8 words (load_c1)}}
      %a = hls.load @x bank 0 port 0 {hls.start = 0 : i64} : i32
      hls.yield
    } {at_least = array<i64>, dependences = [], lower_bounds = [], upper_bounds = []}
  }
}

// -----

hls.kernel @k target "t" clock 1.0e+01 arguments [0] {
^bb0(%n: i32):
  hls.tasks {
    hls.pipeline "run" interval 1 depth 1 {
      // expected-error @below {{carries 1 values, expected those of the 0 carried arguments (yield_c1)}}
      hls.yield %n : i32
    } {at_least = array<i64>, dependences = [], lower_bounds = [], upper_bounds = []}
  }
}

// -----

hls.kernel @k target "t" clock 1.0e+01 arguments [] {
  hls.tasks {
    // expected-error @below {{is no task: expected hls.pipeline or hls.repeat (tasks_c1)}}
    %c = arith.constant 0 : i32
  }
}

// -----

hls.kernel @k target "t" clock 1.0e+01 arguments [] {
  hls.tasks {
    // expected-error @below {{has 0 operands for the bound affine_map<(d0) -> (d0)> (repeat_c2)}}
    hls.repeat "loop" {
    ^bb0(%t: index):
      hls.tasks {}
    } {lower_bound = affine_map<() -> (0)>, upper_bound = affine_map<(d0) -> (d0)>}
  }
}

// -----

// expected-error @below {{a stream of 'f32', expected tokens of i1 to i64}}
func.func private @floats(!hls.stream<f32>)

// -----

func.func @depth() {
  // expected-error @below {{has depth 0, expected 1 to 65536 (make_stream_c1)}}
  %s = hls.make_stream {depth = 0 : i64} : !hls.stream<i8>
  return
}

// -----

hls.kernel @k target "t" clock 1.0e+01 arguments [] {
  // expected-error @below {{holds 0 tokens of type 'i8', expected 1 to 65536 of i1 to i64 (fifo_c1)}}
  hls.fifo @s : i8 {depth = 0 : i64}
  hls.tasks {
  }
}

// -----

hls.kernel @k target "t" clock 1.0e+01 arguments [] {
  hls.fifo @s : i8 {depth = 2 : i64}
  hls.tasks {
    hls.pipeline "p" interval 1 depth 2 {
      // expected-error @below {{starts in cycle 1, expected 0 (pop_c2)}}
      %t = hls.pop @s {hls.start = 1 : i64} : i8
      hls.yield
    } {at_least = array<i64>, dependences = [], lower_bounds = [], upper_bounds = []}
  }
}

// -----

hls.kernel @k target "t" clock 1.0e+01 arguments [] {
  hls.fifo @s : i8 {depth = 2 : i64}
  hls.tasks {
    hls.pipeline "p" interval 1 depth 1 {
      // expected-error @below {{has type 'i9', expected 'i8' (pop_c1)}}
      %t = hls.pop @s {hls.start = 0 : i64} : i9
      hls.yield
    } {at_least = array<i64>, dependences = [], lower_bounds = [], upper_bounds = []}
  }
}

// -----

hls.kernel @k target "t" clock 1.0e+01 arguments [] {
  hls.tasks {
    hls.pipeline "p" interval 1 depth 1 {
      %c = arith.constant {hls.start = 0 : i64} 1 : i8
      // expected-error @below {{names a FIFO that is not in the kernel (push_c1)}}
      hls.push %c, @s {hls.start = 0 : i64} : i8
      hls.yield
    } {at_least = array<i64>, dependences = [], lower_bounds = [], upper_bounds = []}
  }
}

// -----

hls.kernel @k target "t" clock 1.0e+01 arguments [] {
  hls.fifo @s : i8 {depth = 2 : i64}
  hls.tasks {
    hls.pipeline "p" interval 1 depth 1 {
      // expected-note @below {{by this operation}}
      %a = hls.pop @s {hls.start = 0 : i64} : i8
      // expected-error @below {{takes s pop in cycle 0 modulo 1, which is taken (pipeline_c6)}}
      %b = hls.pop @s {hls.start = 0 : i64} : i8
      hls.yield
    } {at_least = array<i64>, dependences = [], lower_bounds = [], upper_bounds = []}
  }
}

// -----

hls.kernel @k target "t" clock 1.0e+01 arguments [] {
  hls.fifo @s : i8 {depth = 2 : i64}
  hls.tasks {
    hls.pipeline "p" interval 1 depth 1 {
      // expected-note @below {{used here too}}
      %a = hls.pop @s {hls.start = 0 : i64} : i8
      hls.yield
    } {at_least = array<i64>, dependences = [], lower_bounds = [], upper_bounds = []}
    hls.pipeline "q" interval 1 depth 1 {
      // expected-error @below {{uses s pop in a task that may run at the same time as another that uses it (kernel_c3)}}
      %a = hls.pop @s {hls.start = 0 : i64} : i8
      hls.yield
    } {at_least = array<i64>, dependences = [], lower_bounds = [], upper_bounds = []}
  }
}
