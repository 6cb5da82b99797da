// path := lengths of the shortest paths between all pairs of nodes
func.func @kernel_floyd_warshall(%path: memref<60x60xf64>) {
  affine.for %k = 0 to 60 {
    affine.for %i = 0 to 60 {
      affine.for %j = 0 to 60 {
        %old = affine.load %path[%i, %j] : memref<60x60xf64>
        %first = affine.load %path[%i, %k] : memref<60x60xf64>
        %second = affine.load %path[%k, %j] : memref<60x60xf64>
        %detour = arith.addf %first, %second : f64
        %is_shorter = arith.cmpf olt, %old, %detour : f64
        %new = arith.select %is_shorter, %old, %detour : f64
        affine.store %new, %path[%i, %j] : memref<60x60xf64>
      }
    }
  }
  return
}
