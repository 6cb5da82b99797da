// The cycles of docs/benchmarks/house.md are those that `spindle synth` predicts.
#include "tests/e2e/Tool.h"
#include "tests/support/TemporaryFolder.h"

#include "gmock/gmock.h"

#include <sstream>
#include <string>

using namespace spindle;
using namespace spindle::test;

namespace {

/// The cells of a row, without the blanks around them.
std::vector<std::string> cellsOf(const std::string &row) {
  std::vector<std::string> cells;
  std::istringstream text(row.substr(row.find('|') + 1));
  for (std::string cell; std::getline(text, cell, '|');) {
    std::erase(cell, ' ');
    cells.push_back(cell);
  }
  return cells;
}

TEST(HouseTable, CyclesAreThoseOfTheTool) {
  std::string page = readText("docs/benchmarks/house.md");
  size_t begin = page.find("<!-- kernels -->"), end = page.find("<!-- /kernels -->");
  ASSERT_NE(begin, std::string::npos);
  ASSERT_NE(end, std::string::npos);
  std::istringstream rows(page.substr(begin, end - begin));
  TemporaryFolder folder;
  size_t kernels = 0, compared = 0;
  for (std::string row; std::getline(rows, row);) {
    if (row.rfind("| ", 0) != 0 || row.rfind("| kernel ", 0) == 0)
      continue;
    ++kernels;
    std::vector<std::string> cells = cellsOf(row);
    ASSERT_GE(cells.size(), 2u) << row;
    if (size_t arrow = cells[1].find("→"); arrow != std::string::npos) // `before → after`
      cells[1].erase(0, arrow + std::string("→").size());
    std::erase(cells[1], ',');
    if (cells[1].empty()) // a kernel in floats only
      continue;
    ToolResult made = runTool("synth tests/kernels/polybench/8x8-i32/" + cells[0] + ".mlir --out " +
                              (folder / cells[0]));
    ASSERT_EQ(made.exitCode, 0) << made.errors;
    EXPECT_EQ(readJsonFile(folder / cells[0] + "/kernel.json")["predicted_cycles"].dump(), cells[1])
        << cells[0] << ": run tests/bench/house-table.py if this is as intended";
    ++compared;
  }
  EXPECT_EQ(kernels, 30u);
  EXPECT_EQ(compared, 17u);
}

} // namespace
