// for (i = 0; i < 32; ++i) if (a[i] == key) return i; return -1, as cgeist prints it: a flag leaves the loop.
func.func @find(%a: memref<32xi32>, %key: i32) -> i32 {
  %none = arith.constant -1 : i32
  %zero = arith.constant 0 : i32
  %one = arith.constant 1 : i32
  %end = arith.constant 32 : i32
  %true = arith.constant true
  %false = arith.constant false
  %result:3 = scf.while (%i = %zero, %found = %none, %open = %true) : (i32, i32, i1) -> (i32, i32, i1) {
    %below = arith.cmpi slt, %i, %end : i32
    %goes_on = arith.andi %below, %open : i1
    scf.condition(%goes_on) %i, %found, %open : i32, i32, i1
  } do {
  ^bb0(%i: i32, %found: i32, %open: i1):
    %at = arith.index_cast %i : i32 to index
    %element = memref.load %a[%at] : memref<32xi32>
    %is_it = arith.cmpi eq, %element, %key : i32
    %next_found = arith.select %is_it, %i, %found : i32
    %next_open = arith.select %is_it, %false, %true : i1
    %next = arith.addi %i, %one : i32
    scf.yield %next, %next_found, %next_open : i32, i32, i1
  }
  return %result#1 : i32
}
