// Rosetta bnn: a layer of bits, XNOR and count.
func.func @bnn(%x: memref<4xi64>, %w: memref<8x4xi64>, %t: memref<8xi16>, %y: memref<1xi8>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c4 = arith.constant 4 : index
  %c8 = arith.constant 8 : index
  %ones = arith.constant -1 : i64
  %z16 = arith.constant 0 : i16
  %z8 = arith.constant 0 : i8
  %bits = scf.for %o = %c0 to %c8 step %c1 iter_args(%acc = %z8) -> (i8) {
    %sum = scf.for %i = %c0 to %c4 step %c1 iter_args(%s = %z16) -> (i16) {
      %a = memref.load %x[%i] : memref<4xi64>
      %b = memref.load %w[%o, %i] : memref<8x4xi64>
      %e = arith.xori %a, %b : i64
      %n = arith.xori %e, %ones : i64
      %c = math.ctpop %n : i64
      %c16 = arith.trunci %c : i64 to i16
      %s1 = arith.addi %s, %c16 : i16
      scf.yield %s1 : i16
    }
    %th = memref.load %t[%o] : memref<8xi16>
    %is = arith.cmpi sgt, %sum, %th : i16
    %o8 = arith.index_cast %o : index to i8
    %bit = arith.extui %is : i1 to i8
    %sh = arith.shli %bit, %o8 : i8
    %next = arith.ori %acc, %sh : i8
    scf.yield %next : i8
  }
  memref.store %bits, %y[%c0] : memref<1xi8>
  return
}
