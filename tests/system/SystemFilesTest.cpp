// Folders of systems: their files, and their circuits in Verilator.
#include "hw/system/SystemFiles.h"
#include "core/support/files/File.h"
#include "hw/cosim/Cosim.h"
#include "hw/program/ProgramFile.h"
#include "hw/system/OutlineProgram.h"
#include "tests/cosim/KernelFolder.h"
#include "tests/system/RandomSystems.h"
#include "tests/system/SystemFolder.h"

#include "gmock/gmock.h"

#include <filesystem>

using namespace spindle;
using namespace spindle::hls;
using testing::HasSubstr;
using testing::IsEmpty;

namespace {

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

/// The example is what becomes of this program, but for names and places.
TEST(SystemFiles, ThePageShowsOne) {
  std::string page = llvm::cantFail(readFile("docs/formats/system.md"));
  size_t begin = page.find("```json\n") + 8;
  TemporaryFolder folder;
  folder.write("system.json", page.substr(begin, page.find("```", begin) - begin));
  TaskGraph shown = llvm::cantFail(readTaskGraph(folder / "system.json"));
  auto context = makeSystemContext();
  auto program = llvm::cantFail(parseProgram(*context, R"mlir(
func.func @scale_twice(%x: memref<2x8xi32>) {
  %t = memref.alloc() : memref<8xi32>
  affine.for %n = 0 to 2 {
    affine.for %i = 0 to 8 {
      %a = affine.load %x[%n, %i] : memref<2x8xi32>
      %b = arith.addi %a, %a : i32
      affine.store %b, %t[%i] : memref<8xi32>
    }
    affine.for %i = 0 to 8 {
      %a = affine.load %t[%i] : memref<8xi32>
      %b = arith.muli %a, %a : i32
      affine.store %b, %x[%n, %i] : memref<2x8xi32>
    }
  }
  return
})mlir",
                                             "scale_twice.mlir"));
  TaskGraph made =
      llvm::cantFail(synthesizeSystem(*program, llvm::cantFail(readTarget(kDefaultTarget)),
                                      optionsOf(SystemKind::Dataflow, true)))
          .graph;
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
  EXPECT_THAT(refusal([](TaskGraph &graph) { graph.tasks[0].operands[0] = {{}, 99, true, true}; }),
              HasSubstr("tasks[0] has array 99, expected one of "));
  EXPECT_THAT(refusal([](TaskGraph &graph) {
                graph.tasks[0].operands.push_back({TaskOperand::Kind::Stream, 7, true, false});
                graph.tasks[1].operands.push_back({TaskOperand::Kind::Stream, 7, false, true});
                graph.circuits.push_back("own");
                graph.tasks[0].circuit = uint32_t(graph.circuits.size() - 1);
              }),
              HasSubstr("tasks[1] has the stream of argument 7 as tasks[0] has, expected one task "
                        "for each stream"));
  EXPECT_THAT(refusal([](TaskGraph &graph) {
                graph.tasks[1].operands.push_back({TaskOperand::Kind::Stream, 7, true, false});
                graph.tasks[0].circuit = graph.tasks[1].circuit;
              }),
              HasSubstr("tasks[1] has a stream and shares circuit "));
  EXPECT_THAT(refusal([](TaskGraph &graph) { graph.arrays[0].buffers = 0; }),
              HasSubstr("has no buffer, expected 1 or more"));
  EXPECT_THAT(refusal([](TaskGraph &graph) { graph.order = {{0, 99, 1}}; }),
              HasSubstr("order[0] names task 99, expected one of "));
  EXPECT_THAT(refusal([](TaskGraph &graph) { graph.order = {{1, 0, 0}}; }),
              HasSubstr("order[0]: task 0 waits for task 1 of the same input, which is not before "
                        "it: nothing would ever start"));
  EXPECT_THAT(refusal([](TaskGraph &graph) { graph.order = {{0, 1, 0, 0}}; }),
              HasSubstr("order[0]: task 1 begins 0 cycles after task 0, expected 1 or more"));
  EXPECT_THAT(refusal([](TaskGraph &graph) { graph.predicted = {{0, 99, 1, 2}}; }),
              HasSubstr("predicted[0] is input 99 of task 0 from cycle 1 to 2, expected one of "));
}

TEST(SystemCircuits, TwoIndependentProductsRunAtTheSameTime) {
  std::string text = llvm::cantFail(readFile("tests/kernels/polybench/8x8-i32/3mm.mlir"));
  SystemOptions whole = optionsOf(SystemKind::Dataflow);
  whole.startsEarly = false;
  SystemFolder one(text, optionsOf(SystemKind::Centralised)), both(text, whole);
  ASSERT_EQ(one.made.kernels.size(), 1u);
  EXPECT_EQ(one.made.graph.circuits.size(), 1u);
  EXPECT_EQ(both.made.graph.circuits.size(), 2u);
  uint64_t product = *one.made.kernels[0].interface.predictedCycles;
  EXPECT_EQ(one.made.interface.predictedCycles, 1 + 3 * (product + 1));
  EXPECT_EQ(both.made.interface.predictedCycles, 1 + 2 * (product + 1));
  EXPECT_EQ(one.made.interface.units, one.made.kernels[0].interface.units);
  EXPECT_LT(one.made.interface.estimate->dsp, both.made.interface.estimate->dsp);
}

/// Two products of which the second one needs the first: its rows come one after the other.
const char *const kTwoProducts = R"mlir(
func.func private @product(%a: memref<8x8xi32>, %b: memref<8x8xi32>, %c: memref<8x8xi32>) {
  %zero = arith.constant 0 : i32
  affine.for %i = 0 to 8 {
    affine.for %j = 0 to 8 {
      %sum = affine.for %k = 0 to 8 iter_args(%s = %zero) -> i32 {
        %x = affine.load %a[%i, %k] : memref<8x8xi32>
        %y = affine.load %b[%k, %j] : memref<8x8xi32>
        %p = arith.muli %x, %y : i32
        %t = arith.addi %s, %p : i32
        affine.yield %t : i32
      }
      affine.store %sum, %c[%i, %j] : memref<8x8xi32>
    }
  }
  return
}
func.func @kernel(%a: memref<8x8xi32>, %b: memref<8x8xi32>, %c: memref<8x8xi32>, %d: memref<8x8xi32>) {
  %t = memref.alloc() : memref<8x8xi32>
  call @product(%a, %b, %t) : (memref<8x8xi32>, memref<8x8xi32>, memref<8x8xi32>) -> ()
  call @product(%t, %c, %d) : (memref<8x8xi32>, memref<8x8xi32>, memref<8x8xi32>) -> ()
  return
})mlir";

TEST(SystemCircuits, AProductBeginsWhileTheOneThatItNeedsIsAtWork) {
  SystemOptions options = optionsOf(SystemKind::Dataflow);
  options.kernels.top = "kernel";
  SystemFolder early(kTwoProducts, options);
  options.share = "all";
  SystemFolder one(kTwoProducts, options);
  uint64_t product = *one.made.kernels[0].interface.predictedCycles;
  EXPECT_EQ(one.made.graph.circuits.size(), 1u);
  EXPECT_EQ(one.made.interface.predictedCycles, 1 + 2 * (product + 1));
  // A row of eight later, less what the second one takes to come to its end.
  EXPECT_EQ(early.made.graph.circuits.size(), 2u);
  ASSERT_EQ(early.made.graph.order.size(), 1u);
  uint64_t delay = early.made.graph.order[0].delay.value_or(0);
  EXPECT_GE(delay, 8u * 7);
  EXPECT_LE(delay, 80u);
  EXPECT_EQ(early.made.interface.predictedCycles, 1 + delay + product + 1);
  if (!hasVerilator())
    GTEST_SKIP() << "verilator or make is absent, install the packages verilator and make";
  CosimResult result = early.run();
  EXPECT_THAT(result.problems, IsEmpty());
  EXPECT_EQ(result.cycles, early.made.interface.predictedCycles);
  EXPECT_EQ(result.tasks, early.made.graph.predicted);
}

/// The word of SystemVerilog becomes solve_2, which is a kernel, too.
TEST(SystemCircuits, AFunctionMayBeAKeyword) {
  std::string nests;
  for (int n = 0; n < 4; ++n)
    nests += "affine.for %i = 0 to 4 {\n%a = affine.load %x[%i] : memref<4xi32>\n"
             "%c = arith.constant " +
             std::to_string(n + 1) +
             " : i32\n%b = arith.addi %a, %c : i32\naffine.store %b, %x[%i] : memref<4xi32>\n}\n";
  SystemFolder system("func.func @solve(%x: memref<4xi32>) {\n" + nests + "return\n}\n",
                      optionsOf(SystemKind::Dataflow));
  EXPECT_EQ(system.made.kernels.size(), 4u);
  for (const Synthesis &kernel : system.made.kernels)
    EXPECT_NE(kernel.interface.top, system.made.interface.top);
}

/// A task that runs at another time than the file says is found.
TEST(SystemCircuits, TasksAreMeasured) {
  if (!hasVerilator())
    GTEST_SKIP() << "verilator or make is absent, install the packages verilator and make";
  SystemFolder system(randomSystem(11, true), optionsOf(SystemKind::Dataflow, true));
  TaskGraph graph = system.made.graph;
  ++graph.predicted[2].start;
  llvm::cantFail(writeTaskGraph(system.folder / "system.json", graph));
  CosimResult result = system.run();
  EXPECT_EQ(result.tasks, system.made.graph.predicted);
  ASSERT_EQ(result.problems.size(), 1u);
  const TaskSpan &span = system.made.graph.predicted[2];
  EXPECT_THAT(result.problems[0],
              HasSubstr("run 0: task" + std::to_string(span.task) + ", input " +
                        std::to_string(span.input) + ", runs in cycles " +
                        std::to_string(span.start) + " to " + std::to_string(span.end) +
                        ", predicted were " + std::to_string(span.start + 1) + " to "));
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
                      optionsOf(SystemKind::Centralised), AxiOptions{AxiData::Memory});
  CosimResult result = system.run();
  EXPECT_THAT(result.problems, IsEmpty());
  ASSERT_TRUE(result.bus);
  EXPECT_EQ(result.bus->mismatches, 0u);
  EXPECT_GT(result.bus->cycles, result.cycles);
}

} // namespace
