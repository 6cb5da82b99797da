// Rosetta digit recognition: hamming distance of 64-bit words by popcount, 3 nearest neighbours
func.func @digitrec(%train: memref<20x4xi64>, %test: memref<4xi64>, %knn: memref<3xi32>) {
  %z = arith.constant 0 : i32
  %big = arith.constant 256 : i32
  affine.for %i = 0 to 3 { affine.store %big, %knn[%i] : memref<3xi32> }
  affine.for %i = 0 to 20 {
    %d = affine.for %w = 0 to 4 iter_args(%s = %z) -> i32 {
      %a = affine.load %train[%i, %w] : memref<20x4xi64>
      %b = affine.load %test[%w] : memref<4xi64>
      %x = arith.xori %a, %b : i64
      %c = math.ctpop %x : i64
      %t = arith.trunci %c : i64 to i32
      %n = arith.addi %s, %t : i32
      affine.yield %n : i32
    }
    affine.for %k = 0 to 3 iter_args(%v = %d) -> i32 {
      %o = affine.load %knn[%k] : memref<3xi32>
      %lt = arith.cmpi slt, %v, %o : i32
      %keep = arith.select %lt, %v, %o : i32
      %next = arith.select %lt, %o, %v : i32
      affine.store %keep, %knn[%k] : memref<3xi32>
      affine.yield %next : i32
    }
  }
  return
}
