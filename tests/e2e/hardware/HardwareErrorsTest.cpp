// The hardware commands with files from anywhere: one line, exit code 1, nothing else done.
#include "core/support/formats/Npz.h"
#include "tests/cosim/KernelFolder.h"
#include "tests/e2e/Tool.h"

#include "gmock/gmock.h"

using namespace spindle;
using namespace spindle::test;
using ::testing::AllOf;
using ::testing::EndsWith;
using ::testing::HasSubstr;
using ::testing::StartsWith;

namespace {

/// Reads an array by another one; what front ends leave is beside it.
const char *const kGather =
    R"(module attributes {llvm.data_layout = "e-m:e", polygeist.target = "x",
    dlti.dl_spec = #dlti.dl_spec<#dlti.dl_entry<index, 32 : i32>>} {
  ml_program.global private mutable @global_seed(dense<0> : tensor<i64>) : tensor<i64>
  func.func private @printf(!llvm.ptr) -> i32
  func.func @edge(%x: memref<4xindex>, %y: memref<4xi32>) -> index
      attributes {llvm.linkage = #llvm.linkage<external>} {
    %c0 = arith.constant 0 : index
    %sum = affine.for %i = 0 to 4 iter_args(%s = %c0) -> (index) {
      %j = affine.load %x[%i] : memref<4xindex>
      %v = memref.load %y[%j] : memref<4xi32>
      affine.store %v, %y[%i] : memref<4xi32>
      %t = arith.addi %s, %j : index
      affine.yield %t : index
    }
    return %sum : index
  }
}
)";

struct HardwareErrors : ::testing::Test {
  /// One line and exit code 1.
  std::string errorOf(const std::string &arguments) {
    ToolResult result = runTool(arguments);
    EXPECT_EQ(result.exitCode, 1) << result.output << result.errors;
    EXPECT_EQ(std::count(result.errors.begin(), result.errors.end(), '\n'), 1) << result.errors;
    return result.errors;
  }
  std::string synth(const std::string &text, const std::string &options = "") {
    writeText(scratch / "k.mlir", text);
    return "synth '" + (scratch / "k.mlir") + "' --out '" + (scratch / "out") + "' " + options;
  }
  std::string cosim() { return "cosim '" + (scratch / "out") + "' "; }
  /// Changes a member of a kernel.json that `synth` wrote.
  void rewrite(const std::string &pointer, const nlohmann::json &value) {
    std::string path = scratch / "out/kernel.json";
    nlohmann::json json = readJsonFile(path);
    json[nlohmann::json::json_pointer(pointer)] = value;
    writeText(path, json.dump());
  }
  ScratchFolder scratch;
};

TEST_F(HardwareErrors, NamesOfSourcesAreNoCommands) {
  ASSERT_EQ(runTool(synth(kGather)).exitCode, 0);
  std::string marker = scratch / "made", kernel = scratch / "out/kernel.json";
  for (const std::string &name :
       {"edge_2.sv\"; exec -- touch " + marker, "edge_2.sv\n!touch " + marker,
        "edge_2.sv; touch " + marker, std::string("../k.mlir"), std::string("/etc/hostname"),
        std::string("--Mdir")}) {
    rewrite("/sources/0", name);
    std::string expected = kernel + ": error: names the file '";
    EXPECT_THAT(errorOf(cosim()), StartsWith(expected)) << name;
    if (llvm::sys::findProgramByName("yosys")) {
      EXPECT_THAT(errorOf("area '" + (scratch / "out") + "'"), StartsWith(expected)) << name;
    }
  }
  EXPECT_FALSE(std::filesystem::exists(marker));
}

TEST_F(HardwareErrors, SizesOfKernelFilesAreLimited) {
  ASSERT_EQ(runTool(synth(kGather)).exitCode, 0);
  rewrite("/arguments/0/ports", 4294967295u);
  EXPECT_EQ(errorOf(cosim()),
            scratch / "out/kernel.json: arguments[0]: error: has 4294967295 ports, expected 1 to "
                      "64\n");
}

TEST_F(HardwareErrors, ProgramsReachNothingOutside) {
  ASSERT_EQ(runTool(synth(kGather)).exitCode, 0);
  writeText(scratch / "out/original.mlir",
            "func.func private @system(memref<4xindex>) -> index\n"
            "func.func @edge(%x: memref<4xindex>, %y: memref<4xi32>) -> index {\n"
            "  %r = call @system(%x) : (memref<4xindex>) -> index\n  return %r : index\n}\n");
  EXPECT_EQ(errorOf(cosim()), scratch / "out/original.mlir:3:8: error: calls 'system', which has "
                                        "no body: give its definition\n");
}

TEST_F(HardwareErrors, IndicesOutOfRangeAreFound) {
  ASSERT_EQ(runTool(synth(kGather)).exitCode, 0);
  for (int64_t index : {int64_t(4), int64_t(-1), int64_t(1) << 40}) {
    llvm::cantFail(
        writeNpz(scratch / "in.npz", {{"arg0", makeNpy({4}, std::vector<int64_t>{0, 3, index, 1})},
                                      {"arg1", makeNpy({4}, std::vector<int64_t>(4))}}));
    EXPECT_EQ(errorOf(cosim() + "--in '" + (scratch / "in.npz") + "'"),
              scratch /
                  ("out/original.mlir:10:12: error: reads arg1 at index " + std::to_string(index) +
                   " of dimension 0, expected 0 to 3: give other inputs, or correct the "
                   "program\n"));
  }
}

TEST_F(HardwareErrors, AccessesThatLeaveTheirArraysAreRefused) {
  EXPECT_EQ(errorOf(synth("func.func @f(%n: index, %x: memref<4xi32>) {\n"
                          "  affine.for %i = 0 to %n {\n"
                          "    %v = affine.load %x[%i] : memref<4xi32>\n"
                          "    affine.store %v, %x[0] : memref<4xi32>\n  }\n  return\n}\n",
                          "--bind 0=200")),
            scratch / "k.mlir:3:10: error: reads arg1 at index 0 to 199 of dimension 0, expected 0 "
                      "to 3: correct the loops, or enlarge the array\n");
}

TEST_F(HardwareErrors, TextThatStopsTheParserOfMlir) {
  EXPECT_EQ(errorOf(synth("func.func @f(%x: memref<4x3xi32>, %y: memref<3x4xi32>) {\n"
                          "  linalg.transpose ins(%x : memref<4x3xi32>) outs(%y : memref<3x4xi32>) "
                          "permutation = [1 0]\n  return\n}\n")),
            scratch / "k.mlir:2:89: error: expected ']'\n");
}

TEST_F(HardwareErrors, ProgramsThatReadWhatTheyNeverWrote) {
  ASSERT_EQ(runTool(synth(R"(func.func @f(%a: memref<8xi32>) {
    %t = memref.alloc() : memref<8xi32>
    affine.for %i = 0 to 4 {
      %v = affine.load %a[%i] : memref<8xi32>
      affine.store %v, %t[%i] : memref<8xi32>
    }
    affine.for %i = 0 to 8 {
      %v = affine.load %t[%i] : memref<8xi32>
      affine.store %v, %a[%i] : memref<8xi32>
    }
    return
  })"))
                .exitCode,
            0);
  ToolResult result = runTool(cosim());
  EXPECT_EQ(result.exitCode, 2); // a mismatch
  EXPECT_THAT(result.errors,
              HasSubstr("; the program's own values depend on what local arrays hold before they "
                        "are written: write elements before it reads them; waveform: "));
}

TEST_F(HardwareErrors, ShiftRegistersUnderAnyFactor) {
  const std::string text = R"(func.func @shift(%in: memref<16xi32>, %out: memref<16xi32>) {
    %reg = memref.alloc() : memref<4xi32>
    affine.for %i = 0 to 16 {
      affine.for %j = 0 to 3 {
        %t = affine.load %reg[2 - %j] : memref<4xi32>
        affine.store %t, %reg[3 - %j] : memref<4xi32>
      }
      %v = affine.load %in[%i] : memref<16xi32>
      affine.store %v, %reg[0] : memref<4xi32>
      %o = affine.load %reg[3] : memref<4xi32>
      affine.store %o, %out[%i] : memref<16xi32>
    }
    return
  })";
  for (const char *factor : {"2", "3", "4", "8", "3,3"})
    EXPECT_EQ(runTool(synth(text, std::string("--unroll ") + factor)).exitCode, 0) << factor;
}

TEST_F(HardwareErrors, OptionsSayWhatIsWrong) {
  EXPECT_EQ(errorOf(synth(kGather, "--bind 0=4x0")),
            "--bind: error: '0=4x0': an array without elements, expected extents of at least 1\n");
  std::string page = scratch / "page.txt";
  writeText(page, "first words\nsecond line " + std::string(5000, 'x') + "\n\nlast words");
  EXPECT_THAT(errorOf(synth(kGather, "--target '" + page + "'")),
              AllOf(StartsWith(page + ":1:1: error: the file is 'first words"),
                    EndsWith("expected a mapping of keys\n"), testing::Not(HasSubstr("last"))));
  ToolResult kept = runTool(synth("func.func @f(%x: memref<1xi32>) {\n"
                                  "  %v = affine.load %x[0] : memref<1xi32>\n"
                                  "  %w = arith.addi %v, %v : i32\n"
                                  "  affine.store %w, %x[0] : memref<1xi32>\n  return\n}\n",
                                  "--unroll auto"));
  EXPECT_THAT(kept.output, HasSubstr("(--unroll 1)")) << kept.errors;
}

/// Any argument that kernel.json leaves out, and bindings of others.
TEST_F(HardwareErrors, KernelsListAllTheirArguments) {
  ASSERT_EQ(runTool(synth(kGather)).exitCode, 0);
  const std::string file = scratch / "out/kernel.json";
  const nlohmann::json whole = readJsonFile(file)["arguments"];
  ASSERT_EQ(whole.size(), 2u);
  using List = nlohmann::json;
  for (const auto &[list, absent] :
       {std::pair(List::array(), 0), {List::array({whole[0]}), 1}, {List::array({whole[1]}), 0}}) {
    rewrite("/arguments", list);
    EXPECT_EQ(errorOf(cosim()), file + ": error: does not list arg" + std::to_string(absent) +
                                    ", expected all arguments of the program except bound scalars; "
                                    "synthesise the kernel again\n");
  }
  rewrite("/arguments", List::array({whole[0], whole[0], whole[1]}));
  EXPECT_EQ(errorOf(cosim()),
            file + ": arguments[1]: error: has the index 0 after 0, expected ascending ones\n");
  rewrite("/arguments", whole);
  rewrite("/bind/2", 1);
  EXPECT_EQ(errorOf(cosim()), file + ": error: binds arg2, but the program has 2 arguments; "
                                     "synthesise the kernel again\n");
}

TEST_F(HardwareErrors, NumbersOfOptionsDoNotWrap) {
  auto seeHelp = [](llvm::StringRef line) {
    return "; see spindle " + line.split(' ').first.str() + " --help\n";
  };
  for (const char *command : {"schedule p.json --seconds ", "synth k.mlir --out x --time-limit "})
    for (const std::string number : {"nan", "-nan", "NaN", "inf", "-1", "1e999", "ten", "1s"}) {
      std::string option = std::string(command).find("--seconds") != std::string::npos
                               ? "--seconds"
                               : "--time-limit";
      EXPECT_EQ(errorOf(command + number), "error: " + option + ": '" + number +
                                               "', expected a number of seconds from 0" +
                                               seeHelp(command));
    }
  for (const auto &[command, option] : {std::pair("cosim x ", "--seed"),
                                        {"cosim x ", "--max-cycles"},
                                        {"schedule p.json ", "--steps"},
                                        {"pipeline k.mlir --out x ", "--interval"}})
    for (const std::string number : {"-1", "-0", "-18446744073709551615", "18446744073709551616",
                                     "99999999999999999999999", "1.5", "1e3", "many"})
      EXPECT_EQ(errorOf(std::string(command) + option + " " + number),
                std::string("error: ") + option + ": '" + number +
                    "', expected a whole number from 0 to 18446744073709551615" + seeHelp(command));
}

TEST_F(HardwareErrors, TheTimingProgramNamesItsPackage) {
  if (!llvm::sys::findProgramByName("yosys"))
    GTEST_SKIP() << "yosys is absent, install the package yosys";
  ASSERT_EQ(runTool(synth(kGather)).exitCode, 0);
  std::filesystem::create_directory(scratch / "bin");
  std::filesystem::create_symlink(*llvm::sys::findProgramByName("yosys"), scratch / "bin/yosys");
  ToolResult result = runShell("PATH='" + (scratch / "bin") + "' '" + SPINDLE_TOOL + "' area '" +
                               (scratch / "out") + "' --liberty tests/area/plain.lib --timing");
  EXPECT_EQ(result.exitCode, 1);
  EXPECT_EQ(result.errors,
            "sta: error: not found, expected it in PATH; install the package opensta\n");
}

TEST_F(HardwareErrors, SchedulingProblemsWithNumbersAndTextOfNoFile) {
  auto errorWith = [&](const std::string &period) {
    writeText(scratch / "p.json",
              "{\"format\": \"spindle-schedule-problem\", \"version\": 1, \"name\": \"p\",\n"
              " \"clock_period_ns\": " +
                  period + ", \"operator_types\": [], \"operations\": []}");
    return errorOf("schedule '" + (scratch / "p.json") + "'");
  };
  const std::string file = scratch / "p.json";
  EXPECT_THAT(errorWith("1e999"), StartsWith(file + ":2:21: error: the number 1e999 is too large"));
  EXPECT_THAT(errorWith("\"\xff\""), StartsWith(file + ":2:22: error: not UTF-8"));
  EXPECT_THAT(errorWith("\"ten\""), StartsWith(file + ": error: "));
  EXPECT_THAT(errorWith("-1"), StartsWith(file + ": error: the clock period is -1 ns"));
}

/// Ports, units and words of the tools make other names, whatever else the kernel has; what is
/// inside or around the module does not.
TEST(SynthCommand, ModulesAreNotCalledLikeTheirPorts) {
  ScratchFolder scratch;
  auto topOf = [&](const std::string &function, const std::string &options) {
    writeText(scratch / "k.mlir",
              "func.func @" + function +
                  "(%x: memref<8xf32>, %n: f32) -> f32 {\n"
                  "  affine.for %i = 0 to 8 {\n"
                  "    %v = affine.load %x[%i] : memref<8xf32>\n"
                  "    %w = arith.addf %v, %n : f32\n"
                  "    affine.store %w, %x[%i] : memref<8xf32>\n  }\n"
                  "  %r = affine.load %x[0] : memref<8xf32>\n  return %r : f32\n}\n");
    std::filesystem::remove_all(scratch / "out");
    ToolResult made = runTool("synth '" + (scratch / "k.mlir") + "' --out '" + (scratch / "out") +
                              "' " + options);
    EXPECT_EQ(made.exitCode, 0) << function << made.errors;
    return readJsonFile(scratch / "out/kernel.json")["top"].get<std::string>();
  };
  std::vector<std::string> taken = {"clk",  "rst",  "ce",  "start",   "idle",
                                    "done", "arg1", "std", "result0", "addf_f32"};
  for (int bank = 0; bank < 2; ++bank)
    for (int port = 0; port < 2; ++port)
      for (const char *suffix : {"en", "we", "addr", "wdata", "rdata"})
        taken.push_back("arg0_b" + std::to_string(bank) + "_p" + std::to_string(port) + "_" +
                        suffix);
  for (const std::string &name : taken)
    EXPECT_EQ(topOf(name, "--unroll 2"), name + "_2");
  for (const char *name : {"arg0", "arg2", "arg1_b0_p0_en", "arg0_b2_p0_en", "result1", "nest0",
                           "control", "kernel", "irq", "wdata", "registers", "addf_f64"})
    EXPECT_EQ(topOf(name, "--unroll 2 --bus memory"), name);
}

TEST(SynthCommand, KernelsCalledLikePortsAreSimulated) {
  if (!hls::hasVerilator())
    GTEST_SKIP() << "verilator or make is absent, install the packages verilator and make";
  ScratchFolder scratch; // one: what kernels share is compiled once
  for (const char *name : {"arg0_b0_p0_en", "irq", "kernel"}) {
    writeText(scratch / "k.mlir", std::string("func.func @") + name +
                                      "(%x: memref<4xi32>, %n: i32) -> i32 {\n"
                                      "  %v = affine.load %x[0] : memref<4xi32>\n"
                                      "  %w = arith.addi %v, %n : i32\n"
                                      "  affine.store %w, %x[1] : memref<4xi32>\n"
                                      "  return %w : i32\n}\n");
    std::string out = "'" + (scratch / "out") + "'";
    ToolResult made = runTool("synth '" + (scratch / "k.mlir") + "' --bus stream --out " + out);
    ASSERT_EQ(made.exitCode, 0) << made.errors;
    ToolResult run = runTool("cosim " + out);
    EXPECT_EQ(run.exitCode, 0) << name << run.errors;
    EXPECT_THAT(run.output, HasSubstr("_axi: ")) << name;
  }
}

/// A keyword, a folder whose name has a space and looks like an option, indices everywhere, and
/// what front ends leave: `cosim` takes what `synth` took.
TEST(SynthCommand, NamesAndFoldersMayBeAnything) {
  if (!hls::hasVerilator())
    GTEST_SKIP() << "verilator or make is absent, install the packages verilator and make";
  ScratchFolder scratch;
  writeText(scratch / "k.mlir", kGather);
  std::string tool = std::string("cd '") + scratch.path + "' && '" + SPINDLE_TOOL + "' ";
  ToolResult made = runShell(tool + "synth k.mlir --out './-a b'");
  ASSERT_EQ(made.exitCode, 0) << made.errors;
  EXPECT_THAT(made.output, HasSubstr("synth     edge_2: the module of 'edge', which cannot be a "
                                     "module's name in SystemVerilog\n"));
  nlohmann::json kernel = readJsonFile(scratch / "-a b/kernel.json");
  EXPECT_EQ(kernel["top"], "edge_2");
  EXPECT_EQ(kernel["function"], "edge");
  EXPECT_EQ(kernel["arguments"][0]["type"], "index");
  EXPECT_EQ(kernel["results"][0]["type"], "index");
  ToolResult run = runShell(tool + "cosim -- '-a b'");
  EXPECT_EQ(run.exitCode, 0) << run.errors;
  EXPECT_THAT(run.output, HasSubstr("; 3 runs, 0 mismatches"));
}

} // namespace
