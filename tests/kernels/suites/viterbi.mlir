// MachSuite viterbi: 8 states, 10 observations, path back
func.func @viterbi(%obs: memref<10xi8>, %init: memref<8xf64>, %tr: memref<8x8xf64>, %em: memref<8x8xf64>, %path: memref<10xi8>) {
  %ll = memref.alloc() : memref<10x8xf64>
  %c7 = arith.constant 7 : i8
  %z8 = arith.constant 0 : i8
  %c9 = arith.constant 9 : index
  affine.for %s = 0 to 8 {
    %o0 = affine.load %obs[0] : memref<10xi8>
    %o = arith.andi %o0, %c7 : i8
    %oi = arith.index_castui %o : i8 to index
    %i = affine.load %init[%s] : memref<8xf64>
    %e = memref.load %em[%s, %oi] : memref<8x8xf64>
    %v = arith.addf %i, %e : f64
    affine.store %v, %ll[0, %s] : memref<10x8xf64>
  }
  affine.for %t = 1 to 10 {
    affine.for %cur = 0 to 8 {
      %o0 = affine.load %obs[%t] : memref<10xi8>
      %o = arith.andi %o0, %c7 : i8
      %oi = arith.index_castui %o : i8 to index
      %e = memref.load %em[%cur, %oi] : memref<8x8xf64>
      %p0 = affine.load %ll[%t - 1, 0] : memref<10x8xf64>
      %t0 = affine.load %tr[0, %cur] : memref<8x8xf64>
      %q0 = arith.addf %p0, %t0 : f64
      %m0 = arith.addf %q0, %e : f64
      %m = affine.for %prev = 1 to 8 iter_args(%min = %m0) -> f64 {
        %p = affine.load %ll[%t - 1, %prev] : memref<10x8xf64>
        %tt = affine.load %tr[%prev, %cur] : memref<8x8xf64>
        %q = arith.addf %p, %tt : f64
        %r = arith.addf %q, %e : f64
        %lt = arith.cmpf olt, %r, %min : f64
        %n = arith.select %lt, %r, %min : f64
        affine.yield %n : f64
      }
      affine.store %m, %ll[%t, %cur] : memref<10x8xf64>
    }
  }
  %f0 = affine.load %ll[9, 0] : memref<10x8xf64>
  %best:2 = affine.for %s = 1 to 8 iter_args(%m = %f0, %w = %z8) -> (f64, i8) {
    %p = affine.load %ll[9, %s] : memref<10x8xf64>
    %lt = arith.cmpf olt, %p, %m : f64
    %n = arith.select %lt, %p, %m : f64
    %si = arith.index_cast %s : index to i8
    %x = arith.select %lt, %si, %w : i8
    affine.yield %n, %x : f64, i8
  }
  affine.store %best#1, %path[9] : memref<10xi8>
  affine.for %u = 1 to 8 {
    %nx = affine.load %path[10 - %u] : memref<10xi8>
    %ni = arith.index_castui %nx : i8 to index
    %p0 = affine.load %ll[9 - %u, 0] : memref<10x8xf64>
    %t0 = memref.load %tr[%u, %ni] : memref<8x8xf64>
    %q0 = arith.addf %p0, %t0 : f64
    %b:2 = affine.for %s = 1 to 8 iter_args(%m = %q0, %w = %z8) -> (f64, i8) {
      %p = affine.load %ll[9 - %u, %s] : memref<10x8xf64>
      %tt = memref.load %tr[%s, %ni] : memref<8x8xf64>
      %q = arith.addf %p, %tt : f64
      %lt = arith.cmpf olt, %q, %m : f64
      %n = arith.select %lt, %q, %m : f64
      %si = arith.index_cast %s : index to i8
      %x = arith.select %lt, %si, %w : i8
      affine.yield %n, %x : f64, i8
    }
    affine.store %b#1, %path[9 - %u] : memref<10xi8>
  }
  return
}
