// CHStone sha: message schedule and 80 rounds of SHA-1
func.func private @rot(%x: i32, %n: i32) -> i32 {
  %w = arith.constant 32 : i32
  %l = arith.shli %x, %n : i32
  %m = arith.subi %w, %n : i32
  %r = arith.shrui %x, %m : i32
  %o = arith.ori %l, %r : i32
  return %o : i32
}
func.func @sha(%in: memref<16xi32>, %h: memref<5xi32>) {
  %w = memref.alloc() : memref<80xi32>
  %one = arith.constant 1 : i32
  %five = arith.constant 5 : i32
  %thirty = arith.constant 30 : i32
  affine.for %i = 0 to 16 {
    %x = affine.load %in[%i] : memref<16xi32>
    affine.store %x, %w[%i] : memref<80xi32>
  }
  affine.for %i = 16 to 80 {
    %a = affine.load %w[%i - 3] : memref<80xi32>
    %b = affine.load %w[%i - 8] : memref<80xi32>
    %c = affine.load %w[%i - 14] : memref<80xi32>
    %d = affine.load %w[%i - 16] : memref<80xi32>
    %x = arith.xori %a, %b : i32
    %y = arith.xori %c, %d : i32
    %z = arith.xori %x, %y : i32
    %r = func.call @rot(%z, %one) : (i32, i32) -> i32
    affine.store %r, %w[%i] : memref<80xi32>
  }
  %a0 = affine.load %h[0] : memref<5xi32>
  %b0 = affine.load %h[1] : memref<5xi32>
  %c0 = affine.load %h[2] : memref<5xi32>
  %d0 = affine.load %h[3] : memref<5xi32>
  %e0 = affine.load %h[4] : memref<5xi32>
  %k1 = arith.constant 0x5A827999 : i32
  %k2 = arith.constant 0x6ED9EBA1 : i32
  %o:5 = affine.for %i = 0 to 80 iter_args(%a = %a0, %b = %b0, %c = %c0, %d = %d0, %e = %e0) -> (i32, i32, i32, i32, i32) {
    %f:2 = affine.if affine_set<(d0) : (19 - d0 >= 0)>(%i) -> (i32, i32) {
      %x = arith.xori %c, %d : i32
      %y = arith.andi %b, %x : i32
      %z = arith.xori %y, %d : i32
      affine.yield %z, %k1 : i32, i32
    } else {
      %x = arith.xori %b, %c : i32
      %z = arith.xori %x, %d : i32
      affine.yield %z, %k2 : i32, i32
    }
    %r = func.call @rot(%a, %five) : (i32, i32) -> i32
    %wi = affine.load %w[%i] : memref<80xi32>
    %t1 = arith.addi %r, %f#0 : i32
    %t2 = arith.addi %e, %f#1 : i32
    %t3 = arith.addi %t1, %t2 : i32
    %t4 = arith.addi %t3, %wi : i32
    %b30 = func.call @rot(%b, %thirty) : (i32, i32) -> i32
    affine.yield %t4, %a, %b30, %c, %d : i32, i32, i32, i32, i32
  }
  %a1 = arith.addi %a0, %o#0 : i32
  %b1 = arith.addi %b0, %o#1 : i32
  %c1 = arith.addi %c0, %o#2 : i32
  %d1 = arith.addi %d0, %o#3 : i32
  %e1 = arith.addi %e0, %o#4 : i32
  affine.store %a1, %h[0] : memref<5xi32>
  affine.store %b1, %h[1] : memref<5xi32>
  affine.store %c1, %h[2] : memref<5xi32>
  affine.store %d1, %h[3] : memref<5xi32>
  affine.store %e1, %h[4] : memref<5xi32>
  return
}
