func.func @iota(%x: tensor<4x8xi32>) -> (tensor<4x8xi32>, tensor<4xi32>) {
  %e = tensor.empty() : tensor<4x8xi32>
  %z = arith.constant 0 : i32
  %a = linalg.generic {indexing_maps = [affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> (d0, d1)>], iterator_types = ["parallel", "parallel"]} ins(%x : tensor<4x8xi32>) outs(%e : tensor<4x8xi32>) {
  ^bb0(%v: i32, %o: i32):
    %i = linalg.index 0 : index
    %j = linalg.index 1 : index
    %s = arith.addi %i, %j : index
    %si = arith.index_cast %s : index to i32
    %p = arith.muli %v, %si : i32
    linalg.yield %p : i32
  } -> tensor<4x8xi32>
  %f = tensor.empty() : tensor<4xi32>
  %i0 = linalg.fill ins(%z : i32) outs(%f : tensor<4xi32>) -> tensor<4xi32>
  %r = linalg.reduce ins(%a : tensor<4x8xi32>) outs(%i0 : tensor<4xi32>) dimensions = [1]
    (%in: i32, %acc: i32) {
      %m = arith.maxsi %in, %acc : i32
      linalg.yield %m : i32
    }
  return %a, %r : tensor<4x8xi32>, tensor<4xi32>
}
