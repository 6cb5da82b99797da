// path := lengths of the shortest paths between all pairs of nodes
func.func @kernel_floyd_warshall(%path: memref<8x8xi32>) {
  affine.for %k = 0 to 8 {
    affine.for %i = 0 to 8 {
      affine.for %j = 0 to 8 {
        %old = affine.load %path[%i, %j] : memref<8x8xi32>
        %first = affine.load %path[%i, %k] : memref<8x8xi32>
        %second = affine.load %path[%k, %j] : memref<8x8xi32>
        %detour = arith.addi %first, %second : i32
        %is_shorter = arith.cmpi slt, %old, %detour : i32
        %new = arith.select %is_shorter, %old, %detour : i32
        affine.store %new, %path[%i, %j] : memref<8x8xi32>
      }
    }
  }
  return
}
