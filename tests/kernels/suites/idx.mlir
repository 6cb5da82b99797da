// index arithmetic stored: argsort by rank, index memrefs, ceildivs
func.func @rank(%a: memref<12xi32>, %r: memref<12xindex>, %inv: memref<12xindex>) -> index {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  affine.for %i = 0 to 12 {
    %x = affine.load %a[%i] : memref<12xi32>
    %k = affine.for %j = 0 to 12 iter_args(%n = %c0) -> index {
      %y = affine.load %a[%j] : memref<12xi32>
      %lt = arith.cmpi slt, %y, %x : i32
      %eq = arith.cmpi eq, %y, %x : i32
      %before = arith.cmpi ult, %j, %i : index
      %t = arith.andi %eq, %before : i1
      %u = arith.ori %lt, %t : i1
      %n1 = arith.addi %n, %c1 : index
      %m = arith.select %u, %n1, %n : index
      affine.yield %m : index
    }
    affine.store %k, %r[%i] : memref<12xindex>
    memref.store %i, %inv[%k] : memref<12xindex>
  }
  %s = affine.for %i = 0 to 12 iter_args(%n = %c0) -> index {
    %x = affine.load %inv[%i] : memref<12xindex>
    %three = arith.constant 3 : index
    %q = arith.ceildivui %x, %three : index
    %p = arith.muli %n, %three : index
    %m = arith.addi %p, %q : index
    affine.yield %m : index
  }
  return %s : index
}
