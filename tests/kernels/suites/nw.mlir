// MachSuite nw: Needleman-Wunsch, 8x8; max of three, trace back
func.func @nw(%a: memref<8xi8>, %b: memref<8xi8>, %m: memref<9x9xi32>, %ptr: memref<9x9xi8>) {
  %gap = arith.constant -1 : i32
  %mm = arith.constant -1 : i32
  %ma = arith.constant 1 : i32
  %S = arith.constant 92 : i8
  %U = arith.constant 94 : i8
  %L = arith.constant 60 : i8
  %one = arith.constant 1 : i8
  affine.for %i = 0 to 9 {
    %x = arith.index_cast %i : index to i32
    %v = arith.muli %x, %gap : i32
    affine.store %v, %m[0, %i] : memref<9x9xi32>
    affine.store %v, %m[%i, 0] : memref<9x9xi32>
  }
  affine.for %i = 1 to 9 {
    affine.for %j = 1 to 9 {
      %x0 = affine.load %a[%j - 1] : memref<8xi8>
      %y0 = affine.load %b[%i - 1] : memref<8xi8>
      %x = arith.andi %x0, %one : i8
      %y = arith.andi %y0, %one : i8
      %e = arith.cmpi eq, %x, %y : i8
      %sc = arith.select %e, %ma, %mm : i32
      %d = affine.load %m[%i - 1, %j - 1] : memref<9x9xi32>
      %u = affine.load %m[%i - 1, %j] : memref<9x9xi32>
      %l = affine.load %m[%i, %j - 1] : memref<9x9xi32>
      %up = arith.addi %u, %gap : i32
      %le = arith.addi %l, %gap : i32
      %di = arith.addi %d, %sc : i32
      %m1 = arith.maxsi %up, %le : i32
      %mx = arith.maxsi %di, %m1 : i32
      affine.store %mx, %m[%i, %j] : memref<9x9xi32>
      %isl = arith.cmpi eq, %mx, %le : i32
      %isu = arith.cmpi eq, %mx, %up : i32
      %t = arith.select %isu, %U, %S : i8
      %p = arith.select %isl, %L, %t : i8
      affine.store %p, %ptr[%i, %j] : memref<9x9xi8>
    }
  }
  return
}
