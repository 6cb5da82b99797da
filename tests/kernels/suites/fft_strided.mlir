// MachSuite fft/strided: span halves; rootindex by shifts; while loops
func.func @fft(%real: memref<16xf64>, %img: memref<16xf64>, %real_twid: memref<8xf64>, %img_twid: memref<8xf64>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c8 = arith.constant 8 : index
  %c16 = arith.constant 16 : index
  %log0 = arith.constant 0 : i32
  %c1i = arith.constant 1 : i32
  %r:2 = scf.while (%span = %c8, %log = %log0) : (index, i32) -> (index, i32) {
    %go = arith.cmpi ne, %span, %c0 : index
    scf.condition(%go) %span, %log : index, i32
  } do {
  ^bb0(%span: index, %log: i32):
    %x = scf.while (%odd = %span) : (index) -> index {
      %in = arith.cmpi ult, %odd, %c16 : index
      scf.condition(%in) %odd : index
    } do {
    ^bb0(%odd0: index):
      %odd = arith.ori %odd0, %span : index
      %even = arith.xori %odd, %span : index
      %a = memref.load %real[%even] : memref<16xf64>
      %b = memref.load %real[%odd] : memref<16xf64>
      %s = arith.addf %a, %b : f64
      %d = arith.subf %a, %b : f64
      memref.store %d, %real[%odd] : memref<16xf64>
      memref.store %s, %real[%even] : memref<16xf64>
      %ai = memref.load %img[%even] : memref<16xf64>
      %bi = memref.load %img[%odd] : memref<16xf64>
      %si = arith.addf %ai, %bi : f64
      %di = arith.subf %ai, %bi : f64
      memref.store %di, %img[%odd] : memref<16xf64>
      memref.store %si, %img[%even] : memref<16xf64>
      %ev32 = arith.index_cast %even : index to i32
      %sh = arith.shli %ev32, %log : i32
      %c7 = arith.constant 7 : i32
      %root = arith.andi %sh, %c7 : i32
      %z = arith.cmpi ne, %root, %log0 : i32
      scf.if %z {
        %ri = arith.index_cast %root : i32 to index
        %tw = memref.load %real_twid[%ri] : memref<8xf64>
        %ti = memref.load %img_twid[%ri] : memref<8xf64>
        %p = arith.mulf %tw, %d : f64
        %q = arith.mulf %ti, %di : f64
        %n = arith.subf %p, %q : f64
        %p2 = arith.mulf %tw, %di : f64
        %q2 = arith.mulf %ti, %d : f64
        %n2 = arith.addf %p2, %q2 : f64
        memref.store %n2, %img[%odd] : memref<16xf64>
        memref.store %n, %real[%odd] : memref<16xf64>
      }
      %next = arith.addi %odd, %c1 : index
      scf.yield %next : index
    }
    %half = arith.shrui %span, %c1 : index
    %l1 = arith.addi %log, %c1i : i32
    scf.yield %half, %l1 : index, i32
  }
  return
}
