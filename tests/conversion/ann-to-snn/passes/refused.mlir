// What convert-ann-to-snn refuses, and why.
// RUN: spindle-opt %s --convert-ann-to-snn="scales=1,1" --split-input-file --verify-diagnostics
// RUN: not spindle-opt %s --convert-ann-to-snn="scales=1" --split-input-file 2>&1 | FileCheck %s --check-prefix=COUNT
// RUN: not spindle-opt %s --convert-ann-to-snn="scales=1,0" --split-input-file 2>&1 | FileCheck %s --check-prefix=ZERO
// RUN: not spindle-opt %s --convert-ann-to-snn="scales=1:x,1" --split-input-file 2>&1 | FileCheck %s --check-prefix=TEXT
// RUN: not spindle-opt %s --convert-ann-to-snn="scales=1:2:3,1" --split-input-file 2>&1 | FileCheck %s --check-prefix=CHANNELS
// RUN: not spindle-opt %s --convert-ann-to-snn="scales=1,1 max-spikes=2 reset=zero" --split-input-file 2>&1 | FileCheck %s --check-prefix=SPIKES
// COUNT: scales has 1 entries, expected 2: one for each snn.relu and one for the answer unless a snn.relu makes it
// ZERO: scales has '0', expected finite numbers above zero, with colons between those of channels
// TEXT: scales has '1:x', expected finite numbers above zero, with colons between those of channels
// CHANNELS: :[[# @LINE + 7]]:8: error: scales has 3 numbers for this layer, expected 1 or 2, one for each channel
// SPIKES: conversion.max_spikes above one needs conversion.reset: subtract

// Negation is no rectifier, nor are its results sums.
func.func @main(%x: tensor<2xf32>) -> tensor<2xf32> {
  // CHANNELS counts to the next line.

  %0 = snn.relu %x : tensor<2xf32>
  // expected-error@+1 {{arith.negf has no spiking counterpart; supported: snn synapses over tensors, snn.max_pool2d, snn.relu}}
  %1 = arith.negf %0 : tensor<2xf32>
  return %1 : tensor<2xf32>
}
// -----
// expected-error@below {{expected a function @main with one input and one result}}
module {
  func.func @main(%x: tensor<2xf32>, %y: tensor<2xf32>) -> tensor<2xf32> {
    %0 = snn.relu %x : tensor<2xf32>
    %1 = snn.add %0, %y : (tensor<2xf32>, tensor<2xf32>) -> tensor<2xf32>
    return %1 : tensor<2xf32>
  }
}
// -----
func.func @main(%x: tensor<1x2x2xf32>) -> tensor<2xf32> {
  %w = arith.constant dense<0.5> : tensor<2x1x1x1xf32>
  %0 = snn.relu %x : tensor<1x2x2xf32>
  %1 = snn.conv2d %0, %w : (tensor<1x2x2xf32>, tensor<2x1x1x1xf32>) -> tensor<2x2x2xf32>
  // expected-error@+1 {{snn.max_pool2d reads sums that no rectifier follows}}
  %2 = snn.max_pool2d %1 {kernel = array<i64: 2, 2>, strides = array<i64: 2, 2>} : tensor<2x2x2xf32> -> tensor<2x1x1xf32>
  %3 = snn.reshape %2 : tensor<2x1x1xf32> -> tensor<2xf32>
  return %3 : tensor<2xf32>
}
