// RUN: spindle-opt %s --split-input-file --verify-diagnostics --system-search=inputs

func.func @beside(%x: memref<8xi32>) {
  %zero = arith.constant 0 : i32
  affine.for %n = 0 to 4 {
    affine.store %zero, %x[%n] : memref<8xi32>
  }
  // expected-error@+1 {{affine.store stands beside or in place of the loop over inputs: expected one loop with constant bounds and step 1, and nothing else}}
  affine.store %zero, %x[0] : memref<8xi32>
  return
}

// -----

// expected-error@+1 {{has no loop over inputs}}
func.func @nothing(%x: memref<8xi32>) {
  return
}

// -----

func.func @open(%x: memref<8xi32>, %n: index) {
  %zero = arith.constant 0 : i32
  // expected-error@+1 {{affine.for stands beside or in place of the loop over inputs}}
  affine.for %i = 0 to %n {
    affine.store %zero, %x[%i] : memref<8xi32>
  }
  return
}
