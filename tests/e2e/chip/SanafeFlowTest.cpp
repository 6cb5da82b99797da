// A run as files of SANA-FE, and back. What the files say is computed here by SANA-FE's equations,
// as its page of models has them: the spikes are those of the run. What comes back from them has
// the same figures on the chip.
#include "core/network/SpikeTrace.h"
#include "tests/e2e/Tool.h"

#include "yaml-cpp/yaml.h"

#include <cmath>
#include <gmock/gmock.h>
#include <random>
#include <set>

namespace spindle::test {
namespace {

using ::testing::HasSubstr;

/// The step and number of every spike, by group.
using Spikes = std::map<std::string, std::set<std::pair<uint32_t, uint32_t>>>;

/// Neurons of a network file of SANA-FE, one step after the other: what a spike adds arrives in the
/// next step.
class ByEquations {
public:
  explicit ByEquations(const std::string &path) {
    YAML::Node root = YAML::LoadFile(path);
    for (const YAML::Node &group : root["network"]["groups"])
      for (const YAML::Node &entry : group["neurons"])
        for (const auto &range : entry) {
          std::string ids = range.first.as<std::string>();
          int first = std::stoi(ids), last = std::stoi(ids.substr(ids.find("..") + 2));
          for (int n = first; n <= last; ++n)
            groups[group["name"].as<std::string>()].push_back({range.second["soma"], {}, 0, 0});
        }
    for (const YAML::Node &entry : root["mappings"])
      for (const auto &place : entry) {
        std::string name = place.first.as<std::string>(), group = name.substr(0, name.find('.'));
        std::string ids = name.substr(name.find('.') + 1);
        size_t dots = ids.find("..");
        int first = std::stoi(ids),
            last = dots == ids.npos ? first : std::stoi(ids.substr(dots + 2));
        for (int n = first; n <= last; ++n)
          groups[group][size_t(n)].unit = place.second["soma"].as<std::string>();
      }
    for (const YAML::Node &entry : root["network"]["edges"])
      for (const auto &edge : entry) {
        std::string ends = edge.first.as<std::string>();
        Edges all{ends.substr(0, ends.find(" -> ")), ends.substr(ends.find(" -> ") + 4), {}};
        for (size_t k = 0; k < edge.second["weight"].size(); ++k) {
          const YAML::Node &pair = edge.second["source_target_pairs"][k];
          all.list.push_back(
              {pair[0].as<size_t>(), pair[1].as<size_t>(), edge.second["weight"][k].as<double>()});
        }
        edges.push_back(all);
      }
  }

  Spikes run(uint32_t steps) {
    Spikes spikes;
    for (uint32_t step = 0; step < steps; ++step) {
      for (auto &[name, neurons] : groups)
        for (uint32_t n = 0; n < neurons.size(); ++n) {
          neurons[n].fired = update(neurons[n], step);
          neurons[n].arrived = 0;
          if (neurons[n].fired)
            spikes[name].insert({step, n});
        }
      for (const Edges &all : edges)
        for (const auto &[source, target, weight] : all.list)
          if (groups[all.from][source].fired)
            groups[all.to][target].arrived += weight;
    }
    return spikes;
  }

private:
  struct Neuron {
    YAML::Node soma;
    std::string unit;
    double arrived, v, current = 0;
    int refractory = 0;
    bool fired = false;
    double get(const char *key, double absent = 0) const {
      return soma.IsDefined() && soma[key] ? soma[key].as<double>() : absent;
    }
  };
  struct Edges {
    std::string from, to;
    std::vector<std::tuple<size_t, size_t, double>> list;
  };

  static bool update(Neuron &neuron, uint32_t step) {
    if (neuron.unit.find('[') != neuron.unit.npos) // a given spike
      return neuron.soma.IsDefined() && neuron.soma["spikes"] &&
             step < neuron.soma["spikes"].size() && neuron.soma["spikes"][step].as<int>() == 1;
    bool isExact = neuron.unit == "exact";
    if (step == 0 && !isExact)
      neuron.v = neuron.get("potential");
    if (step > 0 && !isExact) {
      neuron.current *= neuron.get("input_decay");
      neuron.v *= neuron.get("leak_decay", 1);
    }
    if (!isExact)
      neuron.v = std::trunc(neuron.v * 64) / 64;
    if (neuron.refractory > 0) {
      --neuron.refractory;
      return false;
    }
    neuron.current = (isExact ? 0 : neuron.current) + neuron.arrived;
    neuron.v += neuron.get("bias") + neuron.current;
    double threshold = neuron.get("threshold");
    if (isExact ? neuron.v < threshold : neuron.v <= threshold)
      return false;
    bool isSoft = neuron.soma["reset_mode"].as<std::string>() == "soft";
    neuron.v = isSoft ? neuron.v - threshold : neuron.get("reset");
    neuron.refractory = std::max(0, int(neuron.get("refractory_delay")) - 1);
    return true;
  }

  std::map<std::string, std::vector<Neuron>> groups;
  std::vector<Edges> edges;
};

class SanafeFlow : public ::testing::Test {
protected:
  /// Runs a network on random events of twelve inputs.
  void runNetwork(const std::string &network, const std::string &chip) {
    writeText(scratch / "net.yaml", "dt: 1\noutput: out\npopulations:\n  in: {source: samples, "
                                    "encoding: events, size: 12}\n" +
                                        network);
    std::mt19937 random(5);
    std::string events = "t_us,address\n";
    for (int step = 0; step < 40; ++step)
      for (int input = 0; input < 12; ++input)
        if (random() % 4 == 0)
          events += std::to_string(step * 1000) + "," + std::to_string(input) + "\n";
    writeText(scratch / "events.csv", events);
    writeText(scratch / "list.txt", "events.csv 0\n");
    writeText(
        scratch / "flow.yaml",
        "model: {path: net.yaml, list_synapses: true}\ndataset: {format: events, list: "
        "list.txt, steps: 40, shape: [12]}\nemulation: {steps: 40, record_samples: 1}\nchip: " +
            chip + "\nsimulation: {samples: 1}\n");
    ToolResult result = tool("run", scratch / "flow.yaml", scratch / "out");
    ASSERT_EQ(result.exitCode, 0) << result.errors;
  }
  ToolResult tool(const std::string &command, const std::string &input, const std::string &out) {
    return runTool(command + " '" + input + "' --out '" + out + "'");
  }
  Spikes ours(const std::string &out) {
    SpikeTrace trace = llvm::cantFail(readSpikeTrace(out + "/30-spikes.h5"));
    Spikes spikes;
    for (const Population &population : trace.populations)
      for (const Spike &spike : trace.recorded[0])
        if (spike.neuron >= population.first && spike.neuron - population.first < population.size)
          spikes[population.name].insert({spike.step, spike.neuron - population.first});
    return spikes;
  }
  /// Exports the run; by equations the spikes of each population are its own, `shifts` steps later.
  void expectEqualSpikes(const std::map<std::string, uint32_t> &shifts, uint32_t steps) {
    ToolResult result = tool("sanafe export", scratch / "out", scratch / "files");
    ASSERT_EQ(result.exitCode, 0) << result.errors;
    EXPECT_THAT(result.output, HasSubstr(std::to_string(steps) + " steps\n"));
    Spikes computed = ByEquations(scratch / "files/snn.yaml").run(steps),
           emulated = ours(scratch / "out");
    for (const auto &[name, shift] : shifts) {
      Spikes::mapped_type moved;
      for (auto [step, neuron] : emulated[name])
        moved.insert({step + shift, neuron});
      Spikes::mapped_type within;
      for (auto [step, neuron] : computed[name])
        if (step < 40 + shift)
          within.insert({step, neuron});
      EXPECT_GT(moved.size(), 10u) << name;
      EXPECT_EQ(within, moved) << name;
    }
  }
  ScratchFolder scratch;
};

/// Each spike takes a step, in cycles, too. A population has synapses of one kind, as those of
/// SANA-FE have: of `a` and `out` matrices, of `b` lists at another price.
TEST_F(SanafeFlow, DelaysOfOneStepAndBack) {
  runNetwork(
      "  a: {neuron: lif, size: 30, tau: 4, r: 4, threshold: 1.3, v_reset: -0.25, v_leak: 0.125}\n"
      "  b: {neuron: if, size: 10, threshold: 2.1, reset: subtract}\n"
      "  out: {neuron: cuba_lif, size: 5, tau: 4, tau_syn: 2, r: 4, w_in: 2, threshold: 1.1}\n"
      "projections:\n"
      "  - {from: in, to: a, connect: all_to_all, weight: {uniform: [-0.5, 1]}}\n"
      "  - {from: a, to: a, connect: {fan_in: 4}, weight: {uniform: [-0.5, 0.5]}, kind: dense}\n"
      "  - {from: a, to: b, connect: {fan_in: 9}, weight: {uniform: [-0.25, 1]}}\n"
      "  - {from: b, to: out, connect: all_to_all, weight: {uniform: [0, 0.75]}}\n",
      "loihi");
  expectEqualSpikes({{"in", 0}, {"a", 0}, {"b", 0}, {"out", 0}}, 40);
  ToolResult result =
      runTool("sanafe import '" + scratch / "files/arch.yaml" + "' '" + scratch / "files/snn.yaml" +
              "' --steps 40 --out '" + scratch / "back" + "'");
  ASSERT_EQ(result.exitCode, 0) << result.errors;
  result = tool("run", scratch / "back/flow.yaml", scratch / "again");
  ASSERT_EQ(result.exitCode, 0) << result.errors;
  Spikes before = ours(scratch / "out"), after = ours(scratch / "again");
  for (const char *name : {"a", "b", "out"})
    EXPECT_EQ(after[name], before[name]) << name;
  nlohmann::json first = readJsonFile(scratch / "out/80-chip.json"),
                 second = readJsonFile(scratch / "again/80-chip.json");
  for (const char *key :
       {"cycles", "packets", "local_deliveries", "synaptic_events", "tile_spikes"})
    EXPECT_EQ(first[key], second[key]) << key;
  double pj = first["energy_total_pj"]; // of other parts, which are added up in another order
  EXPECT_NEAR(second["energy_total_pj"].get<double>(), pj, 1e-12 * pj);
  EXPECT_THAT(readText(scratch / "back/chip.yaml"),
              ::testing::AllOf(HasSubstr("sparse_synapse_pj: {value: 33.6, source: "),
                               HasSubstr("dense_synapse_cycles: {value: 38, source: ")));
}

/// A chip with a price for each kind and one for the rest comes back; where a population hears
/// several kinds, the one with the most events is that of its neurons.
TEST_F(SanafeFlow, UnitsOfAllKindsAndBack) {
  std::string chip = readText("configs/chips/loihi.yaml");
  size_t at = chip.find("  sparse_synapse_cycles:");
  ASSERT_NE(at, std::string::npos);
  chip.insert(at, "  dense_synapse_cycles: {value: 39, source: \"assumption: of this test\"}\n");
  writeText(scratch / "chip.yaml", chip);
  runNetwork("  a: {neuron: if, size: 30, threshold: 1.3}\n"
             "  b: {neuron: if, size: 10, threshold: 2.1}\n"
             "  c: {neuron: if, size: 10, threshold: 2.1}\n"
             "  out: {neuron: if, size: 5, threshold: 1.1}\n"
             "projections:\n"
             "  - {from: in, to: a, connect: all_to_all, weight: {uniform: [-0.5, 1]}}\n"
             "  - {from: a, to: b, connect: {fan_in: 9}, weight: {uniform: [-0.25, 1]}}\n"
             "  - {from: b, to: b, connect: {fan_in: 1}, weight: 0.125, kind: unknown}\n"
             "  - {from: a, to: c, connect: {fan_in: 9}, weight: 0.25, kind: convolution}\n"
             "  - {from: c, to: out, connect: all_to_all, weight: {uniform: [0, 0.75]}, kind: "
             "unknown}\n",
             scratch / "chip.yaml");
  ToolResult result = tool("sanafe export", scratch / "out", scratch / "files");
  ASSERT_EQ(result.exitCode, 0) << result.errors;
  EXPECT_THAT(result.errors,
              ::testing::ContainsRegex("b hears several: all of them are of the unit "
                                       "'sparse_synapses' there, which works 8[0-9.]* % of their "
                                       "events here"));
  std::string mapped = readText(scratch / "files/snn.yaml");
  for (const char *unit :
       {"synapse: dense_synapses}", "synapse: sparse_synapses}", "synapse: convolution_synapses}"})
    EXPECT_THAT(mapped, HasSubstr(unit));
  EXPECT_THAT(mapped, ::testing::ContainsRegex("- out.0..4: .core: [0-9.]+, soma: exact}"));
  result = runTool("sanafe import '" + scratch / "files/arch.yaml" + "' '" +
                   scratch / "files/snn.yaml" + "' --steps 40 --out '" + scratch / "back" + "'");
  ASSERT_EQ(result.exitCode, 0) << result.errors;
  std::string back = readText(scratch / "back/chip.yaml");
  for (const char *key :
       {"synapse_cycles: {value: 38", "dense_synapse_cycles: {value: 39",
        "sparse_synapse_cycles: {value: 47", "convolution_synapse_cycles: {value: 31"})
    EXPECT_THAT(back, HasSubstr(std::string("  ") + key));
}

/// Clusters without kinds, as older versions made them, are not charged as if they had said so.
TEST_F(SanafeFlow, KindsOfClustersAreThoseOfTheGraph) {
  runNetwork("  out: {neuron: if, size: 5, threshold: 1.1}\nprojections:\n"
             "  - {from: in, to: out, connect: {fan_in: 4}, weight: 0.25, kind: convolution}\n",
             "loihi");
  std::string path = scratch / "out/50-clusters.json";
  nlohmann::json clusters = readJsonFile(path);
  for (nlohmann::json &cluster : clusters["clusters"])
    cluster.erase("convolution");
  writeText(path, clusters.dump());
  for (const char *stage : {"analyze", "simulate"}) {
    ToolResult result = tool(stage, scratch / "flow.yaml", scratch / "out");
    EXPECT_EQ(result.exitCode, 1);
    EXPECT_THAT(result.errors, HasSubstr("50-clusters.json: error: says no kinds of synapses, and "
                                         "20 of 20 have one in 40-graph.h5; run partition again"));
  }
}

/// Spikes that move membranes in their own step are seen a step later for each layer; constant
/// currents and membranes that do not begin at rest are then where they would be.
TEST_F(SanafeFlow, SpikesOfTheSameStepAreShifted) {
  runNetwork(
      "  a: {neuron: if, size: 30, threshold: 1.3, reset: subtract, current: 0.1, "
      "initial_membrane: 0.5}\n"
      "  b: {neuron: lif, size: 10, tau: 4, r: 4, threshold: 0.7, initial_membrane: 0.25, current: "
      "0.0625}\n"
      "  out: {neuron: if, size: 5, threshold: 1.1, refractory: 2, current: -0.03125}\n"
      "projections:\n"
      "  - {from: in, to: a, connect: all_to_all, weight: {uniform: [-0.5, 1]}, delay: 0}\n"
      "  - {from: a, to: b, connect: {fan_in: 9}, weight: {uniform: [-0.25, 0.75]}, delay: 0}\n"
      "  - {from: b, to: out, connect: all_to_all, weight: {uniform: [0, 0.75]}, delay: 0}\n",
      "loihi");
  expectEqualSpikes({{"in", 0}, {"a", 1}, {"b", 2}, {"out", 3}}, 43);
}

/// The host computes the currents of the first layer, whose spikes are given then.
TEST_F(SanafeFlow, AConvertedNetworkHasTheSpikesOfItsFirstLayer) {
  ToolResult result =
      runTool("run configs/flows/digits-mlp.yaml --set chip=loihi --set dataset.limit=4 "
              "--set simulation.samples=1 --out '" +
              scratch / "out" + "'");
  ASSERT_EQ(result.exitCode, 0) << result.errors;
  result = tool("sanafe export", scratch / "out", scratch / "files");
  ASSERT_EQ(result.exitCode, 0) << result.errors;
  EXPECT_THAT(result.errors, HasSubstr("note: neurons whose current the host computes"));
  Spikes computed = ByEquations(scratch / "files/snn.yaml").run(64);
  Spikes emulated = ours(scratch / "out");
  EXPECT_GT(emulated["dense1"].size(), 100u);
  EXPECT_EQ(computed["dense1"], emulated["dense1"]);
}

TEST_F(SanafeFlow, SaysWhatSanafeCannot) {
  auto errorOf = [&](const std::string &network, const std::string &chip = "loihi") {
    runNetwork(network, chip);
    ToolResult result = tool("sanafe export", scratch / "out", scratch / "files");
    EXPECT_EQ(result.exitCode, 1);
    return result.errors;
  };
  const std::string projection =
      "projections:\n  - {from: in, to: out, connect: all_to_all, weight: 1";
  EXPECT_THAT(
      errorOf("  out: {neuron: dual_cuba_lif, size: 3, tau: 4, tau_exc: 2, tau_inh: 2, threshold: "
              "1}\n" +
              projection + ", receptor: excitatory}\n"),
      HasSubstr("out is of snn.dual_cuba_lif, which SANA-FE has no neuron for; use if, lif or "
                "cuba_lif"));
  EXPECT_THAT(
      errorOf("  out: {neuron: if, size: 3, threshold: 1, reset: subtract, max_spikes: 2}\n" +
              projection + "}\n"),
      HasSubstr(
          "out may spike several times in a step, which SANA-FE does not; set max_spikes to 1"));
  EXPECT_THAT(
      errorOf("  out: {neuron: lif, size: 3, tau: 4, threshold: 1, v_reset: 0.5, refractory: 2}\n" +
              projection + "}\n"),
      HasSubstr("out is refractory, while its membrane leaks"));
  EXPECT_THAT(
      errorOf(
          "  a: {neuron: if, size: 3, threshold: 1}\n  out: {neuron: if, size: 3, threshold: 1}\n"
          "projections:\n  - {from: in, to: a, connect: all_to_all, weight: 1, delay: 0}\n"
          "  - {from: a, to: out, connect: all_to_all, weight: 1, delay: 0}\n"
          "  - {from: in, to: out, connect: all_to_all, weight: 1, delay: 0}\n"),
      HasSubstr("all ways there together do not fit SANA-FE, where each spike takes one step; give "
                "projections a delay of one step"));
  writeText(scratch / "torus.yaml",
            "format: spindle-chip\nversion: 1\nname: t\nmesh: {columns: 3, rows: 3}\ncrossbar: "
            "{rows: 64, "
            "columns: 64}\nrouter: {topology: torus, virtual_channels: 2}\nclock_mhz: {value: 100, "
            "source: "
            "test}\nlatency: {row_read_cycles: {value: 10, source: test}, neuron_update_cycles: "
            "{value: 1, "
            "source: test}, step_barrier_cycles: {value: 1, source: test}}\n");
  EXPECT_THAT(
      errorOf("  out: {neuron: if, size: 3, threshold: 1}\n" + projection + "}\n", "torus.yaml"),
      HasSubstr(
          "torus.yaml: error: the chip has topology torus, and SANA-FE knows meshes; use topology "
          "mesh"));
  ToolResult result = runTool("sanafe export '" + scratch / "out" +
                              "' --sample 1 --chip mesh-128 --out '" + scratch / "files" + "'");
  EXPECT_EQ(result.exitCode, 1);
  EXPECT_THAT(result.errors, HasSubstr("is it of another chip than mesh-128?"));
  result = runTool("sanafe export '" + scratch / "nothing" + "' --out '" + scratch / "files" + "'");
  EXPECT_EQ(result.exitCode, 1);
  EXPECT_THAT(result.errors, HasSubstr("the record has no stage map that came to its end"));
}

} // namespace
} // namespace spindle::test
