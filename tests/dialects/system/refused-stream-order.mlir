// RUN: spindle-opt %s --verify-diagnostics --system-stream-inputs

system.module @kernels {
  system.func @clear(%x: memref<8xi32>) {
    system.return
  }
}
func.func @after_dispatch(%x: memref<8xi32>, %y: memref<8xi32>) {
  affine.for %n = 0 to 4 {
    system.launch_func @kernels::@clear on 0 (%x : memref<8xi32>)
    // expected-error@+1 {{launches a kernel that another launch has, expected one of its own: system-stream-inputs comes before system-dispatch}}
    system.launch_func @kernels::@clear on 0 (%y : memref<8xi32>)
  }
  return
}
