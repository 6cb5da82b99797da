// RUN: spindle-opt %s | spindle-opt | FileCheck %s
// RUN: spindle-opt %s --mlir-print-op-generic | spindle-opt | FileCheck %s

// CHECK-LABEL: system.module @kernels
// CHECK: system.func @clear(%{{.*}}: memref<8xf32>, %{{.*}}: f32)
// CHECK: system.return
system.module @kernels {
  system.func @clear(%x: memref<8xf32>, %value: f32) {
    affine.for %i = 0 to 8 {
      affine.store %value, %x[%i] : memref<8xf32>
    }
    system.return
  }
}

// CHECK-LABEL: func.func @launches
// CHECK: %[[T:.*]] = system.channel buffers 2 : memref<8xf32>
// CHECK: system.launch_func @kernels::@clear on 1 (%[[T]], %{{.*}} : memref<8xf32>, f32)
// CHECK: system.launch_func @kernels::@clear (%{{.*}}, %{{.*}} : memref<8xf32>, f32)
// CHECK: system.launch {
func.func @launches(%x: memref<8xf32>, %value: f32) {
  %t = system.channel buffers 2 : memref<8xf32>
  system.launch_func @kernels::@clear on 1 (%t, %value : memref<8xf32>, f32)
  system.launch_func @kernels::@clear (%x, %value : memref<8xf32>, f32)
  system.launch {
    affine.for %i = 0 to 8 {
      affine.store %value, %x[%i] : memref<8xf32>
    }
  }
  return
}
