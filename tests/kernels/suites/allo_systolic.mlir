// Allo/HeteroCL: fixed point gemm in i8, sums in i32, local buffers by allo passes, loop names
func.func @gemm(%A: memref<8x8xi8>, %B: memref<8x8xi8>) -> memref<8x8xi32> attributes {itypes = "ss", otypes = "s"} {
  %C = memref.alloc() {name = "C"} : memref<8x8xi32>
  %c0 = arith.constant 0 : i32
  affine.for %i = 0 to 8 {
    %row = memref.alloc() {name = "row"} : memref<8xi32>
    affine.for %j = 0 to 8 {
      affine.store %c0, %row[%j] : memref<8xi32>
    } {loop_name = "j_init"}
    affine.for %k = 0 to 8 {
      affine.for %j = 0 to 8 {
        %a = affine.load %A[%i, %k] {from = "A"} : memref<8x8xi8>
        %b = affine.load %B[%k, %j] {from = "B"} : memref<8x8xi8>
        %x = arith.extsi %a : i8 to i32
        %y = arith.extsi %b : i8 to i32
        %p = arith.muli %x, %y : i32
        %c = affine.load %row[%j] : memref<8xi32>
        %s = arith.addi %c, %p : i32
        affine.store %s, %row[%j] : memref<8xi32>
      } {loop_name = "j", pipeline_ii = 1 : i32}
    } {loop_name = "k", op_name = "gemm", reduction}
    affine.for %j = 0 to 8 {
      %v = affine.load %row[%j] : memref<8xi32>
      affine.store %v, %C[%i, %j] {to = "C"} : memref<8x8xi32>
    } {loop_name = "j_back"}
  } {loop_name = "i"}
  return %C : memref<8x8xi32>
}
