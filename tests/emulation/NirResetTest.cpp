// A reset that acts one step later, as some frameworks train with, against a loop over the
// equations.
#include "core/support/CounterRandom.h"
#include "lib/emulation/Emulation.h"
#include "tests/emulation/network/NetworkFile.h"
#include "tests/frontend/nir/NirModels.h"

#include "gmock/gmock.h"

#include <cmath>

using namespace spindle;
using test::spikesOf;

namespace {

constexpr uint32_t kResetInputs = 6, kResetHidden = 8, kResetOutputs = 5, kResetSteps = 120;

using NirReset = ModelOptions::NirReset;
using NirDiscretization = ModelOptions::NirDiscretization;

/// Parameters of a population, one per neuron; times in steps of 1 ms.
struct ResetCells {
  std::string type;
  std::vector<double> tau, tauSyn, r, leak, threshold, low, win;

  ResetCells(const std::string &kind, uint32_t count, CounterRandom &random) : type(kind) {
    auto draw = [&](double from, double to) {
      std::vector<double> values(count);
      for (double &value : values)
        value = static_cast<float>(from + (to - from) * random.uniform());
      return values;
    };
    tau = draw(2, 12);
    tauSyn = draw(1.5, 4);
    r = draw(2, 5);
    leak = draw(-0.2, 0.2);
    threshold = draw(0.8, 1.2);
    low = draw(-0.3, 0.1);
    win = draw(1, 2);
  }

  NirNode node(const std::string &name) const {
    auto all = [&](std::vector<double> values, double factor = 1) {
      for (double &value : values)
        value *= factor;
      return NirArray{NirType::Float64, {values.size()}, values, {}};
    };
    NirArrays arrays{{"r", all(r)}, {"v_threshold", all(threshold)}, {"v_reset", all(low)}};
    if (type != "IF")
      arrays["v_leak"] = all(leak);
    if (type == "LIF")
      arrays["tau"] = all(tau, 1e-3);
    if (type == "CubaLIF") {
      arrays["tau_mem"] = all(tau, 1e-3);
      arrays["tau_syn"] = all(tauSyn, 1e-3);
      arrays["w_in"] = all(win);
    }
    return {name, type, arrays, {}, {}, {}};
  }
};

/// v ← f(v); where the neuron spiked a step ago, v ← v − threshold or v ← v_reset; then its spike.
struct ResetLoop {
  const ResetCells &cells;
  bool subtracts, exact;
  std::vector<double> v, j, spikes;

  ResetLoop(const ResetCells &of, bool subtracting, bool exactly)
      : cells(of), subtracts(subtracting), exact(exactly), v(of.r.size()), j(v), spikes(v) {
    if (cells.type != "IF")
      v.assign(v.size(), 0);
  }
  void step(const std::vector<double> &current) {
    for (size_t n = 0; n < v.size(); ++n) {
      double i = current[n], rate = exact ? 1 - std::exp(-1 / cells.tau[n]) : 1 / cells.tau[n];
      if (cells.type == "CubaLIF")
        i = j[n] += (cells.win[n] * i - j[n]) / cells.tauSyn[n];
      if (cells.type == "IF")
        v[n] += cells.r[n] * i;
      else
        v[n] += (cells.leak[n] - v[n] + cells.r[n] * i) * rate;
      if (spikes[n] != 0)
        v[n] = subtracts ? v[n] - cells.threshold[n] : cells.low[n];
      spikes[n] = v[n] >= cells.threshold[n] && (subtracts || spikes[n] == 0);
    }
  }
};

std::vector<double> product(const NirArray &weights, const std::vector<double> &x) {
  std::vector<double> y(weights.extents[0]);
  for (size_t o = 0; o < y.size(); ++o)
    for (size_t i = 0; i < x.size(); ++i)
      y[o] += weights.numbers[o * x.size() + i] * x[i];
  return y;
}

struct ResetCase {
  const char *type;
  NirReset reset;
  NirDiscretization discretization;
};

class NirResetDelay : public testing::TestWithParam<ResetCase> {};

TEST_P(NirResetDelay, ActsOnTheNextMembrane) {
  auto [type, reset, discretization] = GetParam();
  CounterRandom random(11);
  auto weights = [&](uint32_t rows, uint32_t columns, double from, double to) {
    NirArray array{NirType::Float32, {rows, columns}, {}, {}};
    for (uint32_t k = 0; k < rows * columns; ++k)
      array.numbers.push_back(static_cast<float>(from + (to - from) * random.uniform()));
    return array;
  };
  double drive = type == std::string("IF") ? 1 : 2; // a leak wants more
  NirArray first = weights(kResetHidden, kResetInputs, -0.05, 0.2 * drive),
           second = weights(kResetOutputs, kResetHidden, -0.2, 0.5 * drive);
  ResetCells hidden(type, kResetHidden, random), output(type, kResetOutputs, random);
  NirGraph graph = nirChain({kResetInputs},
                            {{"fc1", "Linear", {{"weight", first}}, {}, {}, {}},
                             hidden.node("hidden"),
                             {"fc2", "Linear", {{"weight", second}}, {}, {}, {}},
                             output.node("out")},
                            {kResetOutputs});
  ModelOptions options;
  options.dtMs = 1;
  options.resetDelay = true;
  options.nirReset = reset;
  options.discretization = discretization;
  options.nirInput = ModelOptions::NirInput::Current;
  mlir::MLIRContext context(mlir::MLIRContext::Threading::DISABLED);
  auto module = importNirGraph(context, graph, "net.nir", options);
  ASSERT_TRUE(bool(module)) << toText(module.takeError());

  Samples samples{{kResetInputs}, {}, {0}, {}};
  for (uint32_t i = 0; i < kResetInputs; ++i)
    samples.values.push_back(static_cast<float>(0.2 + 0.5 * random.uniform()));
  std::vector<Spike> expected[2];
  bool subtracts = reset == NirReset::Subtract, exact = discretization == NirDiscretization::Exact;
  ResetLoop below(hidden, subtracts, exact), above(output, subtracts, exact);
  std::vector<double> constant =
      product(first, std::vector<double>(samples.values.begin(), samples.values.end()));
  for (uint32_t t = 0; t < kResetSteps; ++t) {
    below.step(constant);
    above.step(product(second, below.spikes));
    for (uint32_t n = 0; n < kResetHidden; ++n)
      if (below.spikes[n] != 0)
        expected[0].push_back({t, n});
    for (uint32_t n = 0; n < kResetOutputs; ++n)
      if (above.spikes[n] != 0)
        expected[1].push_back({t, n});
  }
  ASSERT_GT(expected[0].size(), 40u);
  ASSERT_GT(expected[1].size(), 20u);
  for (auto engine :
       {EmulationEngine::Interpreter, EmulationEngine::Layers, EmulationEngine::Lanes}) {
    EmulationOptions emulation;
    emulation.steps = kResetSteps;
    emulation.engine = engine;
    auto result = emulate(**module, samples, emulation);
    ASSERT_TRUE(bool(result)) << toText(result.takeError());
    EXPECT_EQ(spikesOf(*result, "hidden"), expected[0]);
    EXPECT_EQ(spikesOf(*result, "out"), expected[1]);
  }
}

INSTANTIATE_TEST_SUITE_P(
    Kinds, NirResetDelay,
    testing::Values(ResetCase{"IF", NirReset::Zero, NirDiscretization::Euler},
                    ResetCase{"IF", NirReset::Subtract, NirDiscretization::Euler},
                    ResetCase{"LIF", NirReset::Zero, NirDiscretization::Euler},
                    ResetCase{"LIF", NirReset::Subtract, NirDiscretization::Euler},
                    ResetCase{"LIF", NirReset::Zero, NirDiscretization::Exact},
                    ResetCase{"LIF", NirReset::Subtract, NirDiscretization::Exact},
                    ResetCase{"CubaLIF", NirReset::Zero, NirDiscretization::Euler},
                    ResetCase{"CubaLIF", NirReset::Subtract, NirDiscretization::Euler}));

} // namespace
