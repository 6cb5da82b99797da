func.func @search(%a: memref<32xi32>, %keys: memref<8xi32>, %at: memref<8xi32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c32 = arith.constant 32 : index
  affine.for %q = 0 to 8 {
    %k = affine.load %keys[%q] : memref<8xi32>
    %r:2 = scf.while (%lo = %c0, %hi = %c32) : (index, index) -> (index, index) {
      %go = arith.cmpi ult, %lo, %hi : index
      scf.condition(%go) %lo, %hi : index, index
    } do {
    ^bb0(%lo: index, %hi: index):
      %s = arith.addi %lo, %hi : index
      %m = arith.shrui %s, %c1 : index
      %v = memref.load %a[%m] : memref<32xi32>
      %lt = arith.cmpi slt, %v, %k : i32
      %m1 = arith.addi %m, %c1 : index
      %l = arith.select %lt, %m1, %lo : index
      %h = arith.select %lt, %hi, %m : index
      scf.yield %l, %h : index, index
    }
    %o = arith.index_cast %r#0 : index to i32
    affine.store %o, %at[%q] : memref<8xi32>
  }
  return
}
