// Euclid by differences, with branches to labels, as clang's control flow has them.
func.func @gcd_subtract(%pairs: memref<8x2xi32>, %out: memref<8xi32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c8 = arith.constant 8 : index
  %zero = arith.constant 0 : i32
  %one = arith.constant 1 : i32
  cf.br ^loop(%c0 : index)
^loop(%i: index):
  %more = arith.cmpi slt, %i, %c8 : index
  cf.cond_br %more, ^load, ^exit
^load:
  %p = memref.load %pairs[%i, %c0] : memref<8x2xi32>
  %q = memref.load %pairs[%i, %c1] : memref<8x2xi32>
  %low = arith.andi %p, %one : i32
  %mask = arith.constant 63 : i32
  %p1 = arith.andi %p, %mask : i32
  %q1 = arith.andi %q, %mask : i32
  %p2 = arith.addi %p1, %one : i32
  %q2 = arith.addi %q1, %one : i32
  cf.br ^step(%p2, %q2 : i32, i32)
^step(%x: i32, %y: i32):
  %same = arith.cmpi eq, %x, %y : i32
  cf.cond_br %same, ^store, ^reduce
^reduce:
  %greater = arith.cmpi sgt, %x, %y : i32
  cf.cond_br %greater, ^first, ^second
^first:
  %d1 = arith.subi %x, %y : i32
  cf.br ^step(%d1, %y : i32, i32)
^second:
  %d2 = arith.subi %y, %x : i32
  cf.br ^step(%x, %d2 : i32, i32)
^store:
  memref.store %x, %out[%i] : memref<8xi32>
  %next = arith.addi %i, %c1 : index
  cf.br ^loop(%next : index)
^exit:
  return
}
