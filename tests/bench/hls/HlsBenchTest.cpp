// Five kernels through synthesis and co-simulation, and the benchmark's command line.
#include "core/kernel/KernelInterface.h"
#include "core/kernel/KernelSchedule.h"
#include "tests/e2e/Tool.h"

#include "llvm/Support/Program.h"
#include "gmock/gmock.h"

#include <map>
#include <set>
#include <sstream>

namespace spindle::test {
namespace {

using ::testing::HasSubstr;

using Row = std::map<std::string, std::string>; // by column

/// Cells in quotes hold commas.
std::vector<std::string> cellsOf(const std::string &line) {
  std::vector<std::string> cells(1);
  bool isQuoted = false;
  for (char c : line) {
    if (c == '"')
      isQuoted = !isQuoted;
    else if (c == ',' && !isQuoted)
      cells.emplace_back();
    else
      cells.back() += c;
  }
  return cells;
}

std::vector<Row> readTable(const std::string &path) {
  std::istringstream lines(readText(path));
  std::string line;
  std::getline(lines, line);
  std::vector<std::string> columns = cellsOf(line);
  std::vector<Row> rows;
  while (std::getline(lines, line)) {
    std::vector<std::string> cells = cellsOf(line);
    EXPECT_EQ(cells.size(), columns.size()) << line;
    rows.emplace_back();
    for (size_t i = 0; i < std::min(cells.size(), columns.size()); ++i)
      rows.back()[columns[i]] = cells[i];
  }
  return rows;
}

TEST(HlsBench, WrongArguments) {
  auto errorOf = [](const std::string &arguments) {
    ToolResult result = runTool("hls " + arguments);
    EXPECT_EQ(result.exitCode, 1) << result.output;
    return result.errors;
  };
  EXPECT_THAT(errorOf("--set calix"),
              HasSubstr("--set: error: 'calix' is no set of kernels, expected "
                        "one of curzel2022, curzel2022-wide, "));
  EXPECT_THAT(errorOf("--set calyx --kernel deriche"),
              HasSubstr("--kernel: error: no set of these has a kernel 'deriche'"));
}

class FiveKernels : public ::testing::Test {
protected:
  void SetUp() override {
    if (!llvm::sys::findProgramByName("verilator"))
      GTEST_SKIP() << "needs the package verilator";
  }
  /// The only row of a run with these arguments, whose files stay below `scratch`.
  Row run(const std::string &set, const std::string &kernel) {
    std::string csv = scratch / "table.csv";
    ToolResult result = runTool("hls --set " + set + " --kernel " + kernel + " --out '" +
                                scratch.path + "' --csv '" + csv + "'");
    EXPECT_EQ(result.exitCode, 0) << result.output << result.errors;
    std::vector<Row> rows = readTable(csv);
    return rows.size() == 1 ? rows[0] : Row();
  }
  /// Bit for bit the program's results in the cycles that were predicted, and files that agree.
  void expectRight(const std::string &set, const std::string &kernel, double mostRatio) {
    Row row = run(set, kernel);
    EXPECT_EQ(row["mismatches"], "0") << kernel;
    EXPECT_EQ(row["cycles"], row["predicted_cycles"]) << kernel;
    if (mostRatio > 0) {
      EXPECT_LE(std::stod(row["ratio"]), mostRatio) << kernel;
    }
    std::string folder = scratch / (set + "/" + kernel);
    hls::KernelInterface files = llvm::cantFail(hls::readKernelInterface(folder + "/kernel.json"));
    hls::KernelSchedule schedule =
        llvm::cantFail(hls::readKernelSchedule(folder + "/schedule.json"));
    EXPECT_EQ(std::to_string(schedule.predictedCycles.value_or(0)), row["cycles"]);
    expectUnitsOf(schedule, files);
    EXPECT_THAT(readText(folder + "/report.html"), HasSubstr("<b>" + row["cycles"] + "<small>"));
  }
  /// The units that operations are bound to are those of the circuit.
  void expectUnitsOf(const hls::KernelSchedule &schedule, const hls::KernelInterface &files) {
    std::set<std::string> units;
    for (const hls::ScheduledPipeline &pipeline : schedule.pipelines)
      for (const hls::ScheduledOperation &operation : pipeline.operations)
        if (!operation.resource.empty() && operation.resource.find(" port ") == std::string::npos)
          units.insert(operation.resource);
    std::map<std::string, uint32_t> counts;
    for (const std::string &unit : units)
      ++counts[unit.substr(0, unit.rfind('_'))];
    EXPECT_EQ(counts, files.units);
  }
  ScratchFolder scratch;
};

// At most a quarter of the published cycles, with as many multipliers.
TEST_F(FiveKernels, Gemm) { expectRight("curzel2022", "gemm", 0.25); }
TEST_F(FiveKernels, Bicg) { expectRight("curzel2022", "bicg", 0.25); }
TEST_F(FiveKernels, Trmm) { expectRight("curzel2022", "trmm", 0.25); }
TEST_F(FiveKernels, Doitgen) { expectRight("calyx", "doitgen", 0); }
TEST_F(FiveKernels, Cholesky) { expectRight("polybench", "cholesky", 0); }

} // namespace
} // namespace spindle::test
