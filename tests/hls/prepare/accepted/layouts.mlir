// Strides and offsets that the caller chooses, as bufferization leaves them at functions.
func.func @open(%a: memref<4x8xf32, strided<[?, ?], offset: ?>>, %b: memref<8x4xf32, strided<[?, 1], offset: ?>>, %c: memref<4x4xf32, strided<[4, 1]>>) {
  linalg.matmul ins(%a, %b : memref<4x8xf32, strided<[?, ?], offset: ?>>, memref<8x4xf32, strided<[?, 1], offset: ?>>) outs(%c : memref<4x4xf32, strided<[4, 1]>>)
  return
}
// -----
// The same as a map, as older files have it.
#map = affine_map<(d0, d1)[s0, s1, s2] -> (d0 * s1 + s0 + d1 * s2)>
func.func @map(%a: memref<4x8xi32, #map>, %b: memref<4x8xi32>) {
  affine.for %i = 0 to 4 {
    affine.for %j = 0 to 8 {
      %x = affine.load %a[%i, %j] : memref<4x8xi32, #map>
      affine.store %x, %b[%i, %j] : memref<4x8xi32>
    }
  }
  return
}
// -----
// Of open size, too.
// bind: 0=3x5,1=3x5
func.func @sizes(%a: memref<?x?xf32, strided<[?, ?], offset: ?>>, %b: memref<?x?xf32, strided<[?, 1]>>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %n = memref.dim %a, %c0 : memref<?x?xf32, strided<[?, ?], offset: ?>>
  %m = memref.dim %a, %c1 : memref<?x?xf32, strided<[?, ?], offset: ?>>
  scf.for %i = %c0 to %n step %c1 {
    scf.for %j = %c0 to %m step %c1 {
      %x = memref.load %a[%i, %j] : memref<?x?xf32, strided<[?, ?], offset: ?>>
      %y = arith.addf %x, %x : f32
      memref.store %y, %b[%i, %j] : memref<?x?xf32, strided<[?, 1]>>
    }
  }
  return
}
// -----
// A view that is returned.
func.func @view(%a: memref<6x8xi32, strided<[8, 1], offset: ?>>) -> memref<2x4xi32, strided<[8, 2], offset: ?>> {
  %s = memref.subview %a[1, 1] [2, 4] [1, 2] : memref<6x8xi32, strided<[8, 1], offset: ?>> to memref<2x4xi32, strided<[8, 2], offset: ?>>
  return %s : memref<2x4xi32, strided<[8, 2], offset: ?>>
}
// -----
// One of several results, and of a transposed array.
func.func @several(%a: memref<3x4xf32>, %x: i32) -> (i32, memref<4x3xf32, strided<[1, 4]>>, memref<3x4xf32>) {
  %t = memref.transpose %a (i, j) -> (j, i) : memref<3x4xf32> to memref<4x3xf32, strided<[1, 4]>>
  return %x, %t, %a : i32, memref<4x3xf32, strided<[1, 4]>>, memref<3x4xf32>
}
// -----
// Passed on to a function that is called.
func.func private @scale(%a: memref<8xi32, strided<[?], offset: ?>>, %f: i32) {
  affine.for %i = 0 to 8 {
    %x = affine.load %a[%i] : memref<8xi32, strided<[?], offset: ?>>
    %y = arith.muli %x, %f : i32
    affine.store %y, %a[%i] : memref<8xi32, strided<[?], offset: ?>>
  }
  return
}
func.func @main(%a: memref<8xi32, strided<[?], offset: ?>>, %f: i32) {
  call @scale(%a, %f) : (memref<8xi32, strided<[?], offset: ?>>, i32) -> ()
  return
}
// -----
// As the memory of tensors: no copy.
// absent: memref.alloc
func.func @tensor(%a: memref<4x8xi32, strided<[?, ?], offset: ?>>, %b: memref<32xi32, strided<[?], offset: ?>>) {
  %t = bufferization.to_tensor %a restrict : memref<4x8xi32, strided<[?, ?], offset: ?>> to tensor<4x8xi32>
  %c = tensor.collapse_shape %t [[0, 1]] : tensor<4x8xi32> into tensor<32xi32>
  bufferization.materialize_in_destination %c in restrict writable %b : (tensor<32xi32>, memref<32xi32, strided<[?], offset: ?>>) -> ()
  return
}
// -----
// Behind an open extent the strides are open, too.
// bind: 0=3x6
func.func @open_rows(%a: memref<?x6xi32, strided<[6, 1], offset: ?>>) -> i32 {
  %c1 = arith.constant 1 : index
  %x = memref.load %a[%c1, %c1] : memref<?x6xi32, strided<[6, 1], offset: ?>>
  return %x : i32
}
