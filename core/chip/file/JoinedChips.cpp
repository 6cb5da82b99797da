#include "core/chip/file/JoinedChips.h"

#include "core/chip/RouterTiming.h"
#include "core/chip/file/SourcedFigures.h"

#include "fmt/format.h"

namespace spindle {

static constexpr double kMostLinkPj = 1e9;

static void readLink(YamlReader reader, const YAML::Node &mapping, Chip &chip) {
  reader.require("cycles");
  ChipLink &link = chip.router.chipLink.emplace();
  link.intervalCycles = 0; // as inside, where it is not given (checkJoinedChips)
  readCount(reader, "cycles", link.cycles, 1, 1024);
  readCount(reader, "interval_cycles", link.intervalCycles, 1, 1024);
  readSourced(reader, mapping, "flit_pj", chip.energy.chipLinkPj, 0, kMostLinkPj);
}

void readJoinedChips(YamlReader &reader, const YAML::Node &mapping, Chip &chip, int64_t version) {
  if (!reader.has("chips")) {
    reader.section("chips"); // known, and absent
    return;
  }
  if (version == 1)
    return reader.fail("chips", "joined chips belong to version 2 of the format; set version: 2");
  YamlReader chips = reader.section("chips");
  for (const char *key : {"columns", "rows", "link"})
    chips.require(key);
  uint32_t columns = 1, rows = 1;
  readCount(chips, "columns", columns, 1, kLongestMeshSide);
  readCount(chips, "rows", rows, 1, kLongestMeshSide);
  readLink(chips.section("link"), mapping.IsMap() ? mapping["link"] : YAML::Node(), chip);
  Mesh &mesh = chip.mesh;
  uint64_t allColumns = uint64_t(columns) * mesh.columns, allRows = uint64_t(rows) * mesh.rows;
  if (allColumns > kLongestMeshSide || allRows > kLongestMeshSide)
    return reader.fail("chips", fmt::format("{}x{} chips of {}x{} tiles make a mesh of {}x{}, "
                                            "expected at most {} tiles on a side; join fewer",
                                            columns, rows, mesh.columns, mesh.rows, allColumns,
                                            allRows, kLongestMeshSide));
  mesh.chipColumns = mesh.columns;
  mesh.chipRows = mesh.rows;
  mesh.columns = static_cast<uint32_t>(allColumns);
  mesh.rows = static_cast<uint32_t>(allRows);
}

void checkJoinedChips(YamlReader &reader, Chip &chip) {
  if (!chip.router.chipLink)
    return;
  if (chip.mesh.topology != Topology::Mesh)
    return reader.fail("chips", fmt::format("joined chips make a mesh, and router.topology is {}; "
                                            "leave one of the two out",
                                            chip.mesh.topologyName()));
  ChipLink &link = *chip.router.chipLink;
  const Router &router = chip.router;
  if (link.intervalCycles == 0)
    link.intervalCycles = router.linkIntervalCycles;
  auto slower = [&](const char *key, uint32_t found, uint32_t inside) {
    if (found < inside)
      reader.fail("chips",
                  fmt::format("chips.link.{} is {}, less than the {} of a link inside a chip; set "
                              "at least {}",
                              key, found, inside, inside));
  };
  slower("cycles", link.cycles, RouterTiming(router).stages.link);
  slower("interval_cycles", link.intervalCycles, router.linkIntervalCycles);
}

} // namespace spindle
