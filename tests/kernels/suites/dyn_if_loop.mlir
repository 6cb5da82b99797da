// Dynamatic if_loop_1
func.func @if_loop(%a: memref<100xi32>, %n: i32) -> i32 {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c100 = arith.constant 100 : index
  %z = arith.constant 0 : i32
  %two = arith.constant 2 : i32
  %ten = arith.constant 10 : i32
  %r = scf.for %i = %c0 to %c100 step %c1 iter_args(%sum = %z) -> i32 {
    %t = memref.load %a[%i] : memref<100xi32>
    %m = arith.muli %t, %two : i32
    %gt = arith.cmpi sgt, %m, %ten : i32
    %s = scf.if %gt -> i32 {
      %x = arith.addi %m, %sum : i32
      scf.yield %x : i32
    } else {
      scf.yield %sum : i32
    }
    scf.yield %s : i32
  }
  return %r : i32
}
