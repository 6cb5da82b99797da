func.func @lcs(%a: memref<12xi8>, %b: memref<12xi8>) -> i8 {
  %t = memref.alloc() : memref<2x13xi8>
  %z = arith.constant 0 : i8
  %one = arith.constant 1 : i8
  affine.for %j = 0 to 13 { affine.store %z, %t[0, %j] : memref<2x13xi8> }
  affine.store %z, %t[1, 0] : memref<2x13xi8>
  affine.for %i = 0 to 12 {
    affine.for %j = 0 to 12 {
      %x0 = affine.load %a[%i] : memref<12xi8>
      %y0 = affine.load %b[%j] : memref<12xi8>
      %x = arith.andi %x0, %one : i8
      %y = arith.andi %y0, %one : i8
      %e = arith.cmpi eq, %x, %y : i8
      %r = scf.if %e -> i8 {
        %d = affine.load %t[%i mod 2, %j] : memref<2x13xi8>
        %d1 = arith.addi %d, %one : i8
        scf.yield %d1 : i8
      } else {
        %u = affine.load %t[%i mod 2, %j + 1] : memref<2x13xi8>
        %l = affine.load %t[(%i + 1) mod 2, %j] : memref<2x13xi8>
        %m = arith.maxui %u, %l : i8
        scf.yield %m : i8
      }
      affine.store %r, %t[(%i + 1) mod 2, %j + 1] : memref<2x13xi8>
    }
  }
  %o = affine.load %t[0, 12] : memref<2x13xi8>
  return %o : i8
}
