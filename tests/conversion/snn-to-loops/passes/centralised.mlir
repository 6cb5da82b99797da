// RUN: spindle-opt %s --snn-to-loops='steps=3 style=event system=centralised layers=dense1:4:tensor,dense2:2' | FileCheck %s
// RUN: spindle-opt %s --snn-to-loops='steps=3 style=event system=centralised layers=dense1:4:tensor,dense2:2' --hls-prepare --hls-default-loops --convert-affine-to-hls | FileCheck %s --check-prefix=KERNEL
// RUN: not spindle-opt %s --snn-to-loops='steps=3 style=event system=host' 2>&1 | FileCheck %s --check-prefix=SYSTEM
// RUN: not spindle-opt %s --snn-to-loops='steps=3 system=dataflow' 2>&1 | FileCheck %s --check-prefix=CLOCK

// One loop over samples around the processes; the spikes of dense1 are stored, of three steps at most three words and room for one more.
// CHECK: func.func @main(
// CHECK: hls.make_stream {depth = 4 : i64, stored} : <i5>
// CHECK: %[[count:.*]] = arith.index_castui
// CHECK: affine.for %{{.*}} = 0 to %[[count]] {
// CHECK-NEXT: affine.for %{{.*}} = 0 to 1 {
// CHECK: } {layer = "dense1"}
// CHECK: affine.for %{{.*}} = 0 to 1 {
// CHECK: } {layer = "dense1"}
// CHECK: scf.while
// KERNEL: hls.fifo @dense1_words : i5 {depth = 4 : i64, stored}
// KERNEL: hls.repeat
// SYSTEM: found system 'host', expected dataflow or centralised
// CLOCK: found system: dataflow in style clock, whose layers run one after the other, expected style: event
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
