// Bounds that are quotients of what is read, steps of three and five, and an unsigned loop that
// starts from a negative number, and is empty then.
func.func @bounds(%x: memref<2xi32>, %y: memref<4xi32>) {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %c31 = arith.constant 31 : i32
  %some = affine.load %x[0] : memref<2xi32>
  %from = arith.subi %some, %c31 : i32
  %read = affine.load %x[1] : memref<2xi32>
  %few = arith.andi %read, %c31 : i32
  affine.store %few, %y[3] : memref<4xi32>
  %to = affine.load %y[3] : memref<4xi32> // small, as nobody knows here
  %n = arith.index_cast %to : i32 to index
  %thirds = affine.for %i = 0 to affine_map<()[s0] -> (s0 floordiv 3)>()[%n] iter_args(%q = %from) -> (i32) {
    %k = arith.index_cast %i : index to i32
    %s = arith.addi %q, %k : i32
    affine.yield %s : i32
  }
  affine.store %thirds, %y[0] : memref<4xi32>
  %fives = affine.for %i = 0 to %n step 5 iter_args(%q = %from) -> (i32) {
    %k = arith.index_cast %i : index to i32
    %s = arith.addi %q, %k : i32
    affine.yield %s : i32
  }
  affine.store %fives, %y[1] : memref<4xi32>
  %sevenths = affine.for %i = affine_map<()[s0] -> ((s0 - 40) floordiv 7)>()[%n] to 2 iter_args(%q = %from) -> (i32) {
    %k = arith.index_cast %i : index to i32
    %s = arith.addi %q, %k : i32
    affine.yield %s : i32
  }
  affine.store %sevenths, %y[2] : memref<4xi32>
  %unsigned = scf.for unsigned %i = %from to %to step %c1 iter_args(%q = %c0) -> (i32) : i32 {
    %s = arith.addi %q, %i : i32
    scf.yield %s : i32
  }
  affine.store %unsigned, %y[3] : memref<4xi32>
  return
}
