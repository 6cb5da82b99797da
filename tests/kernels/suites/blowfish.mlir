// CHStone blowfish: Feistel rounds with four S-boxes
func.func @bf(%p: memref<18xi32>, %s: memref<4x16xi32>, %data: memref<2xi32>) {
  %c15 = arith.constant 15 : i32
  %l0 = affine.load %data[0] : memref<2xi32>
  %r0 = affine.load %data[1] : memref<2xi32>
  %z = arith.constant 0 : index
  %one = arith.constant 1 : index
  %two = arith.constant 2 : index
  %three = arith.constant 3 : index
  %o:2 = affine.for %i = 0 to 16 iter_args(%l = %l0, %r = %r0) -> (i32, i32) {
    %pi = affine.load %p[%i] : memref<18xi32>
    %x = arith.xori %l, %pi : i32
    %s24 = arith.constant 24 : i32
    %s16 = arith.constant 16 : i32
    %s8 = arith.constant 8 : i32
    %a0 = arith.shrui %x, %s24 : i32
    %a1 = arith.andi %a0, %c15 : i32
    %a = arith.index_cast %a1 : i32 to index
    %b0 = arith.shrui %x, %s16 : i32
    %b1 = arith.andi %b0, %c15 : i32
    %b = arith.index_cast %b1 : i32 to index
    %c0 = arith.shrui %x, %s8 : i32
    %c1 = arith.andi %c0, %c15 : i32
    %c = arith.index_cast %c1 : i32 to index
    %d1 = arith.andi %x, %c15 : i32
    %d = arith.index_cast %d1 : i32 to index
    %sa = memref.load %s[%z, %a] : memref<4x16xi32>
    %sb = memref.load %s[%one, %b] : memref<4x16xi32>
    %sc = memref.load %s[%two, %c] : memref<4x16xi32>
    %sd = memref.load %s[%three, %d] : memref<4x16xi32>
    %f0 = arith.addi %sa, %sb : i32
    %f1 = arith.xori %f0, %sc : i32
    %f2 = arith.addi %f1, %sd : i32
    %n = arith.xori %r, %f2 : i32
    affine.yield %n, %x : i32, i32
  }
  %p16 = affine.load %p[16] : memref<18xi32>
  %p17 = affine.load %p[17] : memref<18xi32>
  %rr = arith.xori %o#0, %p16 : i32
  %ll = arith.xori %o#1, %p17 : i32
  affine.store %ll, %data[0] : memref<2xi32>
  affine.store %rr, %data[1] : memref<2xi32>
  return
}
