func.func @crc32(%data: memref<16xi8>) -> i32 {
  %init = arith.constant -1 : i32
  %poly = arith.constant 0xEDB88320 : i32
  %one = arith.constant 1 : i32
  %z = arith.constant 0 : i32
  %r = affine.for %i = 0 to 16 iter_args(%c = %init) -> i32 {
    %b = affine.load %data[%i] : memref<16xi8>
    %w = arith.extui %b : i8 to i32
    %x = arith.xori %c, %w : i32
    %y = affine.for %j = 0 to 8 iter_args(%d = %x) -> i32 {
      %l = arith.andi %d, %one : i32
      %m = arith.subi %z, %l : i32
      %p = arith.andi %poly, %m : i32
      %s = arith.shrui %d, %one : i32
      %n = arith.xori %s, %p : i32
      affine.yield %n : i32
    }
    affine.yield %y : i32
  }
  %o = arith.xori %r, %init : i32
  return %o : i32
}
