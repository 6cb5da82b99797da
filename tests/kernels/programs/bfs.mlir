// Breadth-first search: a queue that the loop fills while it empties it; the neighbours of a node lie between two words of memory.
func.func @bfs(%seeds: memref<24xi32>, %distance: memref<12xi32>) -> i32 {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c12 = arith.constant 12 : index
  %none = arith.constant -1 : i32
  %zero = arith.constant 0 : i32
  %one = arith.constant 1 : i32
  %seven = arith.constant 7 : i32
  %ends = memref.alloc() : memref<13xi32>
  %queue = memref.alloc() : memref<12xi32>
  memref.store %zero, %ends[%c0] : memref<13xi32>
  scf.for %i = %c0 to %c12 step %c1 {
    memref.store %none, %distance[%i] : memref<12xi32>
    %e = memref.load %ends[%i] : memref<13xi32>
    %s = memref.load %seeds[%i] : memref<24xi32>
    %two = arith.andi %s, %one : i32
    %n0 = arith.addi %two, %one : i32
    %n = arith.addi %e, %n0 : i32
    %i1 = arith.addi %i, %c1 : index
    memref.store %n, %ends[%i1] : memref<13xi32>
  }
  memref.store %zero, %distance[%c0] : memref<12xi32>
  memref.store %zero, %queue[%c0] : memref<12xi32>
  %last:2 = scf.while (%head = %c0, %tail = %c1) : (index, index) -> (index, index) {
    %waits = arith.cmpi ult, %head, %tail : index
    scf.condition(%waits) %head, %tail : index, index
  } do {
  ^bb0(%head: index, %tail: index):
    %node32 = memref.load %queue[%head] : memref<12xi32>
    %node = arith.index_cast %node32 : i32 to index
    %node1 = arith.addi %node, %c1 : index
    %d = memref.load %distance[%node] : memref<12xi32>
    %d1 = arith.addi %d, %one : i32
    %from32 = memref.load %ends[%node] : memref<13xi32>
    %to32 = memref.load %ends[%node1] : memref<13xi32>
    %from = arith.index_cast %from32 : i32 to index
    %to = arith.index_cast %to32 : i32 to index
    %new_tail = scf.for %k = %from to %to step %c1 iter_args(%t = %tail) -> (index) {
      %raw = memref.load %seeds[%k] : memref<24xi32>
      %low = arith.andi %raw, %seven : i32
      %next = arith.addi %low, %one : i32
      %at = arith.index_cast %next : i32 to index
      %known = memref.load %distance[%at] : memref<12xi32>
      %is_new = arith.cmpi slt, %known, %zero : i32
      %t2 = scf.if %is_new -> index {
        memref.store %d1, %distance[%at] : memref<12xi32>
        memref.store %next, %queue[%t] : memref<12xi32>
        %t1 = arith.addi %t, %c1 : index
        scf.yield %t1 : index
      } else {
        scf.yield %t : index
      }
      scf.yield %t2 : index
    }
    %head1 = arith.addi %head, %c1 : index
    scf.yield %head1, %new_tail : index, index
  }
  %reached = arith.index_cast %last#1 : index to i32
  return %reached : i32
}
