// RUN: spindle-opt %s --snn-to-loops='steps=3 style=event layers=dense1:4:tensor,dense2:2' | FileCheck %s
// RUN: not spindle-opt %s --snn-to-loops='steps=3 style=event layers=dense1:4:tensor,dense2:2:tensor' 2>&1 | FileCheck %s --check-prefix=SPIKES
// RUN: spindle-opt %s --snn-to-loops='steps=3 style=event layers=dense1:2x2:tensor,dense2:2' --hls-prepare --hls-default-loops --convert-affine-to-hls --hls-schedule | FileCheck %s --check-prefix=CIRCUIT

// The first layer takes pixels of 8 bits, a pixel per iteration for all its outputs; its population repeats the sums.
// CHECK: memref.global "private" constant @dense1.rows : memref<3x1xi16>
// CHECK: func.func @main(%[[pixels:[^:]*]]: !hls.stream<i8>, %{{.*}}: i16
// CHECK: affine.for %{{.*}} = 0 to 1 {
// CHECK-NEXT: affine.for %{{.*}} = 0 to 3 {
// CHECK: hls.read %[[pixels]]
// CHECK-COUNT-4: arith.muli %{{.*}} : i16
// CHECK: hls.write
// CHECK: } {layer = "dense1"}
// CHECK: affine.for
// CHECK: hls.read
// CHECK: } {layer = "dense1"}
// CHECK: scf.while
// SPIKES: layer 'dense2' is to be a tensor kernel (as: tensor), but takes spikes, expected pixels: the first layer of weights, encoded directly (emulation.encoding: direct)
// CIRCUIT: hls.kernel @main_hardware
func.func @main(%x: tensor<3xf32>) -> tensor<2xf32> {
  %v = arith.constant dense<[[1.0, -2.0, 3.0], [5.0, 1.0, -6.0], [-1.0, -1.0, 2.0], [0.0, 7.0, 1.0]]> : tensor<4x3xf32>
  %w = arith.constant dense<[[1.0, -2.0, 3.0, 0.0], [5.0, 1.0, -6.0, 7.0]]> : tensor<2x4xf32>
  %q = snn.quantize %x {unit = 0.00392157 : f32, low = 0 : i64, high = 255 : i64} : tensor<3xf32>
  %s = snn.dense %q, %v {layer = "dense1"} : (tensor<3xf32>, tensor<4x3xf32>) -> tensor<4xf32>
  %c = snn.encode direct %s : tensor<4xf32> -> !snn.current<4xf32>
  %o = snn.fixed_lif %c reset subtract {layer = "dense1", threshold = array<f32: 900.0, 500.0, 300.0, 800.0>, decay = 0 : i64} : !snn.current<4xf32> -> !snn.spike_bundle<4x!snn.spike_train<?xf32>>
  %j = snn.dense %o, %w {layer = "dense2"} : (!snn.spike_bundle<4x!snn.spike_train<?xf32>>, tensor<2x4xf32>) -> !snn.current<2xf32>
  %p = snn.fixed_lif %j reset subtract {layer = "dense2", threshold = array<f32: 5.0>, decay = 0 : i64} : !snn.current<2xf32> -> !snn.spike_bundle<2x!snn.spike_train<?xf32>>
  %y = snn.decode count %p : !snn.spike_bundle<2x!snn.spike_train<?xf32>> -> tensor<2xf32>
  return %y : tensor<2xf32>
}
