// Product of a sparse matrix in compressed rows and a vector. The data make the rows: their ends rise by 0 to 10.
func.func @csr(%steps: memref<32xi32>, %columns: memref<160xi32>, %values: memref<160xf32>, %x: memref<32xf32>, %y: memref<32xf32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c32 = arith.constant 32 : index
  %five = arith.constant 5 : i32
  %zero = arith.constant 0.0 : f32
  %mask = arith.constant 31 : i32
  %row_ends = memref.alloc() : memref<33xi32>
  %zero_end = arith.constant 0 : i32
  memref.store %zero_end, %row_ends[%c0] : memref<33xi32>
  scf.for %i = %c0 to %c32 step %c1 {
    %s = memref.load %steps[%i] : memref<32xi32>
    %three = arith.constant 3 : i32
    %s1 = arith.andi %s, %three : i32
    %low = arith.constant 2 : i32
    %s2 = arith.addi %s1, %low : i32
    %e = memref.load %row_ends[%i] : memref<33xi32>
    %n = arith.addi %e, %s2 : i32
    %i1 = arith.addi %i, %c1 : index
    memref.store %n, %row_ends[%i1] : memref<33xi32>
  }
  scf.for %i = %c0 to %c32 step %c1 {
    %i1 = arith.addi %i, %c1 : index
    %begin = memref.load %row_ends[%i] : memref<33xi32>
    %end = memref.load %row_ends[%i1] : memref<33xi32>
    %from = arith.index_cast %begin : i32 to index
    %to = arith.index_cast %end : i32 to index
    %sum = scf.for %k = %from to %to step %c1 iter_args(%s = %zero) -> (f32) {
      %c = memref.load %columns[%k] : memref<160xi32>
      %c_low = arith.andi %c, %mask : i32
      %column = arith.index_cast %c_low : i32 to index
      %v = memref.load %values[%k] : memref<160xf32>
      %xv = memref.load %x[%column] : memref<32xf32>
      %p = arith.mulf %v, %xv : f32
      %n = arith.addf %s, %p : f32
      scf.yield %n : f32
    }
    memref.store %sum, %y[%i] : memref<32xf32>
  }
  return
}
