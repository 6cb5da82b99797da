// What an ANN graph computes, by definition, one sample, in double: linear maps that add up over
// their sources, rectifiers, maxima.
#pragma once

#include "dialects/snn/Snn.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/IR/BuiltinOps.h"
#include "llvm/ADT/DenseMap.h"

#include <algorithm>
#include <cmath>
#include <string>
#include <vector>

namespace spindle {

class ReferenceAnn {
public:
  explicit ReferenceAnn(mlir::ModuleOp module) {
    auto function = *module.getOps<mlir::func::FuncOp>().begin();
    llvm::DenseMap<mlir::Value, size_t> places;
    places[function.getArgument(0)] = 0;
    for (mlir::Operation &op : function.getBody().front()) {
      if (mlir::isa<mlir::func::ReturnOp>(op))
        result = places.at(op.getOperand(0));
      if (!op.getName().getStringRef().starts_with("snn."))
        continue;
      Step step;
      if (auto synapse = mlir::dyn_cast<snn::SynapseOp>(op)) {
        for (auto [k, source] : llvm::enumerate(synapse.getSources()))
          step.parts.push_back({places.at(source), *synapse.linearMap(unsigned(k))});
      } else if (auto pool = mlir::dyn_cast<snn::MaxPool2dOp>(op)) {
        step.parts.push_back({places.at(pool.getInput()), pool.windows()});
        step.kind = Step::Largest;
      } else {
        auto relu = mlir::cast<snn::ReluOp>(op);
        step.parts.push_back({places.at(relu.getInput()), {}});
        step.kind = Step::Rectifier;
        if (relu.getMaximumAttr())
          step.maximum = relu.getMaximumAttr().getValueAsDouble();
        if (relu.getLevelsAttr())
          step.levels = double(relu.getLevelsAttr().getInt());
      }
      steps.push_back(std::move(step));
      places[op.getResult(0)] = steps.size();
    }
  }

  std::vector<double> operator()(const std::vector<double> &x) const {
    std::vector<std::vector<double>> values = {x};
    for (const Step &step : steps)
      values.push_back(step.kind == Step::Rectifier ? rectified(step, values)
                                                    : mapped(step, values));
    return values[result];
  }

private:
  struct Part {
    size_t source;
    snn::LinearMap map;
  };
  struct Step {
    enum { Sum, Largest, Rectifier } kind = Sum;
    std::vector<Part> parts;
    double maximum = 0, levels = 0;
  };
  using Values = std::vector<std::vector<double>>;

  static std::vector<double> rectified(const Step &step, const Values &values) {
    std::vector<double> x = values[step.parts[0].source];
    for (double &value : x) {
      value = std::max(value, 0.0);
      if (step.levels > 0)
        value = std::min(std::floor(value * step.levels / step.maximum + 0.5), step.levels) *
                step.maximum / step.levels;
      else if (step.maximum > 0)
        value = std::min(value, step.maximum);
    }
    return x;
  }
  static std::vector<double> mapped(const Step &step, const Values &values) {
    std::vector<double> y(step.parts[0].map.outputs, 0);
    for (const Part &part : step.parts) {
      // Plain pointers: tests are compiled without optimisation.
      const double *x = values[part.source].data();
      const float *weights = part.map.weights.data();
      const uint32_t *indices = part.map.indices.data();
      const bool largest = step.kind == Step::Largest;
      for (uint32_t o = 0; o < part.map.outputs; ++o) {
        const uint64_t first = part.map.offsets[o], last = part.map.offsets[o + 1];
        double sum = 0, most = -INFINITY;
        for (uint64_t k = first; !largest && k < last; ++k)
          sum += double(weights[k]) * x[indices[k]];
        for (uint64_t k = first; largest && k < last; ++k)
          most = most < x[indices[k]] ? x[indices[k]] : most;
        y[o] += largest ? most : sum + part.map.bias[o];
      }
    }
    return y;
  }

  std::vector<Step> steps;
  size_t result = 0;
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
