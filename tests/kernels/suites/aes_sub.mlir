// MachSuite aes: sub bytes by a table, shift rows, mix columns (xtime), add round key; i8
memref.global "private" constant @sbox : memref<16xi8> = dense<[99,124,119,123,-14,107,111,-59,48,1,103,43,-2,-41,-85,118]>
func.func @aes_round(%buf: memref<16xi8>, %key: memref<16xi8>) {
  %c1 = arith.constant 1 : i8
  %c15 = arith.constant 15 : i8
  %c1b = arith.constant 27 : i8
  %c7 = arith.constant 7 : i8
  %t = memref.get_global @sbox : memref<16xi8>
  affine.for %i = 0 to 16 {
    %x = affine.load %buf[%i] : memref<16xi8>
    %m = arith.andi %x, %c15 : i8
    %u = arith.extui %m : i8 to i32
    %ix = arith.index_cast %u : i32 to index
    %s = memref.load %t[%ix] : memref<16xi8>
    affine.store %s, %buf[%i] : memref<16xi8>
  }
  affine.for %r = 1 to 4 {
    affine.for %n = 0 to 3 {
      %first = affine.load %buf[%r] : memref<16xi8>
      affine.for %c = 0 to 3 {
        %v = affine.load %buf[%r + 4 * %c + 4] : memref<16xi8>
        affine.store %v, %buf[%r + 4 * %c] : memref<16xi8>
      }
      affine.store %first, %buf[%r + 12] : memref<16xi8>
    }
  }
  affine.for %i = 0 to 4 {
    %a = affine.load %buf[4 * %i] : memref<16xi8>
    %b = affine.load %buf[4 * %i + 1] : memref<16xi8>
    %c = affine.load %buf[4 * %i + 2] : memref<16xi8>
    %d = affine.load %buf[4 * %i + 3] : memref<16xi8>
    %ab = arith.xori %a, %b : i8
    %cd = arith.xori %c, %d : i8
    %e = arith.xori %ab, %cd : i8
    %sh = arith.shli %ab, %c1 : i8
    %top = arith.shrsi %ab, %c7 : i8
    %red = arith.andi %top, %c1b : i8
    %xt = arith.xori %sh, %red : i8
    %ex = arith.xori %e, %xt : i8
    %na = arith.xori %a, %ex : i8
    affine.store %na, %buf[4 * %i] : memref<16xi8>
    %bc = arith.xori %b, %c : i8
    %sh2 = arith.shli %bc, %c1 : i8
    %top2 = arith.shrsi %bc, %c7 : i8
    %red2 = arith.andi %top2, %c1b : i8
    %xt2 = arith.xori %sh2, %red2 : i8
    %ex2 = arith.xori %e, %xt2 : i8
    %nb = arith.xori %b, %ex2 : i8
    affine.store %nb, %buf[4 * %i + 1] : memref<16xi8>
  }
  affine.for %i = 0 to 16 {
    %x = affine.load %buf[%i] : memref<16xi8>
    %k = affine.load %key[%i] : memref<16xi8>
    %y = arith.xori %x, %k : i8
    affine.store %y, %buf[%i] : memref<16xi8>
  }
  return
}
