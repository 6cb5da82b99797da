// A tiled operation whose parallel loop shares a tensor, as IREE and linalg's tiling write it.
// absent: scf.forall
func.func @tiled(%a: tensor<8x8xf32>, %o: tensor<8x8xf32>) -> tensor<8x8xf32> {
  %r = scf.forall (%i, %j) in (2, 4) shared_outs(%q = %o) -> tensor<8x8xf32> {
    %u = affine.apply affine_map<(d0) -> (d0 * 4)>(%i)
    %v = affine.apply affine_map<(d0) -> (d0 * 2)>(%j)
    %s = tensor.extract_slice %a[%u, %v] [4, 2] [1, 1] : tensor<8x8xf32> to tensor<4x2xf32>
    %t = tensor.extract_slice %q[%u, %v] [4, 2] [1, 1] : tensor<8x8xf32> to tensor<4x2xf32>
    %e = linalg.square ins(%s : tensor<4x2xf32>) outs(%t : tensor<4x2xf32>) -> tensor<4x2xf32>
    scf.forall.in_parallel {
      tensor.parallel_insert_slice %e into %q[%u, %v] [4, 2] [1, 1] : tensor<4x2xf32> into tensor<8x8xf32>
    }
  }
  return %r : tensor<8x8xf32>
}
// -----
// Two shared tensors, slices of different sizes.
func.func @sums(%a: tensor<8xi32>, %o: tensor<8xi32>, %p: tensor<2xi32>) -> (tensor<8xi32>, tensor<2xi32>) {
  %z = arith.constant 0 : i32
  %r:2 = scf.forall (%i) in (2) shared_outs(%q = %o, %u = %p) -> (tensor<8xi32>, tensor<2xi32>) {
    %v = affine.apply affine_map<(d0) -> (d0 * 4)>(%i)
    %s = tensor.extract_slice %a[%v] [4] [1] : tensor<8xi32> to tensor<4xi32>
    %e = tensor.empty() : tensor<i32>
    %f = linalg.fill ins(%z : i32) outs(%e : tensor<i32>) -> tensor<i32>
    %red = linalg.reduce { arith.addi } ins(%s : tensor<4xi32>) outs(%f : tensor<i32>) dimensions = [0]
    %t = tensor.extract_slice %q[%v] [4] [1] : tensor<8xi32> to tensor<4xi32>
    %d = linalg.add ins(%s, %t : tensor<4xi32>, tensor<4xi32>) outs(%t : tensor<4xi32>) -> tensor<4xi32>
    %x = tensor.expand_shape %red [] output_shape [1] : tensor<i32> into tensor<1xi32>
    scf.forall.in_parallel {
      tensor.parallel_insert_slice %d into %q[%v] [4] [1] : tensor<4xi32> into tensor<8xi32>
      tensor.parallel_insert_slice %x into %u[%i] [1] [1] : tensor<1xi32> into tensor<2xi32>
    }
  }
  return %r#0, %r#1 : tensor<8xi32>, tensor<2xi32>
}
// -----
// The same over arrays, from a first iteration and in steps.
func.func @arrays(%a: memref<4x6xi32>, %o: memref<6x4xi32>) {
  scf.forall (%i, %j) = (0, 1) to (4, 6) step (1, 2) {
    %x = memref.load %a[%i, %j] : memref<4x6xi32>
    memref.store %x, %o[%j, %i] : memref<6x4xi32>
  }
  return
}
// -----
// A loop of tosa: its regions end in operations that only its own lowering knows.
func.func @open(%a: tensor<4xi32>) -> tensor<4xi32> {
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
// Rows that indices choose, written over others.
func.func @scattered(%a: tensor<1x6x3xi32>, %v: tensor<1x2x3xi32>) -> tensor<1x6x3xi32> {
  %i = "tosa.const"() <{values = dense<[[4, 1]]> : tensor<1x2xi32>}> : () -> tensor<1x2xi32>
  %r = tosa.scatter %a, %i, %v : (tensor<1x6x3xi32>, tensor<1x2xi32>, tensor<1x2x3xi32>) -> tensor<1x6x3xi32>
  return %r : tensor<1x6x3xi32>
}
// -----
// Slices by coordinates of two dimensions, which are left out of the result or have one element.
func.func @gathered(%a: tensor<3x5x4xi32>) -> (tensor<2x2x1x5x1xi32>, tensor<2x2x5xi32>) {
  %i = arith.constant dense<[[[1, 0], [1, 2]], [[0, 1], [2, 2]]]> : tensor<2x2x2xi32>
  %r = tensor.gather %a[%i] gather_dims([0, 2]) : (tensor<3x5x4xi32>, tensor<2x2x2xi32>) -> tensor<2x2x1x5x1xi32>
  %s = tensor.gather %a[%i] gather_dims([0, 2]) unique : (tensor<3x5x4xi32>, tensor<2x2x2xi32>) -> tensor<2x2x5xi32>
  return %r, %s : tensor<2x2x1x5x1xi32>, tensor<2x2x5xi32>
}
// -----
// Tiles with a filling, and taken apart again.
func.func @packed(%a: tensor<7x6xi32>, %z: i32) -> (tensor<2x3x2x4xi32>, tensor<7x6xi32>) {
  %e = tensor.empty() : tensor<2x3x2x4xi32>
  %p = linalg.pack %a padding_value(%z : i32) outer_dims_perm = [0, 1] inner_dims_pos = [1, 0] inner_tiles = [2, 4] into %e : tensor<7x6xi32> -> tensor<2x3x2x4xi32>
  %f = tensor.empty() : tensor<7x6xi32>
  %u = linalg.unpack %p outer_dims_perm = [0, 1] inner_dims_pos = [1, 0] inner_tiles = [2, 4] into %f : tensor<2x3x2x4xi32> -> tensor<7x6xi32>
  return %p, %u : tensor<2x3x2x4xi32>, tensor<7x6xi32>
}
// -----
// A tensor of one branch, an argument in the other one.
func.func @chosen(%p: i1, %a: tensor<4xi32>, %b: tensor<4xi32>) -> tensor<4xi32> {
  %r = scf.if %p -> tensor<4xi32> {
    %e = tensor.empty() : tensor<4xi32>
    %s = linalg.add ins(%a, %b : tensor<4xi32>, tensor<4xi32>) outs(%e : tensor<4xi32>) -> tensor<4xi32>
    scf.yield %s : tensor<4xi32>
  } else {
    scf.yield %a : tensor<4xi32>
  }
  %e2 = tensor.empty() : tensor<4xi32>
  %m = linalg.mul ins(%r, %b : tensor<4xi32>, tensor<4xi32>) outs(%e2 : tensor<4xi32>) -> tensor<4xi32>
  return %m : tensor<4xi32>
}
// -----
// Both branches leave the carried tensor in its place; a new one in one branch only.
func.func @carried(%a: tensor<6xi32>, %k: i32) -> tensor<6xi32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c6 = arith.constant 6 : index
  %r = scf.for %i = %c0 to %c6 step %c1 iter_args(%t = %a) -> tensor<6xi32> {
    %x = tensor.extract %t[%i] : tensor<6xi32>
    %p = arith.cmpi slt, %x, %k : i32
    %u = scf.if %p -> tensor<6xi32> {
      %y = arith.addi %x, %k : i32
      %v = tensor.insert %y into %t[%i] : tensor<6xi32>
      scf.yield %v : tensor<6xi32>
    } else {
      scf.yield %t : tensor<6xi32>
    }
    %q = arith.cmpi sgt, %x, %k : i32
    %w = scf.if %q -> tensor<6xi32> {
      %e = tensor.empty() : tensor<6xi32>
      %n = linalg.add ins(%u, %a : tensor<6xi32>, tensor<6xi32>) outs(%e : tensor<6xi32>) -> tensor<6xi32>
      scf.yield %n : tensor<6xi32>
    } else {
      scf.yield %u : tensor<6xi32>
    }
    scf.yield %w : tensor<6xi32>
  }
  return %r : tensor<6xi32>
}
// -----
// Conditions inside conditions that write the same tensor: no copy.
// absent: memref.alloc
func.func @nested(%a: tensor<6xi32>, %k: i32) -> tensor<6xi32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c6 = arith.constant 6 : index
  %e = tensor.empty() : tensor<6xi32>
  %f = linalg.copy ins(%a : tensor<6xi32>) outs(%e : tensor<6xi32>) -> tensor<6xi32>
  %r = scf.for %i = %c0 to %c6 step %c1 iter_args(%t = %f) -> tensor<6xi32> {
    %x = tensor.extract %t[%i] : tensor<6xi32>
    %p = arith.cmpi slt, %x, %k : i32
    %u = scf.if %p -> tensor<6xi32> {
      %q = arith.cmpi eq, %i, %c1 : index
      %v = scf.if %q -> tensor<6xi32> {
        %w = tensor.insert %k into %t[%c0] : tensor<6xi32>
        scf.yield %w : tensor<6xi32>
      } else {
        scf.yield %t : tensor<6xi32>
      }
      %y = tensor.insert %k into %v[%i] : tensor<6xi32>
      scf.yield %y : tensor<6xi32>
    } else {
      scf.yield %t : tensor<6xi32>
    }
    scf.yield %u : tensor<6xi32>
  }
  return %r : tensor<6xi32>
}
// -----
// Arithmetic on whole tensors, also without dimensions, as it comes from JAX.
func.func @whole(%a: tensor<3x4xf32>, %b: tensor<3x4xf32>, %s: tensor<f32>) -> (tensor<3x4xf32>, tensor<3x4xi32>, tensor<2x6xf32>) {
  %0 = arith.mulf %a, %b : tensor<3x4xf32>
  %1 = math.exp %0 : tensor<3x4xf32>
  %2 = arith.cmpf olt, %a, %b : tensor<3x4xf32>
  %3 = arith.select %2, %1, %a : tensor<3x4xi1>, tensor<3x4xf32>
  %cst = arith.constant dense<[[1.0, 2.0, 3.0, 4.0],[5.0, 6.0, 7.0, 8.0],[9.0, 10.0, 11.0, 12.0]]> : tensor<3x4xf32>
  %4 = arith.addf %3, %cst : tensor<3x4xf32>
  %5 = arith.fptosi %4 : tensor<3x4xf32> to tensor<3x4xi32>
  %6 = tensor.collapse_shape %4 [[0, 1]] : tensor<3x4xf32> into tensor<12xf32>
  %7 = tensor.expand_shape %6 [[0, 1]] output_shape [2, 6] : tensor<12xf32> into tensor<2x6xf32>
  %sv = tensor.extract %s[] : tensor<f32>
  %sp = tensor.splat %sv : tensor<3x4xf32>
  %8 = arith.subf %4, %sp : tensor<3x4xf32>
  return %8, %5, %7 : tensor<3x4xf32>, tensor<3x4xi32>, tensor<2x6xf32>
}
// -----
func.func @halved(%x: tensor<f32>) -> (tensor<i32>, tensor<f32>) {
  %z = arith.constant dense<0> : tensor<i32>
  %one = arith.constant dense<1> : tensor<i32>
  %h = arith.constant dense<0.5> : tensor<f32>
  %lim = arith.constant dense<0.01> : tensor<f32>
  %r:2 = scf.while (%i = %z, %y = %x) : (tensor<i32>, tensor<f32>) -> (tensor<i32>, tensor<f32>) {
    %c = arith.cmpf ogt, %y, %lim : tensor<f32>
    %b = tensor.extract %c[] : tensor<i1>
    scf.condition(%b) %i, %y : tensor<i32>, tensor<f32>
  } do {
  ^bb0(%i: tensor<i32>, %y: tensor<f32>):
    %j = arith.addi %i, %one : tensor<i32>
    %w = arith.mulf %y, %h : tensor<f32>
    scf.yield %j, %w : tensor<i32>, tensor<f32>
  }
  return %r#0, %r#1 : tensor<i32>, tensor<f32>
}
// -----
// An affine loop that carries a tensor and a sum, and an affine condition that chooses one.
#upper = affine_set<(d0) : (d0 - 4 >= 0)>
func.func @affine_carried(%a: tensor<8xf32>, %b: tensor<8xf32>) -> (tensor<8xf32>, f32) {
  %z = arith.constant 0.0 : f32
  %r, %s = affine.for %i = 0 to 8 iter_args(%t = %a, %sum = %z) -> (tensor<8xf32>, f32) {
    %u = affine.if #upper(%i) -> tensor<8xf32> {
      %x = tensor.extract %b[%i] : tensor<8xf32>
      %v = tensor.insert %x into %t[%i] : tensor<8xf32>
      affine.yield %v : tensor<8xf32>
    } else {
      affine.yield %t : tensor<8xf32>
    }
    %q = affine.apply affine_map<(d0) -> (7 - d0)>(%i)
    %x = tensor.extract %u[%q] : tensor<8xf32>
    %n = arith.addf %sum, %x : f32
    affine.yield %u, %n : tensor<8xf32>, f32
  }
  return %r, %s : tensor<8xf32>, f32
}
// -----
// Affine loops in one another, the outer bound a minimum; arrays beside tensors.
func.func @affine_nested(%a: tensor<4x6xi32>, %m: memref<6xi32>, %n: index) -> tensor<4x6xi32> {
  %r = affine.for %i = 0 to min affine_map<()[s0] -> (4, s0 + 2)>()[%n] iter_args(%t = %a) -> (tensor<4x6xi32>) {
    %u = affine.for %j = affine_map<(d0) -> (d0)>(%i) to 6 step 2 iter_args(%w = %t) -> (tensor<4x6xi32>) {
      %x = affine.load %m[%j] : memref<6xi32>
      %v = tensor.insert %x into %w[%i, %j] : tensor<4x6xi32>
      affine.yield %v : tensor<4x6xi32>
    }
    affine.yield %u : tensor<4x6xi32>
  }
  return %r : tensor<4x6xi32>
}
// -----
// Bits as other numbers.
func.func @bits(%a: tensor<2x3xf32>) -> tensor<2x3xi32> {
  %b = tensor.bitcast %a : tensor<2x3xf32> to tensor<2x3xi32>
  %c = arith.constant dense<-2147483648> : tensor<2x3xi32>
  %r = arith.xori %b, %c : tensor<2x3xi32>
  return %r : tensor<2x3xi32>
}
// -----
// Arrays that become tensors, and change afterwards.
func.func @shared(%a: memref<4x8xi32>, %b: memref<32xi32>) {
  %t = bufferization.to_tensor %a : memref<4x8xi32> to tensor<4x8xi32>
  %c = tensor.collapse_shape %t [[0, 1]] : tensor<4x8xi32> into tensor<32xi32>
  %zero = arith.constant 0 : i32
  affine.store %zero, %a[1, 2] : memref<4x8xi32>
  bufferization.materialize_in_destination %c in restrict writable %b : (tensor<32xi32>, memref<32xi32>) -> ()
  return
}
