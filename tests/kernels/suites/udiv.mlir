// unsigned division, remainder, shifts by out-of-range amounts, zero-trip loops
func.func @udiv(%a: memref<16xi32>, %b: memref<16xi32>, %q: memref<16xi32>, %r: memref<16xi32>, %s: memref<16xi32>) {
  affine.for %i = 0 to 16 {
    %x = affine.load %a[%i] : memref<16xi32>
    %y = affine.load %b[%i] : memref<16xi32>
    %d = arith.divui %x, %y : i32
    %m = arith.remui %x, %y : i32
    %l = arith.shli %x, %y : i32
    %h = arith.shrsi %x, %y : i32
    %k = arith.shrui %x, %y : i32
    %u = arith.xori %l, %h : i32
    %v = arith.xori %u, %k : i32
    affine.store %d, %q[%i] : memref<16xi32>
    affine.store %m, %r[%i] : memref<16xi32>
    affine.store %v, %s[%i] : memref<16xi32>
  }
  affine.for %i = 5 to 5 {
    %x = affine.load %a[%i] : memref<16xi32>
    affine.store %x, %q[%i] : memref<16xi32>
  }
  affine.for %i = 7 to 3 {
    affine.for %j = 0 to 4 {
      %x = affine.load %a[%i + %j] : memref<16xi32>
      affine.store %x, %q[%i] : memref<16xi32>
    }
  }
  return
}
