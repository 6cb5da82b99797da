// scf.for; the index is data, so that an iteration waits for the one before.
func.func @hist(%x: memref<64xi8>, %h: memref<256xi32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c64 = arith.constant 64 : index
  %one = arith.constant 1 : i32
  scf.for %i = %c0 to %c64 step %c1 {
    %0 = memref.load %x[%i] : memref<64xi8>
    %1 = arith.index_castui %0 : i8 to index
    %2 = memref.load %h[%1] : memref<256xi32>
    %3 = arith.addi %2, %one : i32
    memref.store %3, %h[%1] : memref<256xi32>
  }
  return
}
