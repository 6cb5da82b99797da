// RUN: spindle-opt %s --split-input-file --verify-diagnostics | FileCheck %s

// CHECK: hls.memory @x : memref<8x4x2x3xf32> {partition = [#hls.partition<none>, #hls.partition<block 2>, #hls.partition<cyclic 2>, #hls.partition<complete>]}
hls.kernel @k target "t" clock 1.0e+01 arguments [] {
  hls.memory @x : memref<8x4x2x3xf32> {partition = [#hls.partition<none>, #hls.partition<block 2>, #hls.partition<cyclic 2>, #hls.partition<complete>]}
  hls.tasks {
  }
}

// -----

// expected-error@+1 {{'rows', expected none, block, cyclic or complete}}
func.func private @unknown(memref<8xf32> {hls.partition = [#hls.partition<rows 2>]})

// -----

// expected-error@+1 {{cyclic partition with the factor 0, expected at least 1}}
func.func private @none(memref<8xf32> {hls.partition = [#hls.partition<cyclic 0>]})

// -----

// expected-error@+1 {{expected integer value}}
func.func private @without(memref<8xf32> {hls.partition = [#hls.partition<block>]})

// -----

hls.kernel @k target "t" clock 1.0e+01 arguments [] {
  // expected-error@+1 {{has 1 partitions for 2 dimensions (memory_c2)}}
  hls.memory @x : memref<8x4xf32> {partition = [#hls.partition<none>]}
  hls.tasks {
  }
}

// -----

hls.kernel @k target "t" clock 1.0e+01 arguments [] {
  // expected-error@+1 {{expected partitions into 1 to extent banks, found [#hls.partition<cyclic 9>] (memory_c2)}}
  hls.memory @x : memref<8xf32> {partition = [#hls.partition<cyclic 9>]}
  hls.tasks {
  }
}
