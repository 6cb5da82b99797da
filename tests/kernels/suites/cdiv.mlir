// division and remainder by constants, floor and ceiling, of i8, i17, i32, i64
func.func @cdiv(%a: memref<16xi32>, %o: memref<16xi32>, %p: memref<16xi64>) {
  %seven = arith.constant 7 : i32
  %m3 = arith.constant -3 : i32
  %thou = arith.constant 1000003 : i64
  %f = arith.constant 5 : i17
  affine.for %i = 0 to 16 {
    %x = affine.load %a[%i] : memref<16xi32>
    %q = arith.divsi %x, %seven : i32
    %r = arith.remsi %x, %seven : i32
    %fl = arith.floordivsi %x, %m3 : i32
    %ce = arith.ceildivsi %x, %seven : i32
    %s = arith.trunci %x : i32 to i17
    %t = arith.divui %s, %f : i17
    %te = arith.extui %t : i17 to i32
    %u = arith.xori %q, %r : i32
    %v = arith.xori %fl, %ce : i32
    %w = arith.xori %u, %v : i32
    %y = arith.addi %w, %te : i32
    affine.store %y, %o[%i] : memref<16xi32>
    %l = arith.extsi %x : i32 to i64
    %sq = arith.muli %l, %l : i64
    %d = arith.remui %sq, %thou : i64
    affine.store %d, %p[%i] : memref<16xi64>
  }
  return
}
