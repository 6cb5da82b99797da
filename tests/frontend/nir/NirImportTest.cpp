// What the nodes of NIR become, and networks of the NIR paper.
#include "core/support/files/DataPath.h"
#include "tests/frontend/nir/NirModels.h"

#include "gmock/gmock.h"

using namespace spindle;
using testing::AllOf;
using testing::HasSubstr;
using testing::Not;

namespace {

class NirImport : public testing::Test {
protected:
  std::string chain(const std::vector<double> &input, std::vector<NirNode> nodes,
                    const std::vector<double> &output, const ModelOptions &options = {}) {
    return nirImported(context, nirChain(input, std::move(nodes), output), options);
  }

  /// The module of a stored file as text, or the error; empty where the file is absent.
  std::string stored(const std::string &name) {
    llvm::Expected<std::string> path = PathResolver().find("models/nir/" + name, "");
    if (!path) {
      llvm::consumeError(path.takeError());
      return "";
    }
    llvm::Expected<NirGraph> graph = readNirGraph(*path);
    return graph ? nirImported(context, *graph) : toText(graph.takeError());
  }

  mlir::MLIRContext context{mlir::MLIRContext::Threading::DISABLED};
};

} // namespace

TEST_F(NirImport, TimesBecomeSteps) {
  EXPECT_THAT(chain({3}, {nirLif("lif", 3)}, {3}),
              AllOf(HasSubstr("snn.encode events"), HasSubstr("reset zero"),
                    HasSubstr("layer = \"lif\", tau = array<f32: 2.000000e+01>"),
                    HasSubstr("snn.decode count"), Not(HasSubstr("discretization"))));
  ModelOptions options;
  options.dtMs = 1;
  options.nirReset = ModelOptions::NirReset::Subtract;
  options.discretization = ModelOptions::NirDiscretization::ExactCrossing;
  options.nirInput = ModelOptions::NirInput::Current;
  EXPECT_THAT(chain({3}, {nirLif("lif", 3)}, {3}, options),
              AllOf(HasSubstr("snn.encode direct"), HasSubstr("reset subtract"),
                    HasSubstr("tau = array<f32: 2.000000e+00>"),
                    HasSubstr("discretization = #snn<discretization exact_crossing>")));
}

TEST_F(NirImport, ParametersPerNeuronChannelOrPopulation) {
  NirNode lif = nirLif("lif", 6);
  lif.parameters["v_threshold"] = nirFloats({2, 3}, {1, 2, 3, 4, 5, 6});
  lif.parameters["r"] = nirFloats({2, 1}, {7, 8});
  lif.parameters["v_leak"] = nirFloats({}, {0.5});
  lif.parameters["tau"] = nirFloats({1}, {0.002});
  EXPECT_THAT(chain({2, 3}, {lif}, {2, 3}),
              AllOf(HasSubstr("threshold = array<f32: 1.000000e+00, 2.000000e+00, 3.000000e+00, "
                              "4.000000e+00, 5.000000e+00, 6.000000e+00>"),
                    HasSubstr("r = array<f32: 7.000000e+00, 8.000000e+00>"),
                    HasSubstr("v_leak = array<f32: 5.000000e-01>"),
                    HasSubstr("snn.reshape"))); // the answer is a vector
}

TEST_F(NirImport, EveryPopulation) {
  auto all = [](double value) { return nirFloats({2}, {value, value}); };
  NirNode cuba{"c",
               "CubaLIF",
               {{"tau_mem", all(0.001)},
                {"tau_syn", all(0.0005)},
                {"r", all(2)},
                {"v_leak", all(0)},
                {"v_threshold", all(1)},
                {"v_reset", all(-1)}},
               {},
               {},
               {}};
  EXPECT_THAT(chain({2}, {cuba}, {2}),
              AllOf(HasSubstr("snn.cuba_lif"), HasSubstr("tau_syn = array<f32: 5.000000e+00>"),
                    HasSubstr("v_reset = array<f32: -1.000000e+00>"), Not(HasSubstr("w_in"))));
  NirNode li{"l", "LI", {{"tau", all(0.001)}, {"r", all(2)}, {"v_leak", all(0)}}, {}, {}, {}};
  EXPECT_THAT(chain({2}, {li}, {2}), AllOf(HasSubstr("snn.li "), HasSubstr("snn.decode membrane")));
  NirNode cubaLi = li;
  cubaLi.type = "CubaLI";
  cubaLi.parameters = {{"tau_mem", all(0.001)},
                       {"tau_syn", all(0.001)},
                       {"r", all(2)},
                       {"v_leak", all(0)},
                       {"w_in", all(3)}};
  EXPECT_THAT(chain({2}, {cubaLi}, {2}),
              AllOf(HasSubstr("snn.cuba_li "), HasSubstr("w_in = array<f32: 3.000000e+00>")));
  NirNode integrate{"i", "I", {{"r", all(2)}}, {}, {}, {}};
  EXPECT_THAT(chain({2}, {integrate}, {2}), HasSubstr("snn.integrator"));
  NirNode fire{"f", "IF", {{"r", all(1)}, {"v_threshold", all(1)}}, {}, {}, {}};
  EXPECT_THAT(chain({2}, {fire}, {2}), HasSubstr("snn.if "));
  NirNode threshold{"t", "Threshold", {{"threshold", all(-1)}}, {}, {}, {}};
  EXPECT_THAT(chain({2}, {threshold}, {2}),
              AllOf(HasSubstr("snn.lif "), HasSubstr("tau = array<f32: 1.000000e+00>"),
                    HasSubstr("v_reset = array<f32: -2.000000e+00>")));
}

TEST_F(NirImport, LinearNodes) {
  NirNode affine{"a", "Affine", {{"weight", nirRamp({2, 3})}, {"bias", nirRamp({2})}}, {}, {}, {}};
  EXPECT_THAT(chain({3}, {affine}, {2}),
              AllOf(HasSubstr("snn.dense"), HasSubstr("tensor<2x3xf32>, tensor<2xf32>"),
                    // a current that no population integrates is summed up
                    HasSubstr("snn.integrator %1 {layer = \"output.sum\"}")));
  NirNode scale{"s", "Scale", {{"scale", nirRamp({2, 3})}}, {}, {}, {}};
  EXPECT_THAT(chain({2, 3}, {scale}, {2, 3}), HasSubstr("snn.scale"));
  NirNode delay{"d", "Delay", {{"delay", nirFloats({2}, {0.001, 0.00025})}}, {}, {}, {}};
  EXPECT_THAT(chain({2}, {delay, nirLif("l", 2)}, {2}),
              HasSubstr("steps = array<i64: 10, 3>")); // 2.5 steps are rounded
  NirNode flatten{
      "f", "Flatten", {{"start_dim", nirIntegers({}, {1})}, {"end_dim", nirIntegers({}, {-1})}},
      {},  {},        {}};
  EXPECT_THAT(chain({2, 3, 4}, {flatten}, {2, 12}), HasSubstr("-> !snn.spike_bundle<2x12x"));
}

TEST_F(NirImport, Windows) {
  NirNode conv{"c",
               "Conv2d",
               {{"weight", nirRamp({4, 1, 3, 2})},
                {"bias", nirRamp({4})},
                {"stride", nirIntegers({2}, {1, 2})},
                {"padding", nirIntegers({2}, {1, 0})},
                {"dilation", nirIntegers({}, {1})},
                {"groups", nirIntegers({}, {2})}},
               {},
               {},
               {}};
  EXPECT_THAT(chain({2, 8, 8}, {conv}, {4, 8, 4}),
              AllOf(HasSubstr("groups = 2 : i64"),
                    HasSubstr("padding = array<i64: 1, 0, 1, 0>, strides = array<i64: 1, 2>"),
                    HasSubstr("!snn.current<4x8x4xf32>")));
  conv.parameters["padding"] = nirText("same");
  conv.parameters["stride"] = nirIntegers({2}, {1, 1});
  EXPECT_THAT(chain({2, 8, 8}, {conv}, {4, 8, 8}),
              AllOf(HasSubstr("padding = array<i64: 1, 0, 1, 1>"), HasSubstr("<4x8x8xf32>")));
  NirNode conv1{"c",
                "Conv1d",
                {{"weight", nirRamp({4, 2, 3})},
                 {"bias", nirFloats({4}, {0, 0, 0, 0})},
                 {"stride", nirIntegers({}, {2})},
                 {"padding", nirIntegers({}, {1})},
                 {"dilation", nirIntegers({}, {1})},
                 {"groups", nirIntegers({}, {1})}},
                {},
                {},
                {}};
  EXPECT_THAT(chain({2, 9}, {conv1}, {4, 5}),
              AllOf(HasSubstr("padding = array<i64: 0, 1, 0, 1>, strides = array<i64: 1, 2>"),
                    HasSubstr("tensor<4x2x1x3xf32>"), HasSubstr("!snn.current<4x5xf32>")));
  for (const char *type : {"SumPool2d", "AvgPool2d"}) {
    NirNode pool{"p",
                 type,
                 {{"kernel_size", nirIntegers({2}, {2, 2})},
                  {"stride", nirIntegers({2}, {2, 2})},
                  {"padding", nirIntegers({2}, {0, 0})}},
                 {},
                 {},
                 {}};
    EXPECT_THAT(chain({2, 9, 8}, {pool}, {2, 4, 4}), HasSubstr("!snn.current<2x4x4xf32>"));
  }
}

TEST_F(NirImport, EdgesThatMeetAddUpAndCyclesRunThroughFeedback) {
  NirGraph graph = nirChain({2}, {nirLif("a", 2), nirLif("b", 2)}, {2});
  graph.root.edges.push_back({"input", "b"});
  graph.root.edges.push_back({"b", "a"});
  std::reverse(graph.root.edges.begin(), graph.root.edges.end());
  EXPECT_THAT(nirImported(context, graph),
              AllOf(HasSubstr("snn.add"), HasSubstr("snn.feedback \"b\""),
                    Not(HasSubstr("snn.feedback \"a\""))));
}

TEST_F(NirImport, GraphsWithinTheGraphAreDissolved) {
  NirNode weight{"w", "Linear", {{"weight", nirRamp({2, 2})}}, {}, {}, {}};
  NirNode inner{
      "layer",
      "NIRGraph",
      {},
      {},
      {nirPort("in", "Input", {2}), nirLif("lif", 2), weight, nirPort("out", "Output", {2})},
      {{"in", "lif"}, {"lif", "w"}, {"w", "lif"}, {"lif", "out"}}};
  EXPECT_THAT(chain({2}, {inner}, {2}),
              AllOf(HasSubstr("snn.feedback \"layer.lif\""), HasSubstr("layer = \"layer.w\"")));
}

TEST_F(NirImport, StoredNetworks) {
  std::string cnn = stored("cnn_sinabs.nir");
  if (cnn.empty())
    GTEST_SKIP() << "the NIR files are absent; set SPINDLE_DATA";
  EXPECT_THAT(cnn, AllOf(HasSubstr("!snn.current<8x4x4xf32> -> !snn.current<128xf32>"),
                         HasSubstr("layer = \"12\"")));
  EXPECT_THAT(stored("lif_norse.nir"), HasSubstr("tau = array<f32: 2.500000e+01>"));
  EXPECT_THAT(stored("two_lif_neurons.nir"), HasSubstr("v_leak = array<f32: 1.200000e+00>"));
  EXPECT_THAT(stored("braille_noDelay_noBias_subtract.nir"),
              AllOf(HasSubstr("snn.feedback \"lif1.lif\""), HasSubstr("layer = \"lif1.w_rec\"")));
  EXPECT_THAT(stored("braille_noDelay_bias_zero_subgraph.nir"),
              HasSubstr("braille_noDelay_bias_zero_subgraph.nir: node 'lif1': error: the edge from "
                        "'input' to 'lif' names node 'lif', which is not in this graph; there are: "
                        "input, lif1, lin, output; write the file again with the names that its "
                        "nodes have"));
}
