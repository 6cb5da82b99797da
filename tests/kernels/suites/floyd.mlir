func.func @floyd(%p: memref<8x8xi16>) {
  affine.for %k = 0 to 8 {
    affine.for %i = 0 to 8 {
      affine.for %j = 0 to 8 {
        %a = affine.load %p[%i, %j] : memref<8x8xi16>
        %b = affine.load %p[%i, %k] : memref<8x8xi16>
        %c = affine.load %p[%k, %j] : memref<8x8xi16>
        %s = arith.addi %b, %c : i16
        %m = arith.minsi %a, %s : i16
        affine.store %m, %p[%i, %j] : memref<8x8xi16>
      }
    }
  }
  return
}
