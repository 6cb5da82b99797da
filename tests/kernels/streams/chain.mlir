// Two processes: the numbers of the bits that are set in words, then how often each number came.
func.func private @bits(%words: memref<16xi8>, %events: !hls.stream<i4>) {
  %end = arith.constant 8 : i4
  affine.for %w = 0 to 16 {
    affine.for %b = 0 to 8 {
      %word = affine.load %words[%w] : memref<16xi8>
      %bit = arith.index_cast %b : index to i8
      %shifted = arith.shrui %word, %bit : i8
      %isSet = arith.trunci %shifted : i8 to i1
      scf.if %isSet {
        %number = arith.index_cast %b : index to i4
        hls.write %number, %events : !hls.stream<i4>
      }
    }
  }
  hls.write %end, %events : !hls.stream<i4>
  return
}

func.func private @count(%events: !hls.stream<i4>, %counts: memref<8xi16>) {
  %end = arith.constant 8 : i4
  %zero = arith.constant 0 : i16
  %one = arith.constant 1 : i16
  %true = arith.constant true
  %local = memref.alloc() : memref<9xi16>
  affine.for %i = 0 to 9 {
    affine.store %zero, %local[%i] : memref<9xi16>
  }
  %last = scf.while (%goes = %true) : (i1) -> i1 {
    scf.condition(%goes) %goes : i1
  } do {
  ^bb0(%goes: i1):
    %event = hls.read %events : !hls.stream<i4>
    %number = arith.index_castui %event : i4 to index
    %old = memref.load %local[%number] : memref<9xi16>
    %new = arith.addi %old, %one : i16
    memref.store %new, %local[%number] : memref<9xi16>
    %more = arith.cmpi ne, %event, %end : i4
    scf.yield %more : i1
  }
  affine.for %i = 0 to 8 {
    %n = affine.load %local[%i] : memref<9xi16>
    affine.store %n, %counts[%i] : memref<8xi16>
  }
  return
}

func.func @chain(%words: memref<16xi8>, %counts: memref<8xi16>) {
  %events = hls.make_stream {depth = 4 : i64} : !hls.stream<i4>
  call @bits(%words, %events) : (memref<16xi8>, !hls.stream<i4>) -> ()
  call @count(%events, %counts) : (!hls.stream<i4>, memref<8xi16>) -> ()
  return
}
