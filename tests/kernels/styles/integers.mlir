// Division, remainder and magnitude of 64-bit integers, an array filled from behind.
func.func @mix(%x: memref<8xi64>, %y: memref<8xi64>) {
  affine.for %i = 0 to 8 {
    %0 = affine.load %x[%i] : memref<8xi64>
    %c7 = arith.constant 7 : i64
    %1 = arith.divsi %0, %c7 : i64
    %2 = arith.remsi %0, %c7 : i64
    %3 = arith.muli %1, %2 : i64
    %5 = arith.xori %3, %0 : i64
    %6 = math.absi %5 : i64
    %7 = arith.floordivsi %6, %c7 : i64
    affine.store %7, %y[7 - %i] : memref<8xi64>
  }
  return
}
