// Small programs in the manner of MachSuite, CHStone, Rosetta, Dynamatic, cgeist, torch-mlir and
// Allo, written by hand as these have them: the circuits compute what the programs do, in the
// cycles that were predicted, whatever is unrolled.
#include "core/support/files/File.h"
#include "tests/hls/lower/CircuitRun.h"
#include "tests/hls/lower/ScheduledKernel.h"
#include "tests/synthesis/SynthesizedKernel.h"

#include "fmt/format.h"
#include "fmt/ranges.h"
#include "gtest/gtest.h"

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <regex>

using namespace spindle;
using namespace spindle::hls;

namespace {

/// SPINDLE_SUITE=DIR takes the programs of another folder.
std::string suiteFolder() {
  const char *given = std::getenv("SPINDLE_SUITE");
  return given ? given : "tests/kernels/suites";
}

std::vector<std::string> suiteFiles() {
  std::vector<std::string> files;
  for (const auto &entry : std::filesystem::directory_iterator(suiteFolder()))
    files.push_back(entry.path().stem().string());
  std::sort(files.begin(), files.end());
  return files;
}

/// Its only public function is called as those of all tests here.
std::string suiteText(const std::string &name) {
  std::string text = llvm::cantFail(readFile(suiteFolder() + "/" + name + ".mlir"));
  std::smatch found;
  EXPECT_TRUE(std::regex_search(text, found, std::regex("func\\.func @(\\w+)")));
  return std::regex_replace(text, std::regex("@" + found[1].str() + "\\b"), "@kernel");
}

/// The search takes most of the time: every second program is searched, the others are left as they
/// are before they are unrolled. SPINDLE_LONG_TESTS=1 searches all.
std::vector<uint64_t> withoutUnrolling(const std::string &name) {
  std::vector<std::string> files = suiteFiles();
  bool isSearched = std::getenv("SPINDLE_LONG_TESTS") ||
                    (std::find(files.begin(), files.end(), name) - files.begin()) % 2 == 0;
  return isSearched ? std::vector<uint64_t>{} : std::vector<uint64_t>{1};
}

class SuitePrograms : public testing::TestWithParam<std::string> {};

TEST_P(SuitePrograms, ComputeWhatTheyDo) {
  std::string text = suiteText(GetParam());
  constexpr uint64_t kFewCycles = 300; // the simulation of a circuit is slow
  for (const std::vector<uint64_t> &unroll : {withoutUnrolling(GetParam()), {4}, {3, 2}}) {
    SCOPED_TRACE(fmt::format("unrolled by {}", fmt::join(unroll, ",")));
    SynthesizedKernel made(text, unroll);
    ASSERT_FALSE(HasFailure());
    const Golden &golden = made.golden();
    bool runsCircuit = unroll.size() < 2 && unroll != std::vector<uint64_t>{4} &&
                       made.cycles() <= kFewCycles && hasUnitModels(made.synthesis.kernel);
    expectSynthesizedRight(made, randomArguments(golden, 1), randomArguments(golden, 2),
                           runsCircuit);
    expectSynthesizedRight(made, randomArguments(golden, 3), {}, false);
  }
}

INSTANTIATE_TEST_SUITE_P(All, SuitePrograms, testing::ValuesIn(suiteFiles()),
                         [](const auto &test) { return test.param; });

} // namespace
