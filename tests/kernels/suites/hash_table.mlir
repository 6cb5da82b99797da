// Open addressing: insert and count, linear probing.
func.func @hash(%keys: memref<10xi32>, %table: memref<16xi32>, %count: memref<16xi8>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c10 = arith.constant 10 : index
  %c16 = arith.constant 16 : index
  %z = arith.constant 0 : i32
  %z8 = arith.constant 0 : i8
  %one8 = arith.constant 1 : i8
  %one = arith.constant 1 : i32
  %mask = arith.constant 15 : i32
  %mul = arith.constant -1640531527 : i32
  %sh = arith.constant 28 : i32
  scf.for %i = %c0 to %c16 step %c1 {
    memref.store %z, %table[%i] : memref<16xi32>
    memref.store %z8, %count[%i] : memref<16xi8>
  }
  scf.for %i = %c0 to %c10 step %c1 {
    %k = memref.load %keys[%i] : memref<10xi32>
    %h0 = arith.muli %k, %mul : i32
    %h1 = arith.shrui %h0, %sh : i32
    %slot = scf.while (%h = %h1) : (i32) -> i32 {
      %x = arith.index_castui %h : i32 to index
      %n = memref.load %count[%x] : memref<16xi8>
      %t = memref.load %table[%x] : memref<16xi32>
      %used = arith.cmpi ne, %n, %z8 : i8
      %other = arith.cmpi ne, %t, %k : i32
      %go = arith.andi %used, %other : i1
      scf.condition(%go) %h : i32
    } do {
    ^bb0(%h: i32):
      %n = arith.addi %h, %one : i32
      %m = arith.andi %n, %mask : i32
      scf.yield %m : i32
    }
    %x = arith.index_castui %slot : i32 to index
    memref.store %k, %table[%x] : memref<16xi32>
    %n = memref.load %count[%x] : memref<16xi8>
    %n1 = arith.addi %n, %one8 : i8
    memref.store %n1, %count[%x] : memref<16xi8>
  }
  return
}
