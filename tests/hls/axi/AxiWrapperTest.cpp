// A small kernel behind AXI4-Lite and AXI4-Stream or AXI4, under Verilator with random stalls on
// every channel.
#include "hw/hls/axi/AxiWrapper.h"
#include "core/support/Error.h"
#include "dialects/rtl/SystemVerilog.h"
#include "dialects/rtl/simulation/Simulation.h"
#include "hw/hls/axi/ElementWalk.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Parser/Parser.h"
#include "mlir/Pass/PassManager.h"
#include "mlir/Transforms/Passes.h"
#include "nlohmann/json.hpp"
#include "gmock/gmock.h"
#include "gtest/gtest.h"

#include <array>
#include <cstdio>
#include <filesystem>
#include <fstream>
#include <random>

namespace spindle::hls {
namespace {

using Kind = DimensionPartition::Kind;

KernelArgument arrayOf(uint32_t index, ElementType type, std::vector<int64_t> shape,
                       std::vector<DimensionPartition> partition) {
  KernelArgument argument;
  argument.index = index;
  argument.kind = KernelArgument::Kind::Memory;
  argument.type = type;
  argument.shape = std::move(shape);
  argument.partition = std::move(partition);
  return argument;
}

KernelInterface scaleInterface() {
  KernelInterface kernel;
  kernel.top = "scale";
  kernel.arguments = {
      arrayOf(0, {ElementType::Kind::Integer, 32}, {5, 3}, {{Kind::Cyclic, 2}, {Kind::None, 1}}),
      {},
      arrayOf(2, {ElementType::Kind::Integer, 8}, {5, 3}, {{Kind::None, 1}, {Kind::Block, 2}})};
  kernel.arguments[0].isWritten = false;
  kernel.arguments[1].index = 1;
  kernel.arguments[2].ports = 1;
  kernel.results = {{ElementType::Kind::Integer, 32}};
  return kernel;
}

struct Outcome {
  int status;
  std::string output;
};

Outcome run(const std::string &command) {
  FILE *pipe = popen((command + " 2>&1").c_str(), "r");
  std::string output;
  std::array<char, 4096> buffer;
  while (size_t count = fread(buffer.data(), 1, buffer.size(), pipe))
    output.append(buffer.data(), count);
  return {pclose(pipe), output};
}

class Axi : public testing::TestWithParam<AxiData> {
protected:
  Axi() { context.loadDialect<rtl::RtlDialect, mlir::arith::ArithDialect>(); }
  mlir::MLIRContext context;
};

/// Builds scale.mlir behind its bus with a bench of this folder, and says what that says.
void runBehind(mlir::MLIRContext &context, const AxiOptions &options, const std::string &bench,
               const std::string &define) {
  auto design = mlir::parseSourceFile<mlir::ModuleOp>("tests/hls/axi/scale.mlir", &context);
  llvm::Expected<rtl::CircuitModuleOp> wrapper = addAxiWrapper(*design, scaleInterface(), options);
  ASSERT_TRUE(bool(wrapper)) << toText(wrapper.takeError());
  mlir::PassManager passes(&context);
  passes.addPass(mlir::createCanonicalizerPass());
  passes.addPass(mlir::createCSEPass());
  ASSERT_TRUE(mlir::succeeded(passes.run(*design)));
  std::string text;
  llvm::raw_string_ostream os(text);
  llvm::Error error = rtl::emitSystemVerilog(*design, os);
  ASSERT_FALSE(bool(error)) << toText(std::move(error));

  std::filesystem::path folder =
      std::filesystem::temp_directory_path() /
      ("spindle-axi-" + std::to_string(getpid()) + "-" + bench + std::to_string(int(options.data)));
  std::filesystem::create_directories(folder);
  std::ofstream(folder / "scale_axi.sv") << text;
  std::string here = std::filesystem::current_path().string();
  std::string lint = "cd " + folder.string() + " && verilator -Wall -y " + here +
                     "/hw/rtl/axi -y " + here + "/hw/rtl --top-module scale_axi scale_axi.sv";
  Outcome linted = run(lint + " --lint-only");
  EXPECT_EQ(linted.output, "") << text;
  Outcome built = run(lint + " -O1 --cc --exe --build -CFLAGS '-O1 -I" + here + define + "' " +
                      here + "/tests/hls/axi/" + bench + ".cpp");
  ASSERT_EQ(built.status, 0) << built.output;
  EXPECT_EQ(run((folder / "obj_dir/Vscale_axi").string()).output, "passed\n");
  if (run("yosys -V").status == 0) {
    Outcome yosys = run("yosys -q -p 'read_verilog -sv " + (folder / "scale_axi.sv").string() +
                        " hw/rtl/axi/*.sv hw/rtl/spindle_fifo.sv; hierarchy -check -top scale_axi; "
                        "proc; check -assert'");
    EXPECT_EQ(yosys.status, 0) << yosys.output;
  }
  std::filesystem::remove_all(folder);
}

TEST_P(Axi, KernelRunsBehindItsBus) {
  if (run("verilator --version").status != 0)
    GTEST_SKIP() << "verilator cannot be run: install the package verilator";
  runBehind(context, {GetParam(), 4}, "ScaleBench",
            GetParam() == AxiData::Stream ? " -DSTREAM" : "");
}

/// Errors of the memory, addresses that are no multiples of a word, answers after a reset.
TEST(AxiChannels, SurviveWhatTheMemoryDoes) {
  if (run("verilator --version").status != 0)
    GTEST_SKIP() << "verilator cannot be run: install the package verilator";
  mlir::MLIRContext context;
  context.loadDialect<rtl::RtlDialect, mlir::arith::ArithDialect>();
  AxiOptions options{AxiData::Memory, 4};
  options.channels = 1;
  runBehind(context, options, "ChannelBench", "");
}

INSTANTIATE_TEST_SUITE_P(Hls, Axi, testing::Values(AxiData::Stream, AxiData::Memory),
                         [](const auto &instance) {
                           return instance.param == AxiData::Stream ? "Stream" : "Memory";
                         });

TEST(AxiModules, PassLintAtOtherParameters) {
  if (run("verilator --version").status != 0)
    GTEST_SKIP() << "verilator cannot be run: install the package verilator";
  for (const char *module : {"spindle_axi_read", "spindle_axi_write"})
    for (const char *parameters :
         {"-GDATA=64 -GBYTES=8 -GCOUNT=1000 -GBURST=256", "-GDATA=32 -GBYTES=2 -GCOUNT=1 -GBURST=1",
          "-GDATA=128 -GBYTES=4 -GCOUNT=70000"})
      EXPECT_EQ(run(std::string("verilator --lint-only -Wall -y hw/rtl/axi ") + parameters +
                    " hw/rtl/axi/" + module + ".sv")
                    .output,
                "")
          << module << ' ' << parameters;
}

TEST(AxiModules, OfChannelsPassLintAtOtherParameters) {
  if (run("verilator --version").status != 0)
    GTEST_SKIP() << "verilator cannot be run: install the package verilator";
  struct Case {
    const char *module, *parameters;
  };
  for (const Case &each : {Case{"spindle_memory_reader", "-GBYTES=1"},
                           {"spindle_memory_reader", "-GBYTES=8 -GBURST=256 -GROOM=1024"},
                           {"spindle_memory_reader", "-GBYTES=2 -GBURST=1 -GROOM=16"},
                           {"spindle_memory_writer", "-GBYTES=1"},
                           {"spindle_memory_writer", "-GBYTES=8 -GBURST=256 -GROOM=512"},
                           {"spindle_memory_writer", "-GBYTES=4 -GBURST=1 -GROOM=16"},
                           {"spindle_read_channel", "-GREADERS=1"},
                           {"spindle_read_channel", "-GREADERS=9"},
                           {"spindle_write_channel", "-GWRITERS=1"},
                           {"spindle_write_channel", "-GWRITERS=5"}})
    EXPECT_EQ(run(std::string("verilator --lint-only -Wall -y hw/rtl/axi -y hw/rtl ") +
                  each.parameters + " hw/rtl/axi/" + each.module + ".sv")
                  .output,
              "")
        << each.module << ' ' << each.parameters;
}

TEST(AxiRegisters, FollowTheControlWords) {
  EXPECT_THAT(axiRegisters(scaleInterface(), {AxiData::Stream}),
              testing::ElementsAre(AxiRegister{"arg1", 16}, AxiRegister{"result0", 24}));
  EXPECT_THAT(axiRegisters(scaleInterface(), {AxiData::Memory}),
              testing::ElementsAre(AxiRegister{"arg0", 16}, AxiRegister{"arg1", 24},
                                   AxiRegister{"arg2", 32}, AxiRegister{"result0", 40}));
  KernelInterface empty;
  empty.results = {{ElementType::Kind::Integer, 32}};
  EXPECT_THAT(axiRegisters(empty, {}), testing::ElementsAre(AxiRegister{"result0", 24}));
}

/// A beat has whole bytes; packets have as many as their last token needs.
TEST(AxiStreams, AreAsWideAsTheirTokens) {
  KernelInterface kernel = scaleInterface();
  for (uint32_t index : {3, 4}) {
    KernelArgument stream;
    stream.index = index;
    stream.kind = KernelArgument::Kind::Stream;
    stream.type = {ElementType::Kind::Integer, index == 3 ? 43u : 3u};
    kernel.arguments.push_back(stream);
  }
  AxiOptions options;
  options.packets[3] = {24, 41};
  EXPECT_THAT(axiStreams(kernel, options),
              testing::ElementsAre(AxiStream{"arg3", 8, 24, 6}, AxiStream{"arg4", 1, 0, 1}));
  EXPECT_THAT(axiRegisters(kernel, options),
              testing::ElementsAre(AxiRegister{"arg1", 16}, AxiRegister{"result0", 24}));
  EXPECT_THAT(axiModules(kernel, options),
              testing::ElementsAre("spindle_axi_lite_control", "spindle_memory_stream"));
  kernel.arguments.erase(kernel.arguments.begin() + 2); // the only array that is written
  EXPECT_THAT(axiModules(kernel, {AxiData::Memory}),
              testing::ElementsAre("spindle_axi_lite_control", "spindle_axi_read"));
}

TEST(AxiRegisters, AreDocumented) {
  std::ifstream page("docs/formats/axi.md");
  std::string text((std::istreambuf_iterator<char>(page)), {});
  size_t begin = text.find("```json") + 7;
  auto example = nlohmann::json::parse(text.substr(begin, text.find("```", begin) - begin));
  EXPECT_EQ(example.at("format"), "spindle-axi");
  EXPECT_EQ(example.at("registers").at(0).at("offset"), 16);
}

TEST(AxiErrors, AreReported) {
  mlir::MLIRContext context;
  context.loadDialect<rtl::RtlDialect>();
  auto design = mlir::parseSourceString<mlir::ModuleOp>("", &context);
  EXPECT_EQ(toText(addAxiWrapper(*design, scaleInterface(), {AxiData::Memory, 12}).takeError()),
            "error: a burst of 12 beats, expected a power of two of at most 256");
  EXPECT_EQ(toText(addAxiWrapper(*design, scaleInterface(), {}).takeError()),
            "error: the design has no module 'scale'");
  KernelInterface nothing = scaleInterface();
  nothing.arguments[2].shape = {5, 0};
  EXPECT_EQ(toText(addAxiWrapper(*design, nothing, {}).takeError()),
            "error: arg2 has no elements, which no bus can move; leave it out of the function");
  AxiOptions many{AxiData::Memory};
  many.channels = 17;
  EXPECT_EQ(toText(addAxiWrapper(*design, scaleInterface(), many).takeError()),
            "error: 17 channels, expected at most 16");
}

/// The walk of the circuit against the interface's own place of each element, for random shapes and
/// partitions.
TEST(ElementWalks, VisitElementsWhereTheyLie) {
  mlir::MLIRContext context;
  context.loadDialect<rtl::RtlDialect, mlir::arith::ArithDialect>();
  std::mt19937_64 random(5);
  auto below = [&](uint64_t bound) { return random() % bound; };
  for (int trial = 0; trial < 60; ++trial) {
    std::vector<int64_t> shape;
    std::vector<DimensionPartition> partition;
    for (uint64_t i = 0, rank = below(4); i < rank; ++i) {
      int64_t extent = 1 + int64_t(below(6));
      Kind kind = Kind(below(4));
      int64_t factor = kind == Kind::None       ? 1
                       : kind == Kind::Complete ? extent
                                                : 1 + int64_t(below(uint64_t(extent)));
      shape.push_back(extent);
      partition.push_back({kind, factor});
    }
    KernelArgument array = arrayOf(0, {}, shape, partition);
    auto bit = mlir::IntegerType::get(&context, 1), word = mlir::IntegerType::get(&context, 32);
    mlir::OwningOpRef<mlir::ModuleOp> design =
        mlir::ModuleOp::create(mlir::UnknownLoc::get(&context));
    mlir::OpBuilder builder = mlir::OpBuilder::atBlockEnd(design->getBody());
    auto module = rtl::CircuitModuleOp::create(builder, builder.getUnknownLoc(), "walk",
                                               {{"clk", bit}, {"rst", bit}, {"go", bit}},
                                               {{"bank", word}, {"word", word}, {"last", bit}});
    Wires wires(builder.getUnknownLoc(), module.getBodyBlock(), module.getInput("clk"),
                module.getInput("rst"));
    ElementWalk walk = walkElements(wires, array, module.getInput("go"), "walk");
    mlir::Value bank = walk.bank ? wires.resized(walk.bank, 32, false) : wires.constant(0, 32);
    rtl::OutputOp::create(wires.builder,
                          mlir::ValueRange{bank, wires.resized(walk.word, 32, false), walk.isLast});
    auto simulation = rtl::Simulation::create(*design, "walk");
    ASSERT_TRUE(bool(simulation)) << toText(simulation.takeError());
    for (uint64_t cycle = 0, element = 0; cycle < 3 * array.elements(); ++cycle) {
      bool goes = below(3) > 0;
      (*simulation)->set("go", llvm::APInt(1, goes));
      BankAddress place = array.place(element);
      EXPECT_EQ((*simulation)->get("bank").getZExtValue(), place.bank);
      EXPECT_EQ((*simulation)->get("word").getZExtValue(), place.address);
      EXPECT_EQ((*simulation)->get("last").getZExtValue(), element + 1 == array.elements());
      (*simulation)->step();
      element = (element + goes) % array.elements();
    }
  }
}

} // namespace
} // namespace spindle::hls
