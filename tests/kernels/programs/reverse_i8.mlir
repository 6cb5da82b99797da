// A buffer of bytes, read backwards.
func.func @reverse(%x: memref<4096xi8>, %y: memref<4096xi8>) {
  %buffer = memref.alloc() : memref<4096xi8>
  affine.for %i = 0 to 4096 {
    %v = affine.load %x[%i] : memref<4096xi8>
    affine.store %v, %buffer[%i] : memref<4096xi8>
  }
  affine.for %i = 0 to 4096 {
    %v = affine.load %buffer[4095 - %i] : memref<4096xi8>
    affine.store %v, %y[%i] : memref<4096xi8>
  }
  return
}
