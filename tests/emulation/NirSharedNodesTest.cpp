// A node that makes no spikes means the same whether populations share it or have one each.
#include "core/support/CounterRandom.h"
#include "lib/emulation/Emulation.h"
#include "tests/emulation/network/NetworkFile.h"
#include "tests/frontend/nir/NirModels.h"

#include "fmt/format.h"
#include "gmock/gmock.h"

#include <functional>
#include <set>

using namespace spindle;
using test::spikesOf;

namespace {

constexpr uint32_t kSharedNeurons = 3, kSharedSteps = 40;

NirArray constants(double value) {
  return nirFloats({kSharedNeurons}, std::vector<double>(kSharedNeurons, value));
}

/// An IF neuron adds quarters, so the order of sums does not matter.
NirNode cells(const std::string &name) {
  return {name, "IF", {{"r", constants(1)}, {"v_threshold", constants(1)}}, {}, {}, {}};
}

NirNode scale(const std::string &name, CounterRandom &random) {
  NirArray factors = constants(0);
  for (double &factor : factors.numbers)
    factor = 0.25 * (static_cast<double>(random.below(9)) - 3);
  return {name, "Scale", {{"scale", factors}}, {}, {}, {}};
}

/// Any population may see any other one, itself too, over nodes that several share.
NirGraph randomLoops(CounterRandom &random) {
  NirGraph graph = nirChain({kSharedNeurons}, {}, {kSharedNeurons});
  graph.root.edges.clear();
  uint32_t populations = 1 + random.below(4), between = 1 + random.below(6);
  std::vector<std::string> earlier{"input"};
  for (uint32_t p = 0; p < populations; ++p)
    earlier.push_back(fmt::format("p{}", p));
  for (uint32_t p = 0; p < populations; ++p)
    graph.root.nodes.push_back(cells(earlier[1 + p]));
  std::set<NirEdge> edges{{"input", "p0"}};
  for (uint32_t i = 0; i < between; ++i) {
    std::string name = fmt::format("s{}", i);
    graph.root.nodes.push_back(scale(name, random));
    for (uint32_t k = 0; k < 2; ++k)
      edges.insert({earlier[random.below(static_cast<uint32_t>(earlier.size()))], name});
    earlier.push_back(name);
  }
  for (uint32_t p = 0; p < populations; ++p) {
    for (uint32_t k = 0; k < 2; ++k)
      edges.insert({earlier[1 + random.below(static_cast<uint32_t>(earlier.size()) - 1)],
                    fmt::format("p{}", p)});
    edges.insert({fmt::format("p{}", p), "output"});
  }
  graph.root.edges.assign(edges.begin(), edges.end());
  return graph;
}

/// The same network where every population and the output has the nodes between for itself.
NirGraph oneEach(const NirGraph &shared) {
  NirGraph graph = shared;
  graph.root.nodes.clear();
  graph.root.edges.clear();
  std::map<std::string, NirNode> nodes;
  for (const NirNode &node : shared.root.nodes) {
    nodes[node.name] = node;
    if (node.type != "Scale")
      graph.root.nodes.push_back(node);
  }
  for (const NirNode &reader : shared.root.nodes) {
    if (reader.type == "Scale")
      continue;
    std::set<std::string> made;
    std::function<void(const std::string &)> copySources = [&](const std::string &node) {
      auto copyOf = [&](const std::string &name) {
        return nodes.at(name).type == "Scale" ? reader.name + "." + name : name;
      };
      for (const auto &[from, to] : shared.root.edges)
        if (to == node) {
          graph.root.edges.push_back({copyOf(from), copyOf(to)});
          if (nodes.at(from).type == "Scale" && made.insert(from).second) {
            graph.root.nodes.push_back(nodes.at(from));
            graph.root.nodes.back().name = copyOf(from);
            copySources(from);
          }
        }
    };
    copySources(reader.name);
  }
  return graph;
}

class NirSharedNodes : public testing::Test {
protected:
  EmulationResult run(const NirGraph &graph) {
    ModelOptions options;
    options.nirInput = ModelOptions::NirInput::Current;
    options.nirReset = ModelOptions::NirReset::Subtract;
    auto module = importNirGraph(context, graph, "net.nir", options);
    if (!module) {
      ADD_FAILURE() << toText(module.takeError());
      return {};
    }
    EmulationOptions emulation;
    emulation.steps = kSharedSteps;
    emulation.engine = EmulationEngine::Interpreter;
    auto result =
        emulate(**module, Samples{{kSharedNeurons}, {0.25f, 0.5f, 0.75f}, {0}, {}}, emulation);
    if (!result) {
      ADD_FAILURE() << toText(result.takeError());
      return {};
    }
    return std::move(*result);
  }

  mlir::MLIRContext context{mlir::MLIRContext::Threading::DISABLED};
};

TEST_F(NirSharedNodes, RandomLoops) {
  size_t loops = 0, copied = 0;
  for (uint32_t seed = 0; seed < 80; ++seed) {
    SCOPED_TRACE(seed);
    CounterRandom random(seed);
    NirGraph graph = randomLoops(random);
    std::string text = nirImported(context, graph);
    loops += text.find("snn.feedback") != std::string::npos;
    copied += text.find(".late") != std::string::npos;
    EmulationResult shared = run(graph), apart = run(oneEach(graph));
    for (const NirNode &node : graph.root.nodes)
      if (node.type == "IF") {
        EXPECT_EQ(spikesOf(shared, node.name), spikesOf(apart, node.name)) << node.name;
        EXPECT_THAT(shared.trace.populations,
                    testing::Contains(testing::Field(&Population::name, node.name)));
      }
    if (HasFailure())
      break;
  }
  EXPECT_GT(loops, 40u);
  EXPECT_GT(copied, 12u);
}

/// The loop waits a step, the way forward does not: whatever stands between, be it the ends of an
/// inner graph.
TEST_F(NirSharedNodes, TheWayForwardDoesNotWait) {
  CounterRandom random(5);
  NirNode one{"one", "Scale", {{"scale", constants(1)}}, {}, {}, {}};
  NirNode weight{"w", "Scale", {{"scale", constants(0.5)}}, {}, {}, {}};
  NirNode inner{"sub",
                "NIRGraph",
                {},
                {},
                {nirPort("in", "Input", {kSharedNeurons}), cells("cells"),
                 nirPort("out", "Output", {kSharedNeurons})},
                {{"in", "cells"}, {"cells", "out"}}};
  NirGraph plain = nirChain({kSharedNeurons}, {cells("sub"), cells("next")}, {kSharedNeurons});
  plain.root.nodes.push_back(weight);
  plain.root.edges.insert(plain.root.edges.end(), {{"sub", "w"}, {"w", "sub"}});
  NirGraph nested = plain;
  nested.root.nodes[1] = inner;
  NirGraph through =
      nirChain({kSharedNeurons}, {cells("sub"), one, cells("next")}, {kSharedNeurons});
  through.root.nodes.push_back(weight);
  through.root.edges.insert(through.root.edges.end(), {{"one", "w"}, {"w", "sub"}});
  EmulationResult expected = run(plain), ofNested = run(nested), ofThrough = run(through);
  std::vector<Spike> first = spikesOf(expected, "sub"), next = spikesOf(expected, "next");
  ASSERT_GT(first.size(), 20u);
  EXPECT_EQ(next, first); // an IF neuron of threshold one that every spike makes fire at once
  EXPECT_EQ(spikesOf(ofNested, "sub.cells"), first);
  EXPECT_EQ(spikesOf(ofNested, "next"), next);
  EXPECT_EQ(spikesOf(ofThrough, "sub"), first);
  EXPECT_EQ(spikesOf(ofThrough, "next"), next);
}

/// Loops with one parameter for all neurons: their number is that of the weights that read them.
TEST_F(NirSharedNodes, OneParameterForAllNeurons) {
  for (std::vector<uint64_t> extents : {std::vector<uint64_t>{}, {1}}) {
    NirNode weight{"w", "Linear", {{"weight", nirRamp({kSharedNeurons, kSharedNeurons})}},
                   {},  {},       {}};
    NirGraph each = nirChain({kSharedNeurons}, {cells("cells")}, {kSharedNeurons}), all = each;
    for (auto &[name, array] : all.root.nodes[1].parameters)
      array = nirFloats(extents, {1});
    for (NirGraph *graph : {&each, &all}) {
      graph->root.nodes.push_back(weight);
      graph->root.edges.insert(graph->root.edges.end(), {{"cells", "w"}, {"w", "cells"}});
    }
    std::vector<Spike> expected = spikesOf(run(each), "cells");
    ASSERT_GT(expected.size(), 20u);
    EXPECT_EQ(spikesOf(run(all), "cells"), expected);
    for (NirGraph *graph : {&each, &all})
      graph->root.nodes.back() = {"w", "Scale", {{"scale", constants(0.25)}}, {}, {}, {}};
    EXPECT_EQ(spikesOf(run(all), "cells"), spikesOf(run(each), "cells"));
  }
}

} // namespace
