// 1-D erosion with data-dependent radius; scf.for bounds min/max of loaded values
func.func @dilate(%a: memref<32xi32>, %r: memref<32xi8>, %o: memref<32xi32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c32 = arith.constant 32 : index
  %lo = arith.constant -2147483648 : i32
  %three = arith.constant 3 : i8
  scf.for %i = %c0 to %c32 step %c1 {
    %q = memref.load %r[%i] : memref<32xi8>
    %m = arith.andi %q, %three : i8
    %d = arith.index_castui %m : i8 to index
    %b = arith.subi %i, %d : index
    %from = arith.maxsi %b, %c0 : index
    %e0 = arith.addi %i, %d : index
    %e1 = arith.addi %e0, %c1 : index
    %to = arith.minsi %e1, %c32 : index
    %x = scf.for %j = %from to %to step %c1 iter_args(%s = %lo) -> i32 {
      %v = memref.load %a[%j] : memref<32xi32>
      %n = arith.maxsi %s, %v : i32
      scf.yield %n : i32
    }
    memref.store %x, %o[%i] : memref<32xi32>
  }
  return
}
