// 3x3 median by a sorting network in a local array
func.func private @order(%t: memref<9xi16>, %i: index, %j: index) {
  %a = memref.load %t[%i] : memref<9xi16>
  %b = memref.load %t[%j] : memref<9xi16>
  %lo = arith.minsi %a, %b : i16
  %hi = arith.maxsi %a, %b : i16
  memref.store %lo, %t[%i] : memref<9xi16>
  memref.store %hi, %t[%j] : memref<9xi16>
  return
}
func.func @median(%in: memref<8x8xi16>, %out: memref<6x6xi16>) {
  affine.for %y = 0 to 6 {
    affine.for %x = 0 to 6 {
      %t = memref.alloca() : memref<9xi16>
      affine.for %d = 0 to 9 {
        %v = affine.load %in[%y + %d floordiv 3, %x + %d mod 3] : memref<8x8xi16>
        affine.store %v, %t[%d] : memref<9xi16>
      }
      affine.for %p = 0 to 9 {
        affine.for %k = 0 to 4 {
          %i = affine.apply affine_map<(d0, d1) -> (2 * d1 + d0 mod 2)>(%p, %k)
          %j = affine.apply affine_map<(d0) -> (d0 + 1)>(%i)
          func.call @order(%t, %i, %j) : (memref<9xi16>, index, index) -> ()
        }
      }
      %m = affine.load %t[4] : memref<9xi16>
      affine.store %m, %out[%y, %x] : memref<6x6xi16>
    }
  }
  return
}
