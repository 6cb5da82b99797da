// RUN: spindle-opt %s --split-input-file --verify-diagnostics --system-search --system-outline --system-dispatch

// expected-error@+1 {{returns 'i32': a system returns arrays, store it in one}}
func.func @returns(%x: memref<8xi32>) -> i32 {
  %zero = arith.constant 0 : i32
  return %zero : i32
}

// -----

// expected-error@+1 {{argument 0 has type '!hls.stream<i8>', which has no place in a system of kernels: expected an array of static shape or a scalar}}
func.func @streams(%x: !hls.stream<i8>) {
  return
}

// -----

// expected-error@+1 {{argument 0 has type 'tensor<8xi32>', which has no place in a system}}
func.func @tensors(%x: tensor<8xi32>) {
  return
}

// -----

func.func @own_streams(%x: memref<8xi32>) {
  // expected-error@+1 {{hls.make_stream has no place in a system of kernels: expected loops, conditions and accesses of arrays}}
  %s = hls.make_stream {depth = 2 : i64} : !hls.stream<i8>
  return
}

// -----

func.func private @other(memref<8xi32>)
func.func @calls(%x: memref<8xi32>) {
  // expected-error@+1 {{func.call has no place in a system of kernels: expected loops, conditions and accesses of arrays}}
  func.call @other(%x) : (memref<8xi32>) -> ()
  return
}

// -----

func.func @views(%x: memref<8xi32>, %y: memref<4xi32>) {
  // expected-error@+1 {{memref.subview makes a view, expected accesses of arrays themselves (hls-prepare)}}
  %half = memref.subview %x[0] [4] [1] : memref<8xi32> to memref<4xi32, strided<[1]>>
  linalg.copy ins(%half : memref<4xi32, strided<[1]>>) outs(%y : memref<4xi32>)
  return
}

// -----

// expected-error@+1 {{has branches to labels, expected loop form (hls-prepare)}}
func.func @branches(%x: memref<8xi32>) {
  cf.br ^end
^end:
  return
}
