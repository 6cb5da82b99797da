// while with break, nested search; result from the loop
func.func @find(%a: memref<32xi32>, %key: i32) -> (i32, i1) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c32 = arith.constant 32 : index
  %t = arith.constant true
  %f = arith.constant false
  %r:2 = scf.while (%i = %c0, %found = %f) : (index, i1) -> (index, i1) {
    %in = arith.cmpi ult, %i, %c32 : index
    %n = arith.xori %found, %t : i1
    %go = arith.andi %in, %n : i1
    scf.condition(%go) %i, %found : index, i1
  } do {
  ^bb0(%i: index, %found: i1):
    %x = memref.load %a[%i] : memref<32xi32>
    %e = arith.cmpi eq, %x, %key : i32
    %n = arith.addi %i, %c1 : index
    scf.yield %n, %e : index, i1
  }
  %o = arith.index_cast %r#0 : index to i32
  return %o, %r#1 : i32, i1
}
