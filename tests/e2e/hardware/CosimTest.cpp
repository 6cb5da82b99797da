// `spindle cosim` as a user sees it: the line, the files, the exit codes.
#include "tests/cosim/KernelFolder.h"
#include "tests/e2e/Tool.h"

#include "gmock/gmock.h"

#include <regex>

using namespace spindle;
using namespace spindle::test;
using ::testing::HasSubstr;
using ::testing::StartsWith;

namespace {

TEST(CosimCommand, PrintsALineAndExitsByWhatItFinds) {
  if (!hls::hasVerilator())
    GTEST_SKIP() << "verilator or make is absent, install the packages verilator and make";
  TemporaryFolder folder;
  hls::KernelInterface kernel = hls::bankedSumKernel();
  hls::writeKernel(folder, kernel);
  ToolResult right =
      runTool("cosim " + folder.path() + " --runs 2 --seed 9 --dump " + (folder / "y.npz"));
  EXPECT_EQ(right.exitCode, 0) << right.errors;
  EXPECT_TRUE(std::regex_match(
      right.output, std::regex("cosim     banked_sum: 6 cycles, predicted 6; 2 runs, 0 mismatches  "
                               "\\(build [0-9.]+ s, simulation [0-9.]+ s\\)\n")))
      << right.output;
  nlohmann::json json = readJsonFile(folder / "cosim.json");
  EXPECT_EQ(json["cycles"], 6);
  EXPECT_EQ(json["predicted_cycles"], 6);
  EXPECT_EQ(json["seed"], 9);
  EXPECT_EQ(llvm::cantFail(readNpz(folder / "y.npz")).size(), 3u);

  std::string file = " --in " + (folder / "y.npz");
  ToolResult turns = runTool("cosim " + folder.path() + file + file + file + file);
  EXPECT_THAT(turns.output, HasSubstr("; 4 runs, 0 mismatches")) << turns.errors;

  ToolResult given = runTool("cosim " + folder.path() + " --in " + (folder / "x.npz"));
  EXPECT_EQ(given.exitCode, 1);
  EXPECT_EQ(given.errors, folder / "x.npz: error: cannot open: No such file or directory\n");

  kernel.predictedCycles = 5;
  llvm::cantFail(writeKernelInterface(folder / "kernel.json", kernel));
  ToolResult longer = runTool("cosim " + folder.path());
  EXPECT_EQ(longer.exitCode, 2);
  EXPECT_THAT(
      longer.errors,
      StartsWith(folder.path() + ": error: run 0 takes 6 cycles, predicted were 5; waveform: "));
  EXPECT_THAT(longer.errors, HasSubstr("(and 2 more, see cosim.json)"));
  EXPECT_EQ(readJsonFile(folder / "cosim.json")["problems"].size(), 3u);
}

/// Little arithmetic, which takes long to compile, and arrays that a bus cannot move in one burst:
/// of more than 256 elements, over a boundary of 4 KiB.
const char *const kMoves = R"(
func.func @moves(%n: i32, %a: memref<8x8xi32>, %b: memref<8x8xi32>, %u: memref<600xf64>, %v: memref<600xf64>) -> i32 {
  affine.for %i = 0 to 8 {
    affine.for %j = 0 to 8 {
      %0 = affine.load %a[%i, %j] : memref<8x8xi32>
      %1 = arith.addi %0, %n : i32
      affine.store %1, %b[%j, %i] : memref<8x8xi32>
    }
  }
  affine.for %k = 0 to 600 {
    %2 = affine.load %u[%k] : memref<600xf64>
    affine.store %2, %v[599 - %k] : memref<600xf64>
  }
  %r = affine.load %b[0, 0] : memref<8x8xi32>
  return %r : i32
})";
const char *const kWithoutScalars = R"(
func.func @reverse(%u: memref<9xi32>, %v: memref<9xi32>) {
  affine.for %k = 0 to 9 {
    %0 = affine.load %u[%k] : memref<9xi32>
    affine.store %0, %v[8 - %k] : memref<9xi32>
  }
  return
})";

/// Elements of 1, 2 and 8 bytes, whose last word is not full.
const char *const kBytes = R"(
func.func @bytes(%a: memref<1001xi8>, %b: memref<7x3xi16>, %c: memref<3xi1>, %d: memref<7x3xi16>, %e: memref<5xf64>) {
  affine.for %i = 0 to 7 {
    affine.for %j = 0 to 3 {
      %x = affine.load %a[%i * 43 + %j] : memref<1001xi8>
      %y = affine.load %b[%i, %j] : memref<7x3xi16>
      %w = arith.extsi %x : i8 to i16
      %s = arith.addi %w, %y : i16
      affine.store %s, %d[%i, %j] : memref<7x3xi16>
      affine.store %x, %a[%i * 43 + %j + 1] : memref<1001xi8>
      %k = arith.cmpi slt, %w, %y : i16
      affine.store %k, %c[%j] : memref<3xi1>
    }
  }
  affine.for %i = 0 to 4 {
    %0 = affine.load %e[%i] : memref<5xf64>
    affine.store %0, %e[%i + 1] : memref<5xf64>
  }
  return
})";

/// Scalars, banks, arrays of 32 and 64 bits, no scalars at all; stalls on every channel, several
/// runs, a reset in mid-run. All in one folder, so that what test benches share is compiled once.
TEST(CosimCommand, RunsKernelsThroughTheirBus) {
  if (!hls::hasVerilator())
    GTEST_SKIP() << "verilator or make is absent, install the packages verilator and make";
  struct Case {
    const char *program, *options, *top;
    uint64_t elements; // of the largest array, which goes in first
  };
  TemporaryFolder folder;
  for (const Case &each : {Case{kMoves, "--bus memory --unroll 2", "moves_axi", 600},
                           {kMoves, "--bus stream --unroll 2", "moves_axi", 600},
                           {kMoves, "--bus memory --channels 2 --unroll 2", "moves_axi", 600},
                           {kBytes, "--bus memory --channels 1", "bytes_axi", 1001},
                           {kBytes, "--bus memory --channels 16", "bytes_axi", 1001},
                           {kWithoutScalars, "--bus stream", "reverse_axi", 9}}) {
    SCOPED_TRACE(std::string(each.top) + " " + each.options);
    writeText(folder / "program.mlir", each.program);
    ToolResult made = runTool("synth " + (folder / "program.mlir") + " --out " + folder.path() +
                              " " + each.options);
    ASSERT_EQ(made.exitCode, 0) << made.errors;
    ToolResult run = runTool("cosim " + folder.path());
    EXPECT_EQ(run.exitCode, 0) << run.errors;
    EXPECT_THAT(run.output, HasSubstr(std::string("cosim     ") + each.top + ": "));
    nlohmann::json json = readJsonFile(folder / "cosim.json");
    EXPECT_EQ(json["bus"]["top"], each.top);
    EXPECT_EQ(json["bus"]["runs"], 3);
    EXPECT_EQ(json["bus"]["mismatches"], 0);
    EXPECT_GT(json["bus"]["cycles"], json["cycles"].get<uint64_t>() + each.elements);
  }
}

/// Arbiter, readers and writers are wrong while the kernel is right.
TEST(CosimCommand, FindsFaultsOfTheChannels) {
  if (!hls::hasVerilator())
    GTEST_SKIP() << "verilator or make is absent, install the packages verilator and make";
  TemporaryFolder folder;
  writeText(folder / "program.mlir", kBytes);
  ASSERT_EQ(runTool("synth " + (folder / "program.mlir") + " --bus memory --channels 1 --out " +
                    folder.path())
                .exitCode,
            0);
  struct Fault {
    const char *file, *right, *wrong, *found;
  };
  for (const Fault &fault :
       {// It asks without room, and words are lost.
        Fault{"spindle_memory_reader.sv", "more && reserved <= SPACE'(ROOM - BURST)", "more",
              "bytes_axi: run [0-2].*"},
        // It asks for what it does not hold.
        {"spindle_memory_writer.sv", "burst && stored > SPACE'(length)", "burst",
         "bytes_axi: run [0-2].*"},
        // Words of another one's burst.
        {"spindle_read_channel.sv", ".wdata(chosen)", ".wdata(asks & (~asks + READERS'(1)))",
         "bytes_axi: run [0-2].*"},
        {"spindle_write_channel.sv", "(!awvalid || awready) && ", "",
         "bytes_axi: run [0-2].*: mem0_aw changes its payload before it was ready"}}) {
    SCOPED_TRACE(fault.wrong);
    std::string path = folder / ("units/" + std::string(fault.file)), text = readText(path);
    size_t at = text.find(fault.right);
    ASSERT_NE(at, std::string::npos);
    std::string changed = text;
    changed.replace(at, std::string(fault.right).size(), fault.wrong);
    writeText(path, changed);
    ToolResult run = runTool("cosim " + folder.path());
    EXPECT_THAT(run.errors, testing::ContainsRegex(fault.found));
    writeText(path, text);
  }
}

TEST(CosimCommand, KnowsTheMemoryBehindChannels) {
  TemporaryFolder folder;
  writeText(folder / "program.mlir", kWithoutScalars);
  std::string synth = "synth " + (folder / "program.mlir") + " --out " + folder.path();
  EXPECT_EQ(runTool(synth + " --bus stream --channels 2").errors,
            "--channels: error: channels are of a memory, expected --bus memory as well\n");
  EXPECT_EQ(runTool(synth + " --channels 2").errors,
            "--channels: error: channels are of a memory, expected --bus memory as well\n");
  EXPECT_THAT(runTool(synth + " --bus memory --channels 17").errors, HasSubstr("--channels: "));
  if (!hls::hasVerilator())
    GTEST_SKIP() << "verilator or make is absent, install the packages verilator and make";
  ASSERT_EQ(runTool(synth + " --bus memory --channels 1").exitCode, 0);
  std::vector<uint64_t> cycles;
  for (const char *latency : {"1", "20", "1000"}) {
    ToolResult run =
        runTool("cosim " + folder.path() + " --runs 1 --memory-latency " + std::string(latency));
    EXPECT_EQ(run.exitCode, 0) << run.errors;
    EXPECT_THAT(run.output, HasSubstr("of a memory " + std::string(latency) + " cycles away"));
    nlohmann::json bus = readJsonFile(folder / "cosim.json")["bus"];
    EXPECT_EQ(bus["memory_latency"], std::stoi(latency));
    cycles.push_back(bus["cycles"]);
  }
  ToolResult far = runTool("cosim " + folder.path() + " --runs 1 --memory-latency 100000");
  EXPECT_EQ(far.exitCode, 0) << far.errors;
  // Files that say otherwise than the kernel.
  std::string axi = readText(folder / "axi.json");
  nlohmann::json changed = nlohmann::json::parse(axi);
  changed["channels"][0]["writes"] = nlohmann::json::array();
  writeText(folder / "axi.json", changed.dump());
  EXPECT_EQ(runTool("cosim " + folder.path()).errors,
            (folder / "axi.json") + ": error: found no 'arg1' among what channels write, expected "
                                    "it there, as the kernel needs it\n");
  changed["channels"][0]["writes"] = {"arg1", "arg0"};
  writeText(folder / "axi.json", changed.dump());
  EXPECT_EQ(runTool("cosim " + folder.path()).errors,
            (folder / "axi.json") +
                ": error: found the argument 'arg0' among what channels write, "
                "expected it not to be there, as the kernel has it otherwise\n");
  writeText(folder / "axi.json", axi);
  // Both arrays are read at once, one is written: two times there and back.
  EXPECT_EQ(cycles[1] - cycles[0], 2 * 19u);
  EXPECT_EQ(cycles[2] - cycles[0], 2 * 999u);
}

/// The wrapper is wrong while the kernel is right.
TEST(CosimCommand, FindsFaultsOfTheBus) {
  if (!hls::hasVerilator())
    GTEST_SKIP() << "verilator or make is absent, install the packages verilator and make";
  TemporaryFolder folder;
  ASSERT_EQ(
      runTool("synth tests/kernels/polybench/8x8-i32/mvt.mlir --bus stream --out " + folder.path())
          .exitCode,
      0);
  struct Fault {
    const char *file, *right, *wrong, *found;
  };
  for (const Fault &fault :
       {Fault{"units/spindle_memory_stream.sv", "assign last    = to_send == BITS'(1)",
              "assign last    = to_send == BITS'(2)",
              "kernel_mvt_axi: run 0, cycle .*: arg[01]_out has tlast 1 at element 6 of 8"},
        {"units/spindle_memory_stream.sv", "assign take    = valid & ready",
         "assign take    = valid",
         "kernel_mvt_axi: run 1, cycle .*: arg[01]_out (takes back valid|changes its payload) "
         "before it was ready"},
        {"units/spindle_memory_stream.sv", "+:WIDTH] <= word", "+:WIDTH] <= word ^ WIDTH'(1)",
         "kernel_mvt_axi: run 0: arg[01]\\[.\\] is .*, expected "},
        {"units/spindle_axi_lite_control.sv", "else if (read && read_word == 0) is_done",
         "else if (1'b0) is_done",
         "kernel_mvt_axi: run 0, cycle .*: register 0 reads 6 after done was read, expected 4"}}) {
    SCOPED_TRACE(fault.wrong);
    std::string text = readText(folder / fault.file), changed = text;
    size_t at = text.find(fault.right);
    ASSERT_NE(at, std::string::npos);
    writeText(folder / fault.file,
              changed.replace(at, std::string(fault.right).size(), fault.wrong));
    ToolResult run = runTool("cosim " + folder.path());
    EXPECT_EQ(run.exitCode, 2);
    EXPECT_TRUE(std::regex_search(run.errors, std::regex(fault.found))) << run.errors;
    EXPECT_THAT(run.errors, HasSubstr("cosim/bus/mismatch.vcd"));
    writeText(folder / fault.file, text);
  }
}

} // namespace
