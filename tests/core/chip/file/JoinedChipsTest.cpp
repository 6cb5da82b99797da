// The section `chips` of a chip file.
#include "core/chip/Chip.h"

#include "tests/core/chip/SmallChip.h"
#include "tests/support/TemporaryFolder.h"

#include "gmock/gmock.h"

using namespace spindle;
using ::testing::HasSubstr;

namespace {

/// The small chip in another version of the format.
std::string smallChip(const std::string &version) {
  std::string text = kSmallChip;
  return text.replace(text.find("version: 1"), 10, "version: " + version);
}

TEST(JoinedChips, AreOneMesh) {
  TemporaryFolder folder;
  std::string text = smallChip("2");
  text += "chips:\n  columns: 3\n  rows: 5\n"
          "  link: {cycles: 40, interval_cycles: 4, flit_pj: {value: 100, source: s}}\n"
          "host: [119]\n";
  Chip chip = llvm::cantFail(readChip(folder.write("chip.yaml", text)));
  Mesh mesh{12, 10};
  mesh.chipColumns = 4;
  mesh.chipRows = 2;
  mesh.hostTiles = {119};
  EXPECT_EQ(chip.mesh, mesh);
  EXPECT_EQ(chip.router.chipLink, (ChipLink{40, 4}));
  EXPECT_EQ(chip.energy.chipLinkPj, (Sourced{100, "s"}));
  EXPECT_EQ(chip.crossbars(), 240u);
  EXPECT_EQ(chip.hopsPj(0, 119), 4 * 100 + 2 * 100);
  auto error = [&](const std::string &before, const std::string &after) {
    std::string changed = text;
    changed.replace(changed.find(before), before.size(), after);
    std::string found = toText(readChip(folder.write("chip.yaml", changed)).takeError());
    return found.substr(found.find("error: "));
  };
  EXPECT_EQ(error("rows: 5", "rows: 129"),
            "error: 3x129 chips of 4x2 tiles make a mesh of 12x258, expected at most 256 tiles on "
            "a side; join fewer");
  EXPECT_EQ(error("pipeline_cycles: 5", "topology: torus\n  virtual_channels: 2"),
            "error: joined chips make a mesh, and router.topology is torus; leave one of the two "
            "out");
  EXPECT_EQ(error("pipeline_cycles: 5", "link_cycles: 41"),
            "error: chips.link.cycles is 40, less than the 41 of a link inside a chip; set at "
            "least 41");
  EXPECT_EQ(error("pipeline_cycles: 5", "link_interval_cycles: 5"),
            "error: chips.link.interval_cycles is 4, less than the 5 of a link inside a chip; set "
            "at least 5");
  text.replace(text.find(" interval_cycles: 4,"), 20, "");
  text.replace(text.find("pipeline_cycles: 5"), 18, "link_interval_cycles: 7");
  chip = llvm::cantFail(readChip(folder.write("chip.yaml", text)));
  EXPECT_EQ(chip.router.chipLink, (ChipLink{40, 7}));
  EXPECT_THAT(error("cycles: 40,", ""), HasSubstr("key 'cycles' is missing in chips.link"));
  EXPECT_THAT(error("cycles: 40", "cycles: 0"), HasSubstr("cycles is 0, expected 1 to 1024"));
  EXPECT_THAT(error(", source: s", ""), HasSubstr("key 'source' is missing"));
  EXPECT_THAT(error("rows: 5\n", "rows: 5\n  row: 5\n"), HasSubstr("unknown key 'row' in chips"));
  std::string list = smallChip("2");
  for (const char *section :
       {"chips: [1, 2]\n", "chips: 3\n", "chips:\n", "chips: {columns: 2, rows: 2, link: 4}\n"})
    EXPECT_TRUE(llvm::errorToBool(readChip(folder.write("chip.yaml", list + section)).takeError()))
        << section;
  std::string first = smallChip("1");
  first += "chips: {columns: 2, rows: 2, link: {cycles: 40}}\n";
  std::string found = toText(readChip(folder.write("chip.yaml", first)).takeError());
  EXPECT_EQ(found.substr(found.find("error: ")),
            "error: joined chips belong to version 2 of the format; set version: 2");
}

} // namespace
