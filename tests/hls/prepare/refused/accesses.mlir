// error: 4:10: error: reads arg0 at index 0 to 4 of dimension 0, expected 0 to 3: correct the loops, or enlarge the array
func.func @long(%x: memref<4xi32>) {
  affine.for %i = 0 to 5 {
    %v = affine.load %x[%i] : memref<4xi32>
    affine.store %v, %x[%i] : memref<4xi32>
  }
  return
}
// -----
// error: 7:7: error: writes arg2 at index 0 to 199 of dimension 0, expected 0 to 19: correct the loops, or enlarge the array
// bind: 0=200
func.func @bound(%n: index, %x: memref<30xf32>, %y: memref<20x30xf32>) {
  affine.for %i = 0 to %n {
    affine.for %j = 0 to 30 {
      %v = affine.load %x[%j] : memref<30xf32>
      affine.store %v, %y[%i, %j] : memref<20x30xf32>
    }
  }
  return
}
// -----
// error: 4:10: error: reads arg0 at index -1 to 2 of dimension 0, expected 0 to 3: correct the loops, or enlarge the array
func.func @before(%x: memref<4xi32>) {
  affine.for %i = 0 to 4 {
    %v = affine.load %x[%i - 1] : memref<4xi32>
    affine.store %v, %x[%i] : memref<4xi32>
  }
  return
}
// -----
// error: 4:10: error: reads arg0 at index 0 to 2361183239235799351296 of dimension 0, expected 0 to 3: correct the loops, or enlarge the array
func.func @far(%x: memref<4xi32>) {
  affine.for %i = 0 to 2147483647 {
    %v = affine.load %x[%i * 1099511627776] : memref<4xi32>
    affine.store %v, %x[0] : memref<4xi32>
  }
  return
}
// -----
// error: 6:5: error: writes a local array at index 7 to 7 of dimension 1, expected 0 to 2: correct the loops, or enlarge the array
func.func @fixed(%x: memref<4xi32>) {
  %c = arith.constant 5 : i32
  %l = memref.alloc() : memref<2x3xi32>
  affine.for %i = 0 to 2 {
    affine.store %c, %l[%i, 7] : memref<2x3xi32>
    %v = affine.load %l[%i, 1] : memref<2x3xi32>
    affine.store %v, %x[%i] : memref<4xi32>
  }
  return
}
// -----
// error: 6:14: error: reads arg0 at index 4 to 4 of dimension 0, expected 0 to 3: correct the loops, or enlarge the array
func.func @guarded(%x: memref<4xi32>) {
  affine.for %i = 0 to 6 {
    affine.for %j = 0 to affine_map<(d0) -> (d0)>(%i) {
      affine.if affine_set<(d0, d1) : (d1 - 4 >= 0, 5 - d0 >= 0, d0 - 5 >= 0)>(%i, %j) {
        %v = affine.load %x[%j] : memref<4xi32>
        affine.store %v, %x[0] : memref<4xi32>
      }
    }
  }
  return
}
