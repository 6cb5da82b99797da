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
  std::map<mlir::Operation *, Signal> membranes, counts, held;
  Signal answer;
  for (int step = 0; step < steps; ++step) {
    llvm::DenseMap<mlir::Value, Signal> values;
    values[function.getArgument(0)] = input;
    for (mlir::Operation &op : function.getBody().front()) {
      Signal x = op.getNumOperands() ? values.lookup(op.getOperand(0)) : Signal();
      if (auto synapse = mlir::dyn_cast<snn::SynapseOp>(op)) {
        Signal sum = test::apply(*synapse.linearMap(0), x);
        for (unsigned s = 1; s < synapse.getSources().size(); ++s) {
          Signal more = test::apply(*synapse.linearMap(s), values.lookup(op.getOperand(s)));
          for (size_t n = 0; n < sum.size(); ++n)
            sum[n] += more[n];
        }
        values[op.getResult(0)] = sum;
      } else if (auto pool = mlir::dyn_cast<snn::MaxPool2dOp>(op)) {
        // Of spikes: the busiest input's count so far, minus what was put out before.
        bool spikes = snn::runsInTime(pool.getInput().getType());
        Signal &count = counts[&op], &out = held[&op];
        snn::LinearMap windows = pool.windows();
        count.resize(x.size());
        out.resize(windows.outputs);
        Signal y(windows.outputs);
        for (size_t n = 0; n < x.size(); ++n)
          count[n] = spikes ? count[n] + x[n] : x[n];
        for (uint32_t o = 0; o < windows.outputs; ++o) {
          y[o] = -1e30;
          for (uint64_t k = windows.offsets[o]; k < windows.offsets[o + 1]; ++k)
            y[o] = std::max(y[o], count[windows.indices[k]]);
          double total = y[o];
          y[o] -= spikes ? out[o] : 0;
          out[o] = total;
        }
        values[op.getResult(0)] = y;
      } else if (auto relu = mlir::dyn_cast<snn::ReluOp>(op)) {
        for (double &value : x) {
          if (relu.getLevels()) {
            double unit = relu.getMaximum()->convertToFloat() / double(*relu.getLevels());
            value =
                std::clamp(std::floor(value / unit + 0.5), 0.0, double(*relu.getLevels())) * unit;
          }
          value = std::max(value, 0.0);
          if (relu.getMaximum())
            value = std::min<double>(value, relu.getMaximum()->convertToFloat());
        }
        if (relus)
          relus->push_back(x);
        values[op.getResult(0)] = x;
      } else if (mlir::isa<snn::EncodeOp>(op)) {
        auto encode = mlir::cast<snn::EncodeOp>(op);
        for (double &value : x)
          if (encode.getEncoding() == snn::Encoding::Latency) {
            double span = *encode.getSteps();
            double p = std::clamp(value / encode.getMaximum().convertToFloat(), 0.0, 1.0);
            value = step == span - std::floor(p * span + 0.5);
          }
        values[op.getResult(0)] = x;
      } else if (auto neuron = mlir::dyn_cast<snn::NeuronOp>(op)) {
        snn::NeuronModel model = neuron.neuronModel();
        Signal &v = membranes[&op];
        for (size_t n = v.size(); n < x.size(); ++n)
          v.push_back(snn::valueAt(model.initial, n));
        Signal spikes(x.size()), &stay = held[&op];
        stay.resize(x.size());
        for (size_t n = 0; n < x.size() && model.sustained; ++n)
          x[n] = stay[n] += x[n];
        for (size_t n = 0; n < x.size(); ++n) {
          if (model.kind == snn::NeuronKind::FirstSpike) {
            v[n] += step < model.start ? x[n] : 1;
            if (step >= model.start && step < model.start + model.window &&
                v[n] >= model.threshold[0]) {
              spikes[n] = 1;
              v[n] = -1e30; // once
            }
            continue;
          }
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
