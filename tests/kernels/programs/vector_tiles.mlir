// A product of matrices in tiles, as a vectoriser leaves it.
#rows = affine_map<(i, j, k) -> (i, k)>
#columns = affine_map<(i, j, k) -> (k, j)>
#sums = affine_map<(i, j, k) -> (i, j)>
func.func @tiles(%a: memref<8x8xi8>, %b: memref<8x8xi8>, %c: memref<8x8xi32>) {
  %none = arith.constant 0 : i8
  affine.for %i = 0 to 8 step 2 {
    affine.for %j = 0 to 8 step 2 {
      %start = arith.constant dense<0> : vector<2x2xi32>
      %sum = affine.for %k = 0 to 8 step 4 iter_args(%s = %start) -> (vector<2x2xi32>) {
        %x = vector.transfer_read %a[%i, %k], %none {in_bounds = [true, true]} : memref<8x8xi8>, vector<2x4xi8>
        %y = vector.transfer_read %b[%k, %j], %none {in_bounds = [true, true]} : memref<8x8xi8>, vector<4x2xi8>
        %xw = arith.extsi %x : vector<2x4xi8> to vector<2x4xi32>
        %yw = arith.extsi %y : vector<4x2xi8> to vector<4x2xi32>
        %t = vector.contract {indexing_maps = [#rows, #columns, #sums], iterator_types = ["parallel", "parallel", "reduction"], kind = #vector.kind<add>} %xw, %yw, %s : vector<2x4xi32>, vector<4x2xi32> into vector<2x2xi32>
        affine.yield %t : vector<2x2xi32>
      }
      vector.transfer_write %sum, %c[%i, %j] {in_bounds = [true, true]} : vector<2x2xi32>, memref<8x8xi32>
    }
  }
  return
}
