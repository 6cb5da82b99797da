// Folders of systems: their files, and their circuits in Verilator.
#include "hw/system/SystemFiles.h"
#include "core/support/files/File.h"
#include "hw/cosim/Cosim.h"
#include "hw/program/ProgramFile.h"
#include "hw/synthesis/BusFiles.h"
#include "hw/system/OutlineProgram.h"
#include "tests/cosim/KernelFolder.h"
#include "tests/system/RandomSystems.h"

#include "gmock/gmock.h"

#include <filesystem>

using namespace spindle;
using namespace spindle::hls;
using testing::HasSubstr;
using testing::IsEmpty;

namespace {

/// A system of a program in a folder of its own.
struct SystemFolder {
  SystemFolder(const std::string &text, const SystemOptions &options, bool hasBus = false)
      : context(makeSystemContext()) {
    auto program = llvm::cantFail(parseProgram(*context, text, "kernel.mlir"));
    Target target = llvm::cantFail(readTarget(kDefaultTarget));
    made = llvm::cantFail(synthesizeSystem(*program, target, options));
    llvm::cantFail(writeSystemFiles(folder.path(), made, target, text));
    if (hasBus)
      llvm::cantFail(writeBusFiles(folder.path(), *made.design, made.interface, {AxiData::Memory}));
  }

  CosimResult run() const {
    CosimOptions options;
    options.runs = 3;
    return llvm::cantFail(cosim(folder.path(), options));
  }

  TemporaryFolder folder;
  std::unique_ptr<mlir::MLIRContext> context;
  SystemSynthesis made;
};

SystemOptions optionsOf(SystemKind kind, bool hasInputs = false) {
  SystemOptions options;
  options.kind = kind;
  options.hasInputs = hasInputs;
  options.kernels.loops.unroll = {1};
  return options;
}

TEST(SystemFiles, SayWhatTheGraphIs) {
  SystemFolder system(randomSystem(3, true), optionsOf(SystemKind::Dataflow, true));
  EXPECT_EQ(llvm::cantFail(readTaskGraph(system.folder / "system.json")), system.made.graph);
  std::string dot = llvm::cantFail(readFile(system.folder / "system.dot"));
  EXPECT_THAT(dot, HasSubstr("digraph \"kernel\""));
  EXPECT_THAT(dot, HasSubstr("color=red")); // from one input to the next
  for (const Synthesis &kernel : system.made.kernels)
    EXPECT_TRUE(std::filesystem::exists(system.folder / ("kernels/" + kernel.interface.top) +
                                        "/schedule.json"));
}

/// The example is what this program is outlined to, but for names and places.
TEST(SystemFiles, ThePageShowsOne) {
  std::string page = llvm::cantFail(readFile("docs/formats/system.md"));
  size_t begin = page.find("```json\n") + 8;
  TemporaryFolder folder;
  folder.write("system.json", page.substr(begin, page.find("```", begin) - begin));
  TaskGraph shown = llvm::cantFail(readTaskGraph(folder / "system.json"));
  auto context = makeSystemContext();
  auto program = llvm::cantFail(parseProgram(*context, R"mlir(
func.func @scale_twice(%x: memref<100x8xi32>) {
  %t = memref.alloc() : memref<8xi32>
  affine.for %n = 0 to 100 {
    affine.for %i = 0 to 8 {
      %a = affine.load %x[%n, %i] : memref<100x8xi32>
      %b = arith.addi %a, %a : i32
      affine.store %b, %t[%i] : memref<8xi32>
    }
    affine.for %i = 0 to 8 {
      %a = affine.load %t[%i] : memref<8xi32>
      %b = arith.muli %a, %a : i32
      affine.store %b, %x[%n, %i] : memref<100x8xi32>
    }
  }
  return
})mlir",
                                             "scale_twice.mlir"));
  TaskGraph made =
      llvm::cantFail(outlineProgram(*program, optionsOf(SystemKind::Dataflow, true))).graph;
  for (size_t n = 0; n < made.tasks.size(); ++n)
    made.tasks[n].source = shown.tasks.at(n).source;
  for (size_t n = 0; n < made.arrays.size(); ++n)
    made.arrays[n].name = shown.arrays.at(n).name;
  EXPECT_EQ(shown, made);
}

TEST(SystemFiles, WrongGraphsAreRefused) {
  SystemFolder system(randomSystem(3, true), optionsOf(SystemKind::Dataflow, true));
  std::string path = system.folder / "wrong.json";
  auto refusal = [&](auto change) {
    TaskGraph graph = system.made.graph;
    change(graph);
    llvm::cantFail(writeTaskGraph(path, graph));
    llvm::Expected<TaskGraph> read = readTaskGraph(path);
    return read ? "nothing" : toText(read.takeError());
  };
  EXPECT_EQ(refusal([](TaskGraph &) {}), "nothing");
  EXPECT_THAT(refusal([](TaskGraph &graph) { graph.tasks[1].circuit = 99; }),
              HasSubstr("tasks[1] runs on circuit 99, expected one of "));
  EXPECT_THAT(refusal([](TaskGraph &graph) {
                graph.tasks[0].operands[0] = {{}, 99, true, true};
              }),
              HasSubstr("tasks[0] has array 99, expected one of "));
  EXPECT_THAT(refusal([](TaskGraph &graph) { graph.arrays[0].buffers = 0; }),
              HasSubstr("has no buffer, expected 1 or more"));
  EXPECT_THAT(refusal([](TaskGraph &graph) {
                graph.order = {{0, 99, 1}};
              }),
              HasSubstr("order[0] names task 99, expected one of "));
  EXPECT_THAT(refusal([](TaskGraph &graph) {
                graph.order = {{1, 0, 0}};
              }),
              HasSubstr("order[0]: task 0 waits for task 1 of the same input, which is not before "
                        "it: nothing would ever start"));
}

TEST(SystemCircuits, TwoIndependentProductsRunAtTheSameTime) {
  std::string text = llvm::cantFail(readFile("tests/kernels/polybench/8x8-i32/3mm.mlir"));
  SystemFolder one(text, optionsOf(SystemKind::Centralised)),
      both(text, optionsOf(SystemKind::Dataflow));
  ASSERT_EQ(one.made.kernels.size(), 1u);
  EXPECT_EQ(one.made.graph.circuits.size(), 1u);
  EXPECT_EQ(both.made.graph.circuits.size(), 2u);
  uint64_t product = *one.made.kernels[0].interface.predictedCycles;
  EXPECT_EQ(one.made.interface.predictedCycles, 1 + 3 * (product + 1));
  EXPECT_EQ(both.made.interface.predictedCycles, 1 + 2 * (product + 1));
  EXPECT_EQ(one.made.interface.units, one.made.kernels[0].interface.units);
  EXPECT_LT(one.made.interface.estimate->dsp, both.made.interface.estimate->dsp);
}

TEST(SystemCircuits, VerilatorFindsElementsAndCyclesRight) {
  if (!hasVerilator())
    GTEST_SKIP() << "verilator or make is absent, install the packages verilator and make";
  for (uint64_t seed : {11, 14, 21}) {
    SystemOptions options = optionsOf(SystemKind::Dataflow, seed % 2);
    options.share = seed == 21 ? "all" : "auto";
    SystemFolder system(randomSystem(seed, seed % 2), options);
    CosimResult result = system.run();
    EXPECT_THAT(result.problems, IsEmpty()) << seed;
    EXPECT_EQ(result.cycles, result.predictedCycles) << seed;
  }
}

TEST(SystemCircuits, ASystemIsBehindAxiAsAKernelIs) {
  if (!hasVerilator())
    GTEST_SKIP() << "verilator or make is absent, install the packages verilator and make";
  SystemFolder system(llvm::cantFail(readFile("tests/kernels/polybench/8x8-i32/2mm.mlir")),
                      optionsOf(SystemKind::Centralised), /*hasBus=*/true);
  CosimResult result = system.run();
  EXPECT_THAT(result.problems, IsEmpty());
  ASSERT_TRUE(result.bus);
  EXPECT_EQ(result.bus->mismatches, 0u);
  EXPECT_GT(result.bus->cycles, result.cycles);
}

} // namespace
