// table[i, j] := most base pairs in the part i … j of a sequence of bases 0 … 3 (Nussinov's recurrence); i runs down.
// The benchmark's tests for j >= 1 and i + 1 < n hold throughout the triangle.
func.func @kernel_nussinov(%seq: memref<60xi8>, %table: memref<60x60xf64>) {
  %zero = arith.constant 0.0 : f64
  %one = arith.constant 1.0 : f64
  %three = arith.constant 3 : i32
  affine.for %back = 0 to 60 {
    affine.for %j = affine_map<(d0) -> (60 - d0)>(%back) to 60 {
      %start = affine.load %table[59 - %back, %j] : memref<60x60xf64>
      %left = affine.load %table[59 - %back, %j - 1] : memref<60x60xf64>
      %keeps_start = arith.cmpf oge, %start, %left : f64
      %best1 = arith.select %keeps_start, %start, %left : f64
      affine.store %best1, %table[59 - %back, %j] : memref<60x60xf64>
      %below = affine.load %table[60 - %back, %j] : memref<60x60xf64>
      %keeps_best1 = arith.cmpf oge, %best1, %below : f64
      %best2 = arith.select %keeps_best1, %best1, %below : f64
      affine.store %best2, %table[59 - %back, %j] : memref<60x60xf64>
      %inner = affine.load %table[60 - %back, %j - 1] : memref<60x60xf64>
      %best3 = affine.if affine_set<(d0, d1) : (d1 + d0 - 61 >= 0)>(%back, %j) -> f64 {
        %i_base = affine.load %seq[59 - %back] : memref<60xi8>
        %j_base = affine.load %seq[%j] : memref<60xi8>
        %i_wide = arith.extsi %i_base : i8 to i32
        %j_wide = arith.extsi %j_base : i8 to i32
        %bases = arith.addi %i_wide, %j_wide : i32
        %is_pair = arith.cmpi eq, %bases, %three : i32
        %pair = arith.select %is_pair, %one, %zero : f64
        %paired = arith.addf %inner, %pair : f64
        %keeps = arith.cmpf oge, %best2, %paired : f64
        %best = arith.select %keeps, %best2, %paired : f64
        affine.yield %best : f64
      } else {
        %keeps = arith.cmpf oge, %best2, %inner : f64
        %best = arith.select %keeps, %best2, %inner : f64
        affine.yield %best : f64
      }
      affine.store %best3, %table[59 - %back, %j] : memref<60x60xf64>
      affine.for %k = affine_map<(d0) -> (60 - d0)>(%back) to affine_map<(d0) -> (d0)>(%j) {
        %best = affine.load %table[59 - %back, %j] : memref<60x60xf64>
        %first = affine.load %table[59 - %back, %k] : memref<60x60xf64>
        %second = affine.load %table[%k + 1, %j] : memref<60x60xf64>
        %split = arith.addf %first, %second : f64
        %keeps = arith.cmpf oge, %best, %split : f64
        %new = arith.select %keeps, %best, %split : f64
        affine.store %new, %table[59 - %back, %j] : memref<60x60xf64>
      }
    }
  }
  return
}
