// A second implementation, in double and by linear maps, of what ANN graphs and spiking networks
// compute.
#pragma once

#include "dialects/snn/Snn.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/IR/BuiltinOps.h"

#include <algorithm>
#include <map>
#include <vector>

namespace spindle::test {

using Signal = std::vector<double>;

inline Signal apply(const snn::LinearMap &map, const Signal &x) {
  Signal y(map.outputs);
  for (uint32_t o = 0; o < map.outputs; ++o) {
    y[o] = map.bias[o];
    for (uint64_t k = map.offsets[o]; k < map.offsets[o + 1]; ++k)
      y[o] += map.weights[k] * x[map.indices[k]];
  }
  return y;
}

/// Runs `@main` for `steps` steps on one input; the result after the last one. ANN graphs take one
/// step. `relus`, if given, receives the output of every snn.relu.
inline Signal evaluate(mlir::ModuleOp module, const Signal &input, int steps,
                       std::vector<Signal> *relus = nullptr) {
  auto function = module.lookupSymbol<mlir::func::FuncOp>("main");
  std::map<mlir::Operation *, Signal> membranes, counts;
  Signal answer;
  for (int step = 0; step < steps; ++step) {
    llvm::DenseMap<mlir::Value, Signal> values;
    values[function.getArgument(0)] = input;
    for (mlir::Operation &op : function.getBody().front()) {
      Signal x = op.getNumOperands() ? values.lookup(op.getOperand(0)) : Signal();
      if (auto synapse = mlir::dyn_cast<snn::SynapseOp>(op)) {
        values[op.getResult(0)] = test::apply(*synapse.linearMap(0), x);
      } else if (mlir::isa<snn::ReluOp>(op)) {
        for (double &value : x)
          value = std::max(value, 0.0);
        if (relus)
          relus->push_back(x);
        values[op.getResult(0)] = x;
      } else if (mlir::isa<snn::EncodeOp>(op)) {
        values[op.getResult(0)] = x;
      } else if (auto neuron = mlir::dyn_cast<snn::NeuronOp>(op)) {
        snn::NeuronModel model = neuron.neuronModel();
        Signal &v = membranes[&op];
        for (size_t n = v.size(); n < x.size(); ++n)
          v.push_back(snn::valueAt(model.initial, n));
        Signal spikes(x.size());
        for (size_t n = 0; n < x.size(); ++n) {
          if (model.kind == snn::NeuronKind::LeakyIntegrateAndFire)
            v[n] +=
                (snn::valueAt(model.leak, n) - v[n] + snn::valueAt(model.resistance, n) * x[n]) *
                snn::valueAt(model.rate, n);
          else
            v[n] += x[n];
          if (!model.spikes() || v[n] < snn::valueAt(model.threshold, n))
            continue;
          spikes[n] = 1;
          v[n] = model.resetBySubtraction ? v[n] - snn::valueAt(model.threshold, n)
                                          : snn::valueAt(model.reset, n);
        }
        values[op.getResult(0)] = model.spikes() ? spikes : v;
      } else if (auto decode = mlir::dyn_cast<snn::DecodeOp>(op)) {
        Signal &count = counts[&op];
        count.resize(x.size());
        for (size_t n = 0; n < x.size(); ++n)
          count[n] += x[n];
        values[op.getResult(0)] = decode.getDecoding() == snn::Decoding::Count ? count : x;
      } else if (mlir::isa<mlir::func::ReturnOp>(op)) {
        answer = x;
      }
    }
  }
  return answer;
}

} // namespace spindle::test
