// Every operation of the layer level parses, prints and parses again to the same text, and so does bytecode.
// RUN: spindle-opt %s | FileCheck %s
// RUN: spindle-opt %s | spindle-opt > %t.once
// RUN: spindle-opt %t.once > %t.twice
// RUN: diff %t.once %t.twice
// RUN: spindle-opt %s --emit-bytecode | spindle-opt | diff %t.once -

!spikes = !snn.spike_bundle<2x4x4x!snn.spike_train<?xf32>>
!out = !snn.spike_bundle<3x!snn.spike_train<?xf32>>

// CHECK-LABEL: func.func @direct
func.func @direct(%x: tensor<1x4x4xf32>, %w: tensor<2x1x3x3xf32>, %b: tensor<2xf32>, %d: tensor<3x8xf32>) -> tensor<3xf32> {
  // CHECK: snn.conv2d {{.*}} {layer = "conv1", padding = array<i64: 1, 1, 1, 1>} : (tensor<1x4x4xf32>, tensor<2x1x3x3xf32>, tensor<2xf32>) -> tensor<2x4x4xf32>
  %c = snn.conv2d %x, %w, %b {layer = "conv1", padding = array<i64: 1, 1, 1, 1>} : (tensor<1x4x4xf32>, tensor<2x1x3x3xf32>, tensor<2xf32>) -> tensor<2x4x4xf32>
  // CHECK: snn.encode direct
  %i = snn.encode direct %c : tensor<2x4x4xf32> -> !snn.current<2x4x4xf32>
  // CHECK: snn.if {{.*}} reset subtract
  %s = snn.if %i reset subtract {initial_membrane = array<f32: 0.5>, threshold = array<f32: 1.0>} : !snn.current<2x4x4xf32> -> !spikes
  // CHECK: snn.avg_pool2d
  %p = snn.avg_pool2d %s {kernel = array<i64: 2, 2>, strides = array<i64: 2, 2>} : !spikes -> !snn.current<2x2x2xf32>
  // CHECK: snn.transpose
  %t = snn.transpose %p {permutation = array<i64: 1, 2, 0>} : !snn.current<2x2x2xf32> -> !snn.current<2x2x2xf32>
  // CHECK: snn.reshape
  %f = snn.reshape %t : !snn.current<2x2x2xf32> -> !snn.current<8xf32>
  // CHECK: snn.dense {{.*}} : (!snn.current<8xf32>, tensor<3x8xf32>) -> !snn.current<3xf32>
  %y = snn.dense %f, %d {layer = "dense2"} : (!snn.current<8xf32>, tensor<3x8xf32>) -> !snn.current<3xf32>
  // CHECK: snn.integrator
  %v = snn.integrator %y {layer = "dense2"} : !snn.current<3xf32> -> !snn.current<3xf32>
  // CHECK: snn.decode membrane
  %a = snn.decode membrane %v : !snn.current<3xf32> -> tensor<3xf32>
  return %a : tensor<3xf32>
}

// CHECK-LABEL: func.func @poisson
func.func @poisson(%x: tensor<3xf32>, %f: tensor<3xf32>) -> tensor<3xf32> {
  // CHECK: snn.encode poisson {{.*}} {maximum = 2.550000e+02 : f32}
  %s = snn.encode poisson %x {maximum = 255.0 : f32} : tensor<3xf32> -> !out
  // CHECK: snn.scale
  %i = snn.scale %s, %f : (!out, tensor<3xf32>) -> !snn.current<3xf32>
  // CHECK: snn.lif {{.*}} reset zero
  %l = snn.lif %i reset zero {tau = array<f32: 20.0>, r = array<f32: 20.0>, threshold = array<f32: 1.0, 2.0, 3.0>} : !snn.current<3xf32> -> !out
  // CHECK: snn.fixed_lif {{.*}} reset subtract {decay = 415 : i64, threshold = array<f32: 3.850000e+02>, weight_shift = 6 : i64}
  %q = snn.fixed_lif %i reset subtract {threshold = array<f32: 385.0>, decay = 415 : i64, weight_shift = 6 : i64} : !snn.current<3xf32> -> !out
  // CHECK: snn.fixed_cuba_lif {{.*}} reset zero {decay = 415 : i64, decay_syn = 1024 : i64, threshold = array<f32: 3.850000e+02>}
  %p = snn.fixed_cuba_lif %i reset zero {threshold = array<f32: 385.0>, decay = 415 : i64, decay_syn = 1024 : i64} : !snn.current<3xf32> -> !out
  // CHECK: snn.fixed_li {{.*}} {decay = 0 : i64, membrane_bits = 16 : i64, unit = 5.000000e-01 : f32}
  %m = snn.fixed_li %i {decay = 0 : i64, membrane_bits = 16 : i64, unit = 0.5 : f32} : !snn.current<3xf32> -> !snn.current<3xf32>
  // CHECK: snn.decode count
  %a = snn.decode count %l : !out -> tensor<3xf32>
  return %a : tensor<3xf32>
}

// CHECK-LABEL: func.func @integers
func.func @integers(%x: tensor<3xf32>) -> !out {
  // CHECK: snn.quantize {{.*}} {high = 255 : i64, low = 0 : i64, unit = 3.921570e-03 : f32} : tensor<3xf32>
  %q = snn.quantize %x {unit = 0.00392157 : f32, low = 0 : i64, high = 255 : i64} : tensor<3xf32>
  // CHECK: snn.encode regular {{.*}} {integers, maximum = 2.550000e+02 : f32}
  %s = snn.encode regular %q {integers, maximum = 255.0 : f32} : tensor<3xf32> -> !out
  return %s : !out
}

// CHECK-LABEL: func.func @ann
func.func @ann(%x: tensor<3xf32>) -> tensor<3xf32> {
  // CHECK: snn.relu {{.*}} {layer = "dense1"} : tensor<3xf32>
  %y = snn.relu %x {layer = "dense1"} : tensor<3xf32>
  return %y : tensor<3xf32>
}

// CHECK-LABEL: func.func private @neuron_level_types
func.func private @neuron_level_types(!snn.spike_train<?xf32>, !snn.spike_bundle<?x!snn.spike_train<?xf32>>)

// Folds: views that change nothing disappear.
// RUN: spindle-opt %s --canonicalize | FileCheck %s --check-prefix=FOLD
// FOLD-LABEL: func.func @views
// FOLD-NEXT: return %arg0
func.func @views(%x: tensor<2x3xf32>) -> tensor<2x3xf32> {
  %r = snn.reshape %x : tensor<2x3xf32> -> tensor<2x3xf32>
  %t = snn.transpose %r {permutation = array<i64: 0, 1>} : tensor<2x3xf32> -> tensor<2x3xf32>
  return %t : tensor<2x3xf32>
}

// CHECK-LABEL: func.func @random
func.func @random(%x: !spikes, %w: tensor<1xf32>, %b: tensor<3xf32>) -> (!snn.current<3xf32>, !snn.current<3xf32>) {
  // CHECK: snn.random {{.*}} {key = -7 : i64, probability = 2.000000e-02 : f64, source_range = array<i64: 0, 32>, target_range = array<i64: 0, 3>} : (
  %y = snn.random %x, %w {key = -7 : i64, probability = 0.02, source_range = array<i64: 0, 32>, target_range = array<i64: 0, 3>} : (!spikes, tensor<1xf32>) -> !snn.current<3xf32>
  // CHECK: snn.random {{.*}} {autapses = false, fan_in = 5 : i64, first = 4 : i64, key = 1 : i64, layer = "part", source_range = array<i64: 8, 32>, target_range = array<i64: 5, 9>} : (
  %z = snn.random %x, %w, %b {autapses = false, fan_in = 5 : i64, first = 4 : i64, key = 1 : i64, layer = "part", source_range = array<i64: 8, 32>, target_range = array<i64: 5, 9>} : (!spikes, tensor<1xf32>, tensor<3xf32>) -> !snn.current<3xf32>
  return %y, %z : !snn.current<3xf32>, !snn.current<3xf32>
}
