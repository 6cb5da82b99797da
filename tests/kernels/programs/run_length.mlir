// Run-length coding: a loop over runs around one over the elements of a run.
func.func @run_length(%in: memref<32xi8>, %values: memref<32xi8>, %lengths: memref<32xi32>) -> index {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c32 = arith.constant 32 : index
  %false = arith.constant false
  %one = arith.constant 1 : i8
  %result:2 = scf.while (%i = %c0, %runs = %c0) : (index, index) -> (index, index) {
    %more = arith.cmpi slt, %i, %c32 : index
    scf.condition(%more) %i, %runs : index, index
  } do {
  ^bb0(%i: index, %runs: index):
    %raw = memref.load %in[%i] : memref<32xi8>
    %value = arith.andi %raw, %one : i8
    %start = arith.addi %i, %c1 : index
    %end = scf.while (%k = %start) : (index) -> index {
      %inside = arith.cmpi slt, %k, %c32 : index
      %same = scf.if %inside -> i1 {
        %other_raw = memref.load %in[%k] : memref<32xi8>
        %other = arith.andi %other_raw, %one : i8
        %equal = arith.cmpi eq, %other, %value : i8
        scf.yield %equal : i1
      } else {
        scf.yield %false : i1
      }
      scf.condition(%same) %k : index
    } do {
    ^bb0(%k: index):
      %next = arith.addi %k, %c1 : index
      scf.yield %next : index
    }
    %length = arith.subi %end, %i : index
    %count = arith.index_cast %length : index to i32
    memref.store %value, %values[%runs] : memref<32xi8>
    memref.store %count, %lengths[%runs] : memref<32xi32>
    %more_runs = arith.addi %runs, %c1 : index
    scf.yield %end, %more_runs : index, index
  }
  return %result#1 : index
}
