// A small interpreter: opcodes by scf.index_switch in a while loop.
func.func @vm(%code: memref<12xi8>, %steps: i32) -> i32 {
  %zero = arith.constant 0 : i32
  %one = arith.constant 1 : i32
  %three = arith.constant 3 : i8
  %m15 = arith.constant 15 : i32
  %twelve = arith.constant 12 : i32
  %limit = arith.andi %steps, %m15 : i32
  %r:3 = scf.while (%pc = %zero, %acc = %one, %n = %zero) : (i32, i32, i32) -> (i32, i32, i32) {
    %a = arith.cmpi slt, %pc, %twelve : i32
    %b = arith.cmpi slt, %n, %limit : i32
    %go = arith.andi %a, %b : i1
    scf.condition(%go) %pc, %acc, %n : i32, i32, i32
  } do {
  ^bb0(%pc: i32, %acc: i32, %n: i32):
    %at = arith.index_cast %pc : i32 to index
    %op0 = memref.load %code[%at] : memref<12xi8>
    %op1 = arith.andi %op0, %three : i8
    %op = arith.index_castui %op1 : i8 to index
    %x:2 = scf.index_switch %op -> i32, i32
    case 0 {
      %v = arith.addi %acc, %n : i32
      scf.yield %v, %one : i32, i32
    }
    case 1 {
      %v = arith.muli %acc, %acc : i32
      scf.yield %v, %one : i32, i32
    }
    case 2 {
      %two = arith.constant 2 : i32
      scf.yield %acc, %two : i32, i32
    }
    default {
      %v = arith.subi %zero, %acc : i32
      scf.yield %v, %zero : i32, i32
    }
    %n1 = arith.addi %n, %one : i32
    %pc1 = arith.addi %pc, %x#1 : i32
    scf.yield %pc1, %x#0, %n1 : i32, i32, i32
  }
  return %r#1 : i32
}
