// Networks as NIR files: what comes back, and what NIR cannot say.
#include "lib/frontend/nir/NirExport.h"
#include "core/support/files/DataPath.h"
#include "dialects/snn/Snn.h"
#include "tests/frontend/nir/NirModels.h"

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
            "m.mlir:6:14: error: snn.encode makes poisson spikes of a computed value, or of none, "
            "which NIR cannot say; expected the input itself");
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

namespace {

/// Four spiking inputs joined with three neurons by `synapses`.
std::string joined(const std::string &synapses) {
  return "func.func @main(%x: tensor<4xf32>) -> tensor<3xf32> {\n"
         "%s = snn.encode events %x : tensor<4xf32> -> "
         "!snn.spike_bundle<4x!snn.spike_train<?xf32>>\n"
         "%w = arith.constant dense<[2.0, -1.0, 0.5]> : tensor<3xf32>\n"
         "%o = arith.constant dense<0.25> : tensor<1xf32>\n"
         "%b = arith.constant dense<[1.0, 2.0, 3.0]> : tensor<3xf32>\n" +
         synapses +
         "%p = snn.if %i reset zero {layer = \"cells\", threshold = array<f32: 1.0>} : "
         "!snn.current<3xf32> -> !snn.spike_bundle<3x!snn.spike_train<?xf32>>\n"
         "%y = snn.decode count %p : !snn.spike_bundle<3x!snn.spike_train<?xf32>> -> "
         "tensor<3xf32>\nreturn %y : tensor<3xf32>\n}\n";
}

const std::string kFrom = "(!snn.spike_bundle<4x!snn.spike_train<?xf32>>, ";

} // namespace

TEST_F(NirExport, SynapsesBecomeMatrices) {
  auto synapsesOf = [&](const std::string &text) {
    auto module =
        mlir::parseSourceString<mlir::ModuleOp>(text, mlir::ParserConfig(&context), "m.mlir");
    NirGraph graph = llvm::cantFail(exportNir(*module, {}));
    for (const NirNode &node : graph.root.nodes)
      if (node.name == "syn")
        return node;
    return NirNode();
  };
  NirNode listed = synapsesOf(joined(
      "%i = snn.sparse %s, %w, %b {layer = \"syn\", offsets = array<i64: 0, 1, 1, 3>, indices = "
      "array<i32: 3, 0, 2>} : " +
      kFrom + "tensor<3xf32>, tensor<3xf32>) -> !snn.current<3xf32>\n"));
  EXPECT_EQ(listed.type, "Affine");
  EXPECT_THAT(listed.parameters["weight"].extents, ElementsAre(3, 4));
  EXPECT_THAT(listed.parameters["weight"].numbers,
              ElementsAre(0, 0, 0, 2, 0, 0, 0, 0, -1, 0, 0.5, 0));
  EXPECT_THAT(listed.parameters["bias"].numbers, ElementsAre(1, 2, 3));
  NirNode drawn = synapsesOf(joined(
      "%i = snn.random %s, %o {layer = \"syn\", key = 5 : i64, fan_in = 2 : i64, source_range = "
      "array<i64: 1, 3>, target_range = array<i64: 0, 2>} : " +
      kFrom + "tensor<1xf32>) -> !snn.current<3xf32>\n"));
  EXPECT_EQ(drawn.type, "Linear");
  EXPECT_THAT(drawn.parameters["weight"].numbers,
              ElementsAre(0, 0.25, 0.25, 0, 0, 0.25, 0.25, 0, 0, 0, 0, 0));
}

TEST_F(NirExport, RefusesSynapsesThatAreNoMatrices) {
  auto errorOf = [&](const std::string &text) {
    auto module =
        mlir::parseSourceString<mlir::ModuleOp>(text, mlir::ParserConfig(&context), "m.mlir");
    return toText(exportNir(*module, {}).takeError());
  };
  EXPECT_EQ(errorOf(joined("%i = snn.delayed_sparse %s, %w {layer = \"syn\", offsets = array<i64: "
                           "0, 1, 1, 3>, indices = array<i32: 3, 0, 2>, delays = array<i16: 0, 2, "
                           "1>} : " +
                           kFrom + "tensor<3xf32>) -> !snn.current<3xf32>\n")),
            "m.mlir:6:6: error: snn.delayed_sparse 'syn' has delays that differ between synapses, "
            "which NIR cannot say; expected one for all");
  EXPECT_EQ(error("%w = arith.constant dense<1.0> : tensor<1xf32>\n"
                  "%i = snn.sparse %s, %w {layer = \"syn\", offsets = array<i64: 0, 1>, indices = "
                  "array<i32: 3>} : (!snn.spike_bundle<2x4x4x!snn.spike_train<?xf32>>, "
                  "tensor<1xf32>) -> !snn.current<1xf32>\n"),
            "m.mlir:4:6: error: snn.sparse 'syn' joins populations of several dimensions, where "
            "NIR has matrices between vectors only; give them a size, not a shape");
  EXPECT_EQ(errorOf("func.func @main(%x: tensor<5000xf32>) -> tensor<5000xf32> {\n"
                    "%s = snn.encode events %x : tensor<5000xf32> -> "
                    "!snn.spike_bundle<5000x!snn.spike_train<?xf32>>\n"
                    "%o = arith.constant dense<0.25> : tensor<1xf32>\n"
                    "%i = snn.random %s, %o {layer = \"syn\", key = 5 : i64, fan_in = 2 : i64, "
                    "source_range = array<i64: 1, 3>, target_range = array<i64: 0, 2>} : "
                    "(!snn.spike_bundle<5000x!snn.spike_train<?xf32>>, tensor<1xf32>) -> "
                    "!snn.current<5000xf32>\n%y = snn.decode membrane %i : !snn.current<5000xf32> "
                    "-> tensor<5000xf32>\nreturn %y : tensor<5000xf32>\n}\n"),
            "m.mlir:4:6: error: snn.random 'syn' joins 5000 neurons with 5000, where NIR has "
            "matrices only; expected at most 16777216 pairs");
}

TEST_F(NirExport, TimesAreThoseOfTheModule) {
  auto tauOf = [&](const std::string &attributes, NirExportOptions options) {
    std::string text = "module " + attributes + R"({
      func.func @main(%x: tensor<2xf32>) -> tensor<2xf32> {
        %i = snn.encode direct %x : tensor<2xf32> -> !snn.current<2xf32>
        %s = snn.lif %i reset zero {layer = "cells", threshold = array<f32: 1.0>, tau = array<f32: 20.0>}
             : !snn.current<2xf32> -> !snn.spike_bundle<2x!snn.spike_train<?xf32>>
        %y = snn.decode count %s : !snn.spike_bundle<2x!snn.spike_train<?xf32>> -> tensor<2xf32>
        return %y : tensor<2xf32>
      }})";
    auto module =
        mlir::parseSourceString<mlir::ModuleOp>(text, mlir::ParserConfig(&context), "m.mlir");
    NirGraph graph = llvm::cantFail(exportNir(*module, options));
    for (NirNode &node : graph.root.nodes)
      if (node.name == "cells")
        return node.parameters["tau"].numbers[0];
    return 0.0;
  };
  EXPECT_NEAR(tauOf("", {}), 0.002, 1e-9);
  EXPECT_NEAR(tauOf("attributes {snn.dt_ms = 1.0 : f64} ", {}), 0.02, 1e-9);
  EXPECT_NEAR(tauOf("attributes {snn.dt_ms = 1.0 : f64} ", {.dtMs = 0.5}), 0.01, 1e-9);
}
