func.func @kernel_2mm(%alpha: i32, %beta: i32, %tmp: memref<10x10xi32>, %A: memref<10x10xi32>, %B: memref<10x10xi32>, %C: memref<10x10xi32>, %D: memref<10x10xi32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c10 = arith.constant 10 : index
  %z = arith.constant 0 : i32
  scf.for %i = %c0 to %c10 step %c1 {
    scf.for %j = %c0 to %c10 step %c1 {
      memref.store %z, %tmp[%i, %j] : memref<10x10xi32>
      scf.for %k = %c0 to %c10 step %c1 {
        %a = memref.load %A[%i, %k] : memref<10x10xi32>
        %b = memref.load %B[%k, %j] : memref<10x10xi32>
        %p = arith.muli %alpha, %a : i32
        %q = arith.muli %p, %b : i32
        %t = memref.load %tmp[%i, %j] : memref<10x10xi32>
        %s = arith.addi %t, %q : i32
        memref.store %s, %tmp[%i, %j] : memref<10x10xi32>
      }
    }
  }
  scf.for %i = %c0 to %c10 step %c1 {
    scf.for %l = %c0 to %c10 step %c1 {
      %d = memref.load %D[%i, %l] : memref<10x10xi32>
      %e = arith.muli %d, %beta : i32
      memref.store %e, %D[%i, %l] : memref<10x10xi32>
      scf.for %k = %c0 to %c10 step %c1 {
        %t = memref.load %tmp[%i, %k] : memref<10x10xi32>
        %c = memref.load %C[%k, %l] : memref<10x10xi32>
        %p = arith.muli %t, %c : i32
        %f = memref.load %D[%i, %l] : memref<10x10xi32>
        %s = arith.addi %f, %p : i32
        memref.store %s, %D[%i, %l] : memref<10x10xi32>
      }
    }
  }
  return
}
