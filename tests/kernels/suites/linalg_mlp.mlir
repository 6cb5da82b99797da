// torch-mlir: linalg on tensors: matmul, bias, relu, softmax-like with generic
#map = affine_map<(d0, d1) -> (d0, d1)>
#bias = affine_map<(d0, d1) -> (d1)>
#red = affine_map<(d0, d1) -> (d0)>
func.func @forward(%x: tensor<2x8xf32>, %w: tensor<8x4xf32>, %b: tensor<4xf32>) -> tensor<2x4xf32> {
  %z = arith.constant 0.0 : f32
  %lo = arith.constant -3.0e38 : f32
  %e = tensor.empty() : tensor<2x4xf32>
  %i = linalg.fill ins(%z : f32) outs(%e : tensor<2x4xf32>) -> tensor<2x4xf32>
  %m = linalg.matmul ins(%x, %w : tensor<2x8xf32>, tensor<8x4xf32>) outs(%i : tensor<2x4xf32>) -> tensor<2x4xf32>
  %h = linalg.generic {indexing_maps = [#map, #bias, #map], iterator_types = ["parallel", "parallel"]} ins(%m, %b : tensor<2x4xf32>, tensor<4xf32>) outs(%e : tensor<2x4xf32>) {
  ^bb0(%p: f32, %q: f32, %o: f32):
    %s = arith.addf %p, %q : f32
    %r = arith.maximumf %s, %z : f32
    linalg.yield %r : f32
  } -> tensor<2x4xf32>
  %e1 = tensor.empty() : tensor<2xf32>
  %i1 = linalg.fill ins(%lo : f32) outs(%e1 : tensor<2xf32>) -> tensor<2xf32>
  %mx = linalg.generic {indexing_maps = [#map, #red], iterator_types = ["parallel", "reduction"]} ins(%h : tensor<2x4xf32>) outs(%i1 : tensor<2xf32>) {
  ^bb0(%p: f32, %o: f32):
    %r = arith.maximumf %p, %o : f32
    linalg.yield %r : f32
  } -> tensor<2xf32>
  %ex = linalg.generic {indexing_maps = [#map, #red, #map], iterator_types = ["parallel", "parallel"]} ins(%h, %mx : tensor<2x4xf32>, tensor<2xf32>) outs(%e : tensor<2x4xf32>) {
  ^bb0(%p: f32, %q: f32, %o: f32):
    %s = arith.subf %p, %q : f32
    %r = math.exp %s : f32
    linalg.yield %r : f32
  } -> tensor<2x4xf32>
  %i0 = linalg.fill ins(%z : f32) outs(%e1 : tensor<2xf32>) -> tensor<2xf32>
  %sm = linalg.generic {indexing_maps = [#map, #red], iterator_types = ["parallel", "reduction"]} ins(%ex : tensor<2x4xf32>) outs(%i0 : tensor<2xf32>) {
  ^bb0(%p: f32, %o: f32):
    %r = arith.addf %p, %o : f32
    linalg.yield %r : f32
  } -> tensor<2xf32>
  %y = linalg.generic {indexing_maps = [#map, #red, #map], iterator_types = ["parallel", "parallel"]} ins(%ex, %sm : tensor<2x4xf32>, tensor<2xf32>) outs(%e : tensor<2x4xf32>) {
  ^bb0(%p: f32, %q: f32, %o: f32):
    %r = arith.divf %p, %q : f32
    linalg.yield %r : f32
  } -> tensor<2x4xf32>
  return %y : tensor<2x4xf32>
}
