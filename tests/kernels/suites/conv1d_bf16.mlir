func.func @conv(%x: memref<32xbf16>, %w: memref<5xbf16>, %y: memref<28xf32>) {
  %z = arith.constant 0.0 : f32
  affine.for %i = 0 to 28 {
    %s = affine.for %k = 0 to 5 iter_args(%acc = %z) -> f32 {
      %a = affine.load %x[%i + %k] : memref<32xbf16>
      %b = affine.load %w[%k] : memref<5xbf16>
      %ae = arith.extf %a : bf16 to f32
      %be = arith.extf %b : bf16 to f32
      %n = math.fma %ae, %be, %acc : f32
      affine.yield %n : f32
    }
    affine.store %s, %y[%i] : memref<28xf32>
  }
  return
}
