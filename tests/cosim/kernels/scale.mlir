func.func @scale(%x: memref<12xi32>, %s: i32, %fault: i32) {
  affine.for %i = 0 to 12 {
    %v = affine.load %x[%i] : memref<12xi32>
    %p = arith.muli %v, %s : i32
    affine.store %p, %x[%i] : memref<12xi32>
  }
  return
}
