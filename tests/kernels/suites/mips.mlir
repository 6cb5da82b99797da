// CHStone mips: a tiny processor: fetch, decode by index_switch, run until halt
func.func @mips(%imem: memref<16xi32>, %reg: memref<8xi32>, %dmem: memref<16xi32>) -> i32 {
  %z = arith.constant 0 : i32
  %one = arith.constant 1 : i32
  %lim = arith.constant 40 : i32
  %c7 = arith.constant 7 : i32
  %c15 = arith.constant 15 : i32
  %r:2 = scf.while (%pc = %z, %n = %z) : (i32, i32) -> (i32, i32) {
    %lt = arith.cmpi slt, %n, %lim : i32
    scf.condition(%lt) %pc, %n : i32, i32
  } do {
  ^bb0(%pc: i32, %n: i32):
    %pm = arith.andi %pc, %c15 : i32
    %pi = arith.index_cast %pm : i32 to index
    %ins = memref.load %imem[%pi] : memref<16xi32>
    %op0 = arith.andi %ins, %c7 : i32
    %op = arith.index_cast %op0 : i32 to index
    %s3 = arith.constant 3 : i32
    %s6 = arith.constant 6 : i32
    %s9 = arith.constant 9 : i32
    %a0 = arith.shrui %ins, %s3 : i32
    %a1 = arith.andi %a0, %c7 : i32
    %rs = arith.index_cast %a1 : i32 to index
    %b0 = arith.shrui %ins, %s6 : i32
    %b1 = arith.andi %b0, %c7 : i32
    %rt = arith.index_cast %b1 : i32 to index
    %d0 = arith.shrui %ins, %s9 : i32
    %d1 = arith.andi %d0, %c7 : i32
    %rd = arith.index_cast %d1 : i32 to index
    %x = memref.load %reg[%rs] : memref<8xi32>
    %y = memref.load %reg[%rt] : memref<8xi32>
    %next = arith.addi %pc, %one : i32
    %v:2 = scf.index_switch %op -> i32, i32
    case 0 {
      %s = arith.addi %x, %y : i32
      scf.yield %s, %next : i32, i32
    }
    case 1 {
      %s = arith.subi %x, %y : i32
      scf.yield %s, %next : i32, i32
    }
    case 2 {
      %s = arith.muli %x, %y : i32
      scf.yield %s, %next : i32, i32
    }
    case 3 {
      %s = arith.shli %x, %b1 : i32
      scf.yield %s, %next : i32, i32
    }
    case 4 {
      %am = arith.andi %x, %c15 : i32
      %ai = arith.index_cast %am : i32 to index
      %s = memref.load %dmem[%ai] : memref<16xi32>
      scf.yield %s, %next : i32, i32
    }
    case 5 {
      %am = arith.andi %x, %c15 : i32
      %ai = arith.index_cast %am : i32 to index
      memref.store %y, %dmem[%ai] : memref<16xi32>
      scf.yield %y, %next : i32, i32
    }
    case 6 {
      %c = arith.cmpi slt, %x, %y : i32
      %t = arith.addi %pc, %d1 : i32
      %p = arith.select %c, %t, %next : i32
      scf.yield %x, %p : i32, i32
    }
    default {
      %s = arith.xori %x, %y : i32
      scf.yield %s, %next : i32, i32
    }
    memref.store %v#0, %reg[%rd] : memref<8xi32>
    %n1 = arith.addi %n, %one : i32
    scf.yield %v#1, %n1 : i32, i32
  }
  return %r#0 : i32
}
