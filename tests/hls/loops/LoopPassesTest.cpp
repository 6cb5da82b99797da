// The default line of passes on PolyBench: same results, and the iterations it is there for.
#include "hw/hls/loops/LoopPasses.h"
#include "hw/hls/loops/analysis/EstimateNest.h"
#include "tests/hls/loops/RandomKernels.h"

#include "mlir/Pass/PassManager.h"

#include "gmock/gmock.h"

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <set>
#include <sstream>

using namespace spindle::hls;
using namespace mlir;

namespace {

OwningOpRef<ModuleOp> readKernel(const std::filesystem::path &path) {
  std::stringstream text;
  text << std::ifstream(path).rdbuf();
  return parseKernel(text.str());
}

void transform(ModuleOp module, const LoopOptions &options) {
  PassManager manager(&kernelContext());
  ASSERT_FALSE(bool(addLoopPasses(manager, defaultCosts().target, options)));
  ASSERT_TRUE(succeeded(manager.run(module)));
}

TEST(LoopPasses, AllPolyBenchKernelsKeepTheirResults) {
  std::vector<std::filesystem::path> kernels;
  for (const auto &entry : std::filesystem::directory_iterator("tests/kernels/polybench/mini-f64"))
    kernels.push_back(entry.path());
  std::sort(kernels.begin(), kernels.end());
  ASSERT_EQ(kernels.size(), 30u);
  for (const std::filesystem::path &kernel : kernels) {
    SCOPED_TRACE(kernel.string());
    OwningOpRef<ModuleOp> before = readKernel(kernel), after = before->clone();
    transform(*after, {});
    std::string name = "kernel_" + kernel.stem().string();
    std::replace(name.begin(), name.end(), '-', '_');
    expectSameResults(*before, *after, 7, name);
  }
}

struct Goal {
  const char *kernel;
  unsigned multipliers; // of the published pipelined design
  uint64_t iterations;  // of all nests together, at interval 1
};

/// Innermost iterations of the kernels by their trip counts, and what stays beside them: gemm
/// scales 20 x 25 elements first, atax and bicg clear a vector, gemver adds one, trmm copies and
/// scales 20 x 30 elements.
TEST(LoopPasses, AnIterationInEveryCycleWithThePublishedMultipliers) {
  for (const Goal &goal : {Goal{"gemm", 2, 20 * 25 * 30 + 20 * 25},
                           {"2mm", 2, 16 * 18 * 22 + 16 * 18 * 24},
                           {"3mm", 1, 16 * 18 * 20 + 18 * 22 * 24 + 16 * 18 * 22},
                           {"atax", 3, 2 * 38 * 42 + 42},
                           {"bicg", 6, 2 * 38 * 42 + 38},
                           {"doitgen", 1, 8 * 10 * 12 * 12},
                           {"gemver", 7, 3 * 40 * 40},
                           {"syr2k", 9, 20 * 30 * 31 / 2},
                           {"syrk", 3, 20 * 30 * 31 / 2},
                           {"trmm", 1, 30 * 20 * 19 / 2 + 2 * 20 * 30}}) {
    LoopOptions options;
    options.units = {{"mulf_f64", goal.multipliers}, {"addf_f64", goal.multipliers}};
    OwningOpRef<ModuleOp> module =
        readKernel(std::string("tests/kernels/polybench/mini-f64/") + goal.kernel + ".mlir");
    transform(*module, options);
    LoopCosts costs = defaultCosts();
    costs.units = options.units;
    uint64_t iterations = 0;
    for (const NamedEstimate &nest :
         estimateNests(*module->getOps<func::FuncOp>().begin(), costs)) {
      EXPECT_EQ(nest.estimate.interval(), 1u) << goal.kernel << ": " << nest.estimate.limit;
      EXPECT_EQ(nest.estimate.runs, 1u) << goal.kernel;
      iterations += nest.estimate.iterations;
    }
    EXPECT_LE(iterations, goal.iterations) << goal.kernel;
  }
}

TEST(LoopPasses, StepsAreLeftOutByName) {
  LoopOptions options;
  options.without = {"fission", "fuse", "interchange", "skew"};
  OwningOpRef<ModuleOp> module = readKernel("tests/kernels/polybench/mini-f64/2mm.mlir");
  transform(*module, options);
  std::vector<NamedEstimate> nests =
      estimateNests(*module->getOps<func::FuncOp>().begin(), defaultCosts());
  ASSERT_EQ(nests.size(), 2u);
  EXPECT_GT(nests[0].estimate.recurrence, 1u) << "the reduction is still innermost";
}

/// What is printed is what runs: each line's passes, in this order, are the passes of the line.
TEST(LoopPasses, IsPrintedStepByStep) {
  LoopOptions options;
  options.without = {"skew"};
  options.units = {{"mulf_f64", 2}};
  options.unroll = {4};
  Target target = defaultCosts().target;
  std::string text = llvm::cantFail(loopPassesText(target, options));
  PassManager manager(&kernelContext());
  ASSERT_FALSE(bool(addLoopPasses(manager, target, options)));
  std::string printed, built;
  llvm::raw_string_ostream stream(built);
  manager.printAsTextualPipeline(stream);
  std::istringstream lines(text);
  std::vector<std::string> names;
  for (std::string line; std::getline(lines, line);) {
    names.push_back(line.substr(4, line.find(' ', 4) - 4));
    if (line.rfind("on ", 0) == 0)
      printed += (printed.empty() ? "" : ", ") + line.substr(16);
  }
  printed.erase(std::remove(printed.begin(), printed.end(), ' '), printed.end());
  built.erase(std::remove(built.begin(), built.end(), ' '), built.end());
  EXPECT_EQ("any(func.func(" + printed + "))", built);
  EXPECT_EQ(names, loopSteps());
  EXPECT_THAT(text, testing::HasSubstr("off skew        hls-skew-loops{limits={mulf_f64=2} "));
  EXPECT_THAT(text, testing::HasSubstr("on  unroll      hls-widen-loops{factor=4}"));
  options.unroll = {};
  EXPECT_THAT(llvm::cantFail(loopPassesText(target, options)), testing::HasSubstr("off unroll"));
}

/// The table of docs/rationale/loops.md: names in backquotes in the first cell of its rows.
std::set<std::string> documentedSteps() {
  std::stringstream text;
  text << std::ifstream("docs/rationale/loops.md").rdbuf();
  std::string page = text.str();
  std::istringstream lines(page.substr(page.find("| step | what | why here |")));
  std::set<std::string> names;
  for (std::string line; std::getline(lines, line) && line.rfind('|', 0) == 0;) {
    std::istringstream cell(line.substr(0, line.find('|', 1)));
    for (std::string name; std::getline(cell, name, '`') && std::getline(cell, name, '`');)
      names.insert(name);
  }
  return names;
}

TEST(LoopPasses, StepsAreInTheManual) {
  std::vector<std::string> steps = loopSteps();
  EXPECT_EQ(documentedSteps(), std::set<std::string>(steps.begin(), steps.end()));
}

TEST(LoopPasses, UnknownStepsAndLimitsAreRefused) {
  PassManager manager(&kernelContext());
  LoopOptions options;
  options.without = {"fissoin"};
  EXPECT_THAT(spindle::toText(addLoopPasses(manager, defaultCosts().target, options)),
              testing::HasSubstr(
                  "found no loop step 'fissoin', expected one of balance, carry, copy, cse, "));
  EXPECT_THAT(spindle::toText(readCosts("", {"mulf_f64=none"}).takeError()),
              testing::HasSubstr("found the limit 'mulf_f64=none', expected a kind of unit and a "
                                 "positive number such as mulf_f64=2"));
  EXPECT_THAT(spindle::toText(loopPassesText(defaultCosts().target, options).takeError()),
              testing::HasSubstr("found no loop step 'fissoin'"));
}

} // namespace
