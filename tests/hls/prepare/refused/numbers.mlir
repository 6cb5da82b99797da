// error: 3:3: error: the loop has step 0, expected a step of at least 1: correct it, or bind another number
func.func @stands(%x: memref<8xf32>) {
  affine.for %i = 0 to 8 step 0 {
    %v = affine.load %x[%i] : memref<8xf32>
    affine.store %v, %x[%i] : memref<8xf32>
  }
  return
}
// -----
// error: 5:3: error: the loop has step 0, expected a step of at least 1: correct it, or bind another number
func.func private @inner(%n: index, %x: memref<8xf32>) {
  %c0 = arith.constant 0 : index
  %c8 = arith.constant 8 : index
  scf.for %i = %c0 to %c8 step %n {
    %v = memref.load %x[%i] : memref<8xf32>
    memref.store %v, %x[%i] : memref<8xf32>
  }
  return
}
func.func @called(%x: memref<8xf32>) {
  %c0 = arith.constant 0 : index
  call @inner(%c0, %x) : (index, memref<8xf32>) -> ()
  return
}
// -----
// error: 3:3: error: the loop from -9223372036854775808 to 9223372036854775807 and those around it have more than 2^48 iterations, expected at most that: run it over fewer
func.func @endless(%x: memref<8xf32>) {
  affine.for %i = -9223372036854775808 to 9223372036854775807 {
    %v = affine.load %x[0] : memref<8xf32>
    affine.store %v, %x[1] : memref<8xf32>
  }
  return
}
// -----
// error: 4:5: error: the loop from 0 to 1099511627776 and those around it have more than 2^48 iterations, expected at most that: run it over fewer
func.func @nest(%x: memref<8xf32>) {
  affine.for %i = 0 to 1099511627776 {
    affine.for %j = 0 to 1099511627776 {
      %v = affine.load %x[0] : memref<8xf32>
      affine.store %v, %x[1] : memref<8xf32>
    }
  }
  return
}
// -----
// error: 3:8: error: 'd0 * s0' multiplies by a number that is not known, expected a constant: bind the argument it comes from
func.func @strided(%x: memref<8xf32>, %n: index) {
  %v = memref.reinterpret_cast %x to offset: [0], sizes: [4], strides: [%n] : memref<8xf32> to memref<4xf32, affine_map<(d0)[s0] -> (d0 * s0)>>
  %a = memref.load %v[%n] : memref<4xf32, affine_map<(d0)[s0] -> (d0 * s0)>>
  memref.store %a, %x[%n] : memref<8xf32>
  return
}
// -----
// error: 2:1: error: type 'memref<4611686018427387904x8xf32>': more than 2^28 elements are not supported, expected a smaller array
func.func @large(%x: memref<4611686018427387904x8xf32>) {
  return
}
// -----
// error: 3:8: error: type 'memref<268435457xf32>': more than 2^28 elements are not supported, expected a smaller array
func.func @local() {
  %l = memref.alloc() : memref<268435457xf32>
  return
}
// -----
// error: 3:1: error: argument 0 is bound to 'memref<268435456x2xf32>', expected at most 2^28 elements: bind smaller extents
// bind: 0=268435456x2
func.func @bound(%x: memref<?x2xf32>) {
  return
}
// -----
// error: 3:3: error: the loop has the bound 3000000000, which takes more than 32 bits: count from 0 and add the rest
func.func @large(%y: memref<4xi64>) {
  affine.for %i = 3000000000 to 3000000004 {
    %v = arith.index_cast %i : index to i64
    affine.store %v, %y[%i - 3000000000] : memref<4xi64>
  }
  return
}
// -----
// error: 4:5: error: the loop has the bound 3000000000, which takes more than 32 bits: count from 0 and add the rest
func.func @largeRows(%y: memref<4xi64>) {
  affine.for %i = 0 to 4 {
    affine.for %j = affine_map<(d0) -> (d0 * 1000000000)>(%i) to affine_map<(d0) -> (d0 * 1000000000 + 4)>(%i) {
      %v = arith.index_cast %j : index to i64
      affine.store %v, %y[%i] : memref<4xi64>
    }
  }
  return
}
// -----
// error: 6:3: error: the loop has the bound -3000000000, which takes more than 32 bits: count from 0 and add the rest
func.func @largeToData(%n: memref<1xindex>, %y: memref<4xindex>) {
  %far = arith.constant -3000000000 : index
  %c1 = arith.constant 1 : index
  %end = affine.load %n[0] : memref<1xindex>
  scf.for %i = %far to %end step %c1 {
    affine.store %i, %y[0] : memref<4xindex>
  }
  return
}
// -----
// error: 4:5: error: the loop has the bound 4294967296, which takes more than 32 bits: count from 0 and add the rest
func.func @far(%a: memref<8xi64>, %n: index) {
  affine.for %i = 0 to %n {
    affine.for %j = affine_map<(d0) -> (d0 + 4294967296)>(%i) to affine_map<(d0) -> (d0 + 4294967298)>(%i) {
      %k = arith.index_cast %j : index to i64
      affine.store %k, %a[%i] : memref<8xi64>
    }
  }
  return
}
// -----
// error: 3:8: error: arith.truncf rounds downward, expected to_nearest_even: leave the mode out
func.func @rounded(%x: f64) -> f32 {
  %y = arith.truncf %x downward : f64 to f32
  return %y : f32
}
