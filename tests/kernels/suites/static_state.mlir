// C: a static array that is written. Every run begins with its contents.
memref.global "private" @state : memref<4xi32> = dense<[1,2,3,4]>
func.func @lfsr(%x: memref<8xi32>) {
  %s = memref.get_global @state : memref<4xi32>
  affine.for %i = 0 to 8 {
    %a = affine.load %s[0] : memref<4xi32>
    %b = affine.load %s[3] : memref<4xi32>
    %c = arith.xori %a, %b : i32
    affine.for %j = 0 to 3 {
      %t = affine.load %s[%j + 1] : memref<4xi32>
      affine.store %t, %s[%j] : memref<4xi32>
    }
    affine.store %c, %s[3] : memref<4xi32>
    affine.store %c, %x[%i] : memref<8xi32>
  }
  return
}
