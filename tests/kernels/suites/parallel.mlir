func.func @par(%a: memref<8x8xf32>, %b: memref<8x8xf32>, %s: memref<8xf32>) {
  affine.parallel (%i, %j) = (0, 0) to (8, 8) {
    %x = affine.load %a[%i, %j] : memref<8x8xf32>
    %y = affine.load %b[%j, %i] : memref<8x8xf32>
    %z = arith.addf %x, %y : f32
    affine.store %z, %a[%i, %j] : memref<8x8xf32>
  }
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %c8 = arith.constant 8 : index
  scf.parallel (%i) = (%c0) to (%c8) step (%c2) {
    %x = memref.load %s[%i] : memref<8xf32>
    %y = arith.mulf %x, %x : f32
    memref.store %y, %s[%i] : memref<8xf32>
    scf.reduce
  }
  %zero = arith.constant 0.0 : f32
  %r = scf.parallel (%i) = (%c0) to (%c8) step (%c1) init (%zero) -> f32 {
    %x = memref.load %s[%i] : memref<8xf32>
    scf.reduce(%x : f32) {
    ^bb0(%p: f32, %q: f32):
      %t = arith.addf %p, %q : f32
      scf.reduce.return %t : f32
    }
  }
  memref.store %r, %s[%c0] : memref<8xf32>
  return
}
