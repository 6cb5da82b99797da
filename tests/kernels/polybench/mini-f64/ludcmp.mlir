// Solves A x = b by A := L and U, then L y = b, then U x = y
func.func @kernel_ludcmp(%A: memref<40x40xf64>, %b: memref<40xf64>, %x: memref<40xf64>, %y: memref<40xf64>) {
  affine.for %i = 0 to 40 {
    affine.for %j = 0 to affine_map<(d0) -> (d0)>(%i) {
      %a = affine.load %A[%i, %j] : memref<40x40xf64>
      %w = affine.for %k = 0 to affine_map<(d0) -> (d0)>(%j) iter_args(%rest = %a) -> (f64) {
        %left = affine.load %A[%i, %k] : memref<40x40xf64>
        %right = affine.load %A[%k, %j] : memref<40x40xf64>
        %product = arith.mulf %left, %right : f64
        %new = arith.subf %rest, %product : f64
        affine.yield %new : f64
      }
      %diagonal = affine.load %A[%j, %j] : memref<40x40xf64>
      %quotient = arith.divf %w, %diagonal : f64
      affine.store %quotient, %A[%i, %j] : memref<40x40xf64>
    }
    affine.for %j = affine_map<(d0) -> (d0)>(%i) to 40 {
      %a = affine.load %A[%i, %j] : memref<40x40xf64>
      %w = affine.for %k = 0 to affine_map<(d0) -> (d0)>(%i) iter_args(%rest = %a) -> (f64) {
        %left = affine.load %A[%i, %k] : memref<40x40xf64>
        %right = affine.load %A[%k, %j] : memref<40x40xf64>
        %product = arith.mulf %left, %right : f64
        %new = arith.subf %rest, %product : f64
        affine.yield %new : f64
      }
      affine.store %w, %A[%i, %j] : memref<40x40xf64>
    }
  }
  affine.for %i = 0 to 40 {
    %bi = affine.load %b[%i] : memref<40xf64>
    %w = affine.for %j = 0 to affine_map<(d0) -> (d0)>(%i) iter_args(%rest = %bi) -> (f64) {
      %a = affine.load %A[%i, %j] : memref<40x40xf64>
      %yj = affine.load %y[%j] : memref<40xf64>
      %product = arith.mulf %a, %yj : f64
      %new = arith.subf %rest, %product : f64
      affine.yield %new : f64
    }
    affine.store %w, %y[%i] : memref<40xf64>
  }
  affine.for %back = 0 to 40 {
    %yi = affine.load %y[39 - %back] : memref<40xf64>
    %w = affine.for %j = affine_map<(d0) -> (40 - d0)>(%back) to 40 iter_args(%rest = %yi) -> (f64) {
      %a = affine.load %A[39 - %back, %j] : memref<40x40xf64>
      %xj = affine.load %x[%j] : memref<40xf64>
      %product = arith.mulf %a, %xj : f64
      %new = arith.subf %rest, %product : f64
      affine.yield %new : f64
    }
    %diagonal = affine.load %A[39 - %back, 39 - %back] : memref<40x40xf64>
    %quotient = arith.divf %w, %diagonal : f64
    affine.store %quotient, %x[39 - %back] : memref<40xf64>
  }
  return
}
