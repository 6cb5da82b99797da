// steps, floordiv and mod, negative lower bounds, min/max bounds
func.func @steps(%a: memref<64xi32>, %b: memref<64xi32>) {
  affine.for %i = -5 to 20 step 3 {
    affine.for %j = max affine_map<(d0) -> (0, d0)>(%i) to min affine_map<(d0) -> (d0 + 7, 16)>(%i) step 2 {
      %x = affine.load %a[%j * 2 + (%i + 5) floordiv 3] : memref<64xi32>
      %y = affine.load %b[(%i + 5) mod 8 + %j] : memref<64xi32>
      %z = arith.muli %x, %y : i32
      affine.store %z, %b[%j + 8] : memref<64xi32>
    }
  }
  return
}
