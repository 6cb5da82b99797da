// bit tricks on floats: fast inverse root, exponent extraction, sign tests
func.func @rsqrt(%x: memref<16xf32>, %y: memref<16xf32>, %e: memref<16xi32>) {
  %magic = arith.constant 0x5f3759df : i32
  %one = arith.constant 1 : i32
  %half = arith.constant 0.5 : f32
  %th = arith.constant 1.5 : f32
  %s23 = arith.constant 23 : i32
  %m = arith.constant 255 : i32
  affine.for %i = 0 to 16 {
    %a = affine.load %x[%i] : memref<16xf32>
    %p = math.absf %a : f32
    %b = arith.bitcast %p : f32 to i32
    %s = arith.shrsi %b, %one : i32
    %n = arith.subi %magic, %s : i32
    %g = arith.bitcast %n : i32 to f32
    %h = arith.mulf %p, %half : f32
    %q = arith.mulf %g, %g : f32
    %r = arith.mulf %h, %q : f32
    %t = arith.subf %th, %r : f32
    %u = arith.mulf %g, %t : f32
    affine.store %u, %y[%i] : memref<16xf32>
    %v = arith.shrui %b, %s23 : i32
    %w = arith.andi %v, %m : i32
    affine.store %w, %e[%i] : memref<16xi32>
  }
  return
}
