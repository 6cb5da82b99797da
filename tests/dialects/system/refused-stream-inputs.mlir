// Arguments that stay arrays, and why.
// RUN: spindle-opt %s --split-input-file --verify-diagnostics --system-search=inputs --system-outline --system-stream-inputs

func.func @kinds(
    // expected-remark@+1 {{argument 0 stays an array, moved as a whole: it is written, and tasks do not surely write all of an input before one reads any}}
    %both: memref<4x8xi32>,
    // expected-remark@+1 {{argument 1 stays an array, moved as a whole: it is written, and tasks do not surely write all of an input}}
    %half: memref<4x8xi32>,
    // expected-remark@+1 {{argument 2 stays an array, moved as a whole: not every access has the number of the input as its first subscript}}
    %late: memref<5x8xi32>,
    // expected-remark@+1 {{argument 3 stays an array, moved as a whole: the loop over inputs goes from 0 to 4, its first dimension has 6}}
    %short: memref<6x8xi32>,
    // expected-remark@+1 {{argument 4 stays an array, moved as a whole: its elements are indices, which have no bits of their own}}
    %places: memref<4x8xindex>,
    // expected-remark@+1 {{argument 5 stays an array, moved as a whole: it has hls.partition, and a stream has no banks}}
    %banks: memref<4x8xi32> {hls.partition = [#hls.partition<none>, #hls.partition<cyclic 2>]},
    %weights: memref<8xi32>) {
  affine.for %n = 0 to 4 {
    affine.for %i = 0 to 8 {
      %x = affine.load %both[%n, %i] : memref<4x8xi32>
      %y = affine.load %late[%n + 1, %i] : memref<5x8xi32>
      %z = affine.load %short[%n, %i] : memref<6x8xi32>
      %w = affine.load %weights[%i] : memref<8xi32>
      %p = affine.load %places[%n, %i] : memref<4x8xindex>
      %q = arith.index_cast %p : index to i32
      %b = affine.load %banks[%n, %i] : memref<4x8xi32>
      %1 = arith.addi %x, %y : i32
      %2 = arith.addi %1, %z : i32
      %3 = arith.addi %2, %w : i32
      %4 = arith.addi %3, %q : i32
      %5 = arith.addi %4, %b : i32
      affine.store %5, %both[%n, %i] : memref<4x8xi32>
    }
    affine.for %i = 0 to 4 {
      %x = affine.load %weights[%i] : memref<8xi32>
      affine.store %x, %half[%n, %i] : memref<4x8xi32>
    }
  }
  return
}

// -----

// What two tasks write has a gap, one task decides on a place by two loops, and one of them reads
// what the other one has not yet written.
func.func @gaps(%x: memref<8xi32>,
    // expected-remark@+1 {{argument 1 stays an array, moved as a whole: it is written, and tasks do not surely write all of an input}}
    %gap: memref<4x9xi32>,
    // expected-remark@+1 {{argument 2 stays an array, moved as a whole: it is written, and tasks do not surely write all of an input}}
    %diagonal: memref<4x8x8xi32>,
    // expected-remark@+1 {{argument 3 stays an array, moved as a whole: it is written, and tasks do not surely write all of an input}}
    %sum: memref<4x7xi32>,
    // expected-remark@+1 {{argument 4 stays an array, moved as a whole: it is written, and tasks do not surely write all of an input}}
    %early: memref<4x8xi32>,
    // expected-remark@+1 {{argument 5 stays an array, moved as a whole: it is written, and tasks do not surely write all of an input}}
    %sometimes: memref<4x8xi32>) {
  affine.for %n = 0 to 4 {
    affine.for %i = 0 to 4 {
      %0 = affine.load %x[%i] : memref<8xi32>
      affine.store %0, %gap[%n, %i] : memref<4x9xi32>
      affine.store %0, %early[%n, %i] : memref<4x8xi32>
      affine.store %0, %sometimes[%n, %i] : memref<4x8xi32>
    }
    affine.for %i = 0 to 4 {
      %0 = affine.load %early[%n, 7 - %i] : memref<4x8xi32>
      affine.store %0, %gap[%n, %i + 5] : memref<4x9xi32>
      affine.store %0, %early[%n, %i + 4] : memref<4x8xi32>
      affine.if affine_set<(d0) : (d0 - 1 >= 0)>(%i) {
        affine.store %0, %sometimes[%n, %i + 4] : memref<4x8xi32>
      }
    }
    affine.for %i = 0 to 4 {
      affine.for %j = 0 to 4 {
        %0 = affine.load %x[%i + %j] : memref<8xi32>
        affine.store %0, %sum[%n, %i + %j] : memref<4x7xi32>
      }
    }
    affine.for %i = 0 to 8 {
      %0 = affine.load %x[%i] : memref<8xi32>
      affine.store %0, %diagonal[%n, %i, %i] : memref<4x8x8xi32>
    }
  }
  return
}
