#include "tests/bench/RecurrentWorkload.h"

#include "core/support/formats/Npz.h"
#include "lib/emulation/Emulation.h"

#include "fmt/format.h"
#include "fmt/ranges.h"

#include <cmath>

namespace spindle::bench {

// mV and ms, steps of kDt.
constexpr double kProbability = 0.02, kDt = 0.1;
constexpr float kThreshold = -50, kReset = -60;
constexpr float kTauMembrane = 20, kTauExcitatory = 5, kTauInhibitory = 10;
constexpr float kExcitatoryPotential = 0, kInhibitoryPotential = -80;
constexpr int64_t kSteps = 10000, kRefractorySteps = 50;

/// Distances between connected pairs are geometric: no pair is drawn that is not connected.
RecurrentWorkload::Rows RecurrentWorkload::randomRows(CounterRandom &random, int64_t first,
                                                      int64_t end) const {
  Rows rows;
  double scale = 1 / std::log1p(-kProbability);
  for (int64_t target = 0; target < spec.neurons; ++target) {
    for (int64_t source = first;; ++source) {
      source += int64_t(std::log(1 - random.uniform()) * scale);
      if (source >= end)
        break;
      rows.sources.push_back(int32_t(source));
    }
    rows.offsets.push_back(int64_t(rows.sources.size()));
  }
  return rows;
}

RecurrentWorkload::RecurrentWorkload(RecurrentSpec network) : spec(network) {
  CounterRandom random(1);
  int64_t split = spec.neurons * 4 / 5;
  excitatory = randomRows(random, 0, split);
  inhibitory = randomRows(random, split, spec.neurons);
  membranes = test::randomFloats(random, size_t(spec.neurons), kReset, kThreshold);
}

llvm::Expected<Measurement> RecurrentWorkload::run(const EngineChoice &choice) const {
  test::NetworkBuilder network({1});
  auto receive = [&](const Rows &rows, float weight) {
    network.feedback("cells", {spec.neurons}, spec.delay)
        .sparse({spec.neurons}, rows.offsets, rows.sources, weight);
    return network.last();
  };
  mlir::Value inhibition = receive(inhibitory, spec.inhibitoryWeight);
  receive(excitatory, spec.excitatoryWeight);
  auto one = [](double value) { return fmt::format("array<f32: {:.9e}>", value); };
  std::string attributes = fmt::format(
      "layer = \"cells\", reset = #snn<reset zero>, threshold = {}, v_reset = {}, v_leak = {}, tau "
      "= {}, "
      "tau_exc = {}, tau_inh = {}, refractory = array<i64: {}>, initial_membrane = array<f32: "
      "{:.9e}>, ",
      one(kThreshold), one(kReset), one(spec.leakPotential + spec.input), one(kTauMembrane / kDt),
      one(kTauExcitatory / kDt), one(kTauInhibitory / kDt), kRefractorySteps,
      fmt::join(membranes, ", "));
  if (spec.conductances)
    network.population(
        "coba_lif",
        attributes +
            fmt::format("e_exc = {}, e_inh = {}, discretization = #snn<discretization euler>",
                        one(kExcitatoryPotential), one(kInhibitoryPotential)),
        inhibition);
  else
    network.population("dual_cuba_lif", attributes + "discretization = #snn<discretization exact>",
                       inhibition);
  network.sparse({1}, {0, 1}, {0}, 1).integrator().decode(); // an answer, as every network has one

  EmulationOptions options;
  options.steps = kSteps;
  options.threads = choice.threads;
  options.recordSamples = 1;
  options.engine = choice.engine;
  SPINDLE_ASSIGN(EmulationResult result,
                 emulate(network.finish(), test::randomSamples(1, {1}, 1, 1), options));
  return Measurement{result.summary.seconds,          result.compileSeconds,
                     result.summary.synapticEvents,   {result.summary.populations.front()},
                     {result.summary.spikes.front()}, result.trace.recorded.front()};
}

/// Each step changes membranes and two receptors, and what came in at these, which takes a byte for
/// each at least; all of it does not fit into the first cache. An event takes a cycle at least.
VectorWork RecurrentWorkload::bound(const MachineRates &rates, const Measurement &measured) const {
  constexpr double kArrays = 3.5;
  VectorWork work;
  work.updates = kArrays * double(kSteps) * double(spec.neurons) / double(rates.lanes);
  work.cycles = double(measured.synapticEvents);
  return work;
}

std::vector<Peer> RecurrentWorkload::peers() const {
  return {{"brian2", "brian2_recurrent.py", spec.equalSteps}};
}

llvm::Error RecurrentWorkload::write(const std::string &path) const {
  // From rows of targets to rows of sources: count, then place.
  std::vector<int64_t> offsets(size_t(spec.neurons) + 1);
  for (const Rows *rows : {&excitatory, &inhibitory})
    for (int32_t source : rows->sources)
      ++offsets[size_t(source) + 1];
  for (size_t source = 0; source < size_t(spec.neurons); ++source)
    offsets[source + 1] += offsets[source];
  std::vector<int32_t> targets(size_t(offsets.back()));
  std::vector<int64_t> next = offsets;
  for (const Rows *rows : {&excitatory, &inhibitory})
    for (size_t target = 0; target < size_t(spec.neurons); ++target)
      for (int64_t k = rows->offsets[target]; k < rows->offsets[target + 1]; ++k)
        targets[size_t(next[size_t(rows->sources[size_t(k)])]++)] = int32_t(target);

  NpyArray targetArray{NpyType::Int32,
                       {offsets.back()},
                       {reinterpret_cast<const char *>(targets.data()), 4 * targets.size()}};
  auto integer = [](int64_t value) { return makeNpy({}, std::vector<int64_t>{value}); };
  auto real = [](double value) { return makeNpy({}, std::vector<double>{value}); };
  std::vector<NpzMember> members = {{"offsets", makeNpy({spec.neurons + 1}, offsets)},
                                    {"targets", std::move(targetArray)},
                                    {"v0", makeNpy({spec.neurons}, membranes)},
                                    {"excitatory", integer(spec.neurons * 4 / 5)},
                                    {"steps", integer(kSteps)},
                                    {"delay", integer(spec.delay)},
                                    {"refractory", integer(kRefractorySteps)},
                                    {"dt", real(kDt)},
                                    {"tau_m", real(kTauMembrane)},
                                    {"tau_e", real(kTauExcitatory)},
                                    {"tau_i", real(kTauInhibitory)},
                                    {"e_l", real(spec.leakPotential)},
                                    {"v_th", real(kThreshold)},
                                    {"v_r", real(kReset)},
                                    {"w_e", real(spec.excitatoryWeight)},
                                    {"w_i", real(spec.inhibitoryWeight)}};
  if (spec.conductances)
    members.insert(members.end(), {{"e_e", real(kExcitatoryPotential)},
                                   {"e_i", real(kInhibitoryPotential)},
                                   {"input", real(spec.input)}});
  return writeNpz(path, members);
}

} // namespace spindle::bench
