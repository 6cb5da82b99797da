// tiles with remainder by min, 13x11 by 5
func.func @tiled(%a: memref<13x11xi32>, %b: memref<11x13xi32>) {
  affine.for %ii = 0 to 13 step 5 {
    affine.for %jj = 0 to 11 step 4 {
      affine.for %i = affine_map<(d0) -> (d0)>(%ii) to min affine_map<(d0) -> (d0 + 5, 13)>(%ii) {
        affine.for %j = affine_map<(d0) -> (d0)>(%jj) to min affine_map<(d0) -> (d0 + 4, 11)>(%jj) {
          %x = affine.load %a[%i, %j] : memref<13x11xi32>
          affine.store %x, %b[%j, %i] : memref<11x13xi32>
        }
      }
    }
  }
  return
}
