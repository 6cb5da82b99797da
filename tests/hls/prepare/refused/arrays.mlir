// error: 2:1: error: argument 1 has type 'memref<?x?xf32>' and is accessed in places that are not known: bind the sizes, or its shape, such as --bind 1=20x20
func.func @open(%n: index, %a: memref<?x?xf32>) {
  affine.for %i = 0 to %n {
    %x = affine.load %a[%i, 0] : memref<?x?xf32>
    affine.store %x, %a[0, %i] : memref<?x?xf32>
  }
  return
}
// -----
// error: 3:8: error: the shape of 'memref<?xf32>' is not known: bind the sizes it is computed from
func.func @local(%n: index, %b: memref<4xf32>) {
  %a = memref.alloc(%n) : memref<?xf32>
  affine.for %i = 0 to 4 {
    %x = affine.load %b[%i] : memref<4xf32>
    affine.store %x, %a[%i] : memref<?xf32>
    %y = affine.load %a[3 - %i] : memref<?xf32>
    affine.store %y, %b[%i] : memref<4xf32>
  }
  return
}
// -----
// error: 3:8: error: which array or part of it arith.select stands for is not known: access arrays directly
func.func @either(%c: i1, %a: memref<4xf32>, %b: memref<4xf32>) {
  %0 = arith.select %c, %a, %b : memref<4xf32>
  affine.for %i = 0 to 4 {
    %x = affine.load %0[%i] : memref<4xf32>
    affine.store %x, %a[3 - %i] : memref<4xf32>
  }
  return
}
// -----
// error: 3:10: error: which array is accessed changes from one iteration to the next: copy between arrays instead
func.func @turns(%a: memref<4xf32>, %b: memref<4xf32>) {
  %0:2 = affine.for %i = 0 to 4 iter_args(%x = %a, %y = %b) -> (memref<4xf32>, memref<4xf32>) {
    %z = affine.load %x[%i] : memref<4xf32>
    affine.store %z, %y[3 - %i] : memref<4xf32>
    affine.yield %y, %x : memref<4xf32>, memref<4xf32>
  }
  return
}
// -----
// error: 5:10: error: ub.poison stands for no array: make one with memref.alloc
func.func @noArray(%a: memref<4xi32>) {
  %p = ub.poison : memref<4xi32>
  affine.for %i = 0 to 4 {
    %x = affine.load %p[%i] : memref<4xi32>
    affine.store %x, %a[%i] : memref<4xi32>
  }
  return
}
// -----
// error: 4:3: error: ub.poison stands for no tensor of known size: make one with tensor.empty and fill it
func.func @noTensor(%n: index) -> tensor<?xf32> {
  %p = ub.poison : tensor<?xf32>
  return %p : tensor<?xf32>
}
// -----
// error: 2:1: error: the contents of constant array 'w' are not in the file: give the resource '__elided__' as many bytes as 'tensor<4xf32>' has
memref.global "private" constant @w : memref<4xf32> = dense_resource<__elided__>
func.func @elided(%y: memref<4xf32>) {
  %w = memref.get_global @w : memref<4xf32>
  affine.for %i = 0 to 4 {
    %x = affine.load %w[%i] : memref<4xf32>
    affine.store %x, %y[%i] : memref<4xf32>
  }
  return
}
// -----
// error: 2:1: error: argument 1 has type 'memref<?xf32>' and is accessed in places that are not known: bind the sizes, or its shape, such as --bind 1=20
func.func @up_to_an_argument(%n: i32, %a: memref<?xf32>) {
  %end = arith.index_cast %n : i32 to index
  affine.for %i = 0 to %end {
    %x = affine.load %a[%i] : memref<?xf32>
    %y = arith.addf %x, %x : f32
    affine.store %y, %a[%i] : memref<?xf32>
  }
  return
}
// -----
// error: 2:1: error: argument 0 is accessed as 'memref<999000001xf32>', expected at most 2^28 elements: correct the indices
func.func @farApart(%x: memref<?xf32>) {
  affine.for %i = 0 to 1000 {
    %v = affine.load %x[%i * 1000000] : memref<?xf32>
    affine.store %v, %x[%i * 1000000] : memref<?xf32>
  }
  return
}
// -----
// error: 3:8: error: tensor.scatter is not supported on these tensors, expected linalg, tosa or loops, and known shapes
func.func @scattered(%s: tensor<2x4xf32>, %d: tensor<10x4xf32>, %i: tensor<2x1xindex>) -> tensor<10x4xf32> {
  %r = tensor.scatter %s into %d[%i] scatter_dims([0]) unique : (tensor<2x4xf32>, tensor<10x4xf32>, tensor<2x1xindex>) -> tensor<10x4xf32>
  return %r : tensor<10x4xf32>
}
// -----
// error: 8:8: error: which array or part of it arith.select stands for is not known: access arrays directly
func.func @either(%a: memref<8xi32, strided<[?], offset: ?>>, %b: memref<8xi32, strided<[?], offset: ?>>, %n: i32) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c8 = arith.constant 8 : index
  %z = arith.constant 0 : i32
  %p = arith.cmpi sgt, %n, %z : i32
  %r = scf.if %p -> memref<8xi32, strided<[?], offset: ?>> {
    scf.yield %a : memref<8xi32, strided<[?], offset: ?>>
  } else {
    scf.yield %b : memref<8xi32, strided<[?], offset: ?>>
  }
  scf.for %i = %c0 to %c8 step %c1 {
    %x = memref.load %r[%i] : memref<8xi32, strided<[?], offset: ?>>
    %y = arith.addi %x, %n : i32
    memref.store %y, %b[%i] : memref<8xi32, strided<[?], offset: ?>>
  }
  return
}
// -----
// error: 6:10: error: which array is accessed changes from one iteration to the next: copy between arrays instead
func.func @swapped(%a: memref<8xi32, strided<[?], offset: ?>>, %b: memref<8xi32, strided<[?], offset: ?>>, %n: i32) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c8 = arith.constant 8 : index
  %r:2 = scf.for %i = %c0 to %c8 step %c1 iter_args(%p = %a, %q = %b) -> (memref<8xi32, strided<[?], offset: ?>>, memref<8xi32, strided<[?], offset: ?>>) {
    %x = memref.load %p[%i] : memref<8xi32, strided<[?], offset: ?>>
    %y = arith.addi %x, %n : i32
    memref.store %y, %q[%i] : memref<8xi32, strided<[?], offset: ?>>
    scf.yield %q, %p : memref<8xi32, strided<[?], offset: ?>>, memref<8xi32, strided<[?], offset: ?>>
  }
  return
}
