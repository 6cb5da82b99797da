// A loop that data end behind a condition: what must not run does not run.
func.func @guarded(%a: memref<16xi32>, %n: i32) -> i32 {
  %zero = arith.constant 0 : i32
  %one = arith.constant 1 : i32
  %fifteen = arith.constant 15 : i32
  %positive = arith.cmpi sgt, %n, %zero : i32
  %sum = scf.if %positive -> i32 {
    %end = arith.andi %n, %fifteen : i32
    %total = scf.for %i = %zero to %end step %one iter_args(%s = %zero) -> i32 : i32 {
      %at = arith.index_cast %i : i32 to index
      %x = memref.load %a[%at] : memref<16xi32>
      %t = arith.addi %s, %x : i32
      scf.yield %t : i32
    }
    %first = scf.while (%k = %end) : (i32) -> i32 {
      %goes_on = arith.cmpi sgt, %k, %one : i32
      scf.condition(%goes_on) %k : i32
    } do {
    ^bb0(%k: i32):
      %at = arith.index_cast %k : i32 to index
      memref.store %total, %a[%at] : memref<16xi32>
      %half = arith.shrsi %k, %one : i32
      scf.yield %half : i32
    }
    %both = arith.addi %total, %first : i32
    scf.yield %both : i32
  } else {
    scf.yield %n : i32
  }
  return %sum : i32
}
