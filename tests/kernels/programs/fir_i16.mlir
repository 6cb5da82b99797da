// A filter of 16 taps over 256 samples of 16 bits, as one writes it.
func.func @filter(%x: memref<256xi16>, %h: memref<16xi16>, %y: memref<241xi16>) {
  %zero = arith.constant 0 : i16
  affine.for %i = 0 to 241 {
    affine.store %zero, %y[%i] : memref<241xi16>
    affine.for %k = 0 to 16 {
      %a = affine.load %x[%i + %k] : memref<256xi16>
      %b = affine.load %h[%k] : memref<16xi16>
      %c = affine.load %y[%i] : memref<241xi16>
      %p = arith.muli %a, %b : i16
      %s = arith.addi %c, %p : i16
      affine.store %s, %y[%i] : memref<241xi16>
    }
  }
  return
}
