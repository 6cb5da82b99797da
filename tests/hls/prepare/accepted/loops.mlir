// Steps other than one, towards the end and back from it.
// expect: affine.for %arg1 = 0 to 4
func.func @steps(%a: memref<16xi32>) {
  affine.for %i = 1 to 15 step 4 {
    %x = affine.load %a[%i] : memref<16xi32>
    affine.store %x, %a[%i + 1] : memref<16xi32>
  }
  %c0 = arith.constant 0 : index
  %c15 = arith.constant 15 : index
  %c3 = arith.constant 3 : index
  scf.for %k = %c0 to %c15 step %c3 {
    %back = arith.subi %c15, %k : index
    %x = memref.load %a[%back] : memref<16xi32>
    memref.store %x, %a[%k] : memref<16xi32>
  }
  return
}
// -----
// Variables of 32 bits and loops over one another, with partial sums.
// expect: affine.for %arg1 = 0 to 5
// expect: affine.load %arg0[%arg1, %arg3 + 1]
// absent: scf
func.func @narrow(%a: memref<5x9xf64>) -> f64 {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %c5 = arith.constant 5 : i32
  %zero = arith.constant 0.0 : f64
  %sum = scf.for %i = %c0 to %c5 step %c1 iter_args(%outer = %zero) -> (f64) : i32 {
    %row = arith.index_cast %i : i32 to index
    %last = arith.addi %i, %c1 : i32
    %partial = scf.for %j = %c0 to %last step %c1 iter_args(%inner = %outer) -> (f64) : i32 {
      %next = arith.addi %j, %c1 : i32
      %column = arith.index_cast %next : i32 to index
      %x = memref.load %a[%row, %column] : memref<5x9xf64>
      %new = arith.addf %inner, %x : f64
      scf.yield %new : f64
    }
    scf.yield %partial : f64
  }
  return %sum : f64
}
// -----
// Tiles with a rest: the end is the least of two numbers.
// expect: min
func.func @tiles(%a: memref<30xf32>) {
  affine.for %tile = 0 to 30 step 8 {
    affine.for %i = affine_map<(d0) -> (d0)>(%tile) to min affine_map<(d0) -> (d0 + 8, 30)>(%tile) {
      %x = affine.load %a[%i] : memref<30xf32>
      %y = arith.addf %x, %x : f32
      affine.store %y, %a[%i] : memref<30xf32>
    }
  }
  return
}
// -----
// The same from scf with arith.minsi and affine.min.
// absent: scf
// expect: min
func.func @tiles_minimum(%a: memref<30xf32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c8 = arith.constant 8 : index
  %c30 = arith.constant 30 : index
  scf.for %tile = %c0 to %c30 step %c8 {
    %far = arith.addi %tile, %c8 : index
    %end = arith.minsi %far, %c30 : index
    scf.for %i = %tile to %end step %c1 {
      %x = memref.load %a[%i] : memref<30xf32>
      %y = arith.addf %x, %x : f32
      memref.store %y, %a[%i] : memref<30xf32>
    }
    %size = affine.min affine_map<(d0) -> (8, 30 - d0)>(%tile)
    scf.for %i = %c0 to %size step %c1 {
      %at = arith.addi %tile, %i : index
      %x = memref.load %a[%at] : memref<30xf32>
      memref.store %x, %a[%at] : memref<30xf32>
    }
  }
  return
}
// -----
// Loops without an iteration, and with one.
// absent: affine.for
func.func @few(%a: memref<4xf32>) -> f32 {
  %zero = arith.constant 0.0 : f32
  %none = affine.for %i = 3 to 3 iter_args(%x = %zero) -> (f32) {
    %y = affine.load %a[%i] : memref<4xf32>
    affine.yield %y : f32
  }
  affine.for %i = 2 to 3 {
    affine.store %none, %a[%i] : memref<4xf32>
  }
  return %none : f32
}
// -----
// Triangles, also upside down and empty at one end.
func.func @triangles(%a: memref<9x9xf32>) {
  affine.for %i = 0 to 9 {
    affine.for %j = affine_map<(d0) -> (d0 + 1)>(%i) to 9 {
      affine.for %k = max affine_map<(d0, d1) -> (d0, d1 - 3)>(%i, %j) to min affine_map<(d0) -> (d0 + 2, 9)>(%j) {
        %x = affine.load %a[%i, %k] : memref<9x9xf32>
        %y = affine.load %a[%k, %j] : memref<9x9xf32>
        %z = arith.addf %x, %y : f32
        affine.store %z, %a[%j, %i] : memref<9x9xf32>
      }
    }
  }
  return
}
// -----
// A number of iterations that only the call knows stays a symbol.
// expect: affine.for %arg2 = 0 to %1
// expect: affine.for %arg2 = 0 to %5
func.func @run_time(%n: i32, %a: memref<128xi8>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %mask = arith.constant 63 : i32
  %few = arith.andi %n, %mask : i32
  %end = arith.index_cast %few : i32 to index
  scf.for %i = %c0 to %end step %c1 {
    %x = memref.load %a[%i] : memref<128xi8>
    %y = arith.addi %x, %x : i8
    memref.store %y, %a[%i] : memref<128xi8>
  }
  %loaded = memref.load %a[%c0] : memref<128xi8>
  %wide = arith.extui %loaded : i8 to i32
  %c2 = arith.constant 2 : i32
  %less = arith.shrui %wide, %c2 : i32
  %count = arith.index_cast %less : i32 to index
  scf.for %i = %c0 to %count step %c1 {
    memref.store %loaded, %a[%i] : memref<128xi8>
  }
  return
}
// -----
// Loops in parallel, with and without a reduction.
// absent: parallel
func.func @together(%a: memref<8x9xf32>) -> f32 {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %c8 = arith.constant 8 : index
  %zero = arith.constant 0.0 : f32
  %s = affine.parallel (%i, %j) = (0, 0) to (8, 9) step (1, 2) reduce ("addf") -> f32 {
    %x = affine.load %a[%i, %j] : memref<8x9xf32>
    affine.yield %x : f32
  }
  %t = scf.parallel (%i, %j) = (%c0, %c0) to (%c8, %c8) step (%c1, %c2) init (%zero) -> f32 {
    %x = memref.load %a[%i, %j] : memref<8x9xf32>
    scf.reduce(%x : f32) {
    ^bb0(%l: f32, %r: f32):
      %m = arith.addf %l, %r : f32
      scf.reduce.return %m : f32
    }
  }
  affine.parallel (%i) = (0) to (8) {
    affine.store %s, %a[%i, 0] : memref<8x9xf32>
  }
  %u = arith.addf %s, %t : f32
  return %u : f32
}
// -----
// Labels and branches that are a loop.
// expect: affine.for
func.func @labels(%a: memref<16xf32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c16 = arith.constant 16 : index
  cf.br ^head(%c0 : index)
^head(%i: index):
  %lt = arith.cmpi slt, %i, %c16 : index
  cf.cond_br %lt, ^body, ^end
^body:
  %x = memref.load %a[%i] : memref<16xf32>
  %y = arith.addf %x, %x : f32
  memref.store %y, %a[%i] : memref<16xf32>
  %next = arith.addi %i, %c1 : index
  cf.br ^head(%next : index)
^end:
  return
}
// -----
// Bounds that are data stay; a step other than one would need a division to count. A condition around such loops is one.
// expect: scf.for
// expect: scf.while
// absent: scf.if
func.func @open(%ends: memref<9xi32>, %a: memref<64xf32>, %n: i32) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c3 = arith.constant 3 : index
  %zero = arith.constant 0 : i32
  %c63 = arith.constant 63 : i32
  affine.for %i = 0 to 8 {
    %e = affine.load %ends[%i] : memref<9xi32>
    %inside = arith.andi %e, %c63 : i32
    %end = arith.index_cast %inside : i32 to index
    scf.for %j = %c0 to %end step %c1 {
      %x = memref.load %a[%j] : memref<64xf32>
      memref.store %x, %a[%i] : memref<64xf32>
    }
    %some = arith.cmpi sgt, %n, %zero : i32
    scf.if %some {
      scf.for %j = %c0 to %end step %c3 {
        %x = memref.load %a[%i] : memref<64xf32>
        memref.store %x, %a[%j] : memref<64xf32>
      }
    }
  }
  return
}
// -----
// The counter is read after its loop, which may have no iteration at all.
func.func @counter(%n: i32, %end: i32, %a: memref<3xi32>) -> i32 {
  %one = arith.constant 1 : i32
  %zero = arith.constant 0 : index
  %first = arith.constant 1 : index
  %mask = arith.constant 63 : i32
  %start = arith.andi %n, %mask : i32
  %limit = arith.andi %end, %mask : i32
  %count, %sum = scf.while (%i = %start, %s = %n) : (i32, i32) -> (i32, i32) {
    %goes = arith.cmpi slt, %i, %limit : i32
    scf.condition(%goes) %i, %s : i32, i32
  } do {
  ^bb0(%i: i32, %s: i32):
    %next = arith.addi %i, %one : i32
    %t = arith.addi %s, %i : i32
    scf.yield %next, %t : i32, i32
  }
  memref.store %count, %a[%zero] : memref<3xi32>
  memref.store %sum, %a[%first] : memref<3xi32>
  return %count : i32
}
// -----
// Steps of three, of an index.
func.func @strides(%n: i32, %a: memref<1xi32>) {
  %three = arith.constant 3 : index
  %zero = arith.constant 0 : index
  %limit = arith.constant 40 : index
  %mask = arith.constant 63 : i32
  %low = arith.andi %n, %mask : i32
  %start = arith.index_cast %low : i32 to index
  %count = scf.while (%i = %start) : (index) -> index {
    %goes = arith.cmpi slt, %i, %limit : index
    scf.condition(%goes) %i : index
  } do {
  ^bb0(%i: index):
    %next = arith.addi %i, %three : index
    scf.yield %next : index
  }
  %end = arith.index_cast %count : index to i32
  memref.store %end, %a[%zero] : memref<1xi32>
  return
}

// -----
// A loop that never runs is gone before anything is concluded from its counter, which has no values:
// of the two bounds of the loop inside each would be above the other.
// absent: affine.for
func.func @kernel(%x: memref<16xf32>) {
  affine.for %i = 2 to 2 {
    affine.for %j = 0 to min affine_map<(d0) -> (d0 + 1, 3)>(%i) {
      %v = affine.load %x[%j] : memref<16xf32>
      affine.store %v, %x[%j + 1] : memref<16xf32>
    }
  }
  return
}
// -----
// The same in parallel; a sum of nothing is the neutral element.
// absent: affine.for
func.func @kernel(%x: memref<16xi32>) {
  %sum = affine.parallel (%i, %k) = (0, 3) to (4, 3) reduce ("addi") -> (i32) {
    %last = affine.for %j = max affine_map<(d0) -> (d0 * 2, d0 + 1)>(%k) to 13 step 3 iter_args(%m = %k) -> (index) {
      affine.yield %j : index
    }
    %n = arith.index_cast %last : index to i32
    affine.yield %n : i32
  }
  affine.store %sum, %x[0] : memref<16xi32>
  return
}
// -----
// absent: affine.for
func.func @kernel(%x: memref<16xi32>) {
  affine.parallel (%i, %k) = (0, 0) to (0, 0) {
    %last = affine.for %j = max affine_map<(d0, d1) -> (d0 + d0, d1 + 1)>(%i, %k) to 13 step 3 iter_args(%m = %k) -> (index) {
      affine.yield %j : index
    }
    %n = arith.index_cast %last : index to i32
    affine.store %n, %x[%k] : memref<16xi32>
  }
  return
}
// -----
// Bounds that the counters around never let meet: from 5 or more to 3.
// absent: affine.for %arg2
func.func @kernel(%x: memref<16xi32>) {
  affine.for %i = 5 to 9 {
    %v = affine.load %x[%i] : memref<16xi32>
    affine.store %v, %x[%i - 5] : memref<16xi32>
    affine.for %j = affine_map<(d0) -> (d0)>(%i) to 3 {
      affine.for %k = max affine_map<(d0) -> (d0 * 2, d0 + 1)>(%j) to 13 step 3 {
        affine.store %v, %x[%k] : memref<16xi32>
      }
    }
  }
  return
}
// -----
// Steps from the largest of several numbers that are multiples of the step apart: affine.
// expect: affine.for %arg3 = max
// absent: scf
func.func @late_start(%a: memref<24xi32>, %b: memref<24xi32>) {
  affine.for %i = 0 to 6 {
    affine.for %j = max affine_map<(d0) -> (d0 * 2 - 4, 0)>(%i) to min affine_map<(d0) -> (d0 * 2 + 5, 24)>(%i) step 2 {
      %x = affine.load %a[%j] : memref<24xi32>
      %y = affine.load %b[%j] : memref<24xi32>
      %z = arith.addi %x, %y : i32
      affine.store %z, %b[%j] : memref<24xi32>
    }
  }
  return
}
// -----
// Others count as data do, and so do loops and conditions that look at their variable.
// expect: scf.while
func.func @late_start_of_data(%n: index, %a: memref<24xi32>, %b: memref<24xi32>) -> i32 {
  %zero = arith.constant 0 : i32
  %sum = affine.for %i = max affine_map<()[s0] -> (s0, 2)>()[%n] to 20 step 3 iter_args(%s = %zero) -> (i32) {
    %row = affine.for %j = affine_map<(d0) -> (d0 - 2)>(%i) to min affine_map<(d0) -> (d0 + 3, 22)>(%i) step 2 iter_args(%t = %s) -> (i32) {
      %x = affine.load %a[%j + 1] : memref<24xi32>
      %y = affine.if affine_set<(d0, d1) : (d0 * 2 - d1 - 9 >= 0)>(%j, %i) -> i32 {
        affine.yield %x : i32
      } else {
        affine.store %x, %b[%i] : memref<24xi32>
        affine.yield %t : i32
      }
      %z = arith.addi %t, %y : i32
      affine.yield %z : i32
    }
    affine.yield %row : i32
  }
  return %sum : i32
}
// -----
// Branches inside a loop, in a region of their own.
func.func @branches(%a: memref<8xi32>, %k: i32) -> i32 {
  %c0 = arith.constant 0 : i32
  %r = affine.for %i = 0 to 8 iter_args(%s = %c0) -> i32 {
    %x = affine.load %a[%i] : memref<8xi32>
    %y = scf.execute_region -> i32 {
      %p = arith.cmpi slt, %x, %k : i32
      cf.cond_br %p, ^l, ^g
    ^l:
      %t = arith.addi %s, %x : i32
      scf.yield %t : i32
    ^g:
      %u = arith.subi %s, %x : i32
      cf.br ^m(%u : i32)
    ^m(%w: i32):
      %v = arith.muli %w, %k : i32
      scf.yield %v : i32
    }
    affine.yield %y : i32
  }
  return %r : i32
}
// -----
// A loop of tosa, whose counter is a tensor.
// absent: tosa.while_loop
func.func @tosa_loop(%a: tensor<4xi32>) -> tensor<4xi32> {
  %0 = "tosa.const"() <{values = dense<0> : tensor<i32>}> : () -> tensor<i32>
  %n = "tosa.const"() <{values = dense<3> : tensor<i32>}> : () -> tensor<i32>
  %one = "tosa.const"() <{values = dense<1> : tensor<i32>}> : () -> tensor<i32>
  %r:2 = tosa.while_loop (%i = %0, %x = %a) : (tensor<i32>, tensor<4xi32>) -> (tensor<i32>, tensor<4xi32>) {
    %g = tosa.greater %n, %i : (tensor<i32>, tensor<i32>) -> tensor<i1>
    tosa.yield %g : tensor<i1>
  } do {
  ^bb0(%i: tensor<i32>, %x: tensor<4xi32>):
    %j = tosa.add %i, %one : (tensor<i32>, tensor<i32>) -> tensor<i32>
    %y = tosa.add %x, %x : (tensor<4xi32>, tensor<4xi32>) -> tensor<4xi32>
    tosa.yield %j, %y : tensor<i32>, tensor<4xi32>
  }
  return %r#1 : tensor<4xi32>
}
// -----
// As many iterations as the type of the counter has no number for; and one, and none.
func.func @wide(%a: i32) -> (i32, i32, i32) {
  %first = arith.constant -8 : i8
  %step = arith.constant 1 : i8
  %end = arith.constant 120 : i8
  %r = scf.for %i = %first to %end step %step iter_args(%s = %a) -> (i32) : i8 {
    %e = arith.extsi %i : i8 to i32
    %m = arith.muli %s, %e : i32
    %w = arith.addi %m, %e : i32
    scf.yield %w : i32
  }
  %last = arith.constant 119 : i8
  %most = arith.constant 127 : i8
  %eight = arith.constant 8 : i8
  %one, %two = scf.for %i = %last to %most step %eight iter_args(%s = %a, %t = %r) -> (i32, i32) : i8 {
    %e = arith.extsi %i : i8 to i32
    %w = arith.subi %s, %e : i32
    scf.yield %t, %w : i32, i32
  }
  %none = scf.for %i = %end to %first step %step iter_args(%s = %two) -> (i32) : i8 {
    scf.yield %a : i32
  }
  return %r, %one, %none : i32, i32, i32
}
// -----
// Counters without a sign: -8 is 248.
func.func @withoutSign(%a: i32) -> (i32, i32) {
  %first = arith.constant 1 : i8
  %step = arith.constant 50 : i8
  %end = arith.constant -8 : i8
  %r = scf.for unsigned %i = %first to %end step %step iter_args(%s = %a) -> (i32) : i8 {
    %e = arith.extui %i : i8 to i32
    %m = arith.muli %s, %e : i32
    scf.yield %m : i32
  }
  %none = scf.for unsigned %i = %end to %first step %step iter_args(%s = %r) -> (i32) : i8 {
    scf.yield %a : i32
  }
  return %r, %none : i32, i32
}
// -----
// What runs in parallel and writes places of its own.
// absent: scf
func.func @each(%a: memref<4xi32>, %t: tensor<4x4xi32>) -> tensor<4x4xi32> {
  scf.forall (%i) in (4) {
    %v = memref.load %a[%i] : memref<4xi32>
    %w = arith.addi %v, %v : i32
    memref.store %w, %a[%i] : memref<4xi32>
  }
  %e = tensor.empty() : tensor<4x4xi32>
  %r = scf.forall (%i, %j) = (0, 0) to (4, 4) step (2, 2) shared_outs(%out = %e) -> (tensor<4x4xi32>) {
    %s = tensor.extract_slice %t[%j, %i] [2, 2] [1, 1] : tensor<4x4xi32> to tensor<2x2xi32>
    %q = arith.addi %s, %s : tensor<2x2xi32>
    scf.forall.in_parallel {
      tensor.parallel_insert_slice %q into %out[%i, %j] [2, 2] [1, 1] : tensor<2x2xi32> into tensor<4x4xi32>
    }
  }
  return %r : tensor<4x4xi32>
}
// -----
// The same where shapes are open.
// bind: 0=5
func.func @wideOfOpen(%a: tensor<?xi32>) -> tensor<?xi32> {
  %first = arith.constant -128 : i8
  %step = arith.constant 15 : i8
  %end = arith.constant 127 : i8
  %r = scf.for %i = %first to %end step %step iter_args(%s = %a) -> (tensor<?xi32>) : i8 {
    %v = arith.addi %s, %a : tensor<?xi32>
    scf.yield %v : tensor<?xi32>
  }
  return %r : tensor<?xi32>
}
