// OpenMP through cgeist: parallel loops with atomic updates, an assertion, a prefetch.
func.func @kernel(%x: memref<16xi32>, %h: memref<8xi32>, %f: memref<4xf32>, %y: memref<16xf32>, %s: memref<4xi16>) {
  %m = arith.constant 7 : i32
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c3 = arith.constant 3 : index
  %c16 = arith.constant 16 : index
  affine.parallel (%i) = (0) to (16) {
    %v = affine.load %x[%i] : memref<16xi32>
    %w = arith.andi %v, %m : i32
    %k = arith.index_cast %w : i32 to index
    %ok = arith.cmpi ule, %w, %m : i32
    cf.assert %ok, "a bin"
    affine.prefetch %y[%i], read, locality<3>, data : memref<16xf32>
    memref.atomic_rmw addi %v, %h[%k] : (i32, memref<8xi32>) -> i32
    memref.atomic_rmw maxs %w, %h[%c3] : (i32, memref<8xi32>) -> i32
    %a = affine.load %y[%i] : memref<16xf32>
    memref.atomic_rmw addf %a, %f[%c3] : (f32, memref<4xf32>) -> f32
    %t = arith.trunci %v : i32 to i16
    memref.atomic_rmw ori %t, %s[%c3] : (i16, memref<4xi16>) -> i16
  }
  scf.parallel (%i) = (%c0) to (%c16) step (%c1) {
    %v = memref.load %x[%i] : memref<16xi32>
    %old = memref.generic_atomic_rmw %h[%c1] : memref<8xi32> {
    ^bb0(%now: i32):
      %twice = arith.addi %now, %now : i32
      %next = arith.xori %twice, %v : i32
      memref.atomic_yield %next : i32
    }
    scf.reduce
  }
  return
}
