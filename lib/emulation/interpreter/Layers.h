// Operations without memory: those of an ANN, and the synapses of a spiking network.
#pragma once

#include "lib/emulation/interpreter/Coding.h"
#include "lib/emulation/interpreter/Pooling.h"
#include "lib/emulation/interpreter/Synapses.h"
#include "lib/emulation/interpreter/Views.h"
#include "lib/emulation/network/Network.h"

#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/TypeSwitch.h"

namespace spindle::interpreter {

/// Weights of a network by the operand that they stand for.
using Constants = llvm::DenseMap<mlir::Value, Tensor<float>>;

template <typename Scalar> Tensor<Scalar> rectify(snn::ReluOp op, const Tensor<Scalar> &x) {
  if (!op.getMaximum())
    return relu(x);
  float maximum = op.getMaximum()->convertToFloat();
  if (!op.getLevels())
    return clampedRelu(x, maximum);
  auto levels = static_cast<float>(*op.getLevels());
  return steppedRelu(x, levels / maximum, maximum / levels, levels);
}

template <typename Op> Pool2dGeometry poolGeometry(Op pool) {
  return {pool.getKernel().vec(), pool.getStrides().vec(), pool.getPadding().vec()};
}

/// The result of one operation, by the function of its name.
template <typename Scalar>
Tensor<Scalar> applyLayer(mlir::Operation *op, const std::vector<const Tensor<Scalar> *> &inputs,
                          const Constants &constants) {
  const Tensor<Scalar> &x = *inputs.front();
  Shape shape = snn::shapeOf(op->getResult(0)).vec();
  auto weights = [&](mlir::Value value) -> const Tensor<float> & {
    return constants.find(value)->second;
  };
  auto bias = [&](mlir::Value value) {
    return value ? weights(value).values : std::vector<float>();
  };
  return llvm::TypeSwitch<mlir::Operation *, Tensor<Scalar>>(op)
      .Case([&](snn::DenseOp layer) {
        return dense(x, weights(layer.getWeight()), bias(layer.getBias()));
      })
      .Case([&](snn::Conv2dOp conv) {
        Conv2dGeometry geometry{conv.getStrides().vec(), conv.getDilations().vec(),
                                conv.getPadding().vec(), static_cast<int64_t>(conv.getGroups())};
        return conv2d(x, weights(conv.getWeight()), bias(conv.getBias()), geometry, shape);
      })
      .Case([&](snn::AvgPool2dOp pool) {
        return avgPool2d(x, poolGeometry(pool), pool.getCountIncludePad(), shape);
      })
      .Case([&](snn::SumPool2dOp pool) { return sumPool2d(x, poolGeometry(pool), shape); })
      .Case([&](snn::MaxPool2dOp pool) { return maxPool2d(x, poolGeometry(pool), shape); })
      .Case([&](snn::ScaleOp layer) {
        return scale(x, weights(layer.getFactor()).values, bias(layer.getBias()));
      })
      .Case([&](snn::SparseOp layer) {
        SparseRows rows{layer.getOffsets().vec(), layer.getIndices().vec()};
        return sparse(x, weights(layer.getWeight()).values, bias(layer.getBias()), rows, shape);
      })
      .Case([&](snn::RandomOp layer) {
        return random(x, weights(layer.getWeight()).values.front(), bias(layer.getBias()),
                      layer.getRule(), static_cast<int64_t>(layer.getFirst()), shape);
      })
      .Case([&](snn::AddOp) { return add(x, *inputs[1]); })
      .Case([&](snn::ConcatOp join) { return concat(inputs, size_t(join.getAxis()), shape); })
      .Case([&](snn::ReshapeOp) { return reshape(x, shape); })
      .Case([&](snn::TransposeOp view) { return transpose(x, view.getPermutation().vec()); })
      .Case([&](snn::QuantizeOp levels) {
        return quantize(x, levels.getUnit().convertToFloat(), float(int64_t(levels.getLow())),
                        float(int64_t(levels.getHigh())));
      })
      .Case([&](snn::ReluOp layer) { return rectify(layer, x); });
}

} // namespace spindle::interpreter
