// MachSuite sort/radix pieces: histogram of two bits, scan, scatter
func.func @radix(%a: memref<32xi32>, %b: memref<32xi32>, %bucket: memref<4xi32>) {
  %c0 = arith.constant 0 : index
  %z = arith.constant 0 : i32
  %one = arith.constant 1 : i32
  %three = arith.constant 3 : i32
  affine.for %pass = 0 to 16 {
    affine.for %i = 0 to 4 { affine.store %z, %bucket[%i] : memref<4xi32> }
    %p = arith.index_cast %pass : index to i32
    %sh = arith.addi %p, %p : i32
    affine.for %i = 0 to 32 {
      %v = affine.load %a[%i] : memref<32xi32>
      %s = arith.shrui %v, %sh : i32
      %d = arith.andi %s, %three : i32
      %di = arith.index_cast %d : i32 to index
      %c = memref.load %bucket[%di] : memref<4xi32>
      %n = arith.addi %c, %one : i32
      memref.store %n, %bucket[%di] : memref<4xi32>
    }
    %t = affine.for %i = 0 to 4 iter_args(%s = %z) -> i32 {
      %c = affine.load %bucket[%i] : memref<4xi32>
      affine.store %s, %bucket[%i] : memref<4xi32>
      %n = arith.addi %s, %c : i32
      affine.yield %n : i32
    }
    affine.for %i = 0 to 32 {
      %v = affine.load %a[%i] : memref<32xi32>
      %s = arith.shrui %v, %sh : i32
      %d = arith.andi %s, %three : i32
      %di = arith.index_cast %d : i32 to index
      %c = memref.load %bucket[%di] : memref<4xi32>
      %ci = arith.index_cast %c : i32 to index
      memref.store %v, %b[%ci] : memref<32xi32>
      %n = arith.addi %c, %one : i32
      memref.store %n, %bucket[%di] : memref<4xi32>
    }
    affine.for %i = 0 to 32 {
      %v = affine.load %b[%i] : memref<32xi32>
      affine.store %v, %a[%i] : memref<32xi32>
    }
  }
  return
}
