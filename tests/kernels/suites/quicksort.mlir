// Quicksort with a stack of ranges, as cgeist leaves a C program.
func.func @quicksort(%a: memref<16xi32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %zero = arith.constant 0 : i32
  %one = arith.constant 1 : i32
  %fifteen = arith.constant 15 : i32
  %lo = memref.alloca() : memref<32xi32>
  %hi = memref.alloca() : memref<32xi32>
  memref.store %zero, %lo[%c0] : memref<32xi32>
  memref.store %fifteen, %hi[%c0] : memref<32xi32>
  %top = scf.while (%n = %one) : (i32) -> i32 {
    %go = arith.cmpi sgt, %n, %zero : i32
    scf.condition(%go) %n : i32
  } do {
  ^bb0(%n: i32):
    %m = arith.subi %n, %one : i32
    %at = arith.index_cast %m : i32 to index
    %l = memref.load %lo[%at] : memref<32xi32>
    %h = memref.load %hi[%at] : memref<32xi32>
    %has = arith.cmpi slt, %l, %h : i32
    %next = scf.if %has -> (i32) {
      %hx = arith.index_cast %h : i32 to index
      %pivot = memref.load %a[%hx] : memref<16xi32>
      %lx = arith.index_cast %l : i32 to index
      %p = scf.for %j = %lx to %hx step %c1 iter_args(%i = %l) -> (i32) {
        %v = memref.load %a[%j] : memref<16xi32>
        %small = arith.cmpi sle, %v, %pivot : i32
        %k = scf.if %small -> (i32) {
          %ix = arith.index_cast %i : i32 to index
          %w = memref.load %a[%ix] : memref<16xi32>
          memref.store %v, %a[%ix] : memref<16xi32>
          memref.store %w, %a[%j] : memref<16xi32>
          %i1 = arith.addi %i, %one : i32
          scf.yield %i1 : i32
        } else {
          scf.yield %i : i32
        }
        scf.yield %k : i32
      }
      %px = arith.index_cast %p : i32 to index
      %w = memref.load %a[%px] : memref<16xi32>
      memref.store %pivot, %a[%px] : memref<16xi32>
      memref.store %w, %a[%hx] : memref<16xi32>
      %pm = arith.subi %p, %one : i32
      %pp = arith.addi %p, %one : i32
      memref.store %l, %lo[%at] : memref<32xi32>
      memref.store %pm, %hi[%at] : memref<32xi32>
      %at1 = arith.addi %at, %c1 : index
      memref.store %pp, %lo[%at1] : memref<32xi32>
      memref.store %h, %hi[%at1] : memref<32xi32>
      %two = arith.constant 2 : i32
      %r = arith.addi %m, %two : i32
      scf.yield %r : i32
    } else {
      scf.yield %m : i32
    }
    scf.yield %next : i32
  }
  return
}
