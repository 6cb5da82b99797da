// CHStone adpcm piece: quantl-like search with decision levels and a filter update
memref.global "private" constant @decis : memref<30xi32> = dense<[280,576,880,1200,1520,1864,2208,2584,2960,3376,3784,4240,4696,5200,5712,6288,6864,7520,8184,8968,9752,10712,11664,12896,14120,15840,17560,20456,23352,32767]>
func.func @quantl(%el: memref<16xi32>, %detl: memref<16xi32>, %out: memref<16xi32>) {
  %t = memref.get_global @decis : memref<30xi32>
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c30 = arith.constant 30 : index
  %c16 = arith.constant 16 : index
  %m16 = arith.constant 0xffff : i32
  %c15 = arith.constant 15 : i64
  %z = arith.constant 0 : i32
  scf.for %i = %c0 to %c16 step %c1 {
    %e0 = memref.load %el[%i] : memref<16xi32>
    %sh = arith.constant 14 : i32
    %e = arith.shrsi %e0, %sh : i32
    %wd = math.absi %e : i32
    %d0 = memref.load %detl[%i] : memref<16xi32>
    %d = arith.andi %d0, %m16 : i32
    %d64 = arith.extsi %d : i32 to i64
    %mil = scf.while (%m = %c0) : (index) -> index {
      %in = arith.cmpi slt, %m, %c30 : index
      %go = scf.if %in -> i1 {
        %lv = memref.load %t[%m] : memref<30xi32>
        %l64 = arith.extsi %lv : i32 to i64
        %p = arith.muli %l64, %d64 : i64
        %s = arith.shrsi %p, %c15 : i64
        %s32 = arith.trunci %s : i64 to i32
        %gt = arith.cmpi sgt, %wd, %s32 : i32
        scf.yield %gt : i1
      } else {
        %f = arith.constant false
        scf.yield %f : i1
      }
      scf.condition(%go) %m : index
    } do {
    ^bb0(%m: index):
      %n = arith.addi %m, %c1 : index
      scf.yield %n : index
    }
    %r = arith.index_cast %mil : index to i32
    %neg = arith.cmpi slt, %e, %z : i32
    %c31 = arith.constant 31 : i32
    %x = arith.xori %r, %c31 : i32
    %o = arith.select %neg, %x, %r : i32
    memref.store %o, %out[%i] : memref<16xi32>
  }
  return
}
