// 64-bit mixing: splitmix, high product
func.func @mix(%a: memref<8xi64>, %b: memref<8xi64>) {
  %k1 = arith.constant 0xbf58476d1ce4e5b9 : i64
  %s30 = arith.constant 30 : i64
  affine.for %i = 0 to 8 {
    %x = affine.load %a[%i] : memref<8xi64>
    %y = arith.shrui %x, %s30 : i64
    %z = arith.xori %x, %y : i64
    %p = arith.muli %z, %k1 : i64
    %lo, %hi = arith.mulsi_extended %p, %x : i64
    %r = arith.xori %lo, %hi : i64
    affine.store %r, %b[%i] : memref<8xi64>
  }
  return
}
