// for (i = n - 1; i >= 0; i -= 3), whose counter is also data.
func.func @countdown(%n: i32, %out: memref<64xi32>) -> i32 {
  %zero = arith.constant 0 : i32
  %one = arith.constant 1 : i32
  %three = arith.constant 3 : i32
  %mask = arith.constant 63 : i32
  %short = arith.andi %n, %mask : i32
  %first = arith.subi %short, %one : i32
  %last:2 = scf.while (%i = %first, %sum = %zero) : (i32, i32) -> (i32, i32) {
    %goes_on = arith.cmpi sge, %i, %zero : i32
    scf.condition(%goes_on) %i, %sum : i32, i32
  } do {
  ^bb0(%i: i32, %sum: i32):
    %at = arith.index_cast %i : i32 to index
    memref.store %sum, %out[%at] : memref<64xi32>
    %next_sum = arith.addi %sum, %i : i32
    %next = arith.subi %i, %three : i32
    scf.yield %next, %next_sum : i32, i32
  }
  return %last#1 : i32
}
