// A window of 3 x 3 over an image of 28 x 28 words of 16 bits, as one writes it.
func.func @convolution(%x: memref<28x28xi16>, %h: memref<3x3xi16>, %y: memref<26x26xi16>) {
  %zero = arith.constant 0 : i16
  affine.for %i = 0 to 26 {
    affine.for %j = 0 to 26 {
      affine.store %zero, %y[%i, %j] : memref<26x26xi16>
      affine.for %p = 0 to 3 {
        affine.for %q = 0 to 3 {
          %a = affine.load %x[%i + %p, %j + %q] : memref<28x28xi16>
          %b = affine.load %h[%p, %q] : memref<3x3xi16>
          %c = affine.load %y[%i, %j] : memref<26x26xi16>
          %m = arith.muli %a, %b : i16
          %s = arith.addi %c, %m : i16
          affine.store %s, %y[%i, %j] : memref<26x26xi16>
        }
      }
    }
  }
  return
}
