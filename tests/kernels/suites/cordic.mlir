// CORDIC rotation in i16 Q2.13, table constant, shift by the counter; sin and cos of 8 angles
memref.global "private" constant @atan : memref<12xi16> = dense<[6434,3798,2007,1019,511,256,128,64,32,16,8,4]>
func.func @cordic(%th: memref<8xi16>, %s: memref<8xi16>, %c: memref<8xi16>) {
  %t = memref.get_global @atan : memref<12xi16>
  %gain = arith.constant 4975 : i16
  %z = arith.constant 0 : i16
  affine.for %n = 0 to 8 {
    %a0 = affine.load %th[%n] : memref<8xi16>
    %r:3 = affine.for %i = 0 to 12 iter_args(%x = %gain, %y = %z, %a = %a0) -> (i16, i16, i16) {
      %ii = arith.index_cast %i : index to i16
      %neg = arith.cmpi slt, %a, %z : i16
      %xs = arith.shrsi %x, %ii : i16
      %ys = arith.shrsi %y, %ii : i16
      %e = affine.load %t[%i] : memref<12xi16>
      %x1 = arith.addi %x, %ys : i16
      %x2 = arith.subi %x, %ys : i16
      %y1 = arith.subi %y, %xs : i16
      %y2 = arith.addi %y, %xs : i16
      %a1 = arith.addi %a, %e : i16
      %a2 = arith.subi %a, %e : i16
      %nx = arith.select %neg, %x1, %x2 : i16
      %ny = arith.select %neg, %y1, %y2 : i16
      %na = arith.select %neg, %a1, %a2 : i16
      affine.yield %nx, %ny, %na : i16, i16, i16
    }
    affine.store %r#0, %c[%n] : memref<8xi16>
    affine.store %r#1, %s[%n] : memref<8xi16>
  }
  return
}
