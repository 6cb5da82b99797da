// table[i, j] := most base pairs in the part i … j of a sequence of bases 0 … 3 (Nussinov's recurrence); i runs down.
// The benchmark's tests for j >= 1 and i + 1 < n hold throughout the triangle.
func.func @kernel_nussinov(%seq: memref<8xi8>, %table: memref<8x8xi32>) {
  %zero = arith.constant 0 : i32
  %one = arith.constant 1 : i32
  %three = arith.constant 3 : i32
  affine.for %back = 0 to 8 {
    affine.for %j = affine_map<(d0) -> (8 - d0)>(%back) to 8 {
      %start = affine.load %table[7 - %back, %j] : memref<8x8xi32>
      %left = affine.load %table[7 - %back, %j - 1] : memref<8x8xi32>
      %keeps_start = arith.cmpi sge, %start, %left : i32
      %best1 = arith.select %keeps_start, %start, %left : i32
      affine.store %best1, %table[7 - %back, %j] : memref<8x8xi32>
      %below = affine.load %table[8 - %back, %j] : memref<8x8xi32>
      %keeps_best1 = arith.cmpi sge, %best1, %below : i32
      %best2 = arith.select %keeps_best1, %best1, %below : i32
      affine.store %best2, %table[7 - %back, %j] : memref<8x8xi32>
      %inner = affine.load %table[8 - %back, %j - 1] : memref<8x8xi32>
      %best3 = affine.if affine_set<(d0, d1) : (d1 + d0 - 9 >= 0)>(%back, %j) -> i32 {
        %i_base = affine.load %seq[7 - %back] : memref<8xi8>
        %j_base = affine.load %seq[%j] : memref<8xi8>
        %i_wide = arith.extsi %i_base : i8 to i32
        %j_wide = arith.extsi %j_base : i8 to i32
        %bases = arith.addi %i_wide, %j_wide : i32
        %is_pair = arith.cmpi eq, %bases, %three : i32
        %pair = arith.select %is_pair, %one, %zero : i32
        %paired = arith.addi %inner, %pair : i32
        %keeps = arith.cmpi sge, %best2, %paired : i32
        %best = arith.select %keeps, %best2, %paired : i32
        affine.yield %best : i32
      } else {
        %keeps = arith.cmpi sge, %best2, %inner : i32
        %best = arith.select %keeps, %best2, %inner : i32
        affine.yield %best : i32
      }
      affine.store %best3, %table[7 - %back, %j] : memref<8x8xi32>
      affine.for %k = affine_map<(d0) -> (8 - d0)>(%back) to affine_map<(d0) -> (d0)>(%j) {
        %best = affine.load %table[7 - %back, %j] : memref<8x8xi32>
        %first = affine.load %table[7 - %back, %k] : memref<8x8xi32>
        %second = affine.load %table[%k + 1, %j] : memref<8x8xi32>
        %split = arith.addi %first, %second : i32
        %keeps = arith.cmpi sge, %best, %split : i32
        %new = arith.select %keeps, %best, %split : i32
        affine.store %new, %table[7 - %back, %j] : memref<8x8xi32>
      }
    }
  }
  return
}
