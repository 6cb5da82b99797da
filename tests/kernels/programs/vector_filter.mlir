// A filter of four taps over a row, four outputs at a time, as a vectoriser leaves it; the last outputs are a tail.
func.func @filter(%x: memref<35xf32>, %w: memref<4xf32>, %y: memref<30xf32>) {
  %zero = arith.constant 0.0 : f32
  affine.for %i = 0 to 30 step 4 {
    %sum = arith.constant dense<0.0> : vector<4xf32>
    %all = affine.for %k = 0 to 4 iter_args(%s = %sum) -> (vector<4xf32>) {
      %at = affine.apply affine_map<(i, k) -> (i + k)>(%i, %k)
      %part = vector.transfer_read %x[%at], %zero {in_bounds = [true]} : memref<35xf32>, vector<4xf32>
      %weight = memref.load %w[%k] : memref<4xf32>
      %many = vector.broadcast %weight : f32 to vector<4xf32>
      %product = arith.mulf %part, %many : vector<4xf32>
      %next = arith.addf %s, %product : vector<4xf32>
      affine.yield %next : vector<4xf32>
    }
    vector.transfer_write %all, %y[%i] : vector<4xf32>, memref<30xf32>
  }
  return
}
