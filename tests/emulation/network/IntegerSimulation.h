// A network of integers by straight loops over int64: no float after the pixels, nothing shared
// with the emulator but the operations' attributes.
#pragma once

#include "core/network/SpikeTrace.h"
#include "dialects/snn/Snn.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/IR/BuiltinOps.h"

#include <algorithm>
#include <cmath>
#include <map>

namespace spindle::test {

using Integers = std::vector<int64_t>;

class IntegerSimulation {
public:
  struct Run {
    std::vector<Spike> spikes;
    std::vector<Integers> answers; // of every step
    int64_t widest = 0;            // the greatest sum of a layer, by amount
  };

  explicit IntegerSimulation(mlir::ModuleOp module)
      : body(module.lookupSymbol<mlir::func::FuncOp>("main").getBody().front()) {
    for (mlir::Operation &op : body)
      for (mlir::Value weights : op.getOperands())
        if (weights.getDefiningOp<mlir::arith::ConstantOp>())
          constants[weights] = wholeNumbers(weights);
  }

  Run run(const float *sample, uint32_t steps) {
    signals.clear();
    states.clear();
    result = {};
    pixels = sample;
    for (step = 0; step < steps; ++step) {
      firstNeuron = 0;
      for (mlir::Operation &op : body)
        if (!mlir::isa<mlir::arith::ConstantOp>(op))
          work(&op);
    }
    return result;
  }

private:
  struct State {
    Integers v, j, rest, counts, made;
    std::vector<Integers> history;
  };

  static Integers wholeNumbers(mlir::Value value) {
    Integers whole;
    std::vector<float> floats = *snn::constantFloats(value);
    for (float each : floats) {
      if (each != std::trunc(each))
        throw std::runtime_error("a weight is no integer");
      whole.push_back(int64_t(each));
    }
    return whole;
  }

  /// One value per channel or element.
  template <typename Values> static int64_t at(const Values &values, size_t n, size_t size) {
    return int64_t(values[n / (size / values.size())]);
  }

  Integers weightsOf(mlir::Value value) { return value ? constants[value] : Integers(); }

  void work(mlir::Operation *op) {
    if (mlir::isa<mlir::func::ReturnOp>(op)) {
      result.answers.push_back(signals[op->getOperand(0)]);
      return;
    }
    Integers y = make(op);
    if (auto synapse = mlir::dyn_cast<snn::SynapseOp>(op); synapse && synapse.hasWeights())
      for (int64_t sum : y)
        result.widest = std::max(result.widest, std::abs(sum));
    bool encodesSpikes = mlir::isa<snn::EncodeOp>(op), pools = mlir::isa<snn::MaxPool2dOp>(op);
    bool spikes = mlir::isa<snn::SpikeBundleType>(op->getResult(0).getType());
    bool isPopulation = mlir::isa<snn::NeuronOp>(op) || (spikes && (encodesSpikes || pools));
    for (size_t n = 0; isPopulation && spikes && n < y.size(); ++n)
      for (int64_t k = 0; k < y[n]; ++k)
        result.spikes.push_back({step, uint32_t(firstNeuron + n)});
    firstNeuron += isPopulation ? y.size() : 0;
    signals[op->getResult(0)] = std::move(y);
  }

  Integers make(mlir::Operation *op) {
    State &state = states[op];
    if (auto quantize = mlir::dyn_cast<snn::QuantizeOp>(op))
      return levels(quantize);
    const Integers x = signals[op->getOperand(0)];
    auto size = size_t(snn::sizeOf(op->getResult(0)));
    if (auto encode = mlir::dyn_cast<snn::EncodeOp>(op))
      return encode.getEncoding() == snn::Encoding::Direct ? x : regular(encode, x, state);
    if (auto lif = mlir::dyn_cast<snn::FixedLifOp>(op)) {
      auto next = [&](int64_t v, size_t n) {
        return membrane(v, lif.getDecay(), lif.getDecayBits(), x[n] << lif.getWeightShift(),
                        lif.getMembraneBits());
      };
      return fire(lif, size, state, next);
    }
    if (auto cuba = mlir::dyn_cast<snn::FixedCubaLifOp>(op)) {
      state.j.resize(size, 0);
      for (size_t n = 0; n < size; ++n)
        state.j[n] = membrane(state.j[n], cuba.getDecaySyn(), cuba.getDecayBits(),
                              x[n] << cuba.getWeightShift(), cuba.getMembraneBits());
      auto next = [&](int64_t v, size_t n) {
        return membrane(v, cuba.getDecay(), cuba.getDecayBits(), state.j[n],
                        cuba.getMembraneBits());
      };
      return fire(cuba, size, state, next);
    }
    if (auto li = mlir::dyn_cast<snn::FixedLiOp>(op)) {
      for (size_t n = state.v.size(); n < size; ++n)
        state.v.push_back(at(li.getInitialMembrane(), n, size));
      for (size_t n = 0; n < size; ++n)
        state.v[n] = membrane(state.v[n], li.getDecay(), li.getDecayBits(),
                              x[n] << li.getWeightShift(), li.getMembraneBits());
      return state.v;
    }
    if (auto decode = mlir::dyn_cast<snn::DecodeOp>(op)) {
      state.counts.resize(size, 0);
      for (size_t n = 0; n < size; ++n)
        state.counts[n] += x[n];
      return decode.getDecoding() == snn::Decoding::Count ? state.counts : x;
    }
    return layer(op, x, size, state);
  }

  Integers layer(mlir::Operation *op, const Integers &x, size_t size, State &state) {
    Integers y(size, 0);
    if (auto dense = mlir::dyn_cast<snn::DenseOp>(op)) {
      Integers w = weightsOf(dense.getWeight()), bias = weightsOf(dense.getBias());
      for (size_t o = 0; o < size; ++o) {
        for (size_t i = 0; i < x.size(); ++i)
          y[o] += w[o * x.size() + i] * x[i];
        y[o] += bias.empty() ? 0 : bias[o];
      }
    } else if (auto conv = mlir::dyn_cast<snn::Conv2dOp>(op)) {
      convolve(conv, x, y);
    } else if (auto scale = mlir::dyn_cast<snn::ScaleOp>(op)) {
      Integers w = weightsOf(scale.getFactor()), bias = weightsOf(scale.getBias());
      for (size_t n = 0; n < size; ++n)
        y[n] = at(w, n, size) * x[n] + (bias.empty() ? 0 : at(bias, n, size));
    } else if (auto sums = mlir::dyn_cast<snn::SumPool2dOp>(op)) {
      pool(sums, x, [&](size_t o, size_t i) { y[o] += x[i]; });
    } else if (auto maxima = mlir::dyn_cast<snn::MaxPool2dOp>(op)) {
      Integers seen = x;
      bool inTime = snn::runsInTime(maxima.getInput().getType());
      state.counts.resize(x.size(), 0);
      state.made.resize(size, 0);
      for (size_t i = 0; inTime && i < x.size(); ++i)
        seen[i] = state.counts[i] += x[i];
      std::fill(y.begin(), y.end(), inTime ? 0 : INT64_MIN);
      pool(maxima, x, [&](size_t o, size_t i) { y[o] = std::max(y[o], seen[i]); });
      for (size_t o = 0; inTime && o < size; ++o)
        y[o] -= std::exchange(state.made[o], y[o]);
    } else if (mlir::isa<snn::ReshapeOp>(op)) {
      y = x;
    } else if (mlir::isa<snn::AddOp>(op)) {
      for (size_t n = 0; n < size; ++n)
        y[n] = x[n] + signals[op->getOperand(1)][n];
    } else if (auto delay = mlir::dyn_cast<snn::DelayOp>(op)) {
      state.history.push_back(x);
      for (size_t n = 0; n < size; ++n)
        if (int64_t ago = at(delay.getSteps(), n, size); ago <= int64_t(step))
          y[n] = state.history[size_t(step - ago)][n];
    } else {
      throw std::runtime_error("unknown to the simulation: " + op->getName().getStringRef().str());
    }
    return y;
  }

  /// Pixels are rounded; sums are shifted to the right.
  Integers levels(snn::QuantizeOp op) {
    auto low = int64_t(op.getLow()), high = int64_t(op.getHigh());
    Integers y(size_t(snn::sizeOf(op.getOutput())));
    double unit = op.getUnit().convertToDouble();
    bool isInput = mlir::isa<mlir::BlockArgument>(op.getInput());
    const Integers x = isInput ? Integers(y.size()) : signals[op.getInput()];
    int shift = isInput ? 0 : std::ilogb(unit);
    if (!isInput && std::ldexp(1.0, shift) != unit)
      throw std::runtime_error("sums are not divided by a power of two");
    for (size_t n = 0; n < y.size(); ++n) {
      int64_t q = isInput ? int64_t(std::floor(pixels[n] / float(unit) + 0.5f))
                          : (x[n] + ((int64_t(1) << shift) >> 1)) >> shift;
      y[n] = std::clamp(q, low, high);
    }
    return y;
  }

  /// An accumulator that overflows at the maximum.
  Integers regular(snn::EncodeOp op, const Integers &x, State &state) {
    auto maximum = int64_t(op.getMaximum().convertToFloat());
    state.v.resize(x.size(), 0);
    Integers spikes(x.size(), 0);
    for (size_t n = 0; n < x.size(); ++n) {
      state.v[n] += std::clamp<int64_t>(x[n], 0, maximum);
      spikes[n] = state.v[n] >= maximum;
      state.v[n] -= spikes[n] * maximum;
    }
    return spikes;
  }

  static int64_t membrane(int64_t v, uint64_t decay, uint64_t decayBits, int64_t added,
                          uint64_t bits) {
    int64_t scale = int64_t(1) << decayBits, product = v * (scale - int64_t(decay));
    int64_t kept = product < 0 ? -(-product / scale) : product / scale;
    int64_t most = (int64_t(1) << (bits - 1)) - 1;
    return std::min(most, std::max(-most - 1, kept + added));
  }

  template <typename Op, typename Next> Integers fire(Op op, size_t size, State &state, Next next) {
    for (size_t n = state.v.size(); n < size; ++n)
      state.v.push_back(at(op.getInitialMembrane(), n, size));
    state.rest.resize(size, 0);
    Integers spikes(size, 0);
    for (size_t n = 0; n < size; ++n) {
      if (state.rest[n] > 0) {
        --state.rest[n];
        continue;
      }
      int64_t v = next(state.v[n], n), threshold = at(op.getThreshold(), n, size);
      for (; spikes[n] < int64_t(op.getMaxSpikes()) && v >= threshold; ++spikes[n])
        v = op.getReset() == snn::Reset::Subtract ? v - threshold : at(op.getVReset(), n, size);
      if (spikes[n] > 0)
        state.rest[n] = at(op.getRefractory(), n, size);
      state.v[n] = v;
    }
    return spikes;
  }

  void convolve(snn::Conv2dOp op, const Integers &x, Integers &y) {
    Integers w = weightsOf(op.getWeight()), bias = weightsOf(op.getBias());
    auto in = snn::shapeOf(op.getInput()), out = snn::shapeOf(op.getOutput()),
         kernel = snn::shapeOf(op.getWeight());
    const auto strides = op.getStrides(), dilations = op.getDilations(), padding = op.getPadding();
    const int64_t perGroup = out[0] / int64_t(op.getGroups()), rows = in[1], columns = in[2];
    const int64_t kernelRows = kernel[2], kernelColumns = kernel[3], stride = strides[1],
                  dilation = dilations[1], left = padding[1];
    for (int64_t f = 0; f < out[0]; ++f)
      for (int64_t r = 0; r < out[1]; ++r)
        for (int64_t c = 0; c < out[2]; ++c) {
          int64_t sum = bias.empty() ? 0 : bias[size_t(f)];
          for (int64_t k = 0; k < kernel[1]; ++k)
            for (int64_t i = 0; i < kernelRows; ++i) {
              int64_t row = r * strides[0] + i * dilations[0] - padding[0];
              int64_t channel = f / perGroup * kernel[1] + k;
              if (row < 0 || row >= rows)
                continue;
              const int64_t *weights =
                  &w[size_t(((f * kernel[1] + k) * kernelRows + i) * kernelColumns)];
              const int64_t *values = &x[size_t((channel * rows + row) * columns)];
              for (int64_t j = 0; j < kernelColumns; ++j) {
                int64_t col = c * stride + j * dilation - left;
                if (col >= 0 && col < columns)
                  sum += weights[j] * values[col];
              }
            }
          y[size_t((f * out[1] + r) * out[2] + c)] = sum;
        }
  }

  template <typename Op, typename Use> void pool(Op op, const Integers &, Use use) {
    auto in = snn::shapeOf(op.getInput()), out = snn::shapeOf(op.getOutput());
    const auto kernel = op.getKernel(), strides = op.getStrides(), padding = op.getPadding();
    for (int64_t k = 0; k < out[0]; ++k)
      for (int64_t r = 0; r < out[1]; ++r)
        for (int64_t c = 0; c < out[2]; ++c)
          for (int64_t i = 0; i < kernel[0]; ++i)
            for (int64_t j = 0; j < kernel[1]; ++j) {
              int64_t row = r * strides[0] + i - padding[0];
              int64_t col = c * strides[1] + j - padding[1];
              if (row >= 0 && row < in[1] && col >= 0 && col < in[2])
                use(size_t((k * out[1] + r) * out[2] + c), size_t((k * in[1] + row) * in[2] + col));
            }
  }

  mlir::Block &body;
  llvm::DenseMap<mlir::Value, Integers> constants, signals;
  std::map<mlir::Operation *, State> states;
  const float *pixels = nullptr;
  uint32_t step = 0;
  size_t firstNeuron = 0;
  Run result;
};

} // namespace spindle::test
