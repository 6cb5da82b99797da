// cgeist: for with break, as a while with a flag and scalars in memory.
func.func @find(%a: memref<12xi32>, %key: i32) -> i32 {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c12 = arith.constant 12 : index
  %none = arith.constant -1 : i32
  %true = arith.constant true
  %found = memref.alloca() : memref<i32>
  memref.store %none, %found[] : memref<i32>
  %r:2 = scf.while (%i = %c0, %go = %true) : (index, i1) -> (index, i1) {
    %in = arith.cmpi slt, %i, %c12 : index
    %both = arith.andi %in, %go : i1
    scf.condition(%both) %i, %go : index, i1
  } do {
  ^bb0(%i: index, %go: i1):
    %v = memref.load %a[%i] : memref<12xi32>
    %is = arith.cmpi eq, %v, %key : i32
    scf.if %is {
      %at = arith.index_cast %i : index to i32
      memref.store %at, %found[] : memref<i32>
    }
    %on = arith.xori %is, %true : i1
    %n = arith.addi %i, %c1 : index
    scf.yield %n, %on : index, i1
  }
  %f = memref.load %found[] : memref<i32>
  return %f : i32
}
