// RUN: split-file %s %t
// RUN: spindle-opt %t/chain.mlir --snn-to-loops='steps=3 style=event layers=conv1:2x2:tensor,dense1:4x2:tensor,dense2:2' | FileCheck %t/chain.mlir
// RUN: not spindle-opt %t/read-twice.mlir --snn-to-loops='steps=3 style=event layers=conv1:2x2:tensor,dense1:4:tensor' 2>&1 | FileCheck %t/read-twice.mlir

// The convolution takes pixels, the pooling what it hands on, the dense layer two channels of each place: five processes, the population's behind them.
//--- chain.mlir
// CHECK: func.func @main(%[[pixels:[^:]*]]: !hls.stream<i8>, %{{.*}}: i16
// CHECK: hls.read %[[pixels]]
// CHECK: } {layer = "conv1"}
// CHECK-COUNT-4: arith.muli %{{.*}} : i16
// CHECK: } {layer = "conv1"}
// CHECK: } {layer = "pool1"}
// CHECK-NOT: arith.muli
// CHECK: arith.maxsi
// CHECK: } {layer = "pool1"}
// CHECK-COUNT-8: arith.muli %{{.*}} : i16
// CHECK: } {layer = "dense1"}
// CHECK: scf.while
func.func @main(%x: tensor<1x3x3xf32>) -> tensor<2xf32> {
  %k = arith.constant dense<2.0> : tensor<2x1x2x2xf32>
  %v = arith.constant dense<1.0> : tensor<4x2xf32>
  %w = arith.constant dense<1.0> : tensor<2x4xf32>
  %q = snn.quantize %x {unit = 0.00392157 : f32, low = 0 : i64, high = 255 : i64} : tensor<1x3x3xf32>
  %a = snn.conv2d %q, %k {layer = "conv1"} : (tensor<1x3x3xf32>, tensor<2x1x2x2xf32>) -> tensor<2x2x2xf32>
  %b = snn.quantize %a {unit = 8.0 : f32, low = 0 : i64, high = 255 : i64} : tensor<2x2x2xf32>
  %m = snn.max_pool2d %b {kernel = array<i64: 2, 2>, strides = array<i64: 2, 2>, layer = "pool1"} : tensor<2x2x2xf32> -> tensor<2x1x1xf32>
  %f = snn.reshape %m : tensor<2x1x1xf32> -> tensor<2xf32>
  %s = snn.dense %f, %v {layer = "dense1"} : (tensor<2xf32>, tensor<4x2xf32>) -> tensor<4xf32>
  %c = snn.encode direct %s : tensor<4xf32> -> !snn.current<4xf32>
  %o = snn.fixed_lif %c reset subtract {layer = "dense1", threshold = array<f32: 900.0>, decay = 0 : i64} : !snn.current<4xf32> -> !snn.spike_bundle<4x!snn.spike_train<?xf32>>
  %j = snn.dense %o, %w {layer = "dense2"} : (!snn.spike_bundle<4x!snn.spike_train<?xf32>>, tensor<2x4xf32>) -> !snn.current<2xf32>
  %p = snn.fixed_lif %j reset subtract {layer = "dense2", threshold = array<f32: 2.0>, decay = 0 : i64} : !snn.current<2xf32> -> !snn.spike_bundle<2x!snn.spike_train<?xf32>>
  %y = snn.decode count %p : !snn.spike_bundle<2x!snn.spike_train<?xf32>> -> tensor<2xf32>
  return %y : tensor<2xf32>
}

//--- read-twice.mlir
// CHECK: layer 'conv1' is to be a tensor kernel (as: tensor), but what it makes is read 2 times, expected a chain of layers
func.func @main(%x: tensor<1x3x3xf32>) -> tensor<4xf32> {
  %k = arith.constant dense<2.0> : tensor<2x1x2x2xf32>
  %v = arith.constant dense<1.0> : tensor<4x8xf32>
  %q = snn.quantize %x {unit = 0.00392157 : f32, low = 0 : i64, high = 255 : i64} : tensor<1x3x3xf32>
  %a = snn.conv2d %q, %k {layer = "conv1"} : (tensor<1x3x3xf32>, tensor<2x1x2x2xf32>) -> tensor<2x2x2xf32>
  %f = snn.reshape %a : tensor<2x2x2xf32> -> tensor<8xf32>
  %s = snn.dense %f, %v {layer = "dense1"} : (tensor<8xf32>, tensor<4x8xf32>) -> tensor<4xf32>
  %g = snn.reshape %a : tensor<2x2x2xf32> -> tensor<8xf32>
  %t = snn.dense %g, %v {layer = "dense3"} : (tensor<8xf32>, tensor<4x8xf32>) -> tensor<4xf32>
  %c = snn.encode direct %s : tensor<4xf32> -> !snn.current<4xf32>
  %d = snn.encode direct %t : tensor<4xf32> -> !snn.current<4xf32>
  %o = snn.fixed_lif %c reset subtract {layer = "dense1", threshold = array<f32: 900.0>, decay = 0 : i64} : !snn.current<4xf32> -> !snn.spike_bundle<4x!snn.spike_train<?xf32>>
  %r = snn.fixed_lif %d reset subtract {layer = "dense3", threshold = array<f32: 900.0>, decay = 0 : i64} : !snn.current<4xf32> -> !snn.spike_bundle<4x!snn.spike_train<?xf32>>
  %y = snn.decode count %o : !snn.spike_bundle<4x!snn.spike_train<?xf32>> -> tensor<4xf32>
  return %y : tensor<4xf32>
}
