// Solves L x = b with L lower triangular
func.func @kernel_trisolv(%L: memref<40x40xf64>, %x: memref<40xf64>, %b: memref<40xf64>) {
  affine.for %i = 0 to 40 {
    %bi = affine.load %b[%i] : memref<40xf64>
    affine.store %bi, %x[%i] : memref<40xf64>
    affine.for %j = 0 to affine_map<(d0) -> (d0)>(%i) {
      %old = affine.load %x[%i] : memref<40xf64>
      %l = affine.load %L[%i, %j] : memref<40x40xf64>
      %xj = affine.load %x[%j] : memref<40xf64>
      %product = arith.mulf %l, %xj : f64
      %new = arith.subf %old, %product : f64
      affine.store %new, %x[%i] : memref<40xf64>
    }
    %rest = affine.load %x[%i] : memref<40xf64>
    %diagonal = affine.load %L[%i, %i] : memref<40x40xf64>
    %quotient = arith.divf %rest, %diagonal : f64
    affine.store %quotient, %x[%i] : memref<40xf64>
  }
  return
}
