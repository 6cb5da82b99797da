// The Fourier transform of 64 numbers in place, decimation in time: the input stands in bit-reversed
// order, cosine and sine hold those of 2 pi n / 64. The butterflies of a stage touch different
// numbers, which shifts and masks do not tell.
func.func @fft(%re: memref<64xf32>, %im: memref<64xf32>, %cosine: memref<32xf32>, %sine: memref<32xf32>) {
  %zero = arith.constant 0 : index
  %one = arith.constant 1 : index
  %stages = arith.constant 6 : index
  %butterflies = arith.constant 32 : index
  %one_i = arith.constant 1 : i32
  %last = arith.constant 5 : i32
  scf.for %stage = %zero to %stages step %one {
    %s = arith.index_cast %stage : index to i32
    %half = arith.shli %one_i, %s : i32
    %mask = arith.subi %half, %one_i : i32
    %stride = arith.subi %last, %s : i32
    scf.for %butterfly = %zero to %butterflies step %one {
      %n = arith.index_cast %butterfly : index to i32
      %low = arith.andi %n, %mask : i32
      %high = arith.subi %n, %low : i32
      %top = arith.shli %high, %one_i : i32
      %upper = arith.ori %top, %low : i32
      %lower = arith.ori %upper, %half : i32
      %turn = arith.shli %low, %stride : i32
      %i = arith.index_cast %upper : i32 to index
      %j = arith.index_cast %lower : i32 to index
      %k = arith.index_cast %turn : i32 to index
      %c = memref.load %cosine[%k] : memref<32xf32>
      %d = memref.load %sine[%k] : memref<32xf32>
      %ar = memref.load %re[%i] : memref<64xf32>
      %ai = memref.load %im[%i] : memref<64xf32>
      %br = memref.load %re[%j] : memref<64xf32>
      %bi = memref.load %im[%j] : memref<64xf32>
      %brc = arith.mulf %br, %c : f32
      %bid = arith.mulf %bi, %d : f32
      %bic = arith.mulf %bi, %c : f32
      %brd = arith.mulf %br, %d : f32
      %tr = arith.addf %brc, %bid : f32
      %ti = arith.subf %bic, %brd : f32
      %xr = arith.addf %ar, %tr : f32
      %xi = arith.addf %ai, %ti : f32
      %yr = arith.subf %ar, %tr : f32
      %yi = arith.subf %ai, %ti : f32
      memref.store %xr, %re[%i] : memref<64xf32>
      memref.store %xi, %im[%i] : memref<64xf32>
      memref.store %yr, %re[%j] : memref<64xf32>
      memref.store %yi, %im[%j] : memref<64xf32>
    } {hls.independent = #hls.independent<[0, 1]>}
  }
  return
}
