// MachSuite sort/merge: bottom up, 16 numbers
func.func @ms_mergesort(%a: memref<16xi32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %c16 = arith.constant 16 : index
  %temp = memref.alloca() : memref<16xi32>
  %done = scf.while (%m = %c1) : (index) -> index {
    %go = arith.cmpi slt, %m, %c16 : index
    scf.condition(%go) %m : index
  } do {
  ^bb0(%m: index):
    %m2 = arith.muli %m, %c2 : index
    scf.for %i = %c0 to %c16 step %m2 {
      %mid = arith.addi %i, %m : index
      %end = arith.addi %i, %m2 : index
      scf.for %x = %i to %end step %c1 {
        %v = memref.load %a[%x] : memref<16xi32>
        memref.store %v, %temp[%x] : memref<16xi32>
      }
      %r:2 = scf.for %k = %i to %end step %c1 iter_args(%l = %i, %h = %mid) -> (index, index) {
        %lout = arith.cmpi sge, %l, %mid : index
        %hin = arith.cmpi slt, %h, %end : index
        %c15 = arith.constant 15 : index
        %ls = arith.minui %l, %c15 : index
        %hs = arith.minui %h, %c15 : index
        %lv = memref.load %temp[%ls] : memref<16xi32>
        %hv = memref.load %temp[%hs] : memref<16xi32>
        %less = arith.cmpi slt, %hv, %lv : i32
        %take0 = arith.ori %lout, %less : i1
        %take = arith.andi %take0, %hin : i1
        %v = arith.select %take, %hv, %lv : i32
        memref.store %v, %a[%k] : memref<16xi32>
        %l1 = arith.addi %l, %c1 : index
        %h1 = arith.addi %h, %c1 : index
        %ln = arith.select %take, %l, %l1 : index
        %hn = arith.select %take, %h1, %h : index
        scf.yield %ln, %hn : index, index
      }
    }
    scf.yield %m2 : index
  }
  return
}
