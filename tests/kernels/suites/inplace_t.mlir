func.func @transpose(%a: memref<8x8xi32>) {
  affine.for %i = 0 to 8 {
    affine.for %j = affine_map<(d0) -> (d0 + 1)>(%i) to 8 {
      %x = affine.load %a[%i, %j] : memref<8x8xi32>
      %y = affine.load %a[%j, %i] : memref<8x8xi32>
      affine.store %y, %a[%i, %j] : memref<8x8xi32>
      affine.store %x, %a[%j, %i] : memref<8x8xi32>
    }
  }
  return
}
