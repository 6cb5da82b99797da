// error: 2:1: error: type 'f80': expected i1 to i64, index, f16, bf16, f32, f64, memrefs and tensors of them
func.func @extended(%x: f80) {
  return
}
// -----
// error: 3:8: error: type 'f8E5M2': expected i1 to i64, index, f16, bf16, f32, f64, memrefs and tensors of them
func.func @quarter(%a: f32) -> f32 {
  %0 = arith.truncf %a : f32 to f8E5M2
  %1 = arith.extf %0 : f8E5M2 to f32
  return %1 : f32
}
// -----
// error: 2:1: error: type 'i128': expected i1 to i64, index, f16, bf16, f32, f64, memrefs and tensors of them
func.func @wide(%x: i128) {
  return
}
// -----
// error: 2:1: error: type 'complex<f32>': complex numbers are not supported, expected two real ones
func.func @complex(%x: complex<f32>) {
  return
}
// -----
// error: 2:1: error: type 'memref<4xvector<4xf32>>': arrays of vectors are not supported, expected arrays of numbers
func.func @vector(%x: memref<4xvector<4xf32>>) {
  return
}
// -----
// error: 2:1: error: type '!llvm.ptr': pointers are not supported, expected memrefs
func.func @pointer(%x: !llvm.ptr) {
  return
}
// -----
// error: 2:1: error: type 'memref<*xf32>': the rank is not known, expected a ranked memref or tensor
func.func @rank(%x: memref<*xf32>) {
  return
}
// -----
// error: 2:1: error: argument 1 has type 'memref<4x4xf32, strided<[8, 1]>>', expected row-major order without gaps and without a layout: leave it out, or bufferize with function-boundary-type-conversion=identity-layout-map
func.func @layout(%n: i32, %x: memref<4x4xf32, strided<[8, 1]>>) {
  return
}
// -----
// error: 2:1: error: argument 0 has type 'tensor<0x3xf32>', which has no elements: remove it
func.func @nothing(%x: tensor<0x3xf32>) {
  return
}
// -----
// error: 2:1: error: result 0 has type 'memref<2x0xi8>', which has no elements: remove it
func.func @nothing() -> memref<2x0xi8> {
  %x = memref.alloc() : memref<2x0xi8>
  return %x : memref<2x0xi8>
}
// -----
// error: 3:8: error: type 'memref<1xmemref<?xi32>>': arrays of arrays are not supported, expected arrays of numbers
func.func @pointers(%x: memref<?xi32>) {
  %p = memref.alloca() : memref<1xmemref<?xi32>>
  return
}
// -----
// error: 2:1: error: argument 0 has type 'vector<4xf32>': vectors cannot be arguments of a kernel, expected an array
func.func @argument(%x: vector<4xf32>) {
  return
}
// -----
// error: 2:1: error: result 0 has type 'vector<4xf32>': vectors cannot be results of a kernel, expected an array
func.func @result() -> vector<4xf32> {
  %x = arith.constant dense<1.0> : vector<4xf32>
  return %x : vector<4xf32>
}
// -----
// error: 5:8: error: type 'vector<[4]xf32>': scalable vectors are not supported, expected a known number of elements
func.func @scalable(%a: memref<4xf32>) {
  %zero = arith.constant 0 : index
  %none = arith.constant 0.0 : f32
  %x = vector.load %a[%zero] : memref<4xf32>, vector<[4]xf32>
  vector.store %x, %a[%zero] : memref<4xf32>, vector<[4]xf32>
  return
}
// -----
// error: 4:8: error: type 'vector<64x65xf32>': more than 4096 elements are not supported, expected loops over smaller vectors
func.func @large(%a: memref<64x65xf32>) {
  %zero = arith.constant 0 : index
  %x = vector.load %a[%zero, %zero] : memref<64x65xf32>, vector<64x65xf32>
  vector.store %x, %a[%zero, %zero] : memref<64x65xf32>, vector<64x65xf32>
  return
}
// -----
// error: 4:3: error: vector.print is not supported on vectors, expected scalar code
func.func @print(%a: memref<4xf32>) {
  %x = arith.constant dense<1.0> : vector<4xf32>
  vector.print %x : vector<4xf32>
  return
}
// -----
// error: 4:8: error: type 'memref<vector<4xf32>>': arrays of vectors are not supported, expected arrays of numbers
func.func @cast(%a: memref<4xf32>) {
  %zero = arith.constant 0 : index
  %x = vector.type_cast %a : memref<4xf32> to memref<vector<4xf32>>
  return
}
// -----
// error: 7:30: error: vector.contract under vector.mask is not supported, expected a mask on transfers, gathers and reductions
func.func @masked(%a: memref<4xf32>, %n: index) {
  %zero = arith.constant 0 : index
  %none = arith.constant 0.0 : f32
  %x = vector.load %a[%zero] : memref<4xf32>, vector<4xf32>
  %mask = vector.create_mask %n : vector<4xi1>
  %sum = vector.mask %mask { vector.contract {indexing_maps = [affine_map<(i) -> (i)>, affine_map<(i) -> (i)>, affine_map<(i) -> ()>], iterator_types = ["reduction"], kind = #vector.kind<add>} %x, %x, %none : vector<4xf32>, vector<4xf32> into f32 } : vector<4xi1> -> f32
  memref.store %sum, %a[%zero] : memref<4xf32>
  return
}
// -----
// error: 2:1: error: argument 0 has type 'memref<?x?xi32, strided<[1, ?]>>', expected row-major order without gaps and without a layout: leave it out, or bufferize with function-boundary-type-conversion=identity-layout-map
func.func @columns(%a: memref<?x?xi32, strided<[1, ?]>>) {
  return
}
// -----
// error: 2:1: error: argument 0 has type 'memref<4x?xi32, strided<[8, 1], offset: ?>>', expected row-major order without gaps and without a layout: leave it out, or bufferize with function-boundary-type-conversion=identity-layout-map
func.func @pitch(%a: memref<4x?xi32, strided<[8, 1], offset: ?>>) {
  return
}
// -----
// error: 2:1: error: argument 0 has type 'memref<8xi32, strided<[1], offset: 4>>', expected row-major order without gaps and without a layout: leave it out, or bufferize with function-boundary-type-conversion=identity-layout-map
func.func @offset(%a: memref<8xi32, strided<[1], offset: 4>>) {
  return
}
