// An element written into a bound tensor.
// bind: 0=6
func.func @insert(%a: tensor<?xf32>, %x: f32) -> tensor<?xf32> {
  %c2 = arith.constant 2 : index
  %r = tensor.insert %x into %a[%c2] : tensor<?xf32>
  return %r : tensor<?xf32>
}
// -----
// A bound tensor as the one that is written.
// bind: 0=4x5
func.func @fill(%a: tensor<?x?xf32>, %x: f32) -> tensor<?x?xf32> {
  %r = linalg.fill ins(%x : f32) outs(%a : tensor<?x?xf32>) -> tensor<?x?xf32>
  return %r : tensor<?x?xf32>
}
// -----
// All three.
// bind: 0=3x4,1=4x5,2=3x5
func.func @matmul(%a: tensor<?x?xf32>, %b: tensor<?x?xf32>, %c: tensor<?x?xf32>) -> tensor<?x?xf32> {
  %r = linalg.matmul ins(%a, %b : tensor<?x?xf32>, tensor<?x?xf32>) outs(%c : tensor<?x?xf32>) -> tensor<?x?xf32>
  return %r : tensor<?x?xf32>
}
// -----
// Element by element, also conditions and choices.
// bind: 0=3x4,1=3x4
func.func @elementwise(%a: tensor<?x?xf32>, %b: tensor<?x?xf32>) -> tensor<?x?xf32> {
  %s = arith.addf %a, %b : tensor<?x?xf32>
  %n = arith.negf %s : tensor<?x?xf32>
  %e = math.absf %n : tensor<?x?xf32>
  %c = arith.cmpf ogt, %e, %a : tensor<?x?xf32>
  %r = arith.select %c, %e, %b : tensor<?x?xi1>, tensor<?x?xf32>
  return %r : tensor<?x?xf32>
}
// -----
// What is read element by element has one shape: the other is as large.
// bind: 0=3x4
func.func @one_bound(%a: tensor<?x?xf32>, %b: tensor<?x?xf32>) -> tensor<?x?xf32> {
  %s = arith.addf %a, %b : tensor<?x?xf32>
  return %s : tensor<?x?xf32>
}
// -----
// Element by element to another type.
// bind: 0=7
func.func @convert(%a: tensor<?xi32>) -> tensor<?xf32> {
  %s = arith.sitofp %a : tensor<?xi32> to tensor<?xf32>
  return %s : tensor<?xf32>
}
// -----
// A loop carries it.
// bind: 0=6
func.func @for(%a: tensor<?xf32>, %x: f32) -> tensor<?xf32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %n = tensor.dim %a, %c0 : tensor<?xf32>
  %r = scf.for %i = %c0 to %n step %c1 iter_args(%t = %a) -> (tensor<?xf32>) {
    %v = tensor.extract %t[%i] : tensor<?xf32>
    %w = arith.addf %v, %x : f32
    %u = tensor.insert %w into %t[%i] : tensor<?xf32>
    scf.yield %u : tensor<?xf32>
  }
  return %r : tensor<?xf32>
}
// -----
// A loop carries a sum of two.
// bind: 0=6,1=6
func.func @for_ew(%a: tensor<?xf32>, %b: tensor<?xf32>) -> tensor<?xf32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c3 = arith.constant 3 : index
  %r = scf.for %i = %c0 to %c3 step %c1 iter_args(%t = %a) -> (tensor<?xf32>) {
    %u = arith.addf %t, %b : tensor<?xf32>
    scf.yield %u : tensor<?xf32>
  }
  return %r : tensor<?xf32>
}
// -----
// A loop carries two that change places.
// bind: 0=6,1=6
func.func @for_swap(%a: tensor<?xf32>, %b: tensor<?xf32>) -> (tensor<?xf32>, tensor<?xf32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c3 = arith.constant 3 : index
  %r:2 = scf.for %i = %c0 to %c3 step %c1 iter_args(%t = %a, %s = %b) -> (tensor<?xf32>, tensor<?xf32>) {
    %u = arith.addf %t, %s : tensor<?xf32>
    scf.yield %s, %u : tensor<?xf32>, tensor<?xf32>
  }
  return %r#0, %r#1 : tensor<?xf32>, tensor<?xf32>
}
// -----
// A condition gives it.
// bind: 1=6,2=6
func.func @if(%k: i1, %a: tensor<?xf32>, %b: tensor<?xf32>) -> tensor<?xf32> {
  %r = scf.if %k -> tensor<?xf32> {
    %u = arith.addf %a, %b : tensor<?xf32>
    scf.yield %u : tensor<?xf32>
  } else {
    scf.yield %b : tensor<?xf32>
  }
  return %r : tensor<?xf32>
}
// -----
// A choice between two.
// bind: 1=6,2=6
func.func @select(%k: i1, %a: tensor<?xf32>, %b: tensor<?xf32>) -> tensor<?xf32> {
  %r = arith.select %k, %a, %b : tensor<?xf32>
  return %r : tensor<?xf32>
}
// -----
// It is the result.
// bind: 0=5
func.func @return(%a: tensor<?xf32>) -> tensor<?xf32> {
  return %a : tensor<?xf32>
}
// -----
// With a border.
// bind: 0=5
func.func @pad(%a: tensor<?xf32>, %x: f32) -> tensor<?xf32> {
  %r = tensor.pad %a low[1] high[2] {
  ^bb0(%i: index):
    tensor.yield %x : f32
  } : tensor<?xf32> to tensor<?xf32>
  return %r : tensor<?xf32>
}
// -----
// In a row.
// bind: 0=3x4
func.func @collapse(%a: tensor<?x?xf32>) -> tensor<?xf32> {
  %r = tensor.collapse_shape %a [[0, 1]] : tensor<?x?xf32> into tensor<?xf32>
  return %r : tensor<?xf32>
}
// -----
// In rows of four, as many as there are.
// bind: 0=12
func.func @expand(%a: tensor<?xf32>) -> tensor<?x4xf32> {
  %c0 = arith.constant 0 : index
  %c4 = arith.constant 4 : index
  %n = tensor.dim %a, %c0 : tensor<?xf32>
  %m = arith.divui %n, %c4 : index
  %r = tensor.expand_shape %a [[0, 1]] output_shape [%m, 4] : tensor<?xf32> into tensor<?x4xf32>
  return %r : tensor<?x4xf32>
}
// -----
// Rows and columns change places, in a tensor of sizes that the program asks for.
// bind: 0=3x4
func.func @transpose(%a: tensor<?x?xf32>) -> tensor<?x?xf32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %n = tensor.dim %a, %c0 : tensor<?x?xf32>
  %m = tensor.dim %a, %c1 : tensor<?x?xf32>
  %e = tensor.empty(%m, %n) : tensor<?x?xf32>
  %r = linalg.transpose ins(%a : tensor<?x?xf32>) outs(%e : tensor<?x?xf32>) permutation = [1, 0]
  return %r : tensor<?x?xf32>
}
// -----
// A loop that data end carries it.
// bind: 0=6
func.func @while(%a: tensor<?xi32>, %n: i32) -> tensor<?xi32> {
  %c0 = arith.constant 0 : index
  %one = arith.constant 1 : i32
  %r:2 = scf.while (%t = %a, %k = %n) : (tensor<?xi32>, i32) -> (tensor<?xi32>, i32) {
    %v = tensor.extract %t[%c0] : tensor<?xi32>
    %low = arith.constant 3 : i32
    %m = arith.andi %k, %low : i32
    %z = arith.constant 0 : i32
    %go = arith.cmpi ne, %m, %z : i32
    scf.condition(%go) %t, %k : tensor<?xi32>, i32
  } do {
  ^bb0(%t: tensor<?xi32>, %k: i32):
    %u = arith.addi %t, %t : tensor<?xi32>
    %j = arith.subi %k, %one : i32
    scf.yield %u, %j : tensor<?xi32>, i32
  }
  return %r#0 : tensor<?xi32>
}
// -----
// Each element computed, as many as there are.
// bind: 0=6
func.func @generate(%a: tensor<?xf32>) -> tensor<?xf32> {
  %c0 = arith.constant 0 : index
  %n = tensor.dim %a, %c0 : tensor<?xf32>
  %r = tensor.generate %n {
  ^bb0(%i: index):
    %v = tensor.extract %a[%i] : tensor<?xf32>
    %w = arith.mulf %v, %v : f32
    tensor.yield %w : f32
  } : tensor<?xf32>
  return %r : tensor<?xf32>
}
// -----
// As many as a bound number says.
// bind: 0=6
func.func @generate_n(%n: index, %x: f32) -> tensor<?xf32> {
  %r = tensor.generate %n {
  ^bb0(%i: index):
    %k = arith.index_cast %i : index to i32
    %v = arith.sitofp %k : i32 to f32
    %w = arith.mulf %v, %x : f32
    tensor.yield %w : f32
  } : tensor<?xf32>
  return %r : tensor<?xf32>
}
// -----
// Functions take open ones and give open ones.
// bind: 0=6,1=6
func.func private @g(%a: tensor<?xf32>, %b: tensor<?xf32>) -> tensor<?xf32> {
  %s = arith.mulf %a, %b : tensor<?xf32>
  return %s : tensor<?xf32>
}
func.func @f_call(%a: tensor<?xf32>, %b: tensor<?xf32>) -> tensor<?xf32> {
  %s = call @g(%a, %b) : (tensor<?xf32>, tensor<?xf32>) -> tensor<?xf32>
  %t = call @g(%s, %b) : (tensor<?xf32>, tensor<?xf32>) -> tensor<?xf32>
  return %t : tensor<?xf32>
}
// -----
// A part of it, of a size that the program computes.
// bind: 0=6
func.func @slice(%a: tensor<?xf32>) -> tensor<?xf32> {
  %c0 = arith.constant 0 : index
  %c2 = arith.constant 2 : index
  %n = tensor.dim %a, %c0 : tensor<?xf32>
  %m = arith.subi %n, %c2 : index
  %s = tensor.extract_slice %a[1] [%m] [1] : tensor<?xf32> to tensor<?xf32>
  %q = arith.addf %s, %s : tensor<?xf32>
  %r = tensor.insert_slice %q into %a[2] [%m] [1] : tensor<?xf32> into tensor<?xf32>
  return %r : tensor<?xf32>
}
// -----
// One behind the other.
// bind: 0=6,1=3
func.func @concat(%a: tensor<?xf32>, %b: tensor<?xf32>) -> tensor<?xf32> {
  %r = tensor.concat dim(0) %a, %b : (tensor<?xf32>, tensor<?xf32>) -> tensor<?xf32>
  return %r : tensor<?xf32>
}
// -----
// An operation that stands for several.
// bind: 0=3x4
func.func @softmax(%a: tensor<?x?xf32>, %o: tensor<?x?xf32>) -> tensor<?x?xf32> {
  %r = linalg.softmax dimension(1) ins(%a : tensor<?x?xf32>) outs(%o : tensor<?x?xf32>) -> tensor<?x?xf32>
  return %r : tensor<?x?xf32>
}
// -----
// The sums of the rows, added to what is bound by that.
// bind: 0=3x4
func.func @reduce(%a: tensor<?x?xf32>, %o: tensor<?xf32>) -> tensor<?xf32> {
  %r = linalg.reduce ins(%a : tensor<?x?xf32>) outs(%o : tensor<?xf32>) dimensions = [1]
    (%x: f32, %y: f32) { %s = arith.addf %x, %y : f32  linalg.yield %s : f32 }
  return %r : tensor<?xf32>
}
// -----
// A row many times.
// bind: 0=4,1=3x4
func.func @broadcast(%a: tensor<?xf32>, %o: tensor<?x?xf32>) -> tensor<?x?xf32> {
  %r = linalg.broadcast ins(%a : tensor<?xf32>) outs(%o : tensor<?x?xf32>) dimensions = [0]
  return %r : tensor<?x?xf32>
}
// -----
// A named operation of two.
// bind: 0=5,1=5,2=5
func.func @map(%a: tensor<?xf32>, %b: tensor<?xf32>, %o: tensor<?xf32>) -> tensor<?xf32> {
  %r = linalg.map { arith.mulf } ins(%a, %b : tensor<?xf32>, tensor<?xf32>) outs(%o : tensor<?xf32>)
  return %r : tensor<?xf32>
}
// -----
// A convolution asks for all its sizes.
// bind: 0=1x6x6x2,1=3x3x2x4
func.func @conv(%a: tensor<?x?x?x?xf32>, %k: tensor<?x?x?x?xf32>) -> tensor<?x?x?x?xf32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %c3 = arith.constant 3 : index
  %n = tensor.dim %a, %c0 : tensor<?x?x?x?xf32>
  %h = tensor.dim %a, %c1 : tensor<?x?x?x?xf32>
  %w = tensor.dim %a, %c2 : tensor<?x?x?x?xf32>
  %kh = tensor.dim %k, %c0 : tensor<?x?x?x?xf32>
  %kw = tensor.dim %k, %c1 : tensor<?x?x?x?xf32>
  %f = tensor.dim %k, %c3 : tensor<?x?x?x?xf32>
  %h1 = arith.subi %h, %kh : index
  %oh = arith.addi %h1, %c1 : index
  %w1 = arith.subi %w, %kw : index
  %ow = arith.addi %w1, %c1 : index
  %e = tensor.empty(%n, %oh, %ow, %f) : tensor<?x?x?x?xf32>
  %z = arith.constant 0.0 : f32
  %i = linalg.fill ins(%z : f32) outs(%e : tensor<?x?x?x?xf32>) -> tensor<?x?x?x?xf32>
  %r = linalg.conv_2d_nhwc_hwcf ins(%a, %k : tensor<?x?x?x?xf32>, tensor<?x?x?x?xf32>) outs(%i : tensor<?x?x?x?xf32>) -> tensor<?x?x?x?xf32>
  return %r : tensor<?x?x?x?xf32>
}
// -----
// Operations that infer their shapes.
// bind: 0=3x4,1=3x4
func.func @tosa(%a: tensor<?x?xf32>, %b: tensor<?x?xf32>) -> tensor<?x?xf32> {
  %s = tosa.add %a, %b : (tensor<?x?xf32>, tensor<?x?xf32>) -> tensor<?x?xf32>
  %r = tosa.clamp %s {min_val = 0.0 : f32, max_val = 6.0 : f32} : (tensor<?x?xf32>) -> tensor<?x?xf32>
  return %r : tensor<?x?xf32>
}
// -----
// Side by side.
// bind: 0=6
func.func @forall(%a: tensor<?xf32>) -> tensor<?xf32> {
  %c0 = arith.constant 0 : index
  %n = tensor.dim %a, %c0 : tensor<?xf32>
  %r = scf.forall (%i) in (%n) shared_outs(%o = %a) -> (tensor<?xf32>) {
    %v = tensor.extract %a[%i] : tensor<?xf32>
    %w = arith.addf %v, %v : f32
    %t = tensor.from_elements %w : tensor<1xf32>
    scf.forall.in_parallel {
      tensor.parallel_insert_slice %t into %o[%i] [1] [1] : tensor<1xf32> into tensor<?xf32>
    }
  }
  return %r : tensor<?xf32>
}
// -----
// Blocks take it.
// bind: 0=6
func.func @cf(%a: tensor<?xf32>, %n: i32) -> tensor<?xf32> {
  %z = arith.constant 0 : i32
  %k = arith.cmpi sgt, %n, %z : i32
  cf.cond_br %k, ^bb1, ^bb2(%a : tensor<?xf32>)
^bb1:
  %s = arith.addf %a, %a : tensor<?xf32>
  cf.br ^bb2(%s : tensor<?xf32>)
^bb2(%r: tensor<?xf32>):
  return %r : tensor<?xf32>
}
// -----
// Arrays: copied.
// bind: 0=6,1=6
func.func @m_copy(%a: memref<?xf32>, %b: memref<?xf32>) {
  memref.copy %a, %b : memref<?xf32> to memref<?xf32>
  return
}
// -----
// A local array as large as an argument.
// bind: 0=6
func.func @m_alloc(%a: memref<?xf32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %n = memref.dim %a, %c0 : memref<?xf32>
  %t = memref.alloc(%n) : memref<?xf32>
  memref.copy %a, %t : memref<?xf32> to memref<?xf32>
  scf.for %i = %c0 to %n step %c1 {
    %j = arith.subi %n, %i : index
    %k = arith.subi %j, %c1 : index
    %v = memref.load %t[%k] : memref<?xf32>
    memref.store %v, %a[%i] : memref<?xf32>
  }
  memref.dealloc %t : memref<?xf32>
  return
}
// -----
// Row by row.
// bind: 0=4x6
func.func @m_subview(%a: memref<?x?xf32>, %x: f32) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %n = memref.dim %a, %c0 : memref<?x?xf32>
  %m = memref.dim %a, %c1 : memref<?x?xf32>
  scf.for %i = %c0 to %n step %c1 {
    %row = memref.subview %a[%i, 0] [1, %m] [1, 1] : memref<?x?xf32> to memref<?xf32, strided<[1], offset: ?>>
    scf.for %j = %c0 to %m step %c1 {
      %v = memref.load %row[%j] : memref<?xf32, strided<[1], offset: ?>>
      %w = arith.addf %v, %x : f32
      memref.store %w, %row[%j] : memref<?xf32, strided<[1], offset: ?>>
    }
  }
  return
}
// -----
// In rows.
// bind: 0=12
func.func @m_reinterpret(%a: memref<?xf32>) {
  %v = memref.reinterpret_cast %a to offset: [0], sizes: [3, 4], strides: [4, 1] : memref<?xf32> to memref<3x4xf32>
  affine.for %i = 0 to 3 {
    affine.for %j = 0 to 4 {
      %x = affine.load %v[%i, %j] : memref<3x4xf32>
      %y = arith.addf %x, %x : f32
      affine.store %y, %v[%i, %j] : memref<3x4xf32>
    }
  }
  return
}
// -----
// A product into a cleared array.
// bind: 0=3x4,1=4x5,2=3x5
func.func @m_linalg(%a: memref<?x?xf32>, %b: memref<?x?xf32>, %c: memref<?x?xf32>) {
  %z = arith.constant 0.0 : f32
  linalg.fill ins(%z : f32) outs(%c : memref<?x?xf32>)
  linalg.matmul ins(%a, %b : memref<?x?xf32>, memref<?x?xf32>) outs(%c : memref<?x?xf32>)
  return
}
// -----
// In a row, asked for its length.
// bind: 0=3x4
func.func @m_collapse(%a: memref<?x?xf32>) {
  %c0 = arith.constant 0 : index
  %f = memref.collapse_shape %a [[0, 1]] : memref<?x?xf32> into memref<?xf32>
  %n = memref.dim %f, %c0 : memref<?xf32>
  affine.for %i = 0 to %n {
    %x = affine.load %f[%i] : memref<?xf32>
    %y = arith.addf %x, %x : f32
    affine.store %y, %f[%i] : memref<?xf32>
  }
  return
}
// -----
// Rows, as many as there are.
// bind: 0=12
func.func @m_expand(%a: memref<?xf32>, %n: index) {
  %c0 = arith.constant 0 : index
  %c4 = arith.constant 4 : index
  %n0 = memref.dim %a, %c0 : memref<?xf32>
  %m = arith.divui %n0, %c4 : index
  %f = memref.expand_shape %a [[0, 1]] output_shape [%m, 4] : memref<?xf32> into memref<?x4xf32>
  affine.for %i = 0 to %m {
    %x = affine.load %f[%i, 1] : memref<?x4xf32>
    %y = arith.addf %x, %x : f32
    affine.store %y, %f[%i, 2] : memref<?x4xf32>
  }
  return
}
// -----
// A function takes an open array.
// bind: 0=6
func.func private @g(%a: memref<?xf32>, %i: index) -> f32 {
  %x = memref.load %a[%i] : memref<?xf32>
  %y = arith.addf %x, %x : f32
  return %y : f32
}
func.func @m_call(%a: memref<?xf32>) {
  %c0 = arith.constant 0 : index
  %n = memref.dim %a, %c0 : memref<?xf32>
  affine.for %i = 0 to %n {
    %y = func.call @g(%a, %i) : (memref<?xf32>, index) -> f32
    affine.store %y, %a[%i] : memref<?xf32>
  }
  return
}
// -----
// A loop carries an array.
// bind: 0=6
func.func @m_for(%a: memref<?xf32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %n = memref.dim %a, %c0 : memref<?xf32>
  %r = scf.for %i = %c0 to %n step %c1 iter_args(%t = %a) -> (memref<?xf32>) {
    %v = memref.load %t[%i] : memref<?xf32>
    %w = arith.addf %v, %v : f32
    memref.store %w, %t[%i] : memref<?xf32>
    scf.yield %t : memref<?xf32>
  }
  return
}
// -----
// So does one that data could end.
// bind: 0=6
func.func @m_while(%a: memref<?xi32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %n = memref.dim %a, %c0 : memref<?xi32>
  %r:2 = scf.while (%t = %a, %i = %c0) : (memref<?xi32>, index) -> (memref<?xi32>, index) {
    %go = arith.cmpi ult, %i, %n : index
    scf.condition(%go) %t, %i : memref<?xi32>, index
  } do {
  ^bb0(%t: memref<?xi32>, %i: index):
    %v = memref.load %t[%i] : memref<?xi32>
    %w = arith.addi %v, %v : i32
    memref.store %w, %t[%i] : memref<?xi32>
    %j = arith.addi %i, %c1 : index
    scf.yield %t, %j : memref<?xi32>, index
  }
  return
}
// -----
// Blocks take it.
// bind: 0=6
func.func @m_cf(%a: memref<?xf32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %n = memref.dim %a, %c0 : memref<?xf32>
  cf.br ^bb1(%a, %c0 : memref<?xf32>, index)
^bb1(%t: memref<?xf32>, %i: index):
  %go = arith.cmpi slt, %i, %n : index
  cf.cond_br %go, ^bb2, ^bb3
^bb2:
  %v = memref.load %t[%i] : memref<?xf32>
  %w = arith.addf %v, %v : f32
  memref.store %w, %t[%i] : memref<?xf32>
  %j = arith.addi %i, %c1 : index
  cf.br ^bb1(%t, %j : memref<?xf32>, index)
^bb3:
  return
}
// -----
// An array read as a tensor, and written from one.
// bind: 0=6,1=6
func.func @m_to_tensor(%a: memref<?xf32>, %b: memref<?xf32>) {
  %t = bufferization.to_tensor %a restrict : memref<?xf32> to tensor<?xf32>
  %s = arith.addf %t, %t : tensor<?xf32>
  bufferization.materialize_in_destination %s in restrict writable %b : (tensor<?xf32>, memref<?xf32>) -> ()
  return
}
// -----
// An element of it is the result.
// bind: 0=6,1=4
func.func @m_return(%a: memref<?xf32>, %i: index) -> f32 {
  %x = memref.load %a[%i] : memref<?xf32>
  return %x : f32
}
// -----
// Rows and columns change places.
// bind: 0=3x4
func.func @m_transpose(%a: memref<?x?xf32>, %o: memref<4x3xf32>) {
  %t = memref.transpose %a (i, j) -> (j, i) : memref<?x?xf32> to memref<?x?xf32, affine_map<(d0, d1)[s0] -> (d1 * s0 + d0)>>
  affine.for %i = 0 to 4 {
    affine.for %j = 0 to 3 {
      %x = memref.load %t[%i, %j] : memref<?x?xf32, affine_map<(d0, d1)[s0] -> (d1 * s0 + d0)>>
      affine.store %x, %o[%i, %j] : memref<4x3xf32>
    }
  }
  return
}
// -----
// The program says itself how large it is.
// bind: 0=6
func.func @m_cast(%a: memref<?xf32>, %x: f32) {
  %s = memref.cast %a : memref<?xf32> to memref<6xf32>
  linalg.fill ins(%x : f32) outs(%s : memref<6xf32>)
  return
}
// -----
// Tensors too.
// bind: 0=6
func.func @t_cast(%a: tensor<?xf32>) -> tensor<6xf32> {
  %s = tensor.cast %a : tensor<?xf32> to tensor<6xf32>
  %r = arith.addf %s, %s : tensor<6xf32>
  return %r : tensor<6xf32>
}
// -----
// In a shape that is data.
// bind: 0=3x4
func.func @t_reshape(%a: tensor<?x?xf32>) -> tensor<?xf32> {
  %s = arith.constant dense<[12]> : tensor<1xindex>
  %r = tensor.reshape %a(%s) : (tensor<?x?xf32>, tensor<1xindex>) -> tensor<?xf32>
  return %r : tensor<?xf32>
}
// -----
// One number, as often as there are elements.
// bind: 0=6
func.func @splat(%a: tensor<?xf32>, %x: f32) -> tensor<?xf32> {
  %c0 = arith.constant 0 : index
  %n = tensor.dim %a, %c0 : tensor<?xf32>
  %s = tensor.splat %x[%n] : tensor<?xf32>
  %r = arith.mulf %a, %s : tensor<?xf32>
  return %r : tensor<?xf32>
}
// -----
// A condition in a loop.
// bind: 1=6
func.func @nested_if_for(%k: i1, %a: tensor<?xf32>) -> tensor<?xf32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %n = tensor.dim %a, %c0 : tensor<?xf32>
  %r = scf.for %i = %c0 to %n step %c1 iter_args(%t = %a) -> (tensor<?xf32>) {
    %q = scf.if %k -> tensor<?xf32> {
      %v = tensor.extract %a[%i] : tensor<?xf32>
      %w = arith.addf %v, %v : f32
      %u = tensor.insert %w into %t[%i] : tensor<?xf32>
      scf.yield %u : tensor<?xf32>
    } else {
      scf.yield %t : tensor<?xf32>
    }
    scf.yield %q : tensor<?xf32>
  }
  return %r : tensor<?xf32>
}
// -----
// One of several.
// bind: 1=6
func.func @index_switch(%k: index, %a: tensor<?xf32>) -> tensor<?xf32> {
  %r = scf.index_switch %k -> tensor<?xf32>
  case 1 {
    %u = arith.addf %a, %a : tensor<?xf32>
    scf.yield %u : tensor<?xf32>
  }
  default {
    scf.yield %a : tensor<?xf32>
  }
  return %r : tensor<?xf32>
}
// -----
// Known shapes: in other rows.
func.func @s_reshape(%a: tensor<3x4xf32>) -> tensor<2x6xf32> {
  %s = arith.constant dense<[2, 6]> : tensor<2xindex>
  %r = tensor.reshape %a(%s) : (tensor<3x4xf32>, tensor<2xindex>) -> tensor<2x6xf32>
  return %r : tensor<2x6xf32>
}
// -----
// One value is two results.
// bind: 0=4
func.func @cse2(%a: tensor<?xf32>) -> (tensor<?xf32>, tensor<?xf32>) {
  %s = arith.addf %a, %a : tensor<?xf32>
  %t = arith.addf %a, %a : tensor<?xf32>
  return %s, %t : tensor<?xf32>, tensor<?xf32>
}
// -----
// Rows and columns of sizes that are both bound.
// bind: 0=12,1=3,2=4
func.func @k6(%a: memref<?xf32>, %m: index, %k: index) -> f32 {
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %r = memref.expand_shape %a [[0, 1]] output_shape [%m, %k] : memref<?xf32> into memref<?x?xf32>
  %v = memref.load %r[%c1, %c2] : memref<?x?xf32>
  return %v : f32
}
// -----
// What is read beside a bound one is as large, also where nothing else is asked.
// bind: 1=6
func.func @dimo(%a: tensor<?xf32>, %b: tensor<?xf32>) -> index {
  %c0 = arith.constant 0 : index
  %q = arith.addf %a, %b : tensor<?xf32>
  %n = tensor.dim %q, %c0 : tensor<?xf32>
  return %n : index
}
// -----
// Known shapes: blocks that give a tensor or another one made of it.
func.func @joined(%x: tensor<4xf32>, %n: i1) -> tensor<4xf32> {
  cf.cond_br %n, ^bb1, ^bb2
^bb1:
  cf.br ^bb3(%x : tensor<4xf32>)
^bb2:
  %s = arith.addf %x, %x : tensor<4xf32>
  cf.br ^bb3(%s : tensor<4xf32>)
^bb3(%t: tensor<4xf32>):
  %u = arith.mulf %t, %t : tensor<4xf32>
  return %u : tensor<4xf32>
}
// -----
// Blocks write a tensor that they carry.
// bind: 0=5
func.func @cfloop(%a: tensor<?xf32>, %x: f32) -> tensor<?xf32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %n = tensor.dim %a, %c0 : tensor<?xf32>
  cf.br ^bb1(%a, %c0 : tensor<?xf32>, index)
^bb1(%t: tensor<?xf32>, %i: index):
  %go = arith.cmpi slt, %i, %n : index
  cf.cond_br %go, ^bb2, ^bb3
^bb2:
  %u = tensor.insert %x into %t[%i] : tensor<?xf32>
  %j = arith.addi %i, %c1 : index
  cf.br ^bb1(%u, %j : tensor<?xf32>, index)
^bb3:
  return %t : tensor<?xf32>
}
// -----
// A shape of integers.
// bind: 0=3x4
func.func @reshape32(%a: tensor<?x?xf32>) -> tensor<?x?xf32> {
  %s = arith.constant dense<[2, 6]> : tensor<2xi32>
  %r = tensor.reshape %a(%s) : (tensor<?x?xf32>, tensor<2xi32>) -> tensor<?x?xf32>
  return %r : tensor<?x?xf32>
}
// -----
// Parts of an array, of sizes that a loop counts.
// bind: 0=6
func.func @tiles(%a: memref<?xf32>, %x: f32) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %n = memref.dim %a, %c0 : memref<?xf32>
  scf.for %i = %c1 to %n step %c1 {
    %s = memref.subview %a[0] [%i] [1] : memref<?xf32> to memref<?xf32, strided<[1]>>
    linalg.fill ins(%x : f32) outs(%s : memref<?xf32, strided<[1]>>)
  }
  return
}
// -----
// Tiles, of which the last one is smaller.
// bind: 0=10,1=10
func.func @tiled(%a: tensor<?xf32>, %b: tensor<?xf32>) -> tensor<?xf32> {
  %c0 = arith.constant 0 : index
  %c4 = arith.constant 4 : index
  %n = tensor.dim %a, %c0 : tensor<?xf32>
  %r = scf.for %i = %c0 to %n step %c4 iter_args(%t = %b) -> (tensor<?xf32>) {
    %m = affine.min affine_map<(d0)[s0] -> (4, s0 - d0)>(%i)[%n]
    %p = tensor.extract_slice %a[%i] [%m] [1] : tensor<?xf32> to tensor<?xf32>
    %q = tensor.extract_slice %t[%i] [%m] [1] : tensor<?xf32> to tensor<?xf32>
    %s = linalg.add ins(%p, %p : tensor<?xf32>, tensor<?xf32>) outs(%q : tensor<?xf32>) -> tensor<?xf32>
    %u = tensor.insert_slice %s into %t[%i] [%m] [1] : tensor<?xf32> into tensor<?xf32>
    scf.yield %u : tensor<?xf32>
  }
  return %r : tensor<?xf32>
}
// -----
// An inner loop begins with what it still reads.
func.func @reads(%a: tensor<3xf32>) -> tensor<3xf32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %r = scf.for %i = %c0 to %c2 step %c1 iter_args(%t = %a) -> (tensor<3xf32>) {
    %r1 = scf.for %j = %c0 to %c2 step %c1 iter_args(%u = %t) -> (tensor<3xf32>) {
      %s = arith.addf %u, %t : tensor<3xf32>
      scf.yield %s : tensor<3xf32>
    }
    scf.yield %r1 : tensor<3xf32>
  }
  return %r : tensor<3xf32>
}
// -----
// The extent of a dimension that data choose, of arrays and tensors, known, bound or computed.
// bind: 1=3x7
func.func @chosen(%x: memref<4x8xi32>, %y: tensor<?x?xf32>, %flag: i1, %o: memref<3xindex>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %d = arith.select %flag, %c1, %c0 : index
  %n = memref.dim %x, %d : memref<4x8xi32>
  %m = tensor.dim %y, %d : tensor<?x?xf32>
  %cast = memref.cast %x : memref<4x8xi32> to memref<?x?xi32>
  %part = memref.subview %cast[0, 0] [%c2, %m] [1, 1] : memref<?x?xi32> to memref<?x?xi32, strided<[?, 1]>>
  %l = memref.dim %part, %d : memref<?x?xi32, strided<[?, 1]>>
  memref.store %n, %o[%c0] : memref<3xindex>
  memref.store %m, %o[%c1] : memref<3xindex>
  memref.store %l, %o[%c2] : memref<3xindex>
  return
}
// -----
// Rows looked up, in a bound table, at bound places.
// bind: 0=5x4
func.func @rows(%table: tensor<?x4xf32>, %flag: i1) -> tensor<?x?x4xf32> {
  %c3 = arith.constant 3 : index
  %places = arith.constant dense<[[4], [0], [2]]> : tensor<3x1xindex>
  %other = arith.constant dense<[[1], [1], [3]]> : tensor<3x1xindex>
  %chosen = arith.select %flag, %places, %other : tensor<3x1xindex>
  %found = tensor.gather %table[%chosen] gather_dims([0]) : (tensor<?x4xf32>, tensor<3x1xindex>) -> tensor<3x1x4xf32>
  %open = tensor.cast %found : tensor<3x1x4xf32> to tensor<?x?x4xf32>
  return %open : tensor<?x?x4xf32>
}
// -----
// bind: 1=3x1
func.func @places(%table: tensor<6x4xf32>, %numbers: tensor<?x1xi32>) -> tensor<?x4xf32> {
  %init = tensor.empty() : tensor<3x1xindex>
  %known = tensor.cast %numbers : tensor<?x1xi32> to tensor<3x1xi32>
  %places = linalg.generic {indexing_maps = [affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> (d0, d1)>], iterator_types = ["parallel", "parallel"]} ins(%known : tensor<3x1xi32>) outs(%init : tensor<3x1xindex>) {
  ^bb0(%in: i32, %out: index):
    %c5 = arith.constant 5 : i32
    %low = arith.andi %in, %c5 : i32
    %place = arith.index_cast %low : i32 to index
    linalg.yield %place : index
  } -> tensor<3x1xindex>
  %open = tensor.cast %places : tensor<3x1xindex> to tensor<?x1xindex>
  %found = tensor.gather %table[%open] gather_dims([0]) : (tensor<6x4xf32>, tensor<?x1xindex>) -> tensor<?x4xf32>
  return %found : tensor<?x4xf32>
}
// -----
// A copy of a bound tensor.
// bind: 0=5x4
func.func @copied(%a: tensor<?x4xf32>, %x: f32) -> (tensor<?x4xf32>, f32) {
  %c0 = arith.constant 0 : index
  %t = bufferization.alloc_tensor() copy(%a) : tensor<?x4xf32>
  %r = tensor.insert %x into %t[%c0, %c0] : tensor<?x4xf32>
  %first = tensor.extract %a[%c0, %c0] : tensor<?x4xf32>
  return %r, %first : tensor<?x4xf32>, f32
}
