// Networks as NIR files: what comes back, and what NIR cannot say.
#include "lib/frontend/nir/NirExport.h"
#include "dialects/snn/Snn.h"
#include "lib/support/DataPath.h"
#include "tests/frontend/NirModels.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Parser/Parser.h"
#include "gmock/gmock.h"

using namespace spindle;
using testing::ElementsAre;
using testing::HasSubstr;

namespace {

class NirExport : public testing::Test {
protected:
  NirExport() {
    context.loadDialect<snn::SnnDialect, mlir::func::FuncDialect, mlir::arith::ArithDialect>();
  }

  /// Imported and exported again.
  NirGraph again(const NirGraph &graph) {
    auto module = llvm::cantFail(importNirGraph(context, graph, "net.nir", {}));
    return llvm::cantFail(exportNir(*module, {}));
  }

  std::string error(const std::string &body) {
    std::string text = "func.func @main(%x: tensor<2x4x4xf32>) -> tensor<2x4x4xf32> {\n"
                       "%s = snn.encode events %x : tensor<2x4x4xf32> -> "
                       "!snn.spike_bundle<2x4x4x!snn.spike_train<?xf32>>\n" +
                       body + "return %x : tensor<2x4x4xf32>\n}\n";
    auto module =
        mlir::parseSourceString<mlir::ModuleOp>(text, mlir::ParserConfig(&context), "m.mlir");
    if (!module)
      return "does not parse";
    llvm::Expected<NirGraph> graph = exportNir(*module, {});
    return graph ? "no error" : toText(graph.takeError());
  }

  /// A sample that is flattened and multiplied before it is encoded.
  llvm::Expected<NirGraph> computedFirst(const std::string &encode) {
    std::string text = R"(
      func.func @main(%x: tensor<1x2x2xf32>) -> tensor<3xf32> {
        %w = arith.constant dense<0.5> : tensor<3x4xf32>
        %flat = snn.reshape %x : tensor<1x2x2xf32> -> tensor<4xf32>
        %y = snn.dense %flat, %w {layer = "fc"} : (tensor<4xf32>, tensor<3x4xf32>) -> tensor<3xf32>
        )" + encode + R"(
        %s = snn.if %i reset subtract {layer = "fc", threshold = array<f32: 1.0>}
             : !snn.current<3xf32> -> !snn.spike_bundle<3x!snn.spike_train<?xf32>>
        %z = snn.decode count %s : !snn.spike_bundle<3x!snn.spike_train<?xf32>> -> tensor<3xf32>
        return %z : tensor<3xf32>
      })";
    auto module =
        mlir::parseSourceString<mlir::ModuleOp>(text, mlir::ParserConfig(&context), "m.mlir");
    if (!module)
      return inputError("m.mlir", "does not parse");
    return exportNir(*module, {});
  }

  std::string populationError(const std::string &population) {
    return error("%o = arith.constant dense<1.0> : tensor<2xf32>\n"
                 "%i = snn.scale %s, %o {layer = \"s\"} : "
                 "(!snn.spike_bundle<2x4x4x!snn.spike_train<?xf32>>, tensor<2xf32>) -> "
                 "!snn.current<2x4x4xf32>\n%p = " +
                 population);
  }

  mlir::MLIRContext context{mlir::MLIRContext::Threading::DISABLED};
};

/// Nodes sorted by name and edges sorted, as order means nothing.
NirGraph sorted(NirGraph graph) {
  std::sort(graph.root.edges.begin(), graph.root.edges.end());
  std::sort(graph.root.nodes.begin(), graph.root.nodes.end(),
            [](const NirNode &a, const NirNode &b) { return a.name < b.name; });
  return graph;
}

} // namespace

TEST_F(NirExport, StoredNetworksComeBackDataSetForDataSet) {
  int found = 0;
  for (const char *name : {"cnn_sinabs.nir", "lif_norse.nir"}) {
    llvm::Expected<std::string> path = PathResolver().find(std::string("models/nir/") + name, "");
    if (!path) {
      llvm::consumeError(path.takeError());
      continue;
    }
    ++found;
    NirGraph graph = sorted(llvm::cantFail(readNirGraph(*path)));
    NirGraph back = sorted(again(graph));
    EXPECT_EQ(back.root.edges, graph.root.edges);
    ASSERT_EQ(back.root.nodes.size(), graph.root.nodes.size());
    for (size_t i = 0; i < back.root.nodes.size(); ++i)
      EXPECT_EQ(back.root.nodes[i], graph.root.nodes[i]) << graph.root.nodes[i].name;
  }
  if (found == 0)
    GTEST_SKIP() << "the NIR files are absent; set SPINDLE_DATA";
}

TEST_F(NirExport, EveryNodeImportsToTheSameNetworkAgain) {
  auto all = [](double value) { return nirFloats({8}, std::vector<double>(8, value)); };
  NirNode conv1{"conv",
                "Conv1d",
                {{"weight", nirRamp({4, 2, 3})},
                 {"bias", nirRamp({4})},
                 {"stride", nirIntegers({}, {2})},
                 {"padding", nirIntegers({}, {1})},
                 {"dilation", nirIntegers({}, {1})},
                 {"groups", nirIntegers({}, {1})}},
                {},
                {},
                {}};
  NirNode flatten{
      "flat", "Flatten", {{"start_dim", nirIntegers({}, {0})}, {"end_dim", nirIntegers({}, {-1})}},
      {},     {},        {}};
  NirNode cuba{"cuba",
               "CubaLIF",
               {{"tau_mem", all(0.0123)},
                {"tau_syn", all(0.00077)},
                {"r", all(2)},
                {"v_leak", all(0.1)},
                {"w_in", all(3)},
                {"v_threshold", all(1)},
                {"v_reset", all(-1)}},
               {},
               {},
               {}};
  NirNode scale{"scale", "Scale", {{"scale", nirRamp({8})}}, {}, {}, {}};
  NirNode delay{"delay", "Delay", {{"delay", nirFloats({8}, {0, 1e-4, 2e-4, 0, 0, 0, 0, 1})}},
                {},      {},      {}};
  NirNode li{"li", "LI", {{"tau", all(0.001)}, {"r", all(2)}, {"v_leak", all(0)}}, {}, {}, {}};
  NirNode integrate{"i", "I", {{"r", all(2)}}, {}, {}, {}};
  NirNode cubaLi = cuba;
  cubaLi.name = "cuba_li";
  cubaLi.type = "CubaLI";
  cubaLi.parameters.erase("v_threshold");
  cubaLi.parameters.erase("v_reset");
  NirGraph graph = nirChain(
      {2, 3}, {conv1, flatten, cuba, scale, delay, nirLif("direct", 8), li, integrate, cubaLi},
      {8});
  graph.root.edges.push_back({"cuba", "scale"}); // doubled edges count once
  graph.root.edges.push_back({"direct", "cuba"});
  std::string once = nirImported(context, graph);
  EXPECT_THAT(once, HasSubstr("snn.feedback \"direct\""));
  EXPECT_EQ(nirImported(context, again(graph)), once);
}

TEST_F(NirExport, InputIsTheSampleWhereTheHostComputesLayersBeforeItEncodes) {
  NirGraph graph = sorted(llvm::cantFail(
      computedFirst("%i = snn.encode direct %y : tensor<3xf32> -> !snn.current<3xf32>\n")));
  using Edge = NirEdge;
  EXPECT_THAT(graph.root.edges, ElementsAre(Edge("fc", "fc.if"), Edge("fc.if", "output"),
                                            Edge("input", "reshape1"), Edge("reshape1", "fc")));
  EXPECT_EQ(graph.root.nodes[2], nirPort("input", "Input", {1, 2, 2}));
  ModelOptions options;
  options.nirInput = ModelOptions::NirInput::Current;
  std::string back = nirImported(context, graph, options);
  EXPECT_THAT(back, HasSubstr("snn.encode direct %arg0 {layer = \"input\"} : tensor<1x2x2xf32>"));
  EXPECT_EQ(sorted(llvm::cantFail(exportNir(
                       *llvm::cantFail(importNirGraph(context, graph, "net.nir", options)), {})))
                .root,
            graph.root);
}

TEST_F(NirExport, WhatNirCannotSayIsRefusedByName) {
  EXPECT_EQ(error("%y = snn.max_pool2d %s {kernel = array<i64: 2, 2>, strides = array<i64: 2, 2>, "
                  "layer = \"pool1\"} : !snn.spike_bundle<2x4x4x!snn.spike_train<?xf32>> -> "
                  "!snn.spike_bundle<2x2x2x!snn.spike_train<?xf32>>\n"),
            "m.mlir:3:6: error: snn.max_pool2d 'pool1' has no counterpart in NIR");
  const std::string types = " : !snn.current<2x4x4xf32> -> "
                            "!snn.spike_bundle<2x4x4x!snn.spike_train<?xf32>>\n";
  EXPECT_EQ(populationError("snn.first_spike %i {start = 1 : i64, window = 2 : i64}" + types),
            "m.mlir:5:6: error: snn.first_spike has no counterpart in NIR");
  EXPECT_EQ(populationError("snn.rectifier %i : !snn.current<2x4x4xf32> -> "
                            "!snn.current<2x4x4xf32>\n"),
            "m.mlir:5:6: error: snn.rectifier has no counterpart in NIR");
  EXPECT_EQ(
      populationError("snn.dual_cuba_lif %i, %i reset zero {threshold = array<f32: 1.0>, tau = "
                      "array<f32: 2.0>, tau_exc = array<f32: 2.0>, tau_inh = array<f32: 2.0>}"
                      " : (!snn.current<2x4x4xf32>, !snn.current<2x4x4xf32>) -> "
                      "!snn.spike_bundle<2x4x4x!snn.spike_train<?xf32>>\n"),
      "m.mlir:5:6: error: snn.dual_cuba_lif has no counterpart in NIR");
  auto fire = [&](const std::string &attributes) {
    return populationError(
        "snn.if %i reset subtract {layer = \"a\", threshold = array<f32: 1.0>, " + attributes +
        "}" + types);
  };
  EXPECT_EQ(fire("initial_membrane = array<f32: 0.5>"),
            "m.mlir:5:6: error: snn.if 'a' starts with an initial_membrane, which NIR cannot say; "
            "convert with initial_membrane 0");
  EXPECT_EQ(fire("refractory = array<i64: 2>"),
            "m.mlir:5:6: error: snn.if 'a' has a refractory period, which NIR cannot say");
  EXPECT_EQ(fire("max_spikes = 2 : i64"),
            "m.mlir:5:6: error: snn.if 'a' may spike several times per step, which NIR cannot say");
  EXPECT_EQ(populationError("snn.integrator %i {sustained} : !snn.current<2x4x4xf32> -> "
                            "!snn.current<2x4x4xf32>\n"),
            "m.mlir:5:6: error: snn.integrator keeps currents on, which NIR cannot say");
  EXPECT_EQ(error("%y = snn.avg_pool2d %s {kernel = array<i64: 2, 2>, strides = array<i64: 2, 2>, "
                  "padding = array<i64: 0, 0, 1, 1>} : "
                  "!snn.spike_bundle<2x4x4x!snn.spike_train<?xf32>> -> !snn.current<2x2x2xf32>\n"),
            "m.mlir:3:6: error: snn.avg_pool2d is padded by different numbers on opposite sides, "
            "which NIR cannot say");
  EXPECT_EQ(error("%y = snn.avg_pool2d %s {kernel = array<i64: 2, 2>, strides = array<i64: 2, 2>, "
                  "padding = array<i64: 1, 1, 1, 1>, count_include_pad = false} : "
                  "!snn.spike_bundle<2x4x4x!snn.spike_train<?xf32>> -> !snn.current<2x3x3xf32>\n"),
            "m.mlir:3:6: error: snn.avg_pool2d averages without the padding, which NIR cannot say");
  EXPECT_EQ(error("%y = snn.reshape %s : !snn.spike_bundle<2x4x4x!snn.spike_train<?xf32>> -> "
                  "!snn.spike_bundle<8x4x!snn.spike_train<?xf32>>\n"),
            "m.mlir:3:6: error: snn.reshape gives a shape of several dimensions, NIR can only "
            "flatten");
  EXPECT_EQ(toText(computedFirst("%e = snn.encode poisson %y : tensor<3xf32> -> "
                                 "!snn.spike_bundle<3x!snn.spike_train<?xf32>>\n"
                                 "%o = arith.constant dense<1.0> : tensor<3xf32>\n"
                                 "%i = snn.scale %e, %o : (!snn.spike_bundle<3x!snn.spike_train"
                                 "<?xf32>>, tensor<3xf32>) -> !snn.current<3xf32>\n")
                       .takeError()),
            "m.mlir:6:14: error: snn.encode makes poisson spikes of a computed value, which NIR "
            "cannot say; expected the input itself");
  const std::string scaled = "(!snn.spike_bundle<2x4x4x!snn.spike_train<?xf32>>, tensor<2xf32>";
  EXPECT_EQ(error("%o = arith.constant dense<1.0> : tensor<2xf32>\n"
                  "%y = snn.scale %s, %o, %o {layer = \"s\"} : " +
                  scaled + ", tensor<2xf32>) -> !snn.current<2x4x4xf32>\n"),
            "m.mlir:4:6: error: snn.scale 's' has a bias, which a Scale of NIR has not; merge it "
            "into a layer with weights");
  EXPECT_EQ(error("%r = snn.reshape %x : tensor<2x4x4xf32> -> tensor<32xf32>\n"
                  "%y = snn.scale %s, %r {layer = \"s\"} : "
                  "(!snn.spike_bundle<2x4x4x!snn.spike_train<?xf32>>, tensor<32xf32>) -> "
                  "!snn.current<2x4x4xf32>\n"),
            "m.mlir:4:6: error: snn.scale 's' has weights that are not constant");
  EXPECT_EQ(error("%f = snn.feedback \"a\" {steps = 2 : i64} : "
                  "!snn.spike_bundle<2x4x4x!snn.spike_train<?xf32>>\n"
                  "%o = arith.constant dense<1.0> : tensor<2xf32>\n"
                  "%i = snn.scale %f, %o : " +
                  scaled +
                  ") -> !snn.current<2x4x4xf32>\n"
                  "%p = snn.if %i reset subtract {layer = \"a\", threshold = array<f32: 1.0>}" +
                  types),
            "m.mlir:3:6: error: feedback of 2 steps has no counterpart in NIR, expected one");
  auto declared = mlir::parseSourceString<mlir::ModuleOp>("func.func private @main()",
                                                          mlir::ParserConfig(&context), "m.mlir");
  EXPECT_EQ(toText(exportNir(*declared, {}).takeError()),
            "m.mlir:0:0: error: has no function 'main' of one block to export; convert the network "
            "first");
  EXPECT_EQ(error(""), "m.mlir:1:1: error: is no spiking network with one snn.encode and one "
                       "snn.decode; convert it first");
}
