// The inner loop ends where the key fits: a condition that reads memory only inside the array.
func.func @insertion_sort(%a: memref<16xi32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c16 = arith.constant 16 : index
  %false = arith.constant false
  scf.for %i = %c1 to %c16 step %c1 {
    %key = memref.load %a[%i] : memref<16xi32>
    %place = scf.while (%j = %i) : (index) -> index {
      %inside = arith.cmpi sgt, %j, %c0 : index
      %moves = scf.if %inside -> i1 {
        %before = arith.subi %j, %c1 : index
        %other = memref.load %a[%before] : memref<16xi32>
        %larger = arith.cmpi sgt, %other, %key : i32
        scf.yield %larger : i1
      } else {
        scf.yield %false : i1
      }
      scf.condition(%moves) %j : index
    } do {
    ^bb0(%j: index):
      %before = arith.subi %j, %c1 : index
      %other = memref.load %a[%before] : memref<16xi32>
      memref.store %other, %a[%j] : memref<16xi32>
      scf.yield %before : index
    }
    memref.store %key, %a[%place] : memref<16xi32>
  }
  return
}
