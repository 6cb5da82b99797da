// Nests under counts that are only known when the program runs: as wide as the counter around, twice that, a window of it,
// and tiles that end with the count.
func.func @triangles(%a: memref<8xi32>, %b: memref<24xi32>, %n: index, %m: i32) {
  affine.for %i = 0 to %n {
    affine.for %j = 0 to affine_map<(d0) -> (d0)>(%i) {
      %x = affine.load %a[%j] : memref<8xi32>
      %y = affine.load %a[%i] : memref<8xi32>
      %s = arith.addi %x, %y : i32
      affine.store %s, %a[%i] : memref<8xi32>
    }
  }
  %c = arith.index_cast %m : i32 to index
  affine.for %i = 0 to %c {
    affine.for %j = 0 to affine_map<(d0) -> (2 * d0)>(%i) {
      %x = affine.load %b[%j] : memref<24xi32>
      affine.store %x, %b[%i + 2] : memref<24xi32>
    }
    affine.for %j = affine_map<(d0) -> (d0)>(%i) to affine_map<(d0) -> (d0 + 4)>(%i) {
      %x = affine.load %b[%j] : memref<24xi32>
      %y = arith.addi %x, %m : i32
      affine.store %y, %b[%j] : memref<24xi32>
    }
  }
  affine.for %i = 0 to %c step 4 {
    affine.for %j = affine_map<(d0) -> (d0)>(%i) to min affine_map<(d0)[s0] -> (d0 + 4, s0)>(%i)[%c] {
      %x = affine.load %b[%j] : memref<24xi32>
      %y = arith.muli %x, %x : i32
      affine.store %y, %b[%j] : memref<24xi32>
    }
  }
  return
}
