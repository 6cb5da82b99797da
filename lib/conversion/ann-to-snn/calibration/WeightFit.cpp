#include "lib/conversion/ann-to-snn/calibration/WeightFit.h"

#include <Eigen/Dense>

using namespace mlir;

namespace spindle {

/// Positions of a convolution that each sample contributes.
constexpr size_t kPositions = 16;
/// Corrections where negative results need not be met.
constexpr int kRounds = 6;

bool canFitWeights(Operation *op) {
  auto conv = dyn_cast_or_null<snn::Conv2dOp>(op);
  return isa_and_nonnull<snn::DenseOp>(op) || (conv && conv.getGroups() == 1);
}

namespace {

/// Which inputs a row of the weights meets, position by position.
struct Windows {
  std::vector<std::vector<int64_t>> inputs; // per position; −1 for the padding
  size_t outputs;                           // rows of the weights
};

} // namespace

static Windows windowsOf(Operation *op) {
  if (auto dense = dyn_cast<snn::DenseOp>(op)) {
    Windows windows{{{}}, static_cast<size_t>(snn::sizeOf(dense.getOutput()))};
    for (int64_t i = 0; i < snn::sizeOf(dense.getInput()); ++i)
      windows.inputs[0].push_back(i);
    return windows;
  }
  auto conv = cast<snn::Conv2dOp>(op);
  ArrayRef<int64_t> in = snn::shapeOf(conv.getInput()), out = snn::shapeOf(conv.getOutput());
  ArrayRef<int64_t> w = snn::shapeOf(conv.getWeight()), pad = conv.getPadding();
  ArrayRef<int64_t> stride = conv.getStrides(), dilation = conv.getDilations();
  Windows windows{{}, static_cast<size_t>(w[0])};
  for (int64_t r = 0; r < out[1]; ++r)
    for (int64_t c = 0; c < out[2]; ++c) {
      std::vector<int64_t> &inputs = windows.inputs.emplace_back();
      for (int64_t k = 0; k < w[1]; ++k)
        for (int64_t i = 0; i < w[2]; ++i)
          for (int64_t j = 0; j < w[3]; ++j) {
            int64_t row = r * stride[0] + i * dilation[0] - pad[0];
            int64_t column = c * stride[1] + j * dilation[1] - pad[1];
            bool inside = row >= 0 && row < in[1] && column >= 0 && column < in[2];
            inputs.push_back(inside ? (k * in[1] + row) * in[2] + column : -1);
          }
    }
  return windows;
}

static void replace(Operation *op, const Eigen::MatrixXd &weights) {
  OpBuilder builder(op);
  Eigen::Index inputs = weights.rows() - 1, outputs = weights.cols();
  std::vector<float> values, bias;
  for (Eigen::Index o = 0; o < outputs; ++o) {
    for (Eigen::Index i = 0; i < inputs; ++i)
      values.push_back(static_cast<float>(weights(i, o)));
    bias.push_back(static_cast<float>(weights(inputs, o)));
  }
  op->setOperand(1,
                 snn::makeConstant(builder, op->getLoc(), snn::shapeOf(op->getOperand(1)), values));
  Value shift = snn::makeConstant(builder, op->getLoc(), {outputs}, bias);
  if (op->getNumOperands() == 3)
    op->setOperand(2, shift);
  else
    op->insertOperands(2, shift);
}

void fitWeights(Operation *op, ArrayRef<float> inputs, ArrayRef<float> results, double ridge,
                bool rectified) {
  Windows windows = windowsOf(op);
  size_t inputSize = static_cast<size_t>(snn::sizeOf(op->getOperand(0)));
  size_t resultSize = static_cast<size_t>(snn::sizeOf(op->getResult(0)));
  size_t samples = inputs.size() / inputSize, positions = windows.inputs.size();
  size_t stride = std::max<size_t>(1, positions / kPositions);
  auto width = static_cast<Eigen::Index>(windows.inputs[0].size());
  auto outputs = static_cast<Eigen::Index>(windows.outputs);

  // The trained weights, a column per output, the bias below.
  std::vector<float> old = *snn::constantFloats(op->getOperand(1));
  std::vector<float> oldBias(windows.outputs, 0);
  if (op->getNumOperands() == 3)
    oldBias = *snn::constantFloats(op->getOperand(2));
  Eigen::MatrixXd weights(width + 1, outputs);
  for (Eigen::Index o = 0; o < outputs; ++o) {
    for (Eigen::Index i = 0; i < width; ++i)
      weights(i, o) = old[static_cast<size_t>(o * width + i)];
    weights(width, o) = oldBias[static_cast<size_t>(o)];
  }

  auto rowsPerSample = static_cast<Eigen::Index>((positions + stride - 1) / stride);
  Eigen::MatrixXd rows(rowsPerSample, width + 1), targets(rowsPerSample, outputs);
  auto forEachSample = [&](auto &&use) {
    for (size_t sample = 0; sample < samples; ++sample) {
      Eigen::Index row = 0;
      for (size_t p = sample % stride; p < positions; p += stride, ++row) {
        for (Eigen::Index i = 0; i < width; ++i) {
          int64_t input = windows.inputs[p][static_cast<size_t>(i)];
          rows(row, i) = input < 0 ? 0 : inputs[sample * inputSize + static_cast<size_t>(input)];
        }
        rows(row, width) = 1;
        for (Eigen::Index o = 0; o < outputs; ++o)
          targets(row, o) = results[sample * resultSize + static_cast<size_t>(o) * positions + p];
      }
      use(rows.topRows(row), targets.topRows(row));
    }
  };

  // Normal equations of the correction, whose right side changes as results turn negative.
  Eigen::MatrixXd gram = Eigen::MatrixXd::Zero(width + 1, width + 1);
  forEachSample([&](const auto &r, const auto &) { gram.noalias() += r.transpose() * r; });
  double strength = ridge * gram.topLeftCorner(width, width).trace() / double(width);
  if (!(gram(width, width) > 0) || !(strength > 0))
    return; // silent inputs say nothing
  for (Eigen::Index i = 0; i < width; ++i)
    gram(i, i) += strength;
  Eigen::LDLT<Eigen::MatrixXd> solver(gram);
  const Eigen::MatrixXd trained = weights;
  for (int round = 0; round < (rectified ? kRounds : 1); ++round) {
    Eigen::MatrixXd moment = Eigen::MatrixXd::Zero(width + 1, outputs);
    forEachSample([&](const auto &r, const auto &wanted) {
      Eigen::MatrixXd found = r * weights;
      Eigen::MatrixXd error = wanted - found;
      if (rectified)
        error = ((wanted.array() < 0) && (found.array() < 0)).select(0.0, error.array());
      moment.noalias() += r.transpose() * error;
    });
    moment.topRows(width) += strength * (trained - weights).topRows(width);
    weights += solver.solve(moment);
  }
  replace(op, weights);
}

} // namespace spindle
