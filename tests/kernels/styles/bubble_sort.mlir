// Triangular bounds, stores under a condition that is data.
func.func @sort(%x: memref<16xf32>) {
  affine.for %i = 0 to 16 {
    affine.for %j = 0 to affine_map<(d0) -> (15 - d0)>(%i) {
      %0 = affine.load %x[%j] : memref<16xf32>
      %1 = affine.load %x[%j + 1] : memref<16xf32>
      %c = arith.cmpf ogt, %0, %1 : f32
      scf.if %c {
        affine.store %1, %x[%j] : memref<16xf32>
        affine.store %0, %x[%j + 1] : memref<16xf32>
      }
    }
  }
  return
}
