// Whole co-simulations under Verilator: right kernels pass, and every fault is found.
#include "hw/cosim/Cosim.h"
#include "core/kernel/BusInterface.h"
#include "tests/cosim/KernelFolder.h"

#include "gmock/gmock.h"

#include <filesystem>

using namespace spindle;
using namespace spindle::hls;
using testing::AllOf;
using testing::ElementsAre;
using testing::EndsWith;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::StartsWith;

namespace {

#define SKIP_WITHOUT_VERILATOR()                                                                   \
  if (!hasVerilator())                                                                             \
  GTEST_SKIP() << "verilator or make is absent, install the packages verilator and make"

CosimResult runCosim(const TemporaryFolder &folder, const CosimOptions &options = {}) {
  auto result = cosim(folder.path(), options);
  EXPECT_TRUE(bool(result)) << toText(result.takeError());
  return result ? *result : CosimResult();
}

/// Inputs of the kernel `scale` with a fault.
CosimOptions withFault(const TemporaryFolder &folder, int64_t fault) {
  std::vector<int64_t> x;
  for (int64_t i = 0; i < 12; ++i)
    x.push_back(100 + i * i);
  CosimOptions options;
  options.in = {folder / "in.npz"};
  llvm::cantFail(writeNpz(options.in[0], {{"arg0", makeNpy({12}, x)},
                                          {"arg1", makeNpy({}, std::vector<int64_t>{3})},
                                          {"arg2", makeNpy({}, std::vector<int64_t>{fault})}}));
  return options;
}

TEST(Cosim, FindsEveryFault) {
  SKIP_WITHOUT_VERILATOR();
  TemporaryFolder folder;
  writeKernel(folder, scaleKernel());
  std::string waveform = folder / "cosim/mismatch.vcd";
  for (const CosimOptions &options : {CosimOptions(), withFault(folder, 0)}) {
    CosimResult right = runCosim(folder, options);
    EXPECT_THAT(right.problems, IsEmpty());
    EXPECT_EQ(right.cycles, 14u);
    EXPECT_EQ(right.runs, 3u);
    EXPECT_EQ(right.mismatches, 0u);
    EXPECT_FALSE(std::filesystem::exists(waveform));
  }
  struct Fault {
    int64_t number;
    const char *first;
    uint64_t mismatches;
  };
  const Fault faults[] = {
      {101,
       "run 0: arg0[5] is 376 (0x00000178), expected 375 (0x00000177); bank 0 word 5; last written "
       "in cycle 8 of 14; 1 mismatch in this run",
       3},
      {102, "run 0, cycle 10: arg0: port 1 of bank 0 writes word 13, expected 0 to 11", 0},
      {103,
       "run 0, cycle 1057: is not done after 1056 cycles; idle 0; arg0: 12 reads, 12 writes, "
       "port 1 of bank 0 writes word 11 1043 cycles ago",
       0},
      {104,
       "run 0: arg0[9] is 181 (0x000000b5), expected 543 (0x0000021f); bank 0 word 9; never "
       "written; 3 mismatches in this run",
       3},
      {105,
       "run 0, cycle 3: arg0: port 1 of bank 0 writes word 0, which port 0 reads in the same cycle",
       0},
      {106, "run 0: arg0[0] is 303 (0x0000012f), expected 300 (0x0000012c); bank 0 word 0", 36},
      {107, "run 1: arg0[0] is 400 (0x00000190), expected 300 (0x0000012c); bank 0 word 0", 12},
      {108,
       "run 2 (after a reset), before its start: arg0: port 1 of bank 0 writes word 5 while no run "
       "is under way",
       0},
      {109, "run 0: arg0[1] is ", 33},
      {110, "run 0 takes 15 cycles, predicted were 14", 0},
      {111, "run 0, cycle 1: is idle while a run is under way", 0},
      {112, "run 1, before its start: is done while no run is under way", 0},
      {113, "run 0, cycle 0: is done while no run is under way", 0},
      {114,
       "run 2 (after a reset), before its start: is not idle 1009 cycles after its last run or "
       "reset",
       0},
      {115, "run 0, cycle 4: arg0: port 0 of bank 0 reads word 14, expected 0 to 11", 0}};
  for (const Fault &fault : faults) {
    CosimResult result = runCosim(folder, withFault(folder, fault.number));
    ASSERT_FALSE(result.problems.empty()) << fault.number;
    EXPECT_THAT(result.problems[0], StartsWith(fault.first));
    EXPECT_THAT(result.problems[0], EndsWith("; waveform: " + waveform));
    EXPECT_EQ(result.mismatches, fault.mismatches) << fault.number;
    EXPECT_THAT(folder.read("cosim/mismatch.vcd"), HasSubstr("arg0_b0_p1_wdata"));
    std::filesystem::remove(waveform);
  }
}

TEST(Cosim, BanksResultsAndTheClockEnable) {
  SKIP_WITHOUT_VERILATOR();
  TemporaryFolder folder;
  writeKernel(folder, bankedSumKernel());
  CosimOptions options;
  options.in = {folder / "in.npz"};
  options.dump = folder / "out.npz";
  options.hasWaveform = true;
  llvm::cantFail(writeNpz(options.in[0],
                          {{"arg0", makeNpy({7}, std::vector<int64_t>{1, 2, 3, -4, 5, 6, 700})}}));
  CosimResult given = runCosim(folder, options);
  EXPECT_THAT(given.problems, IsEmpty());
  EXPECT_EQ(given.cycles, 6u);
  EXPECT_THAT(folder.read("cosim/waveform.vcd"), HasSubstr("result0"));
  auto dumped = llvm::cantFail(readNpz(options.dump));
  EXPECT_THAT(findMember(dumped, "arg0")->integers(), ElementsAre(2, 3, 4, -3, 6, 7, 701));
  EXPECT_THAT(findMember(dumped, "arg1")->integers(), ElementsAre(7));
  EXPECT_THAT(findMember(dumped, "result0")->integers(), ElementsAre(713));

  // Built once: the fingerprint is as old as before.
  auto built = std::filesystem::last_write_time(folder / "cosim/build-short/fingerprint");
  options = {};
  options.runs = 20;
  options.seed = 7;
  CosimResult random = runCosim(folder, options);
  EXPECT_THAT(random.problems, IsEmpty());
  EXPECT_EQ(random.runs, 20u);
  EXPECT_EQ(std::filesystem::last_write_time(folder / "cosim/build-short/fingerprint"), built);

  // Runs of more than 50,000 cycles are optimised, and few runs use what is there.
  EXPECT_FALSE(std::filesystem::exists(folder / "cosim/build"));
  options.runs = 50000 / 6 + 1;
  EXPECT_THAT(runCosim(folder, options).problems, IsEmpty());
  EXPECT_TRUE(std::filesystem::exists(folder / "cosim/build/fingerprint"));
  std::filesystem::remove_all(folder / "cosim/build-short");
  options.runs = 1;
  EXPECT_THAT(runCosim(folder, options).problems, IsEmpty());
  EXPECT_FALSE(std::filesystem::exists(folder / "cosim/build-short"));
}

/// They are optimised only where a run does not end within 50,000 cycles, and would then take long.
TEST(Cosim, RunsOfUnknownLengthAreTriedForAShortTime) {
  SKIP_WITHOUT_VERILATOR();
  TemporaryFolder folder;
  KernelInterface kernel = scaleKernel();
  kernel.predictedCycles.reset();
  writeKernel(folder, kernel);
  CosimResult right = runCosim(folder, withFault(folder, 0));
  EXPECT_THAT(right.problems, IsEmpty());
  EXPECT_EQ(right.cycles, 14u);
  EXPECT_EQ(runCosim(folder, withFault(folder, 106)).mismatches, 36u);
  CosimOptions options = withFault(folder, 103);
  options.mostCycles = 20;
  EXPECT_THAT(runCosim(folder, options).problems[0],
              StartsWith("run 0, cycle 21: is not done after 20 cycles"));
  EXPECT_TRUE(std::filesystem::exists(folder / "cosim/build-short/fingerprint"));
  EXPECT_FALSE(std::filesystem::exists(folder / "cosim/build"));
  options.mostCycles = 60'000; // more than are tried
  EXPECT_THAT(runCosim(folder, options).problems[0],
              StartsWith("run 0, cycle 60001: is not done after 60000 cycles"));
}

std::string errorOf(const TemporaryFolder &folder, const KernelInterface &kernel,
                    const CosimOptions &options = {}) {
  llvm::cantFail(writeKernelInterface(folder / "kernel.json", kernel));
  auto result = cosim(folder.path(), options);
  return result ? "no error" : toText(result.takeError());
}

TEST(Cosim, ErrorsBeforeTheSimulation) {
  TemporaryFolder folder;
  const std::string json = folder / "kernel.json", again = "; synthesise the kernel again";
  EXPECT_EQ(toText(cosim(folder.path(), {}).takeError()),
            json + ": error: cannot open: No such file or directory");
  writeKernel(folder, scaleKernel());
  KernelInterface kernel = scaleKernel();
  kernel.function = "scala";
  EXPECT_EQ(errorOf(folder, kernel),
            folder /
                "scale.mlir: error: function 'scala' is absent, of which golden values are wanted");
  kernel = scaleKernel();
  kernel.arguments[0].shape = {13};
  EXPECT_EQ(errorOf(folder, kernel),
            json + ": error: arg0 is i32 [13], but i32 [12] in the program" + again);
  kernel = scaleKernel();
  kernel.arguments.push_back(scalarArgument(3, "f32"));
  EXPECT_EQ(errorOf(folder, kernel),
            json + ": error: arg3 is f32, but the program has 3 arguments" + again);
  kernel = scaleKernel();
  kernel.results.push_back(*parseElementType("i1"));
  EXPECT_EQ(errorOf(folder, kernel),
            json + ": error: has 1 results, but the program returns 0 of other number or types" +
                again);
  CosimOptions options = withFault(folder, 0);
  kernel = scaleKernel();
  kernel.arguments.pop_back();
  kernel.bind[2] = {1};
  EXPECT_EQ(errorOf(folder, kernel, options),
            options.in[0] + ": error: arg2 is 0, but the kernel was synthesised for 1");
  llvm::cantFail(writeNpz(options.in[0], {{"arg0", makeNpy({12}, std::vector<int64_t>(12))}}));
  EXPECT_EQ(errorOf(folder, scaleKernel(), options),
            options.in[0] + ": error: no array 'arg1', expected arg0 to arg2");
}

/// Any set of arguments that is left out, or bound that may not be, is named.
TEST(Cosim, EveryArgumentIsListedOrBound) {
  TemporaryFolder folder;
  writeKernel(folder, scaleKernel());
  const std::string json = folder / "kernel.json", again = "; synthesise the kernel again";
  const KernelInterface whole = scaleKernel();
  for (unsigned left = 1; left < 1u << whole.arguments.size(); ++left)
    for (bool isBound : {false, true}) {
      KernelInterface kernel = whole;
      kernel.arguments.clear();
      std::string expected;
      for (const KernelArgument &argument : whole.arguments) {
        bool isLeft = left >> argument.index & 1;
        if (!isLeft)
          kernel.arguments.push_back(argument);
        if (isLeft && isBound)
          kernel.bind[argument.index] =
              argument.isMemory() ? argument.shape : std::vector{int64_t(1)};
        if (isLeft && expected.empty() && (argument.isMemory() || !isBound))
          expected = json + ": error: does not list arg" + std::to_string(argument.index) +
                     ", expected all arguments of the program except bound scalars" + again;
      }
      if (!expected.empty()) { // scalars alone may be bound
        EXPECT_EQ(errorOf(folder, kernel), expected) << left << isBound;
      }
    }
}

TEST(Cosim, BindingsAreOfTheProgram) {
  TemporaryFolder folder;
  writeKernel(folder, scaleKernel());
  const std::string json = folder / "kernel.json", again = "; synthesise the kernel again";
  for (uint32_t index : {3u, 4u, 1000u, 4294967295u}) {
    KernelInterface kernel = scaleKernel();
    kernel.bind[index] = {1};
    EXPECT_EQ(errorOf(folder, kernel), json + ": error: binds arg" + std::to_string(index) +
                                           ", but the program has 3 arguments" + again);
  }
  KernelInterface kernel = scaleKernel();
  kernel.arguments.pop_back();
  kernel.bind[2] = {1, 2};
  EXPECT_EQ(errorOf(folder, kernel),
            json + ": error: binds arg2 to 2 numbers, expected 1 for i32" + again);
  kernel = scaleKernel();
  kernel.bind[0] = {3, 4};
  EXPECT_EQ(errorOf(folder, kernel),
            json + ": error: binds arg0 to 2 numbers, expected 1 for i32 [12]" + again);
}

TEST(Cosim, ErrorsOfSources) {
  SKIP_WITHOUT_VERILATOR();
  TemporaryFolder folder;
  writeKernel(folder, scaleKernel());
  KernelInterface kernel = scaleKernel();
  kernel.sources.push_back("absent.sv");
  EXPECT_EQ(errorOf(folder, kernel),
            folder / "absent.sv: error: cannot open: No such file or directory");
  kernel = scaleKernel();
  kernel.hasClockEnable = true;
  EXPECT_EQ(errorOf(folder, kernel), folder / "kernel.json: error: the module has no port 'ce', "
                                              "expected this input");
  folder.write("scale.sv", "module scale (input logic clk);\n  logic a = b;\nendmodule\n");
  EXPECT_THAT(errorOf(folder, scaleKernel()),
              AllOf(HasSubstr("verilator failed: %Error: ../scale.sv:2"), HasSubstr("'b'")));
}

TEST(Cosim, BusesWithoutTheirRegisters) {
  SKIP_WITHOUT_VERILATOR();
  TemporaryFolder folder;
  writeKernel(folder, scaleKernel());
  llvm::cantFail(writeBusInterface(folder / "axi.json", {"scale_axi", AxiData::Stream, {}, {}}));
  EXPECT_EQ(toText(cosim(folder.path(), withFault(folder, 0)).takeError()),
            folder / "axi.json: error: found no register 'arg1', which the kernel needs");
}

/// Two files, three runs: the first one serves the last run, too.
TEST(Cosim, RunsTakeTheirFilesInTurn) {
  SKIP_WITHOUT_VERILATOR();
  TemporaryFolder folder;
  writeKernel(folder, scaleKernel());
  CosimOptions options = withFault(folder, 101); // in what the first file asks for
  options.in.push_back(folder / "right.npz");
  std::vector<int64_t> x(12, 5);
  llvm::cantFail(writeNpz(options.in[1], {{"arg0", makeNpy({12}, x)},
                                          {"arg1", makeNpy({}, std::vector<int64_t>{3})},
                                          {"arg2", makeNpy({}, std::vector<int64_t>{0})}}));
  CosimResult result = runCosim(folder, options);
  ASSERT_EQ(result.problems.size(), 2u);
  EXPECT_THAT(result.problems[0], StartsWith("run 0: arg0[5] is 376"));
  EXPECT_THAT(result.problems[1], StartsWith("run 2 (after a reset): arg0[5] is 376"));
  EXPECT_EQ(result.mismatches, 2u);
}

} // namespace
