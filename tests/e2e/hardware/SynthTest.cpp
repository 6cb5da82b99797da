// `spindle synth` as a user sees it: the line, the files, the errors, and that the circuit computes
// what the program says.
#include "tests/cosim/KernelFolder.h"
#include "tests/e2e/Tool.h"

#include "gmock/gmock.h"

using namespace spindle;
using namespace spindle::test;
using ::testing::HasSubstr;

namespace {

const std::string kKernels = "tests/kernels/polybench/";

ToolResult synth(const std::string &kernel, const std::string &folder, const std::string &options) {
  return runTool("synth " + kKernels + kernel + ".mlir --out " + folder + " " + options);
}

/// Cycles that co-simulation counts; it fails unless they are those predicted and every bit is
/// right.
int64_t simulatedCycles(const std::string &folder) {
  ToolResult result = runTool("cosim " + folder + " --runs 2");
  EXPECT_EQ(result.exitCode, 0) << result.errors;
  return readJsonFile(folder + "/cosim.json")["cycles"];
}

/// A quarter of the better published figure for the same work is 2,187 cycles (Curzel 2022, bicg
/// mini in f64), with six multipliers and adders.
TEST(SynthCommand, IndependentNestsRunAtTheSameTime) {
  if (!hls::hasVerilator())
    GTEST_SKIP() << "verilator or make is absent, install the packages verilator and make";
  TemporaryFolder folder;
  ToolResult made = synth("mini-f64/bicg", folder.path(), "--resources fadd=6,fmul=6");
  ASSERT_EQ(made.exitCode, 0) << made.errors;
  EXPECT_THAT(made.output, HasSubstr("synth     kernel_bicg: "));
  nlohmann::json kernel = readJsonFile(folder / "kernel.json");
  EXPECT_LE(kernel["predicted_cycles"], 2187);
  EXPECT_LE(kernel["units"]["mulf_f64"], 6);
  EXPECT_EQ(simulatedCycles(folder.path()), kernel["predicted_cycles"]);
  ToolResult alone = synth("mini-f64/bicg", folder / "alone", "--sequential");
  ASSERT_EQ(alone.exitCode, 0) << alone.errors;
  EXPECT_GT(readJsonFile(folder / "alone/kernel.json")["predicted_cycles"], 2 * 38 * 42);
}

/// Accesses by rows and by columns of one array: banks that change are chosen by hardware.
TEST(SynthCommand, IterationsRunSideBySide) {
  if (!hls::hasVerilator())
    GTEST_SKIP() << "verilator or make is absent, install the packages verilator and make";
  TemporaryFolder folder;
  ToolResult made = synth("8x8-i32/mvt", folder.path(), "--unroll 8,8");
  ASSERT_EQ(made.exitCode, 0) << made.errors;
  nlohmann::json kernel = readJsonFile(folder / "kernel.json");
  EXPECT_LT(kernel["predicted_cycles"], 64);
  EXPECT_EQ(simulatedCycles(folder.path()), kernel["predicted_cycles"]);
}

/// Eight by eight sums of a product at once; two loops of the nest are unrolled, k stays. So many
/// units of a kind are translated once, which must not change what they compute.
TEST(SynthCommand, TwoLoopsOfANestRunSideBySide) {
  if (!hls::hasVerilator())
    GTEST_SKIP() << "verilator or make is absent, install the packages verilator and make";
  TemporaryFolder folder;
  ToolResult made = synth("8x8-i32/gemm", folder.path(), "--unroll 8,8");
  ASSERT_EQ(made.exitCode, 0) << made.errors;
  nlohmann::json kernel = readJsonFile(folder / "kernel.json");
  EXPECT_GE(kernel["units"]["muli_i32"], 64);
  EXPECT_LT(kernel["predicted_cycles"], 64);
  EXPECT_EQ(simulatedCycles(folder.path()), kernel["predicted_cycles"]);
  EXPECT_TRUE(std::filesystem::exists(folder / "cosim/build-spindle_muli/Vspindle_muli.h"));
}

/// Sums as trees: fewer cycles, equal results where they are exact, and it is said.
TEST(SynthCommand, ReassociatesOnRequest) {
  if (!hls::hasVerilator())
    GTEST_SKIP() << "verilator or make is absent, install the packages verilator and make";
  TemporaryFolder folder;
  const std::string program = folder / "dot.mlir";
  writeText(program, "func.func @dot(%x: memref<4xf32>, %y: memref<4xf32>) -> f32 {\n"
                     "  %zero = arith.constant 0.0 : f32\n"
                     "  %s = affine.for %i = 0 to 4 iter_args(%sum = %zero) -> (f32) {\n"
                     "    %a = affine.load %x[%i] : memref<4xf32>\n"
                     "    %b = affine.load %y[%i] : memref<4xf32>\n"
                     "    %p = arith.mulf %a, %b : f32\n"
                     "    %next = arith.addf %sum, %p : f32\n"
                     "    affine.yield %next : f32\n  }\n  return %s : f32\n}\n");
  auto cyclesOf = [&](const std::string &options) -> int64_t {
    ToolResult made = runTool("synth " + program + " --unroll 4 --out " + folder.path() + options);
    EXPECT_EQ(made.exitCode, 0) << made.errors;
    bool isReassociated = !options.empty();
    EXPECT_EQ(made.output.find("floats reassociated") != std::string::npos, isReassociated);
    nlohmann::json kernel = readJsonFile(folder / "kernel.json");
    EXPECT_EQ(kernel["reassociated"], isReassociated);
    EXPECT_EQ(simulatedCycles(folder.path()), kernel["predicted_cycles"]);
    EXPECT_EQ(readJsonFile(folder / "cosim.json")["inputs"],
              isReassociated ? "integers" : "uniform");
    return kernel["predicted_cycles"];
  };
  int64_t inOrder = cyclesOf("");
  // The sum starts with its first term; zeros of both signs, NaN and infinities are among them.
  ToolResult special = runTool("cosim " + folder.path() + " --special --runs 50");
  EXPECT_EQ(special.exitCode, 0) << special.errors;
  // Three additions of four cycles in a row, and two levels of them.
  EXPECT_EQ(inOrder - cyclesOf(" --reassociate"), 4 * (3 - 2));
  ToolResult rounded = runTool("cosim " + folder.path() + " --inputs uniform --runs 40");
  EXPECT_EQ(rounded.exitCode, 2);
  EXPECT_THAT(rounded.output, HasSubstr("reassociated; rounded sums differ from the program's in "
                                        "their last bits, --inputs integers compares exact ones"));
}

/// Weights stand in the program: a table, a matrix and a single number.
TEST(SynthCommand, ConstantArraysAreMemoriesWithContents) {
  if (!hls::hasVerilator())
    GTEST_SKIP() << "verilator or make is absent, install the packages verilator and make";
  TemporaryFolder folder;
  llvm::cantFail(writeFile(folder / "tables.mlir", R"(
    memref.global "private" constant @half : memref<f64> = dense<0.5>
    memref.global "private" constant @bias : memref<3xf64> = dense<[1.0, -2.0, 3.0]>
    memref.global "private" constant @weights : memref<3x2xf64> = dense<[[0.1, 0.2], [-0.3, 0.4], [5.0, -6.0]]>
    func.func @tables(%x: memref<2xf64>, %y: memref<3xf64>) {
      %h = memref.get_global @half : memref<f64>
      %b = memref.get_global @bias : memref<3xf64>
      %w = memref.get_global @weights : memref<3x2xf64>
      affine.for %i = 0 to 3 {
        %0 = affine.load %b[%i] : memref<3xf64>
        affine.store %0, %y[%i] : memref<3xf64>
        affine.for %j = 0 to 2 {
          %1 = affine.load %w[%i, %j] : memref<3x2xf64>
          %2 = affine.load %x[%j] : memref<2xf64>
          %3 = affine.load %h[] : memref<f64>
          %4 = arith.mulf %1, %2 : f64
          %5 = arith.mulf %4, %3 : f64
          %6 = affine.load %y[%i] : memref<3xf64>
          %7 = arith.addf %6, %5 : f64
          affine.store %7, %y[%i] : memref<3xf64>
        }
      }
      return
    })"));
  ToolResult made = runTool("synth " + (folder / "tables.mlir") + " --out " + (folder / "out"));
  ASSERT_EQ(made.exitCode, 0) << made.errors;
  EXPECT_EQ(simulatedCycles(folder / "out"),
            readJsonFile(folder / "out/kernel.json")["predicted_cycles"]);
}

TEST(SynthCommand, ScalarResultsStandWithDone) {
  if (!hls::hasVerilator())
    GTEST_SKIP() << "verilator or make is absent, install the packages verilator and make";
  TemporaryFolder folder;
  llvm::cantFail(writeFile(folder / "sum.mlir", R"(
    func.func @sum(%x: memref<9xi32>, %start: i32) -> (i32, i32) {
      %c3 = arith.constant 3 : i32
      %s = affine.for %i = 0 to 9 iter_args(%a = %start) -> (i32) {
        %0 = affine.load %x[%i] : memref<9xi32>
        %1 = arith.addi %a, %0 : i32
        affine.yield %1 : i32
      }
      %t = arith.muli %s, %c3 : i32
      return %s, %t : i32, i32
    })"));
  ToolResult made = runTool("synth " + (folder / "sum.mlir") + " --out " + (folder / "out"));
  ASSERT_EQ(made.exitCode, 0) << made.errors;
  EXPECT_EQ(readJsonFile(folder / "out/kernel.json")["results"].size(), 2u);
  EXPECT_EQ(simulatedCycles(folder / "out"),
            readJsonFile(folder / "out/kernel.json")["predicted_cycles"]);
}

TEST(SynthCommand, SearchesTheFewestCycles) {
  TemporaryFolder folder;
  ToolResult plain = synth("8x8-i32/gemm", folder / "plain", "");
  ToolResult found = synth("8x8-i32/gemm", folder / "found", "--unroll auto");
  ASSERT_EQ(plain.exitCode, 0) << plain.errors;
  ASSERT_EQ(found.exitCode, 0) << found.errors;
  EXPECT_THAT(found.output, HasSubstr("(--unroll "));
  EXPECT_LT(readJsonFile(folder / "found/kernel.json")["predicted_cycles"],
            readJsonFile(folder / "plain/kernel.json")["predicted_cycles"]);
}

/// Published multipliers of syr2k would be nine; with two the interval is that of the multipliers.
TEST(SynthCommand, ProvesSchedules) {
  if (!hls::hasVerilator())
    GTEST_SKIP() << "verilator or make is absent, install the packages verilator and make";
  TemporaryFolder folder;
  ToolResult made = synth("mini-f64/syr2k", folder.path(),
                          "--scheduler exact --time-limit 20 --resources fadd=2,fmul=2");
  ASSERT_EQ(made.exitCode, 0) << made.errors;
  EXPECT_THAT(made.output, HasSubstr("scheduler 2 of 2 pipelines proven optimal\n"));
  nlohmann::json schedule = readJsonFile(folder / "schedule.json");
  EXPECT_EQ(schedule["pipelines"][1]["proof"]["least_interval"], 2);
  EXPECT_THAT(readText(folder / "report.html"), HasSubstr("interval: optimal; depth: optimal"));
  EXPECT_EQ(simulatedCycles(folder.path()), schedule["predicted_cycles"]);
  ToolResult wrong = synth("mini-f64/syr2k", folder.path(), "--scheduler best");
  EXPECT_NE(wrong.exitCode, 0);
  EXPECT_THAT(wrong.errors, HasSubstr("best not in {heuristic,exact}"));
}

/// What `spindle pipeline` writes is a program like any other: prologue, kernel and epilogue.
TEST(SynthCommand, TakesSoftwarePipelinedLoops) {
  if (!hls::hasVerilator())
    GTEST_SKIP() << "verilator or make is absent, install the packages verilator and make";
  TemporaryFolder folder;
  for (const char *name : {"8x8-i32/trisolv", "8x8-i32/seidel-2d"}) {
    SCOPED_TRACE(name);
    ToolResult loops =
        runTool("pipeline " + kKernels + name + ".mlir --out " + (folder / "loops.mlir"));
    ASSERT_EQ(loops.exitCode, 0) << loops.errors;
    EXPECT_THAT(readText(folder / "loops.mlir"), HasSubstr("hls.interval"));
    ToolResult made = runTool("synth " + (folder / "loops.mlir") + " --out " + (folder / "out"));
    ASSERT_EQ(made.exitCode, 0) << made.errors;
    EXPECT_EQ(simulatedCycles(folder / "out"),
              readJsonFile(folder / "out/kernel.json")["predicted_cycles"]);
  }
}

/// Nothing is made, so neither a program nor a folder is asked for.
TEST(SynthCommand, PrintsItsPasses) {
  ToolResult shown = runTool("synth --print-passes --without skew --resources fmul=2");
  ASSERT_EQ(shown.exitCode, 0) << shown.errors;
  EXPECT_THAT(shown.output, HasSubstr("on  forward     hls-forward-results\n"));
  EXPECT_THAT(
      shown.output,
      HasSubstr(
          "off skew        hls-skew-loops{limits={mulf_bf16=2,mulf_f16=2,mulf_f32=2,mulf_f64=2} "
          "target=zynq-7020-100mhz}\n"));
  ToolResult searched = runTool("synth --print-pipeline --unroll auto --resources fmul=3");
  EXPECT_THAT(searched.output,
              HasSubstr("the search tries unroll with factors of up to three loops, the best also "
                        "without fuse and interchange\n"));
  EXPECT_THAT(runTool("synth").errors, HasSubstr("program is required"));
}

/// 64 quotients and roots one after the other: dividers that go round, that go round in several
/// stages, and pipelines, all with the same bits.
TEST(SynthCommand, UnitsHaveVariants) {
  if (!hls::hasVerilator())
    GTEST_SKIP() << "verilator or make is absent, install the packages verilator and make";
  TemporaryFolder folder;
  const std::string program = folder / "shares.mlir";
  writeText(program, "func.func @shares(%x: memref<64xf32>, %y: memref<64xf32>) {\n"
                     "  affine.for %i = 0 to 64 {\n"
                     "    %a = affine.load %x[%i] : memref<64xf32>\n"
                     "    %b = affine.load %y[%i] : memref<64xf32>\n"
                     "    %c = arith.divf %a, %b : f32\n"
                     "    %d = math.sqrt %c : f32\n"
                     "    affine.store %d, %x[%i] : memref<64xf32>\n  }\n  return\n}\n");
  auto cyclesOf = [&](const std::string &options) -> int64_t {
    ToolResult made = runTool("synth " + program + " --out " + folder.path() + " " + options);
    EXPECT_EQ(made.exitCode, 0) << made.errors;
    nlohmann::json kernel = readJsonFile(folder / "kernel.json");
    EXPECT_EQ(kernel["units"]["divf_f32"], 1);
    ToolResult result = runTool("cosim " + folder.path() + " --special --runs 3");
    EXPECT_EQ(result.exitCode, 0) << result.errors;
    EXPECT_EQ(readJsonFile(folder / "cosim.json")["cycles"], kernel["predicted_cycles"]);
    return kernel["predicted_cycles"];
  };
  int64_t iterated = cyclesOf("--variants fdiv=iterated,fsqrt=iterated");
  EXPECT_GT(iterated, 63 * 13); // a root every 13 cycles
  int64_t staged = cyclesOf("--variants fdiv=staged,fsqrt=pipelined");
  EXPECT_GT(staged, 63 * 3); // a quotient every 3
  EXPECT_LT(staged, 63 * 3 + 50);
  EXPECT_LT(cyclesOf(""), 63 + 50); // far fewer cycles for a larger circuit
  ToolResult chosen = runTool("synth " + program + " --out " + folder.path());
  EXPECT_THAT(chosen.output, HasSubstr("(--variants divf_f32=pipelined,sqrt_f32=pipelined)"))
      << chosen.errors;
}

/// A single quotient beside a long loop: a larger divider would not pay. Else as fast as with the
/// variants that a hand has found.
TEST(SynthCommand, VariantsAreChosenByCost) {
  TemporaryFolder folder;
  ToolResult centred = synth("mini-f64/covariance", folder.path(), "");
  ASSERT_EQ(centred.exitCode, 0) << centred.errors;
  EXPECT_EQ(centred.output.find("divf_f64=pipelined"), std::string::npos) << centred.output;
  for (auto [kernel, most] :
       {std::pair("adi", 67'100), {"gramschmidt", 25'000}, {"seidel-2d", 181'000}}) {
    ToolResult made = synth(std::string("mini-f64/") + kernel, folder.path(), "");
    ASSERT_EQ(made.exitCode, 0) << made.errors;
    EXPECT_LE(readJsonFile(folder / "kernel.json")["predicted_cycles"], most) << kernel;
  }
}

/// A solution of triangular equations waits for itself: side by side it only takes longer.
TEST(SynthCommand, SaysWhereAFactorMakesAKernelSlower) {
  TemporaryFolder folder;
  ToolResult made = synth("8x8-i32/trisolv", folder.path(), "--unroll 8");
  EXPECT_EQ(made.exitCode, 0);
  EXPECT_THAT(made.errors,
              ::testing::MatchesRegex(
                  "kernel_trisolv: remark: [0-9]+ cycles, [0-9]+ with --unroll 1 and these units: "
                  "the nest at "
                  "trisolv.mlir:[0-9]+:[0-9]+ has interval [0-9]+, limited by recurrence of .*; "
                  "--unroll auto looks for better factors\n"));
  EXPECT_EQ(synth("8x8-i32/trisolv", folder.path(), "").errors, "");
}

/// Without DSP blocks, products are made of LUTs.
TEST(SynthCommand, ProductsAreMadeOfWhatThereIs) {
  if (!hls::hasVerilator())
    GTEST_SKIP() << "verilator or make is absent, install the packages verilator and make";
  TemporaryFolder folder;
  const std::string program = folder / "squares.mlir";
  writeText(program, "func.func @squares(%x: memref<16xf32>) {\n"
                     "  affine.for %i = 0 to 16 {\n"
                     "    %a = affine.load %x[%i] : memref<16xf32>\n"
                     "    %b = arith.mulf %a, %a : f32\n"
                     "    affine.store %b, %x[%i] : memref<16xf32>\n  }\n  return\n}\n");
  ToolResult usual = runTool("synth " + program + " --out " + folder.path());
  EXPECT_EQ(readJsonFile(folder / "kernel.json")["estimate"]["dsp"], 2) << usual.errors;
  ToolResult made = runTool("synth " + program + " --budget dsp=0 --out " + folder.path());
  ASSERT_EQ(made.exitCode, 0) << made.errors;
  EXPECT_THAT(made.output, HasSubstr("(--variants mulf_f32=luts)"));
  EXPECT_EQ(readJsonFile(folder / "kernel.json")["estimate"]["dsp"], 0);
  EXPECT_EQ(runTool("cosim " + folder.path() + " --special --runs 3").exitCode, 0);
}

/// docs/formats/axi.md shows these members.
TEST(SynthCommand, PutsAKernelBehindABus) {
  TemporaryFolder folder;
  ToolResult made = synth("8x8-i32/atax", folder.path(), "--bus stream");
  ASSERT_EQ(made.exitCode, 0) << made.errors;
  nlohmann::json bus = readJsonFile(folder / "axi.json");
  EXPECT_EQ(bus["top"], "kernel_atax_axi");
  EXPECT_EQ(bus["data"], "stream");
  std::vector<std::string> members;
  for (const auto &[name, value] : bus.items())
    members.push_back(name);
  EXPECT_THAT(members, ::testing::UnorderedElementsAre("format", "version", "top", "data",
                                                       "sources", "registers"));
}

/// 64 lanes of f32 are more than the Zynq-7020 has.
TEST(SynthCommand, SaysWhatTheCircuitTakes) {
  TemporaryFolder folder;
  ToolResult small = synth("8x8-i32/gemm", folder / "small", "--budget part");
  ASSERT_EQ(small.exitCode, 0) << small.errors;
  EXPECT_THAT(small.output, HasSubstr("\nestimate  kernel_gemm: "));
  EXPECT_EQ(small.errors, "");
  nlohmann::json estimate = readJsonFile(folder / "small/kernel.json")["estimate"];
  EXPECT_GT(estimate["lut"], 100);
  EXPECT_EQ(estimate["bram"], 0);

  ToolResult large = synth("mini-f64/gemm", folder / "large", "--unroll 25");
  EXPECT_EQ(large.exitCode, 0);
  EXPECT_THAT(large.errors,
              ::testing::MatchesRegex(
                  "kernel_gemm: warning: about [0-9]+ LUT of 53200, [0-9]+ DSP of 220 in "
                  "xc7z020clg484-1; fewer iterations side by side \\(--unroll\\) or "
                  "fewer units \\(--resources\\) make it smaller\n"));
  ToolResult refused = synth("mini-f64/gemm", folder / "refused", "--unroll 25 --budget part");
  EXPECT_EQ(refused.exitCode, 1);
  EXPECT_THAT(refused.errors,
              ::testing::ContainsRegex("gemm.mlir:[0-9]+:[0-9]+: error: the circuit takes about "));
  EXPECT_FALSE(std::filesystem::exists(folder / "refused/kernel.json"));

  std::string target = readText("configs/targets/zynq-7020-100mhz.yaml");
  size_t capacity = target.find("capacity:");
  ASSERT_NE(capacity, std::string::npos);
  target.erase(capacity, target.find('\n', capacity) + 1 - capacity);
  writeText(folder / "bare.yaml", target);
  ToolResult bare =
      synth("8x8-i32/gemm", folder / "bare", "--budget part --target " + (folder / "bare.yaml"));
  EXPECT_EQ(bare.exitCode, 1);
  EXPECT_EQ(bare.errors,
            "--budget: error: the target zynq-7020-100mhz has no capacity; give numbers "
            "such as lut=20000, or add `capacity` to its file\n");
}

TEST(SynthCommand, RefusesWithPlaceAndRemedy) {
  TemporaryFolder folder;
  auto errorsOf = [&](const std::string &options) {
    ToolResult result = synth("8x8-i32/gemm", folder.path(), options);
    EXPECT_EQ(result.exitCode, 1);
    return result.errors;
  };
  EXPECT_EQ(errorsOf("--unroll two"),
            "--unroll: error: 'two', expected numbers from 1 to 1024, or auto\n");
  EXPECT_EQ(errorsOf("--unroll 0"),
            "--unroll: error: '0', expected numbers from 1 to 1024, or auto\n");
  EXPECT_EQ(
      errorsOf("--resources fmul"),
      "--resources: error: 'fmul', expected a unit and a number of at least 1, e.g. fmul=2\n");
  EXPECT_EQ(errorsOf("--resources fmla=2"),
            "--resources: error: target 'zynq-7020-100mhz' has no unit 'fmla'\n");
  EXPECT_EQ(errorsOf("--variants fdiv=pipelined,fadd=fast"),
            "--variants: error: target 'zynq-7020-100mhz' has one 'fadd' only, no variants\n");
  EXPECT_THAT(errorsOf("--without fissoin"), HasSubstr("found no loop step 'fissoin'"));
  EXPECT_EQ(errorsOf("--bus pcie"), "--bus: error: 'pcie', expected stream or memory\n");
}

/// Of a dialect that is not there.
TEST(SynthCommand, RefusesWhatNobodyKnows) {
  TemporaryFolder folder;
  std::string kernel = folder.path() + "/k.mlir";
  writeText(kernel, "func.func @u(%a: memref<8xi32>) {\n"
                    "  \"mydialect.op\"(%a) {x = 3} : (memref<8xi32>) -> ()\n"
                    "  return\n}\n");
  ToolResult result = runTool("synth '" + kernel + "' --out '" + folder.path() + "/out'");
  EXPECT_EQ(result.exitCode, 1);
  EXPECT_EQ(result.errors,
            kernel + ":2:3: error: operation mydialect.op is not supported, expected affine, scf, "
                     "arith, math, memref, linalg, tensor, tosa or vector\n");
}

} // namespace
