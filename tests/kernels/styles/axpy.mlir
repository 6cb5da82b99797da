// Extents that are not known before --bind 0=20.
func.func @axpy(%n: index, %a: f32, %x: memref<?xf32>, %y: memref<?xf32>) {
  affine.for %i = 0 to %n {
    %0 = affine.load %x[%i] : memref<?xf32>
    %1 = arith.mulf %a, %0 : f32
    %2 = affine.load %y[%i] : memref<?xf32>
    %3 = arith.addf %1, %2 : f32
    affine.store %3, %y[%i] : memref<?xf32>
  }
  return
}
