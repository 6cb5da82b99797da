// Every way in which a NIR graph can be refused.
#include "tests/frontend/nir/NirModels.h"

#include "fmt/format.h"
#include "gmock/gmock.h"

using namespace spindle;
using testing::AllOf;
using testing::EndsWith;
using testing::HasSubstr;
using testing::StartsWith;

namespace {

class NirErrors : public testing::Test {
protected:
  std::string of(const NirGraph &graph, const ModelOptions &options = {}) {
    return nirImported(context, graph, options);
  }
  /// Of a single node between Input and Output.
  std::string of(NirNode node, const std::vector<double> &input = {2}) {
    return of(nirChain(input, {std::move(node)}, {2}));
  }
  std::string ofLif(const std::string &parameter, const NirArray &array,
                    const ModelOptions &options = {}) {
    NirNode lif = nirLif("lif", 2);
    lif.parameters[parameter] = array;
    return of(nirChain({2}, {lif}, {2}), options);
  }

  mlir::MLIRContext context{mlir::MLIRContext::Threading::DISABLED};
};

} // namespace

TEST_F(NirErrors, Structure) {
  NirGraph graph = nirChain({2}, {nirLif("lif", 2)}, {2});
  NirGraph twice = graph;
  twice.root.nodes.push_back(nirLif("lif", 2));
  EXPECT_EQ(of(twice), "net.nir: error: two nodes are named 'lif'");
  for (const char *name : {"a\nb", "a\xff", "\xc3"}) {
    NirGraph strange = nirChain({2}, {nirLif(name, 2)}, {2});
    EXPECT_THAT(of(strange), AllOf(StartsWith("net.nir: error: a node is named '"),
                                   EndsWith("', expected one line of text in UTF-8; write the file "
                                            "again")));
  }
  NirGraph inputs = graph;
  inputs.root.nodes.push_back(nirPort("input2", "Input", {2}));
  EXPECT_EQ(of(inputs), "net.nir: error: has 2 nodes of type Input, expected one");
  NirGraph apart = graph;
  apart.root.edges = {{"lif", "output"}};
  EXPECT_EQ(of(apart), "net.nir: error: no path leads from 'input' to 'output'");
  NirNode inner{"inner", "NIRGraph", {}, {}, {nirLif("lif", 2), nirLif("lif", 2)}, {}};
  NirNode outer{"outer", "NIRGraph", {}, {}, {inner}, {}};
  EXPECT_EQ(of(outer),
            "net.nir: node 'outer', node 'inner' in it: error: two nodes are named 'lif'");
  NirGraph lone = graph;
  lone.root.nodes.push_back(nirLif("lone", 2));
  lone.root.edges.push_back({"lone", "lif"});
  EXPECT_EQ(of(lone), "net.nir: node 'lone': error: no edge leads to it");
  NirNode loop{"loop", "Scale", {{"scale", nirRamp({2})}}, {}, {}, {}};
  NirGraph cycle = graph;
  cycle.root.nodes.push_back(loop);
  cycle.root.edges.push_back({"loop", "loop"});
  EXPECT_EQ(of(cycle),
            "net.nir: error: the edge from 'loop' (Scale) to 'loop' (Scale) closes a cycle "
            "without a spiking population (CubaLIF, IF, LIF, Threshold), which has no "
            "order in a step");
  NirGraph hollow = nirChain({2}, {NirNode{"hollow", "NIRGraph", {}, {}, {}, {}}}, {2});
  EXPECT_EQ(of(hollow), "net.nir: error: the edge from 'hollow' to 'output' leads through a graph "
                        "without an Input or an Output");
  NirGraph clash = nirChain(
      {2}, {NirNode{"a", "NIRGraph", {}, {}, {nirLif("b", 2)}, {}}, nirLif("a.b", 2)}, {2});
  EXPECT_EQ(of(clash), "net.nir: error: two nodes are named 'a.b' when graphs within the graph are "
                       "dissolved");
  NirGraph shapes = nirChain({2}, {nirLif("lif", 2)}, {2});
  shapes.root.nodes.push_back({"d", "Linear", {{"weight", nirRamp({3, 2})}}, {}, {}, {}});
  shapes.root.edges.push_back({"input", "d"});
  shapes.root.edges.push_back({"d", "lif"});
  EXPECT_EQ(of(shapes), "net.nir: node 'lif': error: adds up signals of the shapes (2) and (3)");
}

TEST_F(NirErrors, Feedback) {
  NirNode flat{
      "flat", "Flatten", {{"start_dim", nirIntegers({}, {0})}, {"end_dim", nirIntegers({}, {-1})}},
      {},     {},        {}};
  NirGraph graph = nirChain({2}, {nirLif("lif", 2)}, {2});
  graph.root.nodes[1].parameters["v_threshold"] = nirFloats({}, {1});
  graph.root.nodes.push_back(flat);
  graph.root.edges.insert(graph.root.edges.end(), {{"lif", "flat"}, {"flat", "lif"}});
  EXPECT_EQ(of(graph),
            "net.nir: node 'lif': error: is read by 'flat' a step later, so its shape must "
            "be that of its v_threshold, which is a scalar");
  graph.root.nodes.back() = {"w", "Linear", {{"weight", nirRamp({2, 1})}}, {}, {}, {}};
  graph.root.edges.pop_back();
  graph.root.edges.back() = {"lif", "w"};
  graph.root.edges.push_back({"w", "lif"});
  for (auto &[name, array] : graph.root.nodes[1].parameters)
    array = nirFloats({1}, {1});
  EXPECT_EQ(of(graph), "net.nir: node 'lif': error: has the shape (2), but (1) is expected where "
                       "its spikes are read a step later");
}

/// Populations that all see each other over one node, and a chain of nodes that lead there.
TEST_F(NirErrors, FeedbackOfTooMany) {
  auto hub = [](uint64_t populations, uint64_t chain) {
    std::vector<NirNode> nodes;
    for (uint64_t i = 0; i < chain; ++i)
      nodes.push_back(
          {fmt::format("s{}", i), "Scale", {{"scale", nirFloats({}, {1})}}, {}, {}, {}});
    NirGraph graph = nirChain({2}, nodes, {2});
    graph.root.edges[0].first = "p0";
    graph.root.edges.push_back({"input", "p0"});
    for (uint64_t i = 0; i < populations; ++i) {
      graph.root.nodes.push_back(nirLif(fmt::format("p{}", i), 2));
      graph.root.edges.push_back({fmt::format("p{}", i), "s0"});
      graph.root.edges.push_back({fmt::format("s{}", chain - 1), fmt::format("p{}", i)});
    }
    return graph;
  };
  EXPECT_THAT(of(hub(12, 2)), HasSubstr("snn.feedback"));
  EXPECT_EQ(of(hub(142, 2)), "net.nir: error: more than 20000 pairs of populations see each other "
                             "within cycles; join populations to larger ones");
  NirGraph wide =
      hub(12, 2); // its first node holds many numbers, and every population sees it late
  for (NirNode &node : wide.root.nodes)
    if (node.name == "s0")
      node = {"s0", "Linear", {{"weight", nirRamp({2000, 3000})}}, {}, {}, {}};
  EXPECT_EQ(
      of(wide),
      "net.nir: error: nodes that lead spikes to some populations at once and to others a "
      "step later are copied with more than 67108864 numbers; give populations nodes of their "
      "own");
  EXPECT_EQ(of(hub(50, 1000)),
            "net.nir: error: nodes that lead spikes to some populations at once and to others a "
            "step later make more than 40000 nodes; give populations nodes of their own");
}

TEST_F(NirErrors, Parameters) {
  EXPECT_THAT(
      of(NirNode{"x", "Spiky", {}, {}, {}, {}}),
      HasSubstr("net.nir: node 'x': error: type 'Spiky' is not supported, there are: Input, "
                "Output, NIRGraph, Affine, AvgPool2d"));
  EXPECT_EQ(of(NirNode{"x", "Linear", {}, {}, {}, {}}),
            "net.nir: node 'x': error: parameter 'weight' is absent in this Linear");
  EXPECT_EQ(ofLif("r", nirText("one")),
            "net.nir: node 'lif': error: parameter 'r' holds texts, expected numbers");
  EXPECT_EQ(ofLif("r", nirFloats({0}, {})), "net.nir: node 'lif': error: parameter 'r' is empty");
  EXPECT_EQ(ofLif("r", nirFloats({1}, {NAN})),
            "net.nir: node 'lif': error: parameter 'r' holds nan, expected finite numbers");
  EXPECT_EQ(ofLif("r", nirFloats({3}, {1, 2, 3})),
            "net.nir: node 'lif': error: parameter 'r' has the shape (3), the population (2)");
  EXPECT_EQ(ofLif("r", nirFloats({3}, {1, 1, 1})),
            "net.nir: node 'lif': error: parameter 'r' has the shape (3), the population (2)");
  NirGraph fraction = nirChain({2.5}, {nirLif("lif", 2)}, {2});
  EXPECT_EQ(of(fraction),
            "net.nir: node 'input': error: parameter 'shape' holds 2.5, expected whole numbers");
  EXPECT_EQ(of(nirChain({2e9}, {nirLif("lif", 2)}, {2})),
            "net.nir: node 'input': error: parameter 'shape' holds 2000000000, expected numbers of "
            "at most 1e9");
  EXPECT_EQ(of(nirChain({65536, 65536}, {nirLif("lif", 2)}, {2})),
            "net.nir: node 'input': error: shape is (65536, 65536), expected extents of at least "
            "one, and at most 4194304 elements");
}

TEST_F(NirErrors, Sizes) {
  // Few bytes that ask for much memory.
  NirGraph back = nirChain({2}, {nirLif("lif", 2)}, {2});
  back.root.edges.push_back({"lif", "lif"});
  back.root.nodes[1].parameters["v_threshold"] = nirFloats({0}, {});
  EXPECT_EQ(of(back), "net.nir: node 'lif': error: v_threshold has the shape (0), expected extents "
                      "of at least one, and at most 4194304 elements");
  NirNode conv{"c",
               "Conv2d",
               {{"weight", nirRamp({1, 1, 1, 1})},
                {"stride", nirIntegers({}, {1})},
                {"padding", nirIntegers({}, {4096})},
                {"dilation", nirIntegers({}, {1})},
                {"groups", nirIntegers({}, {1})},
                {"bias", nirRamp({1})}},
               {},
               {},
               {}};
  EXPECT_EQ(of(conv, {1, 2, 2}), "net.nir: node 'c': error: makes more than 4194304 values");
}

TEST_F(NirErrors, Populations) {
  EXPECT_EQ(
      ofLif("tau", nirFloats({1}, {0.00005})),
      "net.nir: node 'lif': error: tau is 0.5 steps of 0.1 ms, expected at least one for Euler "
      "steps; choose model.dt_ms or model.discretization");
  ModelOptions options;
  options.discretization = ModelOptions::NirDiscretization::Exact;
  EXPECT_EQ(ofLif("tau", nirFloats({1}, {0}), options),
            "net.nir: node 'lif': error: tau is 0 steps of 0.1 ms, expected more than none; choose "
            "model.dt_ms or model.discretization");
  EXPECT_EQ(ofLif("v_reset", nirFloats({1}, {1})),
            "net.nir: node 'lif': error: v_threshold is 1, expected more than v_reset 1");
  options.nirReset = ModelOptions::NirReset::Subtract;
  EXPECT_EQ(ofLif("v_threshold", nirFloats({1}, {0}), options),
            "net.nir: node 'lif': error: v_threshold is 0, expected more than zero with reset "
            "subtract");
  options.discretization = ModelOptions::NirDiscretization::ExactCrossing;
  NirNode cuba = nirLif("c", 2);
  cuba.type = "CubaLIF";
  EXPECT_EQ(of(nirChain({2}, {cuba}, {2}), options),
            "net.nir: node 'c': error: a CubaLIF has no closed form for the crossing of its "
            "threshold, expected discretization euler or exact");
  options.resetDelay = true;
  EXPECT_EQ(of(nirChain({2}, {nirLif("l", 2)}, {2}), options),
            "net.nir: node 'l': error: reset_delay counts whole steps, expected discretization "
            "euler or exact");
  options.discretization = ModelOptions::NirDiscretization::Exact;
  cuba.parameters["tau_mem"] = cuba.parameters["tau_syn"] = cuba.parameters["tau"];
  EXPECT_EQ(of(nirChain({2}, {cuba}, {2}), options),
            "net.nir: node 'c': error: reset_delay with reset subtract is supported for a CubaLIF "
            "only with discretization euler");
  EXPECT_EQ(ofLif("r", nirFloats({2}, {1, 0}), options),
            "net.nir: node 'lif': error: r or w_in is zero, so that no current can take part in "
            "the reset, as reset_delay with reset subtract wants");
}

TEST_F(NirErrors, Linear) {
  NirNode linear{"w", "Linear", {{"weight", nirRamp({2, 3})}}, {}, {}, {}};
  EXPECT_EQ(of(linear), "net.nir: node 'w': error: weight has 3 columns for 2 inputs");
  EXPECT_EQ(of(linear, {3, 1}),
            "net.nir: node 'w': error: its input has the shape (3, 1), expected "
            "a vector; put a Flatten before it");
  NirNode affine = linear;
  affine.type = "Affine";
  affine.parameters["bias"] = nirRamp({3});
  EXPECT_EQ(of(affine, {3}), "net.nir: node 'w': error: bias has 3 values for 2 outputs");
  linear.parameters["weight"] = nirRamp({6});
  EXPECT_EQ(of(linear),
            "net.nir: node 'w': error: weight has the shape (6), expected 2 dimensions");
  NirNode delay{"d", "Delay", {{"delay", nirFloats({1}, {-1})}}, {}, {}, {}};
  EXPECT_EQ(of(delay), "net.nir: node 'd': error: a delay is -10000 steps of 0.1 ms, expected 0 to "
                       "1000000");
  NirNode flatten{
      "f", "Flatten", {{"start_dim", nirIntegers({}, {2})}, {"end_dim", nirIntegers({}, {-1})}},
      {},  {},        {}};
  EXPECT_EQ(of(flatten),
            "net.nir: node 'f': error: start_dim 2 and end_dim -1 do not fit the shape "
            "(2)");
}

TEST_F(NirErrors, Windows) {
  NirNode conv{"c",
               "Conv2d",
               {{"weight", nirRamp({4, 2, 3, 3})},
                {"bias", nirRamp({4})},
                {"stride", nirIntegers({2}, {1, 1})},
                {"padding", nirIntegers({2}, {0, 0})},
                {"dilation", nirIntegers({2}, {1, 1})},
                {"groups", nirIntegers({}, {1})}},
               {},
               {},
               {}};
  EXPECT_EQ(of(conv, {2, 2, 8}),
            "net.nir: node 'c': error: the kernel does not fit into its input");
  EXPECT_EQ(of(conv, {3, 8, 8}), "net.nir: node 'c': error: weight of the shape (4, 2, 3, 3) in 1 "
                                 "groups does not fit an input of 3 channels");
  auto with = [&](const char *name, const NirArray &array) {
    NirNode changed = conv;
    changed.parameters[name] = array;
    return of(changed, {2, 8, 8});
  };
  EXPECT_EQ(with("stride", nirIntegers({2}, {0, 1})),
            "net.nir: node 'c': error: stride is (0, 1), expected at least one");
  EXPECT_EQ(with("stride", nirIntegers({3}, {1, 1, 1})),
            "net.nir: node 'c': error: parameter 'stride' has 3 values, expected 2");
  EXPECT_EQ(with("padding", nirIntegers({2}, {-1, 0})),
            "net.nir: node 'c': error: padding is (-1, 0, -1, 0), expected zero or more");
  EXPECT_EQ(
      with("padding", nirText("full")),
      "net.nir: node 'c': error: padding is 'full', expected numbers, 'valid', or with stride "
      "one 'same'");
  NirNode pool{"p",
               "SumPool2d",
               {{"kernel_size", nirIntegers({2}, {2, 2})},
                {"stride", nirIntegers({2}, {2, 2})},
                {"padding", nirIntegers({2}, {2, 0})}},
               {},
               {},
               {}};
  EXPECT_EQ(of(pool, {2, 8, 8}), "net.nir: node 'p': error: padding is as large as the kernel, so "
                                 "windows would hold no input");
  EXPECT_EQ(of(pool), "net.nir: node 'p': error: its input has the shape (2), expected channels, "
                      "rows, columns");
  conv.type = "Conv1d";
  EXPECT_EQ(of(conv), "net.nir: node 'c': error: its input has the shape (2), expected channels, "
                      "positions");
}
