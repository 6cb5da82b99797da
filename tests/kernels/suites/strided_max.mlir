// Steps of two and three that begin at the largest of several numbers.
func.func @strided(%x: memref<24xi32>, %n: index, %y: memref<24xi32>) {
  affine.for %i = 0 to 6 {
    affine.for %j = max affine_map<(d0) -> (d0 * 2 - 4, 0)>(%i) to min affine_map<(d0) -> (d0 * 2 + 5, 24)>(%i) step 2 {
      %v = affine.load %x[%j] : memref<24xi32>
      %w = affine.load %y[%j] : memref<24xi32>
      %s = arith.addi %v, %w : i32
      affine.store %s, %y[%j] : memref<24xi32>
    }
    affine.for %j = max affine_map<(d0) -> (d0 - 1, 2)>(%i) to 20 step 3 {
      %v = affine.load %y[%j + 1] : memref<24xi32>
      affine.store %v, %y[%j] : memref<24xi32>
    }
  }
  affine.for %j = max affine_map<()[s0] -> (s0, 1)>()[%n] to 24 step 2 {
    %v = affine.load %x[24 - %j] : memref<24xi32>
    affine.store %v, %y[%j] : memref<24xi32>
  }
  return
}
