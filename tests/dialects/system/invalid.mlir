// RUN: spindle-opt %s --split-input-file --verify-diagnostics

// expected-error@+1 {{'system.module' op holds func.func, expected system.func or constant memref.global (module_c1)}}
system.module @kernels {
  func.func private @other()
}

// -----

system.module @kernels {
  // expected-error@+1 {{expected a body and no results (func_c1)}}
  system.func @f(%x: memref<8xf32>) -> f32
}

// -----

system.module @kernels {
  // expected-error@+1 {{has argument 0 of type 'memref<?xf32>', expected an array of static shape, an integer, a float, an index or a stream (func_c2)}}
  system.func @f(%x: memref<?xf32>) {
    system.return
  }
}

// -----

func.func @f(%x: memref<8xf32>) {
  // expected-error@+1 {{launches @kernels::@f, which is no system.func (launch_func_c1)}}
  system.launch_func @kernels::@f (%x : memref<8xf32>)
  return
}

// -----

system.module @kernels {
  system.func @f(%x: memref<8xf32>) {
    system.return
  }
}
func.func @f(%x: memref<4xf32>) {
  // expected-error@+1 {{has operands of types ('memref<4xf32>'), expected ('memref<8xf32>') (launch_func_c1)}}
  system.launch_func @kernels::@f (%x : memref<4xf32>)
  return
}

// -----

func.func @f() {
  // expected-error@+1 {{has 0 buffers, expected at least 1 (channel_c1)}}
  %t = system.channel buffers 0 : memref<8xf32>
  return
}

// -----

func.func @f() {
  // expected-error@+1 {{has type 'memref<?xf32>', expected an array of static shape (channel_c2)}}
  %t = system.channel buffers 1 : memref<?xf32>
  return
}
