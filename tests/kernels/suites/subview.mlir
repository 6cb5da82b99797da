// views: rows by subview, strided columns, reinterpret_cast, rank-0 memref, dynamic offset
func.func @views(%a: memref<8x8xf32>, %s: memref<f32>, %flat: memref<64xf32>, %row: index) {
  %c7 = arith.constant 7 : index
  %m = arith.andi %row, %c7 : index
  %r = memref.subview %a[%m, 0] [1, 8] [1, 1] : memref<8x8xf32> to memref<8xf32, strided<[1], offset: ?>>
  %even = memref.subview %a[0, 1] [8, 3] [1, 2] : memref<8x8xf32> to memref<8x3xf32, strided<[8, 2], offset: 1>>
  %f = memref.reinterpret_cast %flat to offset: [0], sizes: [8, 8], strides: [8, 1] : memref<64xf32> to memref<8x8xf32>
  affine.for %i = 0 to 8 {
    %x = memref.load %r[%i] : memref<8xf32, strided<[1], offset: ?>>
    %t = memref.load %s[] : memref<f32>
    %n = arith.addf %t, %x : f32
    memref.store %n, %s[] : memref<f32>
    affine.for %j = 0 to 3 {
      %y = memref.load %even[%i, %j] : memref<8x3xf32, strided<[8, 2], offset: 1>>
      %z = memref.load %f[%j, %i] : memref<8x8xf32>
      %p = arith.mulf %y, %z : f32
      memref.store %p, %even[%i, %j] : memref<8x3xf32, strided<[8, 2], offset: 1>>
    }
  }
  return
}
