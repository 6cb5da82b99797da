// digit sums: while inside while inside for, results carried
func.func @digits(%a: memref<8xi32>, %out: memref<8xi32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c8 = arith.constant 8 : index
  %z = arith.constant 0 : i32
  %ten = arith.constant 10 : i32
  %nine = arith.constant 9 : i32
  %one = arith.constant 1 : i32
  scf.for %i = %c0 to %c8 step %c1 {
    %x0 = memref.load %a[%i] : memref<8xi32>
    %x = arith.shrui %x0, %one : i32
    %r = scf.while (%v = %x) : (i32) -> i32 {
      %big = arith.cmpi ugt, %v, %nine : i32
      scf.condition(%big) %v : i32
    } do {
    ^bb0(%v: i32):
      %s:2 = scf.while (%w = %v, %acc = %z) : (i32, i32) -> (i32, i32) {
        %nz = arith.cmpi ne, %w, %z : i32
        scf.condition(%nz) %w, %acc : i32, i32
      } do {
      ^bb0(%w: i32, %acc: i32):
        %q = arith.divui %w, %ten : i32
        %m = arith.remui %w, %ten : i32
        %n = arith.addi %acc, %m : i32
        scf.yield %q, %n : i32, i32
      }
      scf.yield %s#1 : i32
    }
    memref.store %r, %out[%i] : memref<8xi32>
  }
  return
}
