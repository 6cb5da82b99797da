// RUN: spindle-opt %s --split-input-file --hls-flatten-rows | FileCheck %s

// A sparse matrix times a vector: one loop over all elements, which carries row, element, whether it
// is the first of its row, the bounds of this row and the next, and the sum.
// CHECK-LABEL: @csr
// CHECK: %[[C0:.*]] = arith.constant 0 : index
// CHECK: memref.load %{{.*}}[%[[C0]]] : memref<9xi32>
// CHECK-NOT: affine.for
// CHECK-NOT: scf.for
// CHECK: scf.while {{.*}} : (i32, i32, i1, i32, i32, i32, i32, f32) ->
// CHECK-DAG: %[[LAST:.*]] = arith.cmpi sge, %{{.*}}, %c8_i32
// CHECK: scf.condition
// CHECK-NOT: affine.for
func.func @csr(%ends: memref<9xi32>, %columns: memref<64xi32>, %values: memref<64xf32>, %x: memref<8xf32>, %y: memref<8xf32>) {
  %c1 = arith.constant 1 : index
  %zero = arith.constant 0.0 : f32
  affine.for %i = 0 to 8 {
    %b = affine.load %ends[%i] : memref<9xi32>
    %e = affine.load %ends[%i + 1] : memref<9xi32>
    %from = arith.index_cast %b : i32 to index
    %to = arith.index_cast %e : i32 to index
    %sum = scf.for %k = %from to %to step %c1 iter_args(%s = %zero) -> (f32) {
      %c = memref.load %columns[%k] : memref<64xi32>
      %column = arith.index_cast %c : i32 to index
      %v = memref.load %values[%k] : memref<64xf32>
      %xv = memref.load %x[%column] : memref<8xf32>
      %p = arith.mulf %v, %xv : f32
      %n = arith.addf %s, %p : f32
      scf.yield %n : f32
    }
    affine.store %sum, %y[%i] : memref<8xf32>
  }
  return
}

// -----

// A sum that is a word of memory, cleared before its row, is carried; what it starts from is the
// start of the row, which is carried too: five numbers of a row twice, and the sum.
// CHECK-LABEL: @sum_in_memory
// CHECK: scf.while {{.*}} : (i32, i32, i1, i32, i32, i32, i32, i32, i32, i32) ->
// CHECK-NOT: scf.for
func.func @sum_in_memory(%ends: memref<9xi32>, %x: memref<64xi32>, %y: memref<8xi32>) {
  %c1 = arith.constant 1 : index
  affine.for %i = 0 to 8 {
    %b = affine.load %ends[%i] : memref<9xi32>
    %e = affine.load %ends[%i + 1] : memref<9xi32>
    %from = arith.index_cast %b : i32 to index
    %to = arith.index_cast %e : i32 to index
    affine.store %b, %y[%i] : memref<8xi32>
    scf.for %k = %from to %to step %c1 {
      %s = affine.load %y[%i] : memref<8xi32>
      %v = memref.load %x[%k] : memref<64xi32>
      %n = arith.addi %s, %v : i32
      affine.store %n, %y[%i] : memref<8xi32>
    }
  }
  return
}

// -----

// Written behind the row through an expression over the variable of the rows.
// CHECK-LABEL: @strided
// CHECK: scf.while
// CHECK-NOT: affine
// CHECK: return
func.func @strided(%ends: memref<9xi32>, %x: memref<64xi32>, %y: memref<16xi32>) {
  %c1 = arith.constant 1 : index
  %c0 = arith.constant 0 : index
  %zero = arith.constant 0 : i32
  affine.for %i = 0 to 8 {
    %e = affine.load %ends[%i] : memref<9xi32>
    %to = arith.index_cast %e : i32 to index
    %sum = scf.for %k = %c0 to %to step %c1 iter_args(%s = %zero) -> (i32) {
      %v = memref.load %x[%k] : memref<64xi32>
      %n = arith.addi %s, %v : i32
      scf.yield %n : i32
    }
    %at = affine.apply affine_map<(d0) -> (d0 * 2)>(%i)
    affine.store %sum, %y[%at] : memref<16xi32>
  }
  return
}

// -----

// An array that is read and written, other steps and unsigned bounds stay.
// CHECK-LABEL: @left
// CHECK-NOT: scf.while
// CHECK: return
func.func @left(%ends: memref<9xi32>, %x: memref<64xi32>, %y: memref<8xi32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  affine.for %i = 0 to 8 {
    %e = affine.load %ends[%i] : memref<9xi32>
    %to = arith.index_cast %e : i32 to index
    scf.for %k = %c0 to %to step %c1 {
      %v = memref.load %x[%k] : memref<64xi32>
      memref.store %v, %x[%c0] : memref<64xi32>
    }
  }
  affine.for %i = 0 to 8 {
    %e = affine.load %ends[%i] : memref<9xi32>
    %to = arith.index_cast %e : i32 to index
    scf.for %k = %c0 to %to step %c2 {
      %v = memref.load %x[%k] : memref<64xi32>
      affine.store %v, %y[%i] : memref<8xi32>
    }
  }
  affine.for %i = 0 to 8 {
    %e = affine.load %ends[%i] : memref<9xi32>
    %to = arith.index_cast %e : i32 to index
    scf.for unsigned %k = %c0 to %to step %c1 {
      %v = memref.load %x[%k] : memref<64xi32>
      affine.store %v, %y[%i] : memref<8xi32>
    }
  }
  return
}
