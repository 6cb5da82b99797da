// A layer of leaky integrate-and-fire neurons over 50 steps: spikes in as bits, spikes out as bits.
func.func @lif(%s: memref<50x32xi1>, %w: memref<32x8xi16>, %o: memref<50x8xi1>) {
  %v = memref.alloc() : memref<8xi32>
  %z = arith.constant 0 : i32
  %th = arith.constant 1000 : i32
  %sh = arith.constant 4 : i32
  affine.for %n = 0 to 8 { affine.store %z, %v[%n] : memref<8xi32> }
  affine.for %t = 0 to 50 {
    affine.for %n = 0 to 8 {
      %m = affine.load %v[%n] : memref<8xi32>
      %l = arith.shrsi %m, %sh : i32
      %m1 = arith.subi %m, %l : i32
      %i = affine.for %k = 0 to 32 iter_args(%a = %m1) -> (i32) {
        %b = affine.load %s[%t, %k] : memref<50x32xi1>
        %ww = affine.load %w[%k, %n] : memref<32x8xi16>
        %we = arith.extsi %ww : i16 to i32
        %c = arith.select %b, %we, %z : i32
        %d = arith.addi %a, %c : i32
        affine.yield %d : i32
      }
      %f = arith.cmpi sge, %i, %th : i32
      %r = arith.select %f, %z, %i : i32
      affine.store %r, %v[%n] : memref<8xi32>
      affine.store %f, %o[%t, %n] : memref<50x8xi1>
    }
  }
  memref.dealloc %v : memref<8xi32>
  return
}
