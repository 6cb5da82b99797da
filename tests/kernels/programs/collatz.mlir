// do { … } while (n != 1) for each element, as a front end for C prints it: the body stands in front of the condition.
func.func @collatz(%a: memref<8xi32>, %steps: memref<8xi32>) {
  %one = arith.constant 1 : i32
  %three = arith.constant 3 : i32
  %zero = arith.constant 0 : i32
  %mask = arith.constant 15 : i32
  affine.for %i = 0 to 8 {
    %raw = affine.load %a[%i] : memref<8xi32>
    %low = arith.andi %raw, %mask : i32
    %start = arith.addi %low, %one : i32
    %result:2 = scf.while (%n = %start, %count = %zero) : (i32, i32) -> (i32, i32) {
      %odd = arith.andi %n, %one : i32
      %is_odd = arith.cmpi ne, %odd, %zero : i32
      %triple = arith.muli %n, %three : i32
      %up = arith.addi %triple, %one : i32
      %down = arith.shrsi %n, %one : i32
      %next = arith.select %is_odd, %up, %down : i32
      %more = arith.addi %count, %one : i32
      %goes_on = arith.cmpi ne, %next, %one : i32
      scf.condition(%goes_on) %next, %more : i32, i32
    } do {
    ^bb0(%n: i32, %count: i32):
      scf.yield %n, %count : i32, i32
    }
    affine.store %result#1, %steps[%i] : memref<8xi32>
  }
  return
}
