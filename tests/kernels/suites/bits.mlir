// i1 arrays, rank 0, game-of-life like
func.func @life(%in: memref<8x8xi1>, %out: memref<8x8xi1>, %alive: memref<i8>) {
  %z = arith.constant 0 : i8
  %one = arith.constant 1 : i8
  %two = arith.constant 2 : i8
  %three = arith.constant 3 : i8
  affine.store %z, %alive[] : memref<i8>
  affine.for %i = 0 to 8 {
    affine.for %j = 0 to 8 {
      %n = affine.for %d = 0 to 9 iter_args(%s = %z) -> i8 {
        %x = affine.load %in[(%i + %d floordiv 3 + 7) mod 8, (%j + %d mod 3 + 7) mod 8] : memref<8x8xi1>
        %e = arith.extui %x : i1 to i8
        %t = arith.addi %s, %e : i8
        affine.yield %t : i8
      }
      %c = affine.load %in[%i, %j] : memref<8x8xi1>
      %ce = arith.extui %c : i1 to i8
      %m = arith.subi %n, %ce : i8
      %is3 = arith.cmpi eq, %m, %three : i8
      %is2 = arith.cmpi eq, %m, %two : i8
      %k = arith.andi %is2, %c : i1
      %l = arith.ori %is3, %k : i1
      affine.store %l, %out[%i, %j] : memref<8x8xi1>
      %a = affine.load %alive[] : memref<i8>
      %le = arith.extui %l : i1 to i8
      %a1 = arith.addi %a, %le : i8
      affine.store %a1, %alive[] : memref<i8>
    }
  }
  return
}
