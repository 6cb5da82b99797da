// RUN: spindle-opt %s --convert-system-to-func --split-input-file | FileCheck %s

// CHECK-LABEL: func.func @f
// CHECK: %[[T:.*]] = memref.alloc() : memref<8xi32>
// CHECK: call @clear(%[[T]]) : (memref<8xi32>) -> ()
// CHECK: affine.store %{{.*}}, %{{.*}}[0]
// CHECK: func.func private @clear(%{{.*}}: memref<8xi32> {hls.partition = [#hls.partition<cyclic 2>]})
// CHECK-NOT: system.
system.module @kernels {
  system.func @clear(%x: memref<8xi32> {hls.partition = [#hls.partition<cyclic 2>]}) {
    %zero = arith.constant 0 : i32
    affine.for %i = 0 to 8 {
      affine.store %zero, %x[%i] : memref<8xi32>
    }
    system.return
  }
}
func.func @f(%x: memref<8xi32>) {
  %t = system.channel buffers 2 : memref<8xi32>
  %zero = arith.constant 0 : i32
  system.launch_func @kernels::@clear on 0 (%t : memref<8xi32>)
  system.launch {
    affine.store %zero, %x[0] : memref<8xi32>
  }
  return
}
