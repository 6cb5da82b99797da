// JAX and torch-mlir: tensors that loops carry, made anew in each turn, in place, and exchanged.
#id = affine_map<(d0) -> (d0)>
func.func @kernel(%x: tensor<8xf32>, %y: tensor<8xf32>) -> (tensor<8xf32>, tensor<8xf32>, tensor<8xf32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c3 = arith.constant 3 : index
  %half = arith.constant 0.5 : f32
  %new = scf.for %t = %c0 to %c3 step %c1 iter_args(%a = %x) -> tensor<8xf32> {
    %e = tensor.empty() : tensor<8xf32>
    %n = linalg.generic {indexing_maps = [#id, #id, #id], iterator_types = ["parallel"]} ins(%a, %y : tensor<8xf32>, tensor<8xf32>) outs(%e : tensor<8xf32>) {
    ^bb0(%v: f32, %w: f32, %o: f32):
      %p = arith.mulf %v, %half : f32
      %s = arith.addf %p, %w : f32
      linalg.yield %s : f32
    } -> tensor<8xf32>
    scf.yield %n : tensor<8xf32>
  }
  %swapped:2 = scf.for %t = %c0 to %c3 step %c1 iter_args(%a = %new, %b = %y) -> (tensor<8xf32>, tensor<8xf32>) {
    %v = tensor.extract %a[%t] : tensor<8xf32>
    %s = arith.addf %v, %half : f32
    %c = tensor.insert %s into %a[%t] : tensor<8xf32>
    scf.yield %b, %c : tensor<8xf32>, tensor<8xf32>
  }
  %steps:2 = scf.while (%k = %c0, %a = %x) : (index, tensor<8xf32>) -> (index, tensor<8xf32>) {
    %go = arith.cmpi ult, %k, %c3 : index
    scf.condition(%go) %k, %a : index, tensor<8xf32>
  } do {
  ^bb0(%k: index, %a: tensor<8xf32>):
    %e = tensor.empty() : tensor<8xf32>
    %n = linalg.generic {indexing_maps = [affine_map<(d0) -> (7 - d0)>, #id], iterator_types = ["parallel"]} ins(%a : tensor<8xf32>) outs(%e : tensor<8xf32>) {
    ^bb0(%v: f32, %o: f32):
      %s = arith.addf %v, %half : f32
      linalg.yield %s : f32
    } -> tensor<8xf32>
    %next = arith.addi %k, %c1 : index
    scf.yield %next, %n : index, tensor<8xf32>
  }
  return %swapped#0, %swapped#1, %steps#1 : tensor<8xf32>, tensor<8xf32>, tensor<8xf32>
}
