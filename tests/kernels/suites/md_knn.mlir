// MachSuite md/knn: Lennard-Jones force on 8 atoms, 4 neighbours each
func.func @md(%fx: memref<8xf64>, %px: memref<8xf64>, %py: memref<8xf64>, %pz: memref<8xf64>, %nl: memref<8x4xi32>) {
  %lj1 = arith.constant 1.5 : f64
  %lj2 = arith.constant 2.0 : f64
  %one = arith.constant 1.0 : f64
  %seven = arith.constant 7 : i32
  affine.for %i = 0 to 8 {
    %x = affine.load %px[%i] : memref<8xf64>
    %y = affine.load %py[%i] : memref<8xf64>
    %z = affine.load %pz[%i] : memref<8xf64>
    %zero = arith.constant 0.0 : f64
    %f = affine.for %j = 0 to 4 iter_args(%acc = %zero) -> f64 {
      %n = affine.load %nl[%i, %j] : memref<8x4xi32>
      %m = arith.andi %n, %seven : i32
      %k = arith.index_cast %m : i32 to index
      %xj = memref.load %px[%k] : memref<8xf64>
      %yj = memref.load %py[%k] : memref<8xf64>
      %zj = memref.load %pz[%k] : memref<8xf64>
      %dx = arith.subf %x, %xj : f64
      %dy = arith.subf %y, %yj : f64
      %dz = arith.subf %z, %zj : f64
      %xx = arith.mulf %dx, %dx : f64
      %yy = arith.mulf %dy, %dy : f64
      %zz = arith.mulf %dz, %dz : f64
      %s0 = arith.addf %xx, %yy : f64
      %s1 = arith.addf %s0, %zz : f64
      %r2 = arith.divf %one, %s1 : f64
      %r4 = arith.mulf %r2, %r2 : f64
      %r6 = arith.mulf %r4, %r2 : f64
      %p = arith.mulf %lj1, %r6 : f64
      %q = arith.subf %p, %lj2 : f64
      %pot = arith.mulf %r6, %q : f64
      %fo = arith.mulf %r2, %pot : f64
      %fd = arith.mulf %dx, %fo : f64
      %a = arith.addf %acc, %fd : f64
      affine.yield %a : f64
    }
    affine.store %f, %fx[%i] : memref<8xf64>
  }
  return
}
