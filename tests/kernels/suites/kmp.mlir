// MachSuite kmp: failure function, then search; i8 text of 64, pattern of 4
func.func @kmp(%pattern: memref<4xi8>, %input: memref<64xi8>, %next: memref<4xi32>, %n: memref<1xi32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c4 = arith.constant 4 : index
  %c64 = arith.constant 64 : index
  %z = arith.constant 0 : i32
  %one = arith.constant 1 : i32
  %four = arith.constant 4 : i32
  %three8 = arith.constant 1 : i8
  memref.store %z, %n[%c0] : memref<1xi32>
  memref.store %z, %next[%c0] : memref<4xi32>
  %k = scf.for %q = %c1 to %c4 step %c1 iter_args(%k = %z) -> (i32) {
    %pq0 = memref.load %pattern[%q] : memref<4xi8>
    %pq = arith.andi %pq0, %three8 : i8
    %kk = scf.while (%a = %k) : (i32) -> i32 {
      %pos = arith.cmpi sgt, %a, %z : i32
      %ai = arith.index_cast %a : i32 to index
      %pa0 = memref.load %pattern[%ai] : memref<4xi8>
      %pa = arith.andi %pa0, %three8 : i8
      %ne = arith.cmpi ne, %pa, %pq : i8
      %go = arith.andi %pos, %ne : i1
      scf.condition(%go) %a : i32
    } do {
    ^bb0(%a: i32):
      %am = arith.subi %a, %one : i32
      %ami = arith.index_cast %am : i32 to index
      %b = memref.load %next[%ami] : memref<4xi32>
      scf.yield %b : i32
    }
    %kki = arith.index_cast %kk : i32 to index
    %pk0 = memref.load %pattern[%kki] : memref<4xi8>
    %pk = arith.andi %pk0, %three8 : i8
    %eq = arith.cmpi eq, %pk, %pq : i8
    %k1 = arith.addi %kk, %one : i32
    %kn = arith.select %eq, %k1, %kk : i32
    memref.store %kn, %next[%q] : memref<4xi32>
    scf.yield %kn : i32
  }
  %e = scf.for %i = %c0 to %c64 step %c1 iter_args(%q = %z) -> (i32) {
    %t0 = memref.load %input[%i] : memref<64xi8>
    %t = arith.andi %t0, %three8 : i8
    %qq = scf.while (%a = %q) : (i32) -> i32 {
      %pos = arith.cmpi sgt, %a, %z : i32
      %ai = arith.index_cast %a : i32 to index
      %pa0 = memref.load %pattern[%ai] : memref<4xi8>
      %pa = arith.andi %pa0, %three8 : i8
      %ne = arith.cmpi ne, %pa, %t : i8
      %go = arith.andi %pos, %ne : i1
      scf.condition(%go) %a : i32
    } do {
    ^bb0(%a: i32):
      %am = arith.subi %a, %one : i32
      %ami = arith.index_cast %am : i32 to index
      %b = memref.load %next[%ami] : memref<4xi32>
      scf.yield %b : i32
    }
    %qi = arith.index_cast %qq : i32 to index
    %pk0 = memref.load %pattern[%qi] : memref<4xi8>
    %pk = arith.andi %pk0, %three8 : i8
    %eq = arith.cmpi eq, %pk, %t : i8
    %q1 = arith.addi %qq, %one : i32
    %qn = arith.select %eq, %q1, %qq : i32
    %full = arith.cmpi sge, %qn, %four : i32
    %res = scf.if %full -> i32 {
      %m = memref.load %n[%c0] : memref<1xi32>
      %m1 = arith.addi %m, %one : i32
      memref.store %m1, %n[%c0] : memref<1xi32>
      %c3 = arith.constant 3 : index
      %b = memref.load %next[%c3] : memref<4xi32>
      scf.yield %b : i32
    } else {
      scf.yield %qn : i32
    }
    scf.yield %res : i32
  }
  return
}
