// MachSuite spmv/ellpack
func.func @ellpack(%nz: memref<16x4xf64>, %cols: memref<16x4xi32>, %v: memref<16xf64>, %out: memref<16xf64>) {
  %c15 = arith.constant 15 : i32
  affine.for %i = 0 to 16 {
    %s0 = affine.load %out[%i] : memref<16xf64>
    %s = affine.for %j = 0 to 4 iter_args(%acc = %s0) -> f64 {
      %n = affine.load %nz[%i, %j] : memref<16x4xf64>
      %c = affine.load %cols[%i, %j] : memref<16x4xi32>
      %m = arith.andi %c, %c15 : i32
      %k = arith.index_cast %m : i32 to index
      %x = memref.load %v[%k] : memref<16xf64>
      %p = arith.mulf %n, %x : f64
      %a = arith.addf %acc, %p : f64
      affine.yield %a : f64
    }
    affine.store %s, %out[%i] : memref<16xf64>
  }
  return
}
