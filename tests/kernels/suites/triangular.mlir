func.func @lu(%A: memref<8x8xf32>) {
  affine.for %i = 0 to 8 {
    affine.for %j = 0 to affine_map<(d0) -> (d0)>(%i) {
      affine.for %k = 0 to affine_map<(d0) -> (d0)>(%j) {
        %a = affine.load %A[%i, %k] : memref<8x8xf32>
        %b = affine.load %A[%k, %j] : memref<8x8xf32>
        %p = arith.mulf %a, %b : f32
        %c = affine.load %A[%i, %j] : memref<8x8xf32>
        %s = arith.subf %c, %p : f32
        affine.store %s, %A[%i, %j] : memref<8x8xf32>
      }
      %d = affine.load %A[%j, %j] : memref<8x8xf32>
      %e = affine.load %A[%i, %j] : memref<8x8xf32>
      %q = arith.divf %e, %d : f32
      affine.store %q, %A[%i, %j] : memref<8x8xf32>
    }
    affine.for %j = affine_map<(d0) -> (d0)>(%i) to 8 {
      affine.for %k = 0 to affine_map<(d0) -> (d0)>(%i) {
        %a = affine.load %A[%i, %k] : memref<8x8xf32>
        %b = affine.load %A[%k, %j] : memref<8x8xf32>
        %p = arith.mulf %a, %b : f32
        %c = affine.load %A[%i, %j] : memref<8x8xf32>
        %s = arith.subf %c, %p : f32
        affine.store %s, %A[%i, %j] : memref<8x8xf32>
      }
    }
  }
  return
}
