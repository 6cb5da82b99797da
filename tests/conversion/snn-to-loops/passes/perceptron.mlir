// RUN: spindle-opt %s --snn-to-loops='steps=3 layers=dense1:2 record' | FileCheck %s
// RUN: spindle-opt %s --snn-to-loops='steps=3 arguments' | FileCheck %s --check-prefix=ARGUMENTS
// RUN: not spindle-opt %s --snn-to-loops='layers=dense1:4' 2>&1 | FileCheck %s --check-prefix=LANES
// RUN: spindle-opt %s --snn-to-loops='steps=3 layers=dense1:2 record' --hls-prepare --hls-default-loops --convert-affine-to-hls --hls-schedule | FileCheck %s --check-prefix=CIRCUIT

!in = !snn.spike_bundle<4x!snn.spike_train<?xf32>>
!out = !snn.spike_bundle<3x!snn.spike_train<?xf32>>

// CHECK: memref.global "private" constant @dense1.weight : memref<3x4xi4>
// CHECK: func.func @main(%{{.*}}: memref<3x4xi1>, %{{.*}}: memref<3x3xi1>, %{{.*}}: memref<3xi3>)
// CHECK: memref.alloc() : memref<3xi8>
// CHECK: affine.for %{{.*}} = 0 to 3
// CHECK-NEXT: affine.for %{{.*}} = 0 to 2
// CHECK-NEXT: affine.for %{{.*}} = 0 to 4
// CHECK-NEXT: affine.for %{{.*}} = 0 to 2
// CHECK: affine.load %{{.*}}[%{{.*}}, %{{.*}}] : memref<3x4xi1>
// CHECK: arith.maxsi
// CHECK: arith.minsi
// CHECK: arith.cmpi sge
// CHECK: {hls.unroll = 0 : i64}
// ARGUMENTS: func.func @main(%{{.*}}: memref<3x4xi1>, %{{.*}}: memref<3x4xi4>, %{{.*}}: memref<3xi3>)
// LANES: error: layer 'dense1' has 4 lanes, expected 1 to 3 (its neurons)
// CIRCUIT: hls.kernel
func.func @main(%x: tensor<4xf32>) -> tensor<3xf32> {
  %w = arith.constant dense<[[1.0, -2.0, 3.0, 0.0], [5.0, 1.0, -6.0, 7.0], [-1.0, -1.0, 2.0, 2.0]]> : tensor<3x4xf32>
  %s = snn.encode regular %x : tensor<4xf32> -> !in
  %i = snn.dense %s, %w {layer = "dense1"} : (!in, tensor<3x4xf32>) -> !snn.current<3xf32>
  %o = snn.fixed_lif %i reset subtract {layer = "dense1", threshold = array<f32: 5.0>, decay = 1 : i64, decay_bits = 2 : i64, membrane_bits = 8 : i64} : !snn.current<3xf32> -> !out
  %y = snn.decode count %o : !out -> tensor<3xf32>
  return %y : tensor<3xf32>
}
