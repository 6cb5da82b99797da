// A function with a condition and another call, called in an affine loop.
// top: top
// absent: call
func.func private @add(%a: i16, %b: i16) -> i16 {
  %x = arith.extsi %a : i16 to i32
  %y = arith.extsi %b : i16 to i32
  %s = arith.addi %x, %y : i32
  %most = arith.constant 32767 : i32
  %u = arith.minsi %s, %most : i32
  %r = arith.trunci %u : i32 to i16
  return %r : i16
}
func.func private @product(%a: i16, %b: i16) -> i16 {
  %least = arith.constant -32768 : i16
  %is_least = arith.cmpi eq, %a, %least : i16
  %r = scf.if %is_least -> i16 {
    %most = arith.constant 32767 : i16
    scf.yield %most : i16
  } else {
    %p = arith.muli %a, %b : i16
    %q = func.call @add(%p, %b) : (i16, i16) -> i16
    scf.yield %q : i16
  }
  return %r : i16
}
func.func @top(%s: memref<40xi16>, %k: memref<8xi16>) {
  affine.for %i = 0 to 40 {
    %a = affine.load %s[%i] : memref<40xi16>
    %b = affine.load %k[%i mod 8] : memref<8xi16>
    %m = func.call @product(%a, %b) : (i16, i16) -> i16
    affine.store %m, %s[%i] : memref<40xi16>
  }
  return
}
// -----
// Loops up to an argument and accesses at arguments, which are symbols of the function and none in the loops around its call.
// top: top
// absent: call
func.func private @dot(%a: memref<6x6xf32>, %b: memref<6x6xf32>, %i: index, %j: index, %n: index) -> f32 {
  %zero = arith.constant 0.0 : f32
  %r = affine.for %k = 0 to %n iter_args(%s = %zero) -> f32 {
    %x = affine.load %a[symbol(%i), %k] : memref<6x6xf32>
    %y = affine.load %b[%k, symbol(%j)] : memref<6x6xf32>
    %p = arith.mulf %x, %y : f32
    %t = arith.addf %s, %p : f32
    affine.yield %t : f32
  }
  return %r : f32
}
func.func @top(%a: memref<6x6xf32>, %b: memref<6x6xf32>, %c: memref<6x6xf32>) {
  %six = arith.constant 6 : index
  affine.for %i = 0 to 6 {
    affine.for %j = 0 to 6 {
      %last = affine.apply affine_map<(d0, d1) -> (d0 - d1 floordiv 2)>(%i, %j)
      %some = arith.minui %last, %six : index
      %s = func.call @dot(%a, %b, %i, %j, %some) : (memref<6x6xf32>, memref<6x6xf32>, index, index, index) -> f32
      affine.store %s, %c[%i, %j] : memref<6x6xf32>
    }
  }
  return
}
// -----
// A bound that the function reads, a condition on it, an access at it; called twice, once within a loop.
// top: top
// absent: call
func.func private @shift(%a: memref<16xi32>, %from: memref<4xi32>, %which: index) {
  %three = arith.constant 3 : i32
  %n32 = memref.load %from[%which] : memref<4xi32>
  %low = arith.andi %n32, %three : i32
  %n = arith.index_cast %low : i32 to index
  affine.for %i = 0 to %n {
    affine.if affine_set<(d0)[s0] : (s0 - d0 - 2 >= 0)>(%i)[%n] {
      %x = affine.load %a[%i + symbol(%n) + 4] : memref<16xi32>
      affine.store %x, %a[%i] : memref<16xi32>
    }
  }
  return
}
func.func @top(%a: memref<16xi32>, %from: memref<4xi32>) {
  %zero = arith.constant 0 : index
  call @shift(%a, %from, %zero) : (memref<16xi32>, memref<4xi32>, index) -> ()
  affine.for %i = 0 to 4 {
    func.call @shift(%a, %from, %i) : (memref<16xi32>, memref<4xi32>, index) -> ()
  }
  return
}
