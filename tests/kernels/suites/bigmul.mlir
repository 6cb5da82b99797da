// schoolbook product of 4 by 4 words with carries by mului_extended and addui_extended
func.func @bigmul(%a: memref<4xi32>, %b: memref<4xi32>, %c: memref<8xi32>) {
  %z = arith.constant 0 : i32
  affine.for %i = 0 to 8 { affine.store %z, %c[%i] : memref<8xi32> }
  affine.for %i = 0 to 4 {
    %x = affine.load %a[%i] : memref<4xi32>
    %carry = affine.for %j = 0 to 4 iter_args(%k = %z) -> i32 {
      %y = affine.load %b[%j] : memref<4xi32>
      %lo, %hi = arith.mului_extended %x, %y : i32
      %o = affine.load %c[%i + %j] : memref<8xi32>
      %s, %c1 = arith.addui_extended %lo, %o : i32, i1
      %t, %c2 = arith.addui_extended %s, %k : i32, i1
      affine.store %t, %c[%i + %j] : memref<8xi32>
      %e1 = arith.extui %c1 : i1 to i32
      %e2 = arith.extui %c2 : i1 to i32
      %h1 = arith.addi %hi, %e1 : i32
      %h2 = arith.addi %h1, %e2 : i32
      affine.yield %h2 : i32
    }
    affine.store %carry, %c[%i + 4] : memref<8xi32>
  }
  return
}
