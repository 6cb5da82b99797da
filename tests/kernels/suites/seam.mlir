// seam carving: energy by dynamic programming with min of three (borders by select), trace back by data
func.func @seam(%e: memref<8x10xi16>, %seam: memref<8xi8>) -> i32 {
  %m = memref.alloc() : memref<8x10xi32>
  %one = arith.constant 1 : index
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c9 = arith.constant 9 : index
  %c7 = arith.constant 7 : index
  %big = arith.constant 1000000000 : i32
  affine.for %j = 0 to 10 {
    %x = affine.load %e[0, %j] : memref<8x10xi16>
    %y = arith.extsi %x : i16 to i32
    affine.store %y, %m[0, %j] : memref<8x10xi32>
  }
  affine.for %i = 1 to 8 {
    affine.for %j = 0 to 10 {
      %x = affine.load %e[%i, %j] : memref<8x10xi16>
      %y = arith.extsi %x : i16 to i32
      %b = affine.load %m[%i - 1, %j] : memref<8x10xi32>
      %a = affine.if affine_set<(d0) : (d0 - 1 >= 0)>(%j) -> i32 {
        %v = affine.load %m[%i - 1, %j - 1] : memref<8x10xi32>
        affine.yield %v : i32
      } else {
        affine.yield %big : i32
      }
      %c = affine.if affine_set<(d0) : (8 - d0 >= 0)>(%j) -> i32 {
        %v = affine.load %m[%i - 1, %j + 1] : memref<8x10xi32>
        affine.yield %v : i32
      } else {
        affine.yield %big : i32
      }
      %ab = arith.minsi %a, %b : i32
      %abc = arith.minsi %ab, %c : i32
      %s = arith.addi %y, %abc : i32
      affine.store %s, %m[%i, %j] : memref<8x10xi32>
    }
  }
  %best:2 = affine.for %j = 0 to 10 iter_args(%bv = %big, %bj = %c0) -> (i32, index) {
    %v = affine.load %m[7, %j] : memref<8x10xi32>
    %lt = arith.cmpi slt, %v, %bv : i32
    %nv = arith.select %lt, %v, %bv : i32
    %nj = arith.select %lt, %j, %bj : index
    affine.yield %nv, %nj : i32, index
  }
  %last = scf.for %t = %c0 to %c7 step %c1 iter_args(%j = %best#1) -> (index) {
    %i = arith.subi %c7, %t : index
    %j8 = arith.index_cast %j : index to i8
    memref.store %j8, %seam[%i] : memref<8xi8>
    %im = arith.subi %i, %c1 : index
    %jl0 = arith.subi %j, %c1 : index
    %jl = arith.maxsi %jl0, %c0 : index
    %jr0 = arith.addi %j, %c1 : index
    %jr = arith.minsi %jr0, %c9 : index
    %a = memref.load %m[%im, %jl] : memref<8x10xi32>
    %b = memref.load %m[%im, %j] : memref<8x10xi32>
    %c = memref.load %m[%im, %jr] : memref<8x10xi32>
    %ab = arith.cmpi sle, %a, %b : i32
    %v1 = arith.select %ab, %a, %b : i32
    %k1 = arith.select %ab, %jl, %j : index
    %bc = arith.cmpi sle, %v1, %c : i32
    %k2 = arith.select %bc, %k1, %jr : index
    scf.yield %k2 : index
  }
  %l8 = arith.index_cast %last : index to i8
  memref.store %l8, %seam[%c0] : memref<8xi8>
  return %best#0 : i32
}
