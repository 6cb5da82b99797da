// error: 5:10: error: a stream is made inside a loop or a condition, expected before all loops
func.func @inside(%x: memref<8xi8>) {
  affine.for %i = 0 to 8 {
    %v = affine.load %x[%i] : memref<8xi8>
    %s = hls.make_stream {depth = 4 : i64} : !hls.stream<i8>
    hls.write %v, %s : !hls.stream<i8>
    %w = hls.read %s : !hls.stream<i8>
    affine.store %w, %x[%i] : memref<8xi8>
  }
  return
}
// -----
// error: 2:1: error: argument 0 is a stream that is both read and written, expected one of both
func.func @both(%s: !hls.stream<i8>) {
  affine.for %i = 0 to 8 {
    %v = hls.read %s : !hls.stream<i8>
    hls.write %v, %s : !hls.stream<i8>
  }
  return
}
// -----
// error: 2:1: error: argument 1 is a stream that is neither read nor written, expected one of both
func.func @neither(%x: memref<8xi8>, %s: !hls.stream<i8>) {
  return
}
// -----
// error: 3:8: error: the stream is never read, expected both hls.read and hls.write
func.func @unread(%x: memref<8xi8>) {
  %s = hls.make_stream {depth = 4 : i64} : !hls.stream<i8>
  affine.for %i = 0 to 8 {
    %v = affine.load %x[%i] : memref<8xi8>
    hls.write %v, %s : !hls.stream<i8>
  }
  return
}
// -----
// error: 3:8: error: which stream is meant changes while the program runs, expected an argument or hls.make_stream
func.func @chosen(%c: i1, %a: !hls.stream<i8>, %b: !hls.stream<i8>, %out: !hls.stream<i8>) {
  %s = arith.select %c, %a, %b : !hls.stream<i8>
  %v = hls.read %s : !hls.stream<i8>
  hls.write %v, %out : !hls.stream<i8>
  return
}
