func.func @knap(%w: memref<6xi32>, %v: memref<6xi32>, %best: memref<33xi32>) {
  %z = arith.constant 0 : i32
  %c15 = arith.constant 15 : i32
  affine.for %c = 0 to 33 { affine.store %z, %best[%c] : memref<33xi32> }
  affine.for %i = 0 to 6 {
    %wi0 = affine.load %w[%i] : memref<6xi32>
    %wi = arith.andi %wi0, %c15 : i32
    %vi = affine.load %v[%i] : memref<6xi32>
    affine.for %c = 0 to 33 {
      %ci = arith.index_cast %c : index to i32
      %c32 = arith.constant 32 : i32
      %cap = arith.subi %c32, %ci : i32
      %fits = arith.cmpi sge, %cap, %wi : i32
      scf.if %fits {
        %r = arith.subi %cap, %wi : i32
        %ri = arith.index_cast %r : i32 to index
        %o = memref.load %best[%ri] : memref<33xi32>
        %n = arith.addi %o, %vi : i32
        %cur = affine.load %best[32 - %c] : memref<33xi32>
        %m = arith.maxsi %n, %cur : i32
        affine.store %m, %best[32 - %c] : memref<33xi32>
      }
    }
  }
  return
}
