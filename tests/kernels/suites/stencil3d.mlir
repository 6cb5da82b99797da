// MachSuite stencil3d, 6x6x6, i32, borders copied
func.func @stencil3d(%C: memref<2xi32>, %orig: memref<6x6x6xi32>, %sol: memref<6x6x6xi32>) {
  affine.for %j = 0 to 6 {
    affine.for %k = 0 to 6 {
      %a = affine.load %orig[0, %j, %k] : memref<6x6x6xi32>
      affine.store %a, %sol[0, %j, %k] : memref<6x6x6xi32>
      %b = affine.load %orig[5, %j, %k] : memref<6x6x6xi32>
      affine.store %b, %sol[5, %j, %k] : memref<6x6x6xi32>
    }
  }
  %c0 = affine.load %C[0] : memref<2xi32>
  %c1 = affine.load %C[1] : memref<2xi32>
  affine.for %i = 1 to 5 {
    affine.for %j = 1 to 5 {
      affine.for %k = 1 to 5 {
        %o = affine.load %orig[%i, %j, %k] : memref<6x6x6xi32>
        %a = affine.load %orig[%i + 1, %j, %k] : memref<6x6x6xi32>
        %b = affine.load %orig[%i - 1, %j, %k] : memref<6x6x6xi32>
        %c = affine.load %orig[%i, %j + 1, %k] : memref<6x6x6xi32>
        %d = affine.load %orig[%i, %j - 1, %k] : memref<6x6x6xi32>
        %e = affine.load %orig[%i, %j, %k + 1] : memref<6x6x6xi32>
        %f = affine.load %orig[%i, %j, %k - 1] : memref<6x6x6xi32>
        %s1 = arith.addi %a, %b : i32
        %s2 = arith.addi %c, %d : i32
        %s3 = arith.addi %e, %f : i32
        %s4 = arith.addi %s1, %s2 : i32
        %s5 = arith.addi %s4, %s3 : i32
        %p = arith.muli %o, %c0 : i32
        %q = arith.muli %s5, %c1 : i32
        %r = arith.addi %p, %q : i32
        affine.store %r, %sol[%i, %j, %k] : memref<6x6x6xi32>
      }
    }
  }
  return
}
