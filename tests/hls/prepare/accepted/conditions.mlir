// A condition on loop variables, with an alternative and results.
func.func @affine_else(%a: memref<8x8xf32>) {
  affine.for %i = 0 to 8 {
    affine.for %j = 0 to 8 {
      %x = affine.if affine_set<(d0, d1) : (d0 - d1 >= 0, 5 - d0 >= 0)>(%i, %j) -> f32 {
        %y = affine.load %a[%j, %i] : memref<8x8xf32>
        affine.yield %y : f32
      } else {
        %y = affine.load %a[%i, %j] : memref<8x8xf32>
        %z = arith.addf %y, %y : f32
        affine.yield %z : f32
      }
      affine.store %x, %a[%i, %j] : memref<8x8xf32>
    }
  }
  return
}
// -----
// The same from scf: comparisons, and, or, not equal.
// expect: affine.if
// absent: scf.if
func.func @scf_conditions(%a: memref<16xi32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c7 = arith.constant 7 : index
  %c16 = arith.constant 16 : index
  %one = arith.constant 1 : i32
  scf.for %i = %c0 to %c16 step %c1 {
    %lt = arith.cmpi ult, %i, %c7 : index
    %ne = arith.cmpi ne, %i, %c1 : index
    %ge = arith.cmpi sge, %i, %c1 : index
    %x = memref.load %a[%i] : memref<16xi32>
    %y = arith.addi %x, %one : i32
    scf.if %ne {
      memref.store %y, %a[%i] : memref<16xi32>
    }
    %and = arith.andi %lt, %ge : i1
    %z = scf.if %and -> (i32) {
      %v = memref.load %a[%c0] : memref<16xi32>
      scf.yield %v : i32
    } else {
      scf.yield %y : i32
    }
    memref.store %z, %a[%i] : memref<16xi32>
    %gt = arith.cmpi sgt, %i, %c7 : index
    %eq = arith.cmpi eq, %i, %c0 : index
    %first = arith.cmpi slt, %i, %c1 : index
    %or = arith.ori %gt, %first : i1
    scf.if %or {
      memref.store %one, %a[%i] : memref<16xi32>
    } else {
      memref.store %x, %a[%c1] : memref<16xi32>
    }
  }
  return
}
// -----
// A condition on data stays; it may hold stores.
// expect: scf.if
func.func @data(%a: memref<16xf32>, %b: memref<16xf32>) {
  affine.for %i = 0 to 15 {
    %x = affine.load %a[%i] : memref<16xf32>
    %y = affine.load %b[%i] : memref<16xf32>
    %gt = arith.cmpf ogt, %x, %y : f32
    scf.if %gt {
      affine.store %y, %a[%i] : memref<16xf32>
      affine.store %x, %a[%i + 1] : memref<16xf32>
    } else {
      %z = arith.mulf %x, %y : f32
      affine.store %z, %b[%i] : memref<16xf32>
    }
  }
  return
}
// -----
// Loops behind a condition: the condition goes inside.
func.func @around_loops(%flag: i1, %a: memref<8x8xf32>) -> f32 {
  %zero = arith.constant 0.0 : f32
  affine.for %i = 0 to 8 {
    affine.if affine_set<(d0) : (d0 - 3 >= 0)>(%i) {
      %x = affine.load %a[%i, 0] : memref<8x8xf32>
      affine.for %j = 0 to 8 {
        %y = affine.load %a[%i, %j] : memref<8x8xf32>
        %z = arith.addf %x, %y : f32
        affine.store %z, %a[%i, %j] : memref<8x8xf32>
      }
      affine.store %x, %a[0, %i] : memref<8x8xf32>
    } else {
      affine.for %j = 0 to 8 {
        affine.for %k = 0 to 3 {
          %y = affine.load %a[%j, %k] : memref<8x8xf32>
          %z = arith.mulf %y, %y : f32
          affine.store %z, %a[%i, %k] : memref<8x8xf32>
        }
      }
    }
  }
  %sum = scf.if %flag -> (f32) {
    %inner = affine.for %i = 0 to 8 iter_args(%s = %zero) -> (f32) {
      %row = affine.for %j = 0 to 8 iter_args(%t = %s) -> (f32) {
        %y = affine.load %a[%i, %j] : memref<8x8xf32>
        %u = arith.addf %t, %y : f32
        affine.yield %u : f32
      }
      affine.yield %row : f32
    }
    %more = arith.addf %inner, %inner : f32
    scf.yield %more : f32
  } else {
    %c0 = arith.constant 0 : index
    %y = memref.load %a[%c0, %c0] : memref<8x8xf32>
    scf.yield %y : f32
  }
  return %sum : f32
}
// -----
// A switch.
func.func @cases(%a: memref<12xi32>) {
  %c3 = arith.constant 3 : index
  affine.for %i = 0 to 12 {
    %case = arith.remui %i, %c3 : index
    %x = affine.load %a[%i] : memref<12xi32>
    %y = scf.index_switch %case -> i32
    case 0 {
      %z = arith.addi %x, %x : i32
      scf.yield %z : i32
    }
    case 2 {
      %z = arith.muli %x, %x : i32
      scf.yield %z : i32
    }
    default {
      scf.yield %x : i32
    }
    affine.store %y, %a[%i] : memref<12xi32>
  }
  return
}
// -----
// Blocks inside of an operation, in a loop and with two ends.
// absent: scf.execute_region
// absent: cf.cond_br
func.func @blocks_in_an_operation(%a: memref<8xi32>, %o: memref<8xi32>, %t: i32) -> i32 {
  affine.for %i = 0 to 8 {
    %x = affine.load %a[%i] : memref<8xi32>
    %r = scf.execute_region -> i32 {
      %z = arith.constant 0 : i32
      %c = arith.cmpi sgt, %x, %z : i32
      cf.cond_br %c, ^a, ^b
    ^a:
      %d = arith.addi %x, %x : i32
      cf.br ^e(%d : i32)
    ^b:
      %n = arith.subi %z, %x : i32
      cf.br ^e(%n : i32)
    ^e(%v: i32):
      scf.yield %v : i32
    }
    affine.store %r, %o[%i] : memref<8xi32>
  }
  %s = scf.execute_region -> i32 {
    %c0 = arith.constant 0 : index
    %x = memref.load %a[%c0] : memref<8xi32>
    %c = arith.cmpi sgt, %x, %t : i32
    cf.cond_br %c, ^a, ^b
  ^a:
    scf.yield %x : i32
  ^b:
    %m = arith.constant -1 : i32
    scf.yield %m : i32
  }
  return %s : i32
}
