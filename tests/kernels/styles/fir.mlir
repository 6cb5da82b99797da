// A filter of 16 taps: a sum in an iteration argument, 16-bit data, a sum of 32 bits.
func.func @fir(%x: memref<128xi16>, %h: memref<16xi16>, %y: memref<113xi32>) {
  affine.for %i = 0 to 113 {
    %z = arith.constant 0 : i32
    %s = affine.for %k = 0 to 16 iter_args(%a = %z) -> (i32) {
      %0 = affine.load %x[%i + %k] : memref<128xi16>
      %1 = affine.load %h[%k] : memref<16xi16>
      %2 = arith.extsi %0 : i16 to i32
      %3 = arith.extsi %1 : i16 to i32
      %4 = arith.muli %2, %3 : i32
      %5 = arith.addi %a, %4 : i32
      affine.yield %5 : i32
    }
    affine.store %s, %y[%i] : memref<113xi32>
  }
  return
}
