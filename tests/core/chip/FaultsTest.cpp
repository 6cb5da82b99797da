#include "core/chip/CrossbarRoom.h"

#include "core/support/CounterRandom.h"
#include "tests/support/TemporaryFolder.h"

#include "gmock/gmock.h"

#include <bit>

using namespace spindle;
using ::testing::ElementsAre;
using ::testing::HasSubstr;

namespace {

class FaultFile : public ::testing::Test {
protected:
  TemporaryFolder folder;

  llvm::Expected<Chip> read(const std::string &faults, const std::string &more = "") {
    return readChip(folder.write("chip.yaml", "format: spindle-chip\nversion: 1\nname: small\n"
                                              "faults: {" +
                                                  faults + "}\n" + R"(
mesh: {columns: 4, rows: 2}
crossbars_per_tile: 2
crossbar: {rows: 64, columns: 32}
clock_mhz: {value: 250, source: "a"}
latency:
  row_read_cycles: {value: 7, source: "b"}
  neuron_update_cycles: {value: 2, source: "c"}
  step_barrier_cycles: {value: 9, source: "d"}
)" + more));
  }
  std::string errorOf(const std::string &faults, const std::string &more = "") {
    llvm::Expected<Chip> chip = read(faults, more);
    std::string text = chip ? "accepted" : toText(chip.takeError());
    return text.substr(std::min(text.size(), text.find("chip.yaml")));
  }
};

TEST_F(FaultFile, TilesAndCrossbarsAreRead) {
  Chip chip = llvm::cantFail(
      read("tiles: [{at: [3, 1]}, {at: [1, 0]}], crossbars: [{tile: [0, 1], crossbar: 1}, "
           "{tile: [2, 0], rows: [9, 3, 9], columns: 5, cells: [{row: 4, column: 6}, "
           "{row: 0, column: 1}]}]"));
  EXPECT_THAT(chip.router.deadTiles, ElementsAre(1, 7));
  EXPECT_EQ(chip.crossbars(), 16u - 2 * 2 - 1);
  ASSERT_EQ(chip.crossbarFaults.size(), 2u);
  EXPECT_EQ(chip.crossbarFaults[0], (CrossbarFault{4, 1, {}, {}}));
  EXPECT_TRUE(chip.crossbarFaults[0].isWhole());
  EXPECT_EQ(chip.crossbarFaults[1], (CrossbarFault{2, 0, {3, 9}, {5}, {{0, 1}, {4, 6}}}));
  CrossbarRoom room(chip);
  EXPECT_TRUE(room.fits({64, 32}, 0));
  EXPECT_FALSE(room.fits({1, 1}, 2)); // tile 1
  EXPECT_FALSE(room.fits({1, 1}, 9)); // crossbar 1 of tile 4
  EXPECT_TRUE(room.fits({61, 30}, 4));
  EXPECT_FALSE(room.fits({61, 31}, 4));
}

TEST_F(FaultFile, WrongFaultsAreErrorsWithTheirPlace) {
  EXPECT_EQ(errorOf("tiles: [{at: [4, 0]}]"),
            "chip.yaml:4:23: error: found [4, 0], expected the column and the row of a tile in a "
            "mesh of 4 columns and 2 rows, which count from 0");
  EXPECT_THAT(
      errorOf("tiles: [{at: [0, 0]}]"),
      HasSubstr("tile [0, 0] is dead, and the host enters there; name another tile in host"));
  EXPECT_THAT(errorOf("tiles: [{at: [1, 0]}, {at: [1, 0]}]"),
              HasSubstr("tile [1, 0] is named twice; name it once"));
  EXPECT_THAT(errorOf("tiles: [{}]"), HasSubstr("at"));
  EXPECT_THAT(errorOf("crossbars: [{tile: [1, 0], crossbar: 2}]"),
              HasSubstr("crossbar is 2, expected 0 to 1"));
  EXPECT_THAT(errorOf("crossbars: [{tile: [1, 0], rows: 64}]"),
              HasSubstr("found 64, expected 0 to 63: a crossbar has 64 rows"));
  EXPECT_THAT(errorOf("crossbars: [{tile: [1, 0], columns: [-1]}]"),
              HasSubstr("found -1, expected 0 to 31: a crossbar has 32 columns"));
  EXPECT_THAT(errorOf("crossbars: [{tile: [1, 0], cells: [{row: 1, column: 32}]}]"),
              HasSubstr("column is 32, expected 0 to 31"));
  EXPECT_THAT(errorOf("crossbars: [{tile: [1, 0]}, {tile: [1, 0], rows: 3}]"),
              HasSubstr("crossbar 0 of tile [1, 0] is named twice; list what does not work of it "
                        "together"));
  std::string cells;
  for (uint32_t line = 0; line < 17; ++line)
    for (uint32_t next = line; next <= line + 1; ++next)
      cells += "{row: " + std::to_string(line) + ", column: " + std::to_string(next) + "}, ";
  EXPECT_THAT(errorOf("crossbars: [{tile: [1, 0], cells: [" + cells + "]}]"),
              HasSubstr("more than 16 rows and as many columns hang together by dead cells; name "
                        "whole rows or columns that are not to be used"));
  EXPECT_THAT(errorOf("tiles: [{at: [1, 0]}]", "router: {multicast: path}\n"),
              HasSubstr("multicast path goes along dimension order, and not round dead links and "
                        "tiles"));
}

/// Every choice of rows and columns, by brute force.
TEST(CrossbarRoom, SizesAreThoseOfEveryChoiceOfLines) {
  for (uint64_t seed = 0; seed < 60; ++seed) {
    CounterRandom draw(seed);
    Crossbar crossbar{.rows = 2 + draw.below(5), .columns = 2 + draw.below(5)};
    CrossbarFault fault{0, 0, {}, {}};
    for (uint32_t row = 0; row < crossbar.rows; ++row)
      if (draw.below(8) == 0)
        fault.rows.push_back(row);
    for (uint32_t column = 0; column < crossbar.columns; ++column)
      if (draw.below(8) == 0)
        fault.columns.push_back(column);
    uint32_t rarity = 2 + draw.below(6);
    for (uint32_t row = 0; row < crossbar.rows; ++row)
      for (uint32_t column = 0; column < crossbar.columns; ++column)
        if (draw.below(rarity) == 0)
          fault.cells.push_back({row, column});
    if (fault.isWhole())
      continue;
    auto works = [&](uint32_t row, uint32_t column) {
      auto has = [](const auto &list, const auto &one) {
        return std::find(list.begin(), list.end(), one) != list.end();
      };
      return !has(fault.rows, row) && !has(fault.columns, column) &&
             !has(fault.cells, CrossbarCell{row, column});
    };
    std::vector<CrossbarSize> sizes = *usableSizes(crossbar, fault);
    for (uint32_t rows = 1; rows <= crossbar.rows; ++rows)
      for (uint32_t columns = 1; columns <= crossbar.columns; ++columns) {
        bool isUsable = false;
        for (uint32_t chosenRows = 0; chosenRows < 1u << crossbar.rows; ++chosenRows)
          for (uint32_t chosen = 0; chosen < 1u << crossbar.columns; ++chosen) {
            if (std::popcount(chosenRows) != int(rows) || std::popcount(chosen) != int(columns))
              continue;
            bool allWork = true;
            for (uint32_t row = 0; row < crossbar.rows; ++row)
              for (uint32_t column = 0; column < crossbar.columns; ++column)
                if (chosenRows >> row & 1 && chosen >> column & 1)
                  allWork &= works(row, column);
            isUsable |= allWork;
          }
        bool fits = std::any_of(sizes.begin(), sizes.end(), [&](CrossbarSize size) {
          return rows <= size.rows && columns <= size.columns;
        });
        ASSERT_EQ(fits, isUsable) << "seed " << seed << ": " << rows << "x" << columns;
      }
    for (size_t i = 1; i < sizes.size(); ++i) {
      EXPECT_LT(sizes[i - 1].rows, sizes[i].rows);
      EXPECT_GT(sizes[i - 1].columns, sizes[i].columns);
    }
  }
}

} // namespace
