// same-padding convolution as written: bounds tests inside the window
func.func @conv(%x: memref<8x8xi32>, %k: memref<3x3xi32>, %y: memref<8x8xi32>) {
  %z = arith.constant 0 : i32
  affine.for %i = 0 to 8 {
    affine.for %j = 0 to 8 {
      %s = affine.for %u = 0 to 3 iter_args(%a = %z) -> i32 {
        %t = affine.for %v = 0 to 3 iter_args(%b = %a) -> i32 {
          %c = affine.if affine_set<(d0, d1, d2, d3) : (d0 + d2 - 1 >= 0, 8 - d0 - d2 >= 0, d1 + d3 - 1 >= 0, 8 - d1 - d3 >= 0)>(%i, %j, %u, %v) -> i32 {
            %p = affine.load %x[%i + %u - 1, %j + %v - 1] : memref<8x8xi32>
            %q = affine.load %k[%u, %v] : memref<3x3xi32>
            %m = arith.muli %p, %q : i32
            %n = arith.addi %b, %m : i32
            affine.yield %n : i32
          } else {
            affine.yield %b : i32
          }
          affine.yield %c : i32
        }
        affine.yield %t : i32
      }
      affine.store %s, %y[%i, %j] : memref<8x8xi32>
    }
  }
  return
}
