// clang-like control flow graph: two nested loops by branches with a break
func.func @cfg(%a: memref<8x8xi32>, %key: i32) -> i32 {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c8 = arith.constant 8 : index
  %z = arith.constant 0 : i32
  cf.br ^outer(%c0, %z : index, i32)
^outer(%i: index, %s: i32):
  %in = arith.cmpi slt, %i, %c8 : index
  cf.cond_br %in, ^inner(%c0, %s : index, i32), ^done(%s : i32)
^inner(%j: index, %t: i32):
  %jn = arith.cmpi slt, %j, %c8 : index
  cf.cond_br %jn, ^body, ^next(%t : i32)
^body:
  %x = memref.load %a[%i, %j] : memref<8x8xi32>
  %e = arith.cmpi eq, %x, %key : i32
  cf.cond_br %e, ^next(%t : i32), ^add
^add:
  %t1 = arith.addi %t, %x : i32
  %j1 = arith.addi %j, %c1 : index
  cf.br ^inner(%j1, %t1 : index, i32)
^next(%u: i32):
  %i1 = arith.addi %i, %c1 : index
  cf.br ^outer(%i1, %u : index, i32)
^done(%r: i32):
  return %r : i32
}
