// Rosetta 3d-rendering: pixels of a triangle, its box decided by data, a z buffer.
func.func @raster(%tri: memref<3x2xi8>, %z: i8, %buffer: memref<8x8xi8>) -> i32 {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %m7 = arith.constant 7 : i8
  %zero = arith.constant 0 : i32
  %onei = arith.constant 1 : i32
  %x0r = memref.load %tri[%c0, %c0] : memref<3x2xi8>
  %y0r = memref.load %tri[%c0, %c1] : memref<3x2xi8>
  %x1r = memref.load %tri[%c1, %c0] : memref<3x2xi8>
  %y1r = memref.load %tri[%c1, %c1] : memref<3x2xi8>
  %x2r = memref.load %tri[%c2, %c0] : memref<3x2xi8>
  %y2r = memref.load %tri[%c2, %c1] : memref<3x2xi8>
  %x0 = arith.andi %x0r, %m7 : i8
  %y0 = arith.andi %y0r, %m7 : i8
  %x1 = arith.andi %x1r, %m7 : i8
  %y1 = arith.andi %y1r, %m7 : i8
  %x2 = arith.andi %x2r, %m7 : i8
  %y2 = arith.andi %y2r, %m7 : i8
  %lx0 = arith.minsi %x0, %x1 : i8
  %lx = arith.minsi %lx0, %x2 : i8
  %hx0 = arith.maxsi %x0, %x1 : i8
  %hx = arith.maxsi %hx0, %x2 : i8
  %ly0 = arith.minsi %y0, %y1 : i8
  %ly = arith.minsi %ly0, %y2 : i8
  %hy0 = arith.maxsi %y0, %y1 : i8
  %hy = arith.maxsi %hy0, %y2 : i8
  %ilx = arith.index_cast %lx : i8 to index
  %ihx0 = arith.index_cast %hx : i8 to index
  %ihx = arith.addi %ihx0, %c1 : index
  %ily = arith.index_cast %ly : i8 to index
  %ihy0 = arith.index_cast %hy : i8 to index
  %ihy = arith.addi %ihy0, %c1 : index
  %count = scf.for %y = %ily to %ihy step %c1 iter_args(%n0 = %zero) -> (i32) {
    %row = scf.for %x = %ilx to %ihx step %c1 iter_args(%n = %n0) -> (i32) {
      %xi = arith.index_cast %x : index to i32
      %yi = arith.index_cast %y : index to i32
      %ax = arith.extsi %x0 : i8 to i32
      %ay = arith.extsi %y0 : i8 to i32
      %bx = arith.extsi %x1 : i8 to i32
      %by = arith.extsi %y1 : i8 to i32
      %cx = arith.extsi %x2 : i8 to i32
      %cy = arith.extsi %y2 : i8 to i32
      %d0 = arith.subi %xi, %ax : i32
      %d1 = arith.subi %by, %ay : i32
      %p0 = arith.muli %d0, %d1 : i32
      %d2 = arith.subi %yi, %ay : i32
      %d3 = arith.subi %bx, %ax : i32
      %p1 = arith.muli %d2, %d3 : i32
      %e0 = arith.subi %p0, %p1 : i32
      %d4 = arith.subi %xi, %bx : i32
      %d5 = arith.subi %cy, %by : i32
      %p2 = arith.muli %d4, %d5 : i32
      %d6 = arith.subi %yi, %by : i32
      %d7 = arith.subi %cx, %bx : i32
      %p3 = arith.muli %d6, %d7 : i32
      %e1 = arith.subi %p2, %p3 : i32
      %i0 = arith.cmpi sge, %e0, %zero : i32
      %i1 = arith.cmpi sge, %e1, %zero : i32
      %in = arith.andi %i0, %i1 : i1
      %r = scf.if %in -> (i32) {
        %old = memref.load %buffer[%y, %x] : memref<8x8xi8>
        %near = arith.cmpi ult, %z, %old : i8
        %m = scf.if %near -> (i32) {
          memref.store %z, %buffer[%y, %x] : memref<8x8xi8>
          %more = arith.addi %n, %onei : i32
          scf.yield %more : i32
        } else {
          scf.yield %n : i32
        }
        scf.yield %m : i32
      } else {
        scf.yield %n : i32
      }
      scf.yield %r : i32
    }
    scf.yield %row : i32
  }
  return %count : i32
}
