// nested functions, cf branches, cf.switch
func.func private @step(%x: i32, %k: i32) -> i32 {
  cf.switch %k : i32, [
    default: ^bb4,
    0: ^bb1,
    1: ^bb2,
    5: ^bb3
  ]
^bb1:
  %a = arith.addi %x, %k : i32
  cf.br ^bb5(%a : i32)
^bb2:
  %c3 = arith.constant 3 : i32
  %b = arith.muli %x, %c3 : i32
  cf.br ^bb5(%b : i32)
^bb3:
  %one = arith.constant 1 : i32
  %c = arith.shrsi %x, %one : i32
  cf.br ^bb5(%c : i32)
^bb4:
  %d = arith.subi %x, %k : i32
  cf.br ^bb5(%d : i32)
^bb5(%r: i32):
  return %r : i32
}
func.func private @twice(%x: i32, %k: i32) -> i32 {
  %y = call @step(%x, %k) : (i32, i32) -> i32
  %z = call @step(%y, %k) : (i32, i32) -> i32
  return %z : i32
}
func.func @machine(%in: memref<16xi32>, %op: memref<16xi32>) -> i32 {
  %s0 = arith.constant 1 : i32
  %c7 = arith.constant 7 : i32
  %r = affine.for %i = 0 to 16 iter_args(%s = %s0) -> i32 {
    %x = affine.load %in[%i] : memref<16xi32>
    %k0 = affine.load %op[%i] : memref<16xi32>
    %k = arith.andi %k0, %c7 : i32
    %u = arith.addi %x, %s : i32
    %v = func.call @twice(%u, %k) : (i32, i32) -> i32
    affine.yield %v : i32
  }
  return %r : i32
}
