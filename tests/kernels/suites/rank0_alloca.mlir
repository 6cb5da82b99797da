// cgeist -O0: locals as alloca of rank 0 and rank 1
func.func @minmax(%a: memref<32xi32>, %out: memref<2xi32>) {
  %m = memref.alloca() : memref<i32>
  %x = memref.alloca() : memref<1xi32>
  %c0 = arith.constant 0 : index
  %v = memref.load %a[%c0] : memref<32xi32>
  memref.store %v, %m[] : memref<i32>
  affine.store %v, %x[0] : memref<1xi32>
  affine.for %i = 1 to 32 {
    %e = affine.load %a[%i] : memref<32xi32>
    %o = affine.load %m[] : memref<i32>
    %lt = arith.cmpi slt, %e, %o : i32
    scf.if %lt {
      affine.store %e, %m[] : memref<i32>
    }
    %p = affine.load %x[0] : memref<1xi32>
    %gt = arith.cmpi sgt, %e, %p : i32
    scf.if %gt {
      affine.store %e, %x[0] : memref<1xi32>
    }
  }
  %r = affine.load %m[] : memref<i32>
  %s = affine.load %x[0] : memref<1xi32>
  affine.store %r, %out[0] : memref<2xi32>
  affine.store %s, %out[1] : memref<2xi32>
  return
}
