// What an ANN graph computes, by definition: linear maps and rectifiers, one sample, in double.
#pragma once

#include "dialects/snn/Snn.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/IR/BuiltinOps.h"

#include <algorithm>
#include <map>
#include <string>
#include <vector>

namespace spindle {

class ReferenceAnn {
public:
  explicit ReferenceAnn(mlir::ModuleOp module) {
    auto function = *module.getOps<mlir::func::FuncOp>().begin();
    mlir::Value value = function.getBody().front().getTerminator()->getOperand(0);
    for (mlir::Operation *op = value.getDefiningOp(); op; op = op->getOperand(0).getDefiningOp()) {
      Step step;
      if (auto synapse = mlir::dyn_cast<snn::SynapseOp>(op))
        step.map = *synapse.linearMap(0);
      steps.insert(steps.begin(), std::move(step));
    }
  }

  std::vector<double> operator()(std::vector<double> x) const {
    for (const Step &step : steps)
      x = step.map.outputs == 0 ? rectified(std::move(x)) : applied(step.map, x);
    return x;
  }

private:
  struct Step {
    snn::LinearMap map; // without outputs: a rectifier
  };
  static std::vector<double> rectified(std::vector<double> x) {
    for (double &value : x)
      value = std::max(value, 0.0);
    return x;
  }
  static std::vector<double> applied(const snn::LinearMap &map, const std::vector<double> &x) {
    std::vector<double> y(map.outputs);
    for (uint32_t o = 0; o < map.outputs; ++o) {
      double sum = 0;
      for (uint64_t k = map.offsets[o]; k < map.offsets[o + 1]; ++k)
        sum += double(map.weights[k]) * x[map.indices[k]];
      y[o] = sum + map.bias[o];
    }
    return y;
  }
  std::vector<Step> steps;
};

/// The operations in order, `name layer shape`: `conv2d conv1 6x28x28`. Rectifiers and views too.
inline std::vector<std::string> describe(mlir::ModuleOp module) {
  auto shape = [](mlir::Value value) {
    std::string text;
    for (int64_t extent : snn::shapeOf(value))
      text += (text.empty() ? "" : "x") + std::to_string(extent);
    return text;
  };
  auto function = *module.getOps<mlir::func::FuncOp>().begin();
  std::vector<std::string> lines = {"input " + shape(function.getArgument(0))};
  for (mlir::Operation &op : function.getBody().front()) {
    llvm::StringRef name = op.getName().getStringRef();
    if (!name.consume_front("snn."))
      continue;
    std::string layer = snn::layerOf(&op).str();
    lines.push_back(name.str() + (layer.empty() ? "" : " " + layer) + " " + shape(op.getResult(0)));
  }
  return lines;
}

} // namespace spindle
