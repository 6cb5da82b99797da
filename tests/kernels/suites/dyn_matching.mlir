// Dynamatic matching: vertices unmatched so far
func.func @matching(%edges: memref<32xi32>, %vertices: memref<16xi32>) -> i32 {
  %c0 = arith.constant 0 : index
  %c2 = arith.constant 2 : index
  %c1 = arith.constant 1 : index
  %c32 = arith.constant 32 : index
  %z = arith.constant 0 : i32
  %one = arith.constant 1 : i32
  %c15 = arith.constant 15 : i32
  %neg = arith.constant -1 : i32
  affine.for %i = 0 to 16 { affine.store %neg, %vertices[%i] : memref<16xi32> }
  %r:2 = scf.while (%i = %c0, %out = %z) : (index, i32) -> (index, i32) {
    %go = arith.cmpi slt, %i, %c32 : index
    scf.condition(%go) %i, %out : index, i32
  } do {
  ^bb0(%i: index, %out: i32):
    %i1 = arith.addi %i, %c1 : index
    %u0 = memref.load %edges[%i] : memref<32xi32>
    %v0 = memref.load %edges[%i1] : memref<32xi32>
    %u = arith.andi %u0, %c15 : i32
    %v = arith.andi %v0, %c15 : i32
    %ui = arith.index_cast %u : i32 to index
    %vi = arith.index_cast %v : i32 to index
    %mu = memref.load %vertices[%ui] : memref<16xi32>
    %mv = memref.load %vertices[%vi] : memref<16xi32>
    %a = arith.cmpi slt, %mu, %z : i32
    %b = arith.cmpi slt, %mv, %z : i32
    %ab = arith.andi %a, %b : i1
    %o = scf.if %ab -> i32 {
      memref.store %v, %vertices[%ui] : memref<16xi32>
      memref.store %u, %vertices[%vi] : memref<16xi32>
      %o1 = arith.addi %out, %one : i32
      scf.yield %o1 : i32
    } else {
      scf.yield %out : i32
    }
    %n = arith.addi %i, %c2 : index
    scf.yield %n, %o : index, i32
  }
  return %r#1 : i32
}
