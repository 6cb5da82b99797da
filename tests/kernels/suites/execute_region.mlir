func.func @ex(%a: memref<16xi32>, %n: i32) -> i32 {
  %z = arith.constant 0 : i32
  %r = affine.for %i = 0 to 16 iter_args(%s = %z) -> i32 {
    %v = scf.execute_region -> i32 {
      %x = affine.load %a[%i] : memref<16xi32>
      %c = arith.cmpi sgt, %x, %n : i32
      cf.cond_br %c, ^a, ^b
    ^a:
      %y = arith.subi %x, %n : i32
      scf.yield %y : i32
    ^b:
      %w = arith.addi %x, %n : i32
      scf.yield %w : i32
    }
    %t = arith.addi %s, %v : i32
    affine.yield %t : i32
  }
  return %r : i32
}
