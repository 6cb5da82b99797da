// Slices of a tensor and linalg.generic.
#id = affine_map<(i, j) -> (i, j)>
func.func @jac(%x: tensor<10x10xf64>) -> tensor<8x8xf64> {
  %cst = arith.constant 2.500000e-01 : f64
  %a = tensor.extract_slice %x[0, 1] [8, 8] [1, 1] : tensor<10x10xf64> to tensor<8x8xf64>
  %b = tensor.extract_slice %x[2, 1] [8, 8] [1, 1] : tensor<10x10xf64> to tensor<8x8xf64>
  %c = tensor.extract_slice %x[1, 0] [8, 8] [1, 1] : tensor<10x10xf64> to tensor<8x8xf64>
  %d = tensor.extract_slice %x[1, 2] [8, 8] [1, 1] : tensor<10x10xf64> to tensor<8x8xf64>
  %e = tensor.empty() : tensor<8x8xf64>
  %0 = linalg.generic {indexing_maps = [#id, #id, #id, #id, #id], iterator_types = ["parallel", "parallel"]} ins(%a, %b, %c, %d : tensor<8x8xf64>, tensor<8x8xf64>, tensor<8x8xf64>, tensor<8x8xf64>) outs(%e : tensor<8x8xf64>) {
  ^bb0(%p: f64, %q: f64, %r: f64, %s: f64, %o: f64):
    %1 = arith.addf %p, %q : f64
    %2 = arith.addf %r, %s : f64
    %3 = arith.addf %1, %2 : f64
    %4 = arith.mulf %3, %cst : f64
    linalg.yield %4 : f64
  } -> tensor<8x8xf64>
  return %0 : tensor<8x8xf64>
}
