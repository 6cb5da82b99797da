// Indices that are more than addresses: the high half of a byte, the least of a number of 64 bits
// and an end; and a sum through the rows of a triangle, the first of which is empty.
func.func @whole_indices(%t: memref<64xi32>, %first: memref<1xi32>, %a: memref<8x8xi32>, %y: memref<64xi32>, %sum: memref<1xi32>) {
  %c4 = arith.constant 4 : index
  %c63 = arith.constant 63 : index
  %c37 = arith.constant 37 : i8
  %c30 = arith.constant 30 : i64
  affine.for %i = 0 to 64 {
    %narrow = arith.index_cast %i : index to i8
    %byte = arith.muli %narrow, %c37 : i8
    %natural = arith.index_castui %byte : i8 to index
    %high = arith.shrui %natural, %c4 : index
    %v = memref.load %t[%high] : memref<64xi32>
    %wide = arith.index_cast %i : index to i64
    %far = arith.shli %wide, %c30 : i64
    %number = arith.index_cast %far : i64 to index
    %least = arith.minui %number, %c63 : index
    %w = memref.load %t[%least] : memref<64xi32>
    %s = arith.subi %v, %w : i32
    affine.store %s, %y[%i] : memref<64xi32>
  }
  %start = affine.load %first[0] : memref<1xi32>
  %total = affine.for %i = 0 to 8 iter_args(%p = %start) -> (i32) {
    %row = affine.for %j = 0 to affine_map<(d0) -> (d0)>(%i) iter_args(%q = %p) -> (i32) {
      %v = affine.load %a[%i, %j] : memref<8x8xi32>
      %n = arith.addi %q, %v : i32
      affine.yield %n : i32
    }
    affine.yield %row : i32
  }
  affine.store %total, %sum[0] : memref<1xi32>
  return
}
