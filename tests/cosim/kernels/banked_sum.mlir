func.func @banked_sum(%y: memref<?xi16>, %n: index) -> i16 {
  %zero = arith.constant 0 : i16
  %one = arith.constant 1 : i16
  %sum = affine.for %i = 0 to %n iter_args(%s = %zero) -> i16 {
    %v = affine.load %y[%i] : memref<?xi16>
    %t = arith.addi %s, %v : i16
    %w = arith.addi %v, %one : i16
    affine.store %w, %y[%i] : memref<?xi16>
    affine.yield %t : i16
  }
  return %sum : i16
}
