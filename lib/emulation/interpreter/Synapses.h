// The linear operators: inputs added in ascending order from zero, products rounded, bias last.
#pragma once

#include "core/network/RandomRows.h"
#include "lib/emulation/interpreter/Tensor.h"

namespace spindle::interpreter {

/// y(o) = Σ weight(o, i) · x(i) + bias(o). An empty bias is none.
template <typename Scalar>
Tensor<Scalar> dense(const Tensor<Scalar> &x, const Tensor<float> &weight,
                     const std::vector<float> &bias) {
  Tensor<Scalar> y({weight.shape[0]});
  size_t inputs = x.values.size();
  for (size_t o = 0; o < y.values.size(); ++o) {
    Scalar sum = 0;
    for (size_t i = 0; i < inputs; ++i)
      sum += Scalar(weight.values[o * inputs + i]) * x.values[i];
    y.values[o] = bias.empty() ? sum : sum + Scalar(bias[o]);
  }
  return y;
}

struct Conv2dGeometry {
  std::vector<int64_t> strides, dilations; // rows, columns
  std::vector<int64_t> padding;            // top, left, bottom, right
  int64_t groups = 1;
};

/// Cross-correlation; inputs outside the image are left out. Weight by weight over the outputs of a
/// row: each of them is still added up in the order of its weights.
template <typename Scalar>
Tensor<Scalar> conv2d(const Tensor<Scalar> &x, const Tensor<float> &weight,
                      const std::vector<float> &bias, const Conv2dGeometry &geometry, Shape shape) {
  Tensor<Scalar> y(std::move(shape));
  const int64_t channels = weight.shape[1], rows = weight.shape[2], columns = weight.shape[3];
  const int64_t filtersPerGroup = y.shape[0] / geometry.groups, outputs = y.shape[2],
                width = x.shape[2], stride = geometry.strides[1];
  Scalar *sums = y.values.data();
  for (int64_t f = 0; f < y.shape[0]; ++f)
    for (int64_t r = 0; r < y.shape[1]; ++r, sums += outputs) {
      const float *weights = weight.values.data() + f * channels * rows * columns;
      for (int64_t k = 0; k < channels; ++k)
        for (int64_t i = 0; i < rows; ++i, weights += columns) {
          int64_t channel = f / filtersPerGroup * channels + k;
          int64_t row = r * geometry.strides[0] + i * geometry.dilations[0] - geometry.padding[0];
          if (row < 0 || row >= x.shape[1])
            continue;
          const Scalar *pixels = x.values.data() + (channel * x.shape[1] + row) * width;
          for (int64_t j = 0; j < columns; ++j) {
            // Output c sees pixel c * stride + shift.
            int64_t shift = j * geometry.dilations[1] - geometry.padding[1];
            int64_t first = shift < 0 ? (stride - 1 - shift) / stride : 0;
            int64_t last = shift < width ? (width - 1 - shift) / stride + 1 : 0;
            last = last < outputs ? last : outputs;
            const auto w = Scalar(weights[j]);
            for (int64_t c = first; c < last; ++c)
              sums[c] += w * pixels[c * stride + shift];
          }
        }
      for (int64_t c = 0; c < outputs && !bias.empty(); ++c)
        sums[c] += Scalar(bias[static_cast<size_t>(f)]);
    }
  return y;
}

/// y = factor · x + bias, both with one value per channel or one per element.
template <typename Scalar>
Tensor<Scalar> scale(const Tensor<Scalar> &x, const std::vector<float> &factor,
                     const std::vector<float> &bias) {
  Tensor<Scalar> y(x.shape);
  size_t size = x.values.size();
  auto valueFor = [&](const std::vector<float> &parameter, size_t element) {
    return Scalar(parameter[element / (size / parameter.size())]);
  };
  for (size_t n = 0; n < size; ++n) {
    Scalar product = valueFor(factor, n) * x.values[n];
    y.values[n] = bias.empty() ? product : product + valueFor(bias, n);
  }
  return y;
}

/// Compressed rows: output o reads the inputs indices[offsets[o] .. offsets[o + 1]).
struct SparseRows {
  std::vector<int64_t> offsets;
  std::vector<int32_t> indices;
};

/// y(o) = Σ weight(k) · x(indices(k)) + bias(o).
template <typename Scalar>
Tensor<Scalar> sparse(const Tensor<Scalar> &x, const std::vector<float> &weight,
                      const std::vector<float> &bias, const SparseRows &rows, Shape shape) {
  Tensor<Scalar> y(std::move(shape));
  for (size_t o = 0; o < y.values.size(); ++o) {
    Scalar sum = 0;
    for (auto k = static_cast<size_t>(rows.offsets[o]); k < size_t(rows.offsets[o + 1]); ++k)
      sum += Scalar(weight[k]) * x.values[static_cast<size_t>(rows.indices[k])];
    y.values[o] = bias.empty() ? sum : sum + Scalar(bias[o]);
  }
  return y;
}

/// y(t, o) = Σ weight(k) · x(t − delays(k), indices(k)) + bias(o). `history` holds x of all steps
/// so far, this one last.
template <typename Scalar>
Tensor<Scalar> delayedSparse(const std::vector<Tensor<Scalar>> &history,
                             const std::vector<float> &weight, const std::vector<float> &bias,
                             const SparseRows &rows, const std::vector<int16_t> &delays,
                             Shape shape) {
  Tensor<Scalar> y(std::move(shape));
  for (size_t o = 0; o < y.values.size(); ++o) {
    Scalar sum = 0;
    for (auto k = size_t(rows.offsets[o]); k < size_t(rows.offsets[o + 1]); ++k)
      if (auto ago = size_t(delays[k]); ago < history.size())
        sum += Scalar(weight[k]) *
               history[history.size() - 1 - ago].values[static_cast<size_t>(rows.indices[k])];
    y.values[o] = bias.empty() ? sum : sum + Scalar(bias[o]);
  }
  return y;
}

/// Random rows from number `first` on, whose synapses share a weight.
template <typename Scalar>
Tensor<Scalar> random(const Tensor<Scalar> &x, float weight, const std::vector<float> &bias,
                      const RandomRows &rule, int64_t first, Shape shape) {
  Tensor<Scalar> y(std::move(shape));
  std::vector<int32_t> row;
  for (size_t o = 0; o < y.values.size(); ++o) {
    row.clear();
    rule.append(first + static_cast<int64_t>(o), row);
    Scalar sum = 0;
    for (int32_t source : row)
      sum += Scalar(weight) * x.values[static_cast<size_t>(source)];
    y.values[o] = bias.empty() ? sum : sum + Scalar(bias[o]);
  }
  return y;
}

/// x + y, element by element.
template <typename Scalar> Tensor<Scalar> add(Tensor<Scalar> x, const Tensor<Scalar> &y) {
  for (size_t n = 0; n < x.values.size(); ++n)
    x.values[n] += y.values[n];
  return x;
}

} // namespace spindle::interpreter
