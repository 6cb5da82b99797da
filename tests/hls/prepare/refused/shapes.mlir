// error: 9:5: error: a loop begins with 'tensor<6xf32>' and goes on with 'tensor<12xf32>', expected the same extents in each iteration
// bind: 0=6
func.func @grows(%a: tensor<?xf32>) -> tensor<?xf32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c3 = arith.constant 3 : index
  %r = scf.for %i = %c0 to %c3 step %c1 iter_args(%t = %a) -> (tensor<?xf32>) {
    %u = tensor.concat dim(0) %t, %t : (tensor<?xf32>, tensor<?xf32>) -> tensor<?xf32>
    scf.yield %u : tensor<?xf32>
  }
  return %r : tensor<?xf32>
}
// -----
// error: 11:5: error: a loop begins with 'tensor<6xf32>' and goes on with 'tensor<5xf32>', expected the same extents in each iteration
func.func @shrinks(%x: tensor<6xf32>) -> tensor<?xf32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c3 = arith.constant 3 : index
  %a = tensor.cast %x : tensor<6xf32> to tensor<?xf32>
  %r = scf.for %i = %c0 to %c3 step %c1 iter_args(%t = %a) -> (tensor<?xf32>) {
    %n = tensor.dim %t, %c0 : tensor<?xf32>
    %m = arith.subi %n, %c1 : index
    %u = tensor.extract_slice %t[0] [%m] [1] : tensor<?xf32> to tensor<?xf32>
    scf.yield %u : tensor<?xf32>
  }
  return %r : tensor<?xf32>
}
// -----
// error: 15:5: error: a loop begins with 'tensor<6xf32>' and goes on with 'tensor<?xf32>', expected the same extents in each iteration
// bind: 0=6
func.func @anything(%a: tensor<?xf32>, %sizes: memref<3xindex>) -> f32 {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %r = scf.while (%t = %a) : (tensor<?xf32>) -> tensor<?xf32> {
    %v = tensor.extract %t[%c0] : tensor<?xf32>
    %z = arith.constant 0.0 : f32
    %go = arith.cmpf ogt, %v, %z : f32
    scf.condition(%go) %t : tensor<?xf32>
  } do {
  ^bb0(%t: tensor<?xf32>):
    %n = memref.load %sizes[%c1] : memref<3xindex>
    %u = tensor.extract_slice %t[0] [%n] [1] : tensor<?xf32> to tensor<?xf32>
    scf.yield %u : tensor<?xf32>
  }
  %e = tensor.extract %r[%c0] : tensor<?xf32>
  return %e : f32
}
// -----
// error: 2:1: error: result 0 has type 'tensor<?xf32>', whose extents are not known: bind the arguments that they follow from, such as --bind 0=20
func.func @open(%n: index, %x: f32) -> tensor<?xf32> {
  %r = tensor.splat %x[%n] : tensor<?xf32>
  return %r : tensor<?xf32>
}
// -----
// error: 4:8: error: arith.addf reads shapes 'tensor<6xf32>' and 'tensor<5xf32>', expected one: correct them, or bind other numbers
// bind: 0=6,1=5
func.func @differ(%a: tensor<?xf32>, %b: tensor<?xf32>) -> tensor<?xf32> {
  %s = arith.addf %a, %b : tensor<?xf32>
  return %s : tensor<?xf32>
}
// -----
// error: 2:1: error: result 0 has type 'tensor<0xf32>', which has no elements: remove it
func.func @nothing(%x: f32) -> tensor<0xf32> {
  %r = tensor.splat %x : tensor<0xf32>
  return %r : tensor<0xf32>
}
// -----
// error: 13:5: error: a loop begins with 'tensor<4xf32>' and goes on with 'tensor<5xf32>', expected the same extents in each iteration
func.func @f(%x: tensor<4xf32>) -> index {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c3 = arith.constant 3 : index
  %z = arith.constant 0.0 : f32
  %o = tensor.cast %x : tensor<4xf32> to tensor<?xf32>
  %r:2 = scf.for %i = %c0 to %c3 step %c1 iter_args(%a = %o, %n = %c0) -> (tensor<?xf32>, index) {
    %d = tensor.dim %a, %c0 : tensor<?xf32>
    %m = arith.addi %n, %d : index
    %e = tensor.splat %z : tensor<5xf32>
    %eo = tensor.cast %e : tensor<5xf32> to tensor<?xf32>
    scf.yield %eo, %m : tensor<?xf32>, index
  }
  return %r#1 : index
}
// -----
// error: 16:5: error: a loop begins with 'tensor<4xf32>' and goes on with 'tensor<1xf32>', expected the same extents in each iteration
func.func @f(%x: tensor<4xf32>) -> index {
  %c0 = arith.constant 0 : index
  %c6 = arith.constant 6 : index
  %z = arith.constant 0.0 : f32
  %o = tensor.cast %x : tensor<4xf32> to tensor<?xf32>
  %r:2 = scf.while (%a = %o, %n = %c0) : (tensor<?xf32>, index) -> (tensor<?xf32>, index) {
    %k = arith.cmpi ult, %n, %c6 : index
    scf.condition(%k) %a, %n : tensor<?xf32>, index
  } do {
  ^bb0(%a: tensor<?xf32>, %n: index):
    %d = tensor.dim %a, %c0 : tensor<?xf32>
    %m = arith.addi %n, %d : index
    %e = tensor.splat %z : tensor<1xf32>
    %eo = tensor.cast %e : tensor<1xf32> to tensor<?xf32>
    scf.yield %eo, %m : tensor<?xf32>, index
  }
  return %r#1 : index
}
// -----
// error: 15:5: error: a loop begins with 'tensor<1xf32>' and goes on with 'tensor<5xf32>', expected the same extents in each iteration
func.func @f(%x: tensor<1xf32>) -> index {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %z = arith.constant 0.0 : f32
  %o = tensor.cast %x : tensor<1xf32> to tensor<?xf32>
  %s = scf.for %i = %c0 to %c1 step %c1 iter_args(%q = %o) -> (tensor<?xf32>) {
    scf.yield %q : tensor<?xf32>
  }
  %p = math.absf %s : tensor<?xf32>
  %n = tensor.dim %p, %c0 : tensor<?xf32>
  %r = scf.for %i = %c0 to %n step %c1 iter_args(%a = %o) -> (tensor<?xf32>) {
    %e = tensor.splat %z : tensor<5xf32>
    %eo = tensor.cast %e : tensor<5xf32> to tensor<?xf32>
    scf.yield %eo : tensor<?xf32>
  }
  %d = tensor.dim %r, %c0 : tensor<?xf32>
  return %d : index
}
// -----
// error: 6:8: error: arith.select reads shapes 'tensor<4xi32>' and 'tensor<6xi32>', expected one: correct them, or bind other numbers
func.func @either(%c: i1, %a: tensor<4xi32>, %b: tensor<6xi32>) -> i32 {
  %c0 = arith.constant 0 : index
  %x = tensor.cast %a : tensor<4xi32> to tensor<?xi32>
  %y = tensor.cast %b : tensor<6xi32> to tensor<?xi32>
  %s = arith.select %c, %x, %y : tensor<?xi32>
  %v = tensor.extract %s[%c0] : tensor<?xi32>
  return %v : i32
}
