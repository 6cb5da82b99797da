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
// error: 2:1: error: type 'memref<4xvector<4xf32>>': vectors are not supported, expected scalar code
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
// error: 2:1: error: argument 1 has type 'memref<4x4xf32, strided<[8, 1]>>', expected row-major order without gaps
func.func @layout(%n: i32, %x: memref<4x4xf32, strided<[8, 1]>>) {
  return
}
