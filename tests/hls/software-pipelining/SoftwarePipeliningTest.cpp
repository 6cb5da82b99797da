#include "hw/hls/software-pipelining/SoftwarePipelining.h"
#include "tests/hls/loops/RandomKernels.h"

#include "gmock/gmock.h"

#include <filesystem>
#include <fstream>

using namespace spindle;
using namespace spindle::hls;
using namespace mlir;
using ::testing::HasSubstr;

namespace {

const Target &target() {
  static const Target read = llvm::cantFail(readTarget("configs/targets/zynq-7020-100mhz.yaml"));
  return read;
}

func::FuncOp kernelOf(ModuleOp module) { return module.lookupSymbol<func::FuncOp>("kernel"); }

/// Pipelines a kernel and compares; how many loops were rewritten.
unsigned expectPipelinedKeepsResults(const std::string &kernel, uint64_t seed,
                                     const SoftwarePipeliningOptions &options = {}) {
  OwningOpRef<ModuleOp> before = parseKernel(kernel);
  OwningOpRef<ModuleOp> after(before->clone());
  auto loops = pipelineLoops(kernelOf(*after), target(), options);
  if (!loops) {
    ADD_FAILURE() << seed << ": " << toText(loops.takeError()) << kernel;
    return 0;
  }
  expectSameResults(*before, *after, seed);
  unsigned rewritten = 0;
  for (const PipelinedLoop &loop : *loops)
    rewritten += loop.isRewritten;
  return rewritten;
}

TEST(SoftwarePipelining, RandomKernelsKeepTheirResults) {
  unsigned rewritten = 0;
  for (uint64_t seed = 0; seed < 60; ++seed)
    rewritten += expectPipelinedKeepsResults(randomKernel(seed), seed);
  EXPECT_GT(rewritten, 30u);
}

TEST(SoftwarePipelining, FewUnitsMakeLongIntervalsWithTheSameResults) {
  SoftwarePipeliningOptions options;
  options.units = llvm::cantFail(parseUnitLimits("addf=1,mulf=1", target(), ""));
  for (uint64_t seed = 200; seed < 220; ++seed)
    expectPipelinedKeepsResults(randomKernel(seed), seed, options);
}

/// Loops that begin at 1: their subscripts stay subscripts, so that the text can be read again.
TEST(SoftwarePipelining, LoopsThatBeginElsewhereStayAffine) {
  const std::string kernel = R"(
    func.func @kernel(%a: memref<30xf64>, %b: memref<30xf64>) {
      affine.for %i = 1 to 29 {
        %x = affine.load %a[%i - 1] : memref<30xf64>
        %y = affine.load %a[%i + 1] : memref<30xf64>
        %s = arith.addf %x, %y : f64
        affine.store %s, %b[%i] : memref<30xf64>
      }
      return
    })";
  EXPECT_EQ(expectPipelinedKeepsResults(kernel, 1), 1u);
  OwningOpRef<ModuleOp> module = parseKernel(kernel);
  ASSERT_TRUE(bool(pipelineLoops(kernelOf(*module), target(), {})));
  std::string text;
  llvm::raw_string_ostream(text) << *module;
  EXPECT_TRUE(parseKernel(text)) << text;
}

/// A dot product with a carried sum, over a triangle: every trip count from 0 to n - 1.
std::string triangle(unsigned n) {
  std::string size = std::to_string(n);
  std::string vector = "memref<" + size + "xf64>";
  return "func.func @kernel(%a: " + vector + ", %b: " + vector + ", %c: " + vector +
         ") {\n  affine.for %i = 0 to " + size + " {\n    %s = affine.load %c[%i] : " + vector +
         "\n    %r = affine.for %j = 0 to affine_map<(d0) -> (d0)>(%i) iter_args(%acc = %s) -> "
         "(f64) {\n      %x = affine.load %a[%j] : " +
         vector + "\n      %y = affine.load %b[%i - %j] : " + vector +
         "\n      %p = arith.mulf %x, %y : f64\n      %q = arith.addf %p, %x : f64\n"
         "      %t = arith.addf %acc, %q : f64\n      affine.yield %t : f64\n    }\n"
         "    affine.store %r, %c[%i] : " +
         vector + "\n  }\n  return\n}\n";
}

TEST(SoftwarePipelining, EveryTripCountFromZeroToManyStages) {
  OwningOpRef<ModuleOp> module = parseKernel(triangle(24));
  auto loops = pipelineLoops(kernelOf(*module), target(), {});
  ASSERT_TRUE(bool(loops));
  ASSERT_EQ(loops->size(), 1u);
  EXPECT_TRUE((*loops)[0].isRewritten);
  unsigned addition = target().unitFor("addf", "f64")->latency; // the carried sum waits for itself
  EXPECT_EQ((*loops)[0].interval, addition) << (*loops)[0].limit;
  EXPECT_GT((*loops)[0].stages, 2u);
  EXPECT_LT((*loops)[0].stages, 24u); // so that both branches run
  EXPECT_EQ(expectPipelinedKeepsResults(triangle(24), 1), 1u);
}

TEST(SoftwarePipelining, ValuesCarriedUnchangedAndSwapped) {
  const char *text = R"(
    func.func @kernel(%a: memref<30xf64>, %s: f64, %t: f64) -> f64 {
      %r:3 = affine.for %i = 0 to 30 iter_args(%x = %s, %y = %t, %z = %s) -> (f64, f64, f64) {
        %v = affine.load %a[%i] : memref<30xf64>
        %p = arith.mulf %v, %z : f64
        %q = arith.addf %p, %x : f64
        affine.store %q, %a[%i] : memref<30xf64>
        affine.yield %y, %x, %v : f64, f64, f64
      }
      %u = arith.subf %r#0, %r#1 : f64
      %w = arith.addf %u, %r#2 : f64
      return %w : f64
    })";
  EXPECT_EQ(expectPipelinedKeepsResults(text, 3), 1u);
}

TEST(SoftwarePipelining, AnIterationEveryCycleWherePortsAllow) {
  const char *text = R"(
    func.func @kernel(%a: memref<64xf64>, %b: memref<64xf64>, %s: f64) {
      affine.for %i = 0 to 64 {
        %x = affine.load %a[%i] : memref<64xf64>
        %y = arith.mulf %x, %s : f64
        %z = arith.addf %y, %x : f64
        affine.store %z, %b[%i] : memref<64xf64>
      }
      return
    })";
  OwningOpRef<ModuleOp> module = parseKernel(text);
  auto loops = pipelineLoops(kernelOf(*module), target(), {});
  ASSERT_TRUE(bool(loops));
  EXPECT_EQ((*loops)[0].interval, 1u);
  // The store starts when load, multiplication and addition are done.
  EXPECT_EQ((*loops)[0].stages, 1u + target().memory.readLatency +
                                    target().unitFor("mulf", "f64")->latency +
                                    target().unitFor("addf", "f64")->latency);
  EXPECT_EQ(expectPipelinedKeepsResults(text, 5), 1u);
}

std::string errorOf(const std::string &kernel, const SoftwarePipeliningOptions &options) {
  OwningOpRef<ModuleOp> module = parseKernel(kernel);
  auto loops = pipelineLoops(kernelOf(*module), target(), options);
  return loops ? "" : toText(loops.takeError());
}

TEST(SoftwarePipelining, WrongOptionsAreRefused) {
  SoftwarePipeliningOptions far;
  far.only = 3;
  EXPECT_THAT(errorOf(triangle(4), far),
              HasSubstr("no innermost loop 3, expected a number below 1"));
  SoftwarePipeliningOptions ambiguous;
  ambiguous.externalSchedule = "s.csv";
  std::string two = "func.func @kernel(%a: memref<4xf64>) {\n";
  for (int n = 0; n < 2; ++n)
    two += "affine.for %i = 0 to 4 {\n%x = affine.load %a[%i] : memref<4xf64>\n}\n";
  EXPECT_THAT(errorOf(two + "return\n}\n", ambiguous),
              HasSubstr("s.csv: error: is a schedule for one loop, but there are 2: name it by "
                        "--loop"));
}

/// The schedule that was written is read back, and gives the same program.
TEST(SoftwarePipelining, AnExternalScheduleIsTakenAndVerified) {
  std::string folder = testing::TempDir() + "/graphs";
  SoftwarePipeliningOptions write;
  write.graphFolder = folder;
  EXPECT_EQ(expectPipelinedKeepsResults(triangle(24), 1, write), 1u);
  for (const char *name : {"json", "graphml", "resources.xml", "schedule.csv"})
    EXPECT_TRUE(std::filesystem::exists(folder + "/loop0." + name)) << name;
  SoftwarePipeliningOptions read;
  read.externalSchedule = folder + "/loop0.schedule.csv";
  EXPECT_EQ(expectPipelinedKeepsResults(triangle(24), 1, read), 1u);
  read.externalInterval = 1;
  EXPECT_THAT(errorOf(triangle(24), read), HasSubstr("does not hold with an interval of 1"));
}

} // namespace
