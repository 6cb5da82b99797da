// A small network of drawn weights with its data, for flows that need no file.
#pragma once

#include "core/support/CounterRandom.h"

#include "fmt/format.h"

#include <string>

namespace spindle::test {

/// A constant of drawn weights.
inline std::string drawnMatrix(CounterRandom &draw, uint32_t rows, uint32_t columns) {
  std::string text;
  for (uint32_t row = 0; row < rows; ++row) {
    text += row == 0 ? "[" : ", [";
    for (uint32_t column = 0; column < columns; ++column)
      text += fmt::format("{}{:.4f}", column == 0 ? "" : ", ", draw.uniform() - 0.5);
    text += "]";
  }
  return "dense<[" + text + fmt::format("]> : tensor<{}x{}xf32>", rows, columns);
}

/// 64-32-10 with a rectifier.
inline std::string drawnNetwork(CounterRandom &draw) {
  return "#id = affine_map<(d0, d1) -> (d0, d1)>\n"
         "func.func @main(%x: tensor<1x64xf32>) -> tensor<1x10xf32> {\n"
         "  %w = arith.constant " +
         drawnMatrix(draw, 64, 32) + "\n  %v = arith.constant " + drawnMatrix(draw, 32, 10) + R"(
  %zero = arith.constant 0.0 : f32
  %hidden = tensor.empty() : tensor<1x32xf32>
  %start = linalg.fill ins(%zero : f32) outs(%hidden : tensor<1x32xf32>) -> tensor<1x32xf32>
  %y = linalg.matmul ins(%x, %w : tensor<1x64xf32>, tensor<64x32xf32>)
                     outs(%start : tensor<1x32xf32>) -> tensor<1x32xf32>
  %r = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel"]}
       ins(%y : tensor<1x32xf32>) outs(%hidden : tensor<1x32xf32>) {
    ^bb0(%in: f32, %out: f32):
      %m = arith.maximumf %in, %zero : f32
      linalg.yield %m : f32
  } -> tensor<1x32xf32>
  %classes = tensor.empty() : tensor<1x10xf32>
  %first = linalg.fill ins(%zero : f32) outs(%classes : tensor<1x10xf32>) -> tensor<1x10xf32>
  %z = linalg.matmul ins(%r, %v : tensor<1x32xf32>, tensor<32x10xf32>)
                     outs(%first : tensor<1x10xf32>) -> tensor<1x10xf32>
  return %z : tensor<1x10xf32>
}
)";
}

/// Images of 64 pixels and labels as CSV.
inline std::string drawnTable(CounterRandom &draw, uint32_t samples) {
  std::string text = "p0";
  for (uint32_t pixel = 1; pixel < 64; ++pixel)
    text += fmt::format(",p{}", pixel);
  text += ",label\n";
  for (uint32_t sample = 0; sample < samples; ++sample) {
    for (uint32_t pixel = 0; pixel < 64; ++pixel)
      text += fmt::format("{},", draw.below(3) == 0 ? draw.below(256) : 0);
    text += fmt::format("{}\n", draw.below(10));
  }
  return text;
}

} // namespace spindle::test
