// Dynamatic sobel on a flat array, with bounds tests and saturation
func.func @sobel(%in: memref<100xi32>, %gx: memref<9xi32>, %gy: memref<9xi32>, %out: memref<100xi32>) {
  %z = arith.constant 0 : i32
  %m255 = arith.constant 255 : i32
  affine.for %y = 0 to 10 {
    affine.for %x = 0 to 10 {
      %edge = affine.if affine_set<(d0, d1) : (d0 - 1 >= 0, 8 - d0 >= 0, d1 - 1 >= 0, 8 - d1 >= 0)>(%y, %x) -> i32 {
        %s:2 = affine.for %i = 0 to 3 iter_args(%sx = %z, %sy = %z) -> (i32, i32) {
          %t:2 = affine.for %j = 0 to 3 iter_args(%tx = %sx, %ty = %sy) -> (i32, i32) {
            %p = affine.load %in[(%y + %i - 1) * 10 + %x + %j - 1] : memref<100xi32>
            %a = affine.load %gx[%i * 3 + %j] : memref<9xi32>
            %b = affine.load %gy[%i * 3 + %j] : memref<9xi32>
            %pa = arith.muli %p, %a : i32
            %pb = arith.muli %p, %b : i32
            %na = arith.addi %tx, %pa : i32
            %nb = arith.addi %ty, %pb : i32
            affine.yield %na, %nb : i32, i32
          }
          affine.yield %t#0, %t#1 : i32, i32
        }
        %ax = math.absi %s#0 : i32
        %ay = math.absi %s#1 : i32
        %sum = arith.addi %ax, %ay : i32
        %c = arith.minsi %sum, %m255 : i32
        %d = arith.maxsi %c, %z : i32
        affine.yield %d : i32
      } else {
        affine.yield %z : i32
      }
      affine.store %edge, %out[%y * 10 + %x] : memref<100xi32>
    }
  }
  return
}
