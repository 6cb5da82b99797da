// Solves L x = b with L lower triangular
func.func @kernel_trisolv(%L: memref<8x8xi32>, %x: memref<8xi32>, %b: memref<8xi32>) {
  affine.for %i = 0 to 8 {
    %bi = affine.load %b[%i] : memref<8xi32>
    affine.store %bi, %x[%i] : memref<8xi32>
    affine.for %j = 0 to affine_map<(d0) -> (d0)>(%i) {
      %old = affine.load %x[%i] : memref<8xi32>
      %l = affine.load %L[%i, %j] : memref<8x8xi32>
      %xj = affine.load %x[%j] : memref<8xi32>
      %product = arith.muli %l, %xj : i32
      %new = arith.subi %old, %product : i32
      affine.store %new, %x[%i] : memref<8xi32>
    }
    %rest = affine.load %x[%i] : memref<8xi32>
    %diagonal = affine.load %L[%i, %i] : memref<8x8xi32>
    %quotient = arith.divsi %rest, %diagonal : i32
    affine.store %quotient, %x[%i] : memref<8xi32>
  }
  return
}
