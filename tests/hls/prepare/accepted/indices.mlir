// Indices in arrays are numbers of 64 bits; as addresses they are cut to size.
// expect: memref<8xi64> {hls.index}
// absent: memref<8xindex>
func.func @arrays(%x: memref<8xindex>, %y: memref<8xi32>, %z: memref<8xindex>) {
  %c7 = arith.constant 7 : index
  %big = arith.constant 4294967296 : index
  %local = memref.alloc() : memref<8xindex>
  affine.for %i = 0 to 8 {
    %v = affine.load %x[%i] : memref<8xindex>
    %far = arith.muli %v, %big : index
    %farther = arith.addi %far, %i : index
    affine.store %farther, %local[%i] : memref<8xindex>
  }
  affine.for %i = 0 to 8 {
    %v = affine.load %local[%i] : memref<8xindex>
    %at = arith.andi %v, %c7 : index
    %w = memref.load %y[%at] : memref<8xi32>
    affine.store %w, %y[%i] : memref<8xi32>
    affine.store %v, %z[%i] : memref<8xindex>
  }
  return
}
// -----
// Carried and returned.
// expect: {hls.index}
// absent: iter_args(%arg3 = %c0) -> (index)
func.func @sums(%x: memref<6xindex>, %n: index) -> (index, index, i1) {
  %c0 = arith.constant 0 : index
  %c1000003 = arith.constant 1000003 : index
  %s, %last = affine.for %i = 0 to 6 iter_args(%a = %c0, %b = %n) -> (index, index) {
    %v = affine.load %x[%i] : memref<6xindex>
    %m = arith.muli %a, %c1000003 : index
    %t = arith.addi %m, %v : index
    %u = arith.addi %t, %i : index
    %d = arith.subi %b, %i : index
    affine.yield %u, %d : index, index
  }
  %isLess = arith.cmpi slt, %s, %last : index
  return %s, %last, %isLess : index, index, i1
}
// -----
// The position of the largest element.
func.func @largest(%x: memref<9xi32>, %r: memref<1xindex>) -> index {
  %c0 = arith.constant 0 : index
  %p = affine.for %i = 1 to 9 iter_args(%best = %c0) -> (index) {
    %v = affine.load %x[%i] : memref<9xi32>
    %w = memref.load %x[%best] : memref<9xi32>
    %isMore = arith.cmpi sgt, %v, %w : i32
    %next = scf.if %isMore -> (index) {
      scf.yield %i : index
    } else {
      scf.yield %best : index
    }
    affine.yield %next : index
  }
  memref.store %p, %r[%c0] : memref<1xindex>
  return %p : index
}
// -----
// Numbers that pass through an index keep all their bits.
func.func @through(%x: memref<8xi64>, %y: memref<8xi64>, %z: memref<8xi1>, %n: index) {
  %c1 = arith.constant 1 : index
  %shift = arith.constant 33 : i64
  affine.for %i = 0 to 8 {
    %v = affine.load %x[%i] : memref<8xi64>
    %w = arith.shli %v, %shift : i64
    %j = arith.index_cast %w : i64 to index
    %k = arith.addi %j, %c1 : index
    %m = arith.maxsi %k, %n : index
    %isMore = arith.cmpi sgt, %k, %n : index
    %r = arith.index_cast %m : index to i64
    affine.store %r, %y[%i] : memref<8xi64>
    affine.store %isMore, %z[%i] : memref<8xi1>
  }
  return
}
// -----
// Quotients of indices that are addresses.
func.func @quotients(%x: memref<8xi32>, %y: memref<8xi32>) {
  %c7 = arith.constant 7 : index
  %c3 = arith.constant 3 : index
  affine.for %i = 0 to 8 {
    %v = affine.load %x[%i] : memref<8xi32>
    %j = arith.index_cast %v : i32 to index
    %q = arith.divsi %j, %c3 : index
    %at = arith.andi %q, %c7 : index
    %w = memref.load %y[%at] : memref<8xi32>
    affine.store %w, %x[%i] : memref<8xi32>
  }
  return
}
// -----
// A table of indices.
memref.global "private" constant @order : memref<4xindex> = dense<[3, 1, 0, 2]>
func.func @table(%x: memref<4xi32>, %y: memref<4xi32>) {
  %order = memref.get_global @order : memref<4xindex>
  affine.for %i = 0 to 4 {
    %j = affine.load %order[%i] : memref<4xindex>
    %v = memref.load %x[%j] : memref<4xi32>
    affine.store %v, %y[%i] : memref<4xi32>
  }
  return
}
// -----
// Subscripts that only together stay inside the array.
func.func @inside(%x: memref<8xi32>, %y: memref<5xi32>, %n: index) {
  affine.for %i = 0 to 8 {
    affine.for %j = 0 to affine_map<(d0) -> (d0 + 1)>(%i) {
      %v = affine.load %x[%i - %j] : memref<8xi32>
      affine.if affine_set<(d0, d1) : (4 - d0 - d1 >= 0)>(%i, %j) {
        affine.store %v, %y[%i + %j] : memref<5xi32>
      } else {
        affine.store %v, %y[(%i + %j) mod 5] : memref<5xi32>
      }
    }
  }
  affine.for %i = 5 to 3 {
    %v = affine.load %x[%i + 20] : memref<8xi32>
    affine.store %v, %y[%i] : memref<5xi32>
  }
  return
}
// -----
// A symbol of affine expressions that is computed in a loop, of a number of 64 bits.
// absent: index_castui
func.func @symbol_in_a_loop(%s: i32, %a: memref<16xi32>, %y: memref<8xi32>) {
  %c28 = arith.constant 28 : index
  %natural = arith.index_castui %s : i32 to index
  affine.for %i = 0 to 8 {
    %high = arith.shrui %natural, %c28 : index
    %v = memref.load %a[%high] : memref<16xi32>
    affine.store %v, %y[%i] : memref<8xi32>
  }
  return
}

// -----
// A remainder of numbers that do not begin at a multiple, within a division and beside a bound.
func.func @kernel(%x: memref<6xi32>, %y: memref<8xi32>) {
  affine.for %i = 1 to 6 {
    %v = affine.load %x[3 + 2 * (((%i + %i) mod 3) mod 2)] : memref<6xi32>
    %w = affine.load %x[((%i * 2) mod 3) floordiv 2] : memref<6xi32>
    affine.store %v, %y[%i] : memref<8xi32>
    affine.for %j = max affine_map<(d0) -> ((d0 * 2) mod 3, 1)>(%i) to 6 {
      affine.store %w, %x[%j] : memref<6xi32>
    }
  }
  return
}

// -----
// There and back by fewer bits is no way back to the same number.
func.func @kernel(%x: memref<8xi32>) {
  affine.for %i = 0 to 8 {
    %a = arith.index_castui %i : index to i1
    %b = arith.index_castui %a : i1 to index
    %c = arith.index_cast %i : index to i3
    %d = arith.index_cast %c : i3 to index
    %v = arith.index_cast %d : index to i32
    memref.store %v, %x[%b] : memref<8xi32>
    affine.store %v, %x[%i] : memref<8xi32>
  }
  return
}
// -----
// The dialect index: an address that arith makes of it.
func.func @other_dialect(%a: memref<16xi32>) -> i32 {
  %c0 = index.constant 0
  %c1 = index.constant 1
  %c16 = index.constant 16
  %c3 = index.constant 3
  %z = arith.constant 0 : i32
  %r = scf.for %i = %c0 to %c16 step %c1 iter_args(%s = %z) -> i32 {
    %j = index.mul %i, %c3
    %k = index.remu %j, %c16
    %x = memref.load %a[%k] : memref<16xi32>
    %e = index.casts %k : index to i32
    %y = arith.muli %x, %e : i32
    %t = arith.addi %s, %y : i32
    scf.yield %t : i32
  }
  return %r : i32
}
// -----
// Bounds that multiply and divide by what is data.
func.func @bounds(%n: index, %k: i32, %x: memref<64xf32>) {
  %c1 = arith.constant 1 : index
  %c3 = arith.constant 3 : i32
  %low = arith.andi %k, %c3 : i32
  %part = arith.index_cast %low : i32 to index
  %m = arith.addi %part, %c1 : index
  affine.for %i = 0 to 8 {
    affine.for %j = affine_map<(d0)[s0] -> (d0 mod s0)>(%i)[%m] to min affine_map<(d0)[s0] -> (d0 * s0, 64, (d0 + 60) floordiv s0)>(%i)[%m] step 2 {
      %v = affine.load %x[%j] : memref<64xf32>
      %w = arith.addf %v, %v : f32
      affine.store %w, %x[63 - %j] : memref<64xf32>
    }
  }
  return
}
// -----
// So do minima, conditions and what a loop carries.
func.func @others(%k: i32, %x: memref<64xf32>) -> (f32, index) {
  %c1 = arith.constant 1 : index
  %c0 = arith.constant 0 : index
  %c3 = arith.constant 3 : i32
  %zero = arith.constant 0.0 : f32
  %low = arith.andi %k, %c3 : i32
  %part = arith.index_cast %low : i32 to index
  %m = arith.addi %part, %c1 : index
  %r:2 = affine.for %i = 0 to affine_map<()[s0] -> (s0 * s0)>()[%m] iter_args(%s = %zero, %t = %c0) -> (f32, index) {
    %j = affine.min affine_map<(d0)[s0] -> (d0 * s0, 63)>(%i)[%m]
    %l = affine.max affine_map<(d0)[s0] -> (d0 ceildiv s0, 5)>(%i)[%m]
    %a = memref.load %x[%j] : memref<64xf32>
    %b = memref.load %x[%l] : memref<64xf32>
    %c = affine.if affine_set<(d0)[s0] : (d0 - s0 * s0 + 4 >= 0, d0 mod s0 == 0)>(%i)[%m] -> f32 {
      %d = arith.mulf %a, %b : f32
      affine.yield %d : f32
    } else {
      affine.yield %a : f32
    }
    %u = arith.addf %s, %c : f32
    %n = arith.addi %t, %l : index
    affine.yield %u, %n : f32, index
  }
  return %r#0, %r#1 : f32, index
}
// -----
// Iterations side by side.
func.func @parallel(%n: i32, %x: memref<64xf32>) {
  %c3 = arith.constant 3 : i32
  %c1 = arith.constant 1 : index
  %low = arith.andi %n, %c3 : i32
  %part = arith.index_cast %low : i32 to index
  %m = arith.addi %part, %c1 : index
  affine.parallel (%i, %j) = (0, 0) to (symbol(%m), symbol(%m) * symbol(%m)) {
    %v = affine.load %x[%i * 16 + %j] : memref<64xf32>
    %w = arith.addf %v, %v : f32
    affine.store %w, %x[%i * 16 + %j] : memref<64xf32>
  }
  return
}
// -----
// Operations of two results.
func.func @extended(%x: index, %n: index) -> (index, index, index, index, index, i1) {
  %low, %high = arith.mulsi_extended %x, %n : index
  %ulow, %uhigh = arith.mului_extended %x, %n : index
  %sum, %carry = arith.addui_extended %high, %uhigh : index, i1
  return %low, %high, %ulow, %uhigh, %sum, %carry : index, index, index, index, index, i1
}
