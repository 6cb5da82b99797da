#include "core/chip/Chip.h"

#include "core/support/files/File.h"
#include "tests/core/chip/ChipFile.h"

#include "gmock/gmock.h"

using namespace spindle;
using ::testing::EndsWith;
using ::testing::HasSubstr;

namespace {

TEST_F(ChipFile, NamesStandForTheFilesOfConfigs) {
  EXPECT_THAT(chipNames(), ::testing::Contains("mesh-128"));
  for (const std::string &name : chipNames()) {
    Chip named = llvm::cantFail(readChip(name));
    EXPECT_EQ(named.path, name);
    named.path = "configs/chips/" + name + ".yaml";
    EXPECT_EQ(named, llvm::cantFail(readChip(named.path)));
    EXPECT_TRUE(isChipName(name));
  }
  EXPECT_FALSE(isChipName("mesh"));
  EXPECT_EQ(toText(readChip("mesh").takeError()),
            "mesh: error: cannot open: No such file or directory");
}

TEST_F(ChipFile, NumbersAndTextsOutsideOfTheirRangesAreErrors) {
  for (const char *number : {"1e999", "-1e999", "nan", "1e-999", ".inf"})
    for (const char *before : {"columns: 4", "value: 250", "value: 7", "value: 0.5"}) {
      std::string key(before, std::string(before).find(' ') + 1);
      std::string error = toText(read(before, key + number).takeError());
      EXPECT_THAT(error, HasSubstr(std::string("is '") + number + "', expected "));
      EXPECT_EQ(error.find('\n'), std::string::npos);
    }
  for (const char *before : {"small", "\"e\"", "columns"})
    EXPECT_THAT(toText(read(before, "\xff\xfe").takeError()), HasSubstr("UTF-8")) << before;
}

TEST_F(ChipFile, IsReadWholeAndAbsentFiguresKeepTheirDefaults) {
  llvm::Expected<Chip> chip = read();
  ASSERT_TRUE(bool(chip)) << toText(chip.takeError());
  EXPECT_EQ(chip->name, "small");
  EXPECT_THAT(chip->path, EndsWith("chip.yaml"));
  EXPECT_EQ(chip->mesh, (Mesh{.columns = 4, .rows = 2}));
  EXPECT_EQ(chip->crossbars(), 16u);
  EXPECT_EQ(chip->crossbar, (Crossbar{.rows = 64, .columns = 32, .weightBits = 4}));
  EXPECT_EQ(chip->router, (Router{.pipelineCycles = 5}));
  EXPECT_EQ(chip->clockMhz, (Sourced{250, "a"}));
  EXPECT_EQ(chip->latency.rowReadCycles, (Sourced{7, "b"}));
  EXPECT_EQ(chip->latency.synapseCycles, Sourced());
  EXPECT_EQ(chip->latency.neuronUpdateCycles, (Sourced{2, "c"}));
  EXPECT_EQ(chip->latency.stepBarrierCycles, (Sourced{9, "d"}));
  EXPECT_EQ(chip->energy.synapsePj, (Sourced{0.5, "e"}));
  EXPECT_EQ(chip->energy.hopXPj, Sourced());
}

TEST_F(ChipFile, PricesNeedASource) {
  EXPECT_EQ(errorOf("{value: 0.5, source: \"e\"}", "0.5"),
            "chip.yaml:15:15: error: synapse_pj is '0.5' without a source: give value and source, "
            "e.g. {value: 0.5, source: \"author year\"}");
  EXPECT_EQ(errorOf("{value: 250, source: \"a\"}", "250"),
            "chip.yaml:9:12: error: clock_mhz is '250' without a source: give value and source, "
            "e.g. {value: 250, source: \"author year\"}");
  EXPECT_THAT(errorOf(", source: \"e\"", ""),
              HasSubstr("error: key 'source' is missing in energy.synapse_pj"));
  EXPECT_THAT(errorOf("value: 0.5, ", ""),
              HasSubstr("error: key 'value' is missing in energy.synapse_pj"));
  EXPECT_EQ(errorOf("\"e\"", "\"\""), "chip.yaml:15:36: error: source is empty: name the "
                                      "publication, or say 'assumption: ...'");
}

TEST_F(ChipFile, NumbersOutsideTheirRangeAreRefused) {
  EXPECT_EQ(errorOf("columns: 4", "columns: 257"),
            "chip.yaml:4:17: error: columns is 257, expected 1 to 256");
  EXPECT_THAT(errorOf("rows: 2", "rows: 0"), HasSubstr("rows is 0, expected 1 to 256"));
  EXPECT_THAT(errorOf("rows: 64", "rows: 4097"), HasSubstr("rows is 4097, expected 1 to 4096"));
  EXPECT_THAT(errorOf("columns: 32", "columns: 0"), HasSubstr("columns is 0, expected 1 to 4096"));
  EXPECT_THAT(errorOf("bits: 4", "bits: 65"), HasSubstr("weight_bits is 65, expected 1 to 64"));
  EXPECT_THAT(errorOf("tile: 2", "tile: 65"),
              HasSubstr("crossbars_per_tile is 65, expected 1 to 64"));
  EXPECT_THAT(errorOf("pipeline_cycles: 5", "pipeline_cycles: 0"),
              HasSubstr("pipeline_cycles is 0, expected 1 to 64"));
  EXPECT_THAT(errorOf("pipeline_cycles: 5", "end_cycles: 257"),
              HasSubstr("end_cycles is 257, expected 0 to 256"));
  EXPECT_THAT(errorOf("pipeline_cycles: 5", "buffer_flits: 0"),
              HasSubstr("buffer_flits is 0, expected 1 to 64"));
  EXPECT_THAT(errorOf("pipeline_cycles: 5", "spike_packet_flits: 0"),
              HasSubstr("spike_packet_flits is 0, expected 1 to 64"));
  EXPECT_THAT(errorOf("pipeline_cycles: 5", "partial_sum_packet_flits: 65"),
              HasSubstr("partial_sum_packet_flits is 65, expected 1 to 64"));
  EXPECT_THAT(errorOf("value: 250", "value: 0"), HasSubstr("value is 0, expected 0.001 to 100000"));
  EXPECT_THAT(errorOf("value: 0.5", "value: -1"), HasSubstr("value is -1, expected 0 to"));
  EXPECT_EQ(errorOf("value: 7", "value: 7.5"),
            "chip.yaml:11:20: error: row_read_cycles is 7.5, expected a whole number of cycles; "
            "round it up");
}

TEST_F(ChipFile, KindsOfSynapsesMayHaveFiguresOfTheirOwn) {
  Chip chip = llvm::cantFail(read());
  for (SynapseKind kind : kSynapseKinds) {
    EXPECT_EQ(chip.energy.synapsePjOf(kind), 0.5);
    EXPECT_FALSE(chip.prices(kind));
  }
  chip = llvm::cantFail(read("synapse_pj:", "dense_synapse_pj: {value: 0.25, source: \"f\"}\n  "
                                            "synapse_pj:"));
  EXPECT_EQ(chip.energy.synapsePjOf(SynapseKind::Dense), 0.25);
  EXPECT_EQ(chip.energy.synapsePjOf(SynapseKind::Sparse), 0.5);
  EXPECT_TRUE(chip.prices(SynapseKind::Dense));
  chip = llvm::cantFail(read("row_read_cycles:", "sparse_synapse_cycles: {value: 3, source: "
                                                 "\"f\"}\n  row_read_cycles:"));
  EXPECT_EQ(chip.latency.synapseCyclesOf(SynapseKind::Sparse), 3);
  EXPECT_EQ(chip.latency.synapseCyclesOf(SynapseKind::Convolution), 0);
  EXPECT_THAT(errorOf("row_read_cycles:", "sparse_synapse_cycles: {value: 3.5, source: \"f\"}\n  "
                                          "row_read_cycles:"),
              HasSubstr("sparse_synapse_cycles is 3.5, expected a whole number of cycles; round it "
                        "up"));
  EXPECT_THAT(errorOf("synapse_pj:", "unknown_synapse_pj: {value: 1, source: \"f\"}\n  "
                                     "synapse_pj:"),
              HasSubstr("unknown key 'unknown_synapse_pj'"));
  EXPECT_THAT(errorOf("synapse_pj:", "dense_synapse_pj: {value: .nan, source: \"f\"}\n  "
                                     "synapse_pj:"),
              HasSubstr("value is '.nan', expected "));
}

TEST_F(ChipFile, SynchronisationIsChecked) {
  auto with = [&](const std::string &keys) {
    return errorOf("name: small\n", "name: small\n" + keys);
  };
  EXPECT_THAT(with("synchronisation: free\n"),
              HasSubstr("chip.yaml:4:18: error: synchronisation free needs the time of a step; add "
                        "step_us: {value: 1000, source: \"assumption: real time\"}"));
  EXPECT_THAT(with("step_us: {value: 5, source: \"s\"}\n"),
              HasSubstr("step_us is the step of a free-running chip; set synchronisation: free, or "
                        "leave it out"));
  EXPECT_THAT(with("synchronisation: free\nstep_us: {value: 0.000001, source: \"s\"}\n"),
              HasSubstr("step_us is 1e-06, less than a cycle at"));
  EXPECT_THAT(with("synchronisation: ready\n"),
              HasSubstr("synchronisation is 'ready', expected barrier, pipeline or free"));
}

TEST_F(ChipFile, HeatClockAndEnduranceAreSourced) {
  std::string thermal = "thermal:\n  ambient_c: {value: 25, source: room}\n"
                        "  to_ambient_k_per_w: {value: 20, source: lid}\n"
                        "  between_tiles_k_per_w: {value: 5, source: silicon}\n";
  Chip chip = llvm::cantFail(read("energy:\n", thermal + "energy:\n  clock_tile_mw: {value: 3, "
                                                         "source: tree}\n"));
  EXPECT_EQ(*chip.thermal, (Thermal{{25, "room"}, {20, "lid"}, {5, "silicon"}}));
  EXPECT_EQ(chip.energy.clockTileMw, (Sourced{3, "tree"}));
  EXPECT_EQ(llvm::cantFail(read()).thermal, std::nullopt);
  chip = llvm::cantFail(
      read("weight_bits: 4", "weight_bits: 4, read_endurance: {value: 1.0e+10, source: cell}"));
  EXPECT_EQ(chip.crossbar.readEndurance, (Sourced{1e10, "cell"}));
  EXPECT_THAT(errorOf("weight_bits: 4", "weight_bits: 4, read_endurance: 1.0e+10"),
              HasSubstr("read_endurance is '1.0e+10' without a source"));
  EXPECT_THAT(errorOf("energy:\n", "thermal: {ambient_c: {value: 25, source: room}}\nenergy:\n"),
              HasSubstr("key 'to_ambient_k_per_w' is missing"));
  thermal.replace(thermal.find("value: 5"), 8, "value: 0");
  EXPECT_THAT(errorOf("energy:\n", thermal + "energy:\n"),
              HasSubstr("value is 0, expected 1e-06 to"));
}

TEST_F(ChipFile, BarriersMayHaveLevels) {
  auto with = [&](const std::string &levels) {
    return errorOf("  step_barrier_cycles: {value: 9, source: \"d\"}\n",
                   "  step_barrier_levels: " + levels + "\n");
  };
  EXPECT_EQ(with("{tiles: [1, 3], cycles: [5, 8], source: \"s\"}"), "accepted");
  EXPECT_THAT(with("{tiles: [1, 3], cycles: [5], source: \"s\"}"),
              HasSubstr("found 1 cycles for 2 numbers of tiles, expected one for each"));
  EXPECT_THAT(
      with("{tiles: [2], cycles: [5], source: \"s\"}"),
      HasSubstr("found 2 as number 1, expected numbers of tiles that begin with 1 and ascend"));
  EXPECT_THAT(with("{tiles: [1, 4, 4], cycles: [5, 6, 7], source: \"s\"}"),
              HasSubstr("found 4 as number 3, expected"));
  EXPECT_THAT(with("{tiles: 1, cycles: -2, source: \"s\"}"),
              HasSubstr("found -2, expected 0 to 1e+06 cycles"));
  EXPECT_THAT(with("{tiles: 1, cycles: 2}"), HasSubstr("key 'source' is missing"));
  EXPECT_THAT(
      errorOf("energy:", "  step_barrier_levels: {tiles: 1, cycles: 2, source: s}\nenergy:"),
      HasSubstr("step_barrier_levels stands in the place of step_barrier_cycles and "
                "step_barrier_tile_cycles; give one of the two ways"));
  EXPECT_THAT(errorOf("  pipeline_cycles: 5", "  multicast: path\n  packets_to: crossbar"),
              HasSubstr("multicast path sends one packet for several crossbars, and packets_to: "
                        "crossbar one to each; use multicast unicast"));
}

TEST_F(ChipFile, TheHostHasTiles) {
  auto with = [&](const std::string &host) {
    return read("name: small\n", "name: small\n" + host);
  };
  EXPECT_EQ(llvm::cantFail(read()).mesh.hostTiles, (std::vector<TileId>{0}));
  EXPECT_EQ(llvm::cantFail(with("host: [7, 3, 0]\n")).mesh.hostTiles,
            (std::vector<TileId>{7, 3, 0}));
  EXPECT_EQ(llvm::cantFail(with("host: 4\n")).mesh.hostTiles, (std::vector<TileId>{4}));
  auto error = [&](const std::string &host) { return toText(with(host).takeError()); };
  EXPECT_THAT(error("host: []\n"),
              HasSubstr("chip.yaml:4:7: error: host names no tile; name at least one, or leave it "
                        "out for tile 0"));
  EXPECT_THAT(error("host: [1, 8]\n"),
              HasSubstr("host is at tile 8, expected 0 to 7: the mesh has 4x2 tiles"));
  EXPECT_THAT(error("host: [-1]\n"), HasSubstr("host is at tile -1, expected 0 to 7"));
  EXPECT_THAT(error("host: [4294967296]\n"), HasSubstr("host is at tile 4294967296, expected"));
  EXPECT_THAT(error("host: [1, 2, 1]\n"), HasSubstr("host names tile 1 twice; name it once"));
}

TEST_F(ChipFile, KeysAreChecked) {
  EXPECT_EQ(errorOf("columns: 4", "colums: 4"), "chip.yaml:4:8: error: unknown key 'colums' in "
                                                "mesh (did you mean 'columns'?)");
  EXPECT_THAT(errorOf("synapse_pj", "synapses_pj"),
              HasSubstr("unknown key 'synapses_pj' in energy (did you mean 'synapse_pj'?)"));
  EXPECT_THAT(errorOf("name: small\n", ""), HasSubstr("key 'name' is missing"));
  EXPECT_THAT(errorOf("  step_barrier_cycles: {value: 9, source: \"d\"}\n", ""),
              HasSubstr("key 'step_barrier_cycles' is missing in latency"));
  EXPECT_THAT(errorOf(", rows: 2", ""), HasSubstr("key 'rows' is missing in mesh"));
  EXPECT_THAT(errorOf("mesh: {columns: 4, rows: 2}", "mesh: 8"),
              HasSubstr("mesh is '8', expected a mapping"));
}

/// The small chip in version 2 with `limits` in its crossbar.
std::string withLimits(const std::string &limits, const std::string &rows = "64") {
  std::string text = kSmallChip;
  auto replace = [&](const std::string &before, const std::string &after) {
    text.replace(text.find(before), before.size(), after);
  };
  replace("version: 1", "version: 2");
  replace("rows: 64", "rows: " + rows);
  replace("weight_bits: 4", "weight_bits: 4, limits: {" + limits + "}");
  return text;
}

TEST_F(ChipFile, CoresHaveLimitsInVersion2) {
  Chip chip = llvm::cantFail(readChip(folder.write(
      "chip.yaml",
      withLimits("synapse_words: {value: 1000, source: s}, word_bits: 64, weight_sharing: kernel, "
                 "fan_in: {value: 50, source: f}, axons: {value: 30, source: a}, "
                 "axons_per: population, axon_types: 4",
                 "1048576"))));
  EXPECT_EQ(chip.crossbar.rows, 1048576u);
  CoreLimits expected{{1000, "s"},          64, WeightSharing::Kernel, {50, "f"}, {30, "a"},
                      AxonsPer::Population, 4};
  EXPECT_EQ(chip.crossbar.core, expected);
  EXPECT_EQ(llvm::cantFail(read()).crossbar.core, CoreLimits());
}

TEST_F(ChipFile, LoadsHavePricesInVersion2) {
  std::string text = withLimits("");
  text += "load: {row_cycles: {value: 3, source: s}, cell_pj: {value: 0.5, source: t}}\n";
  Chip chip = llvm::cantFail(readChip(folder.write("chip.yaml", text)));
  EXPECT_EQ(chip.load, (LoadPrices{{3, "s"}, {0.5, "t"}}));
  auto error = [&](const std::string &before, const std::string &after) {
    std::string changed = text;
    changed.replace(changed.find(before), before.size(), after);
    std::string found = toText(readChip(folder.write("chip.yaml", changed)).takeError());
    return found.substr(found.find("error: "));
  };
  EXPECT_EQ(error("value: 3", "value: 2.5"),
            "error: row_cycles is 2.5, expected a whole number of cycles; round it up");
  EXPECT_THAT(error("row_cycles: {value: 3, source: s}, ", ""),
              HasSubstr("key 'row_cycles' is missing in load"));
  EXPECT_EQ(error("version: 2", "version: 1"),
            "error: limits of a core belong to version 2 of the format; set version: 2");
  std::string first = kSmallChip;
  first += "load: {row_cycles: {value: 3, source: s}}\n";
  std::string found = toText(readChip(folder.write("chip.yaml", first)).takeError());
  EXPECT_EQ(found.substr(found.find("error: ")),
            "error: prices of loads belong to version 2 of the format; set version: 2");
}

TEST_F(ChipFile, LimitsThatMeanNothingAreRefused) {
  auto error = [&](const std::string &text) {
    std::string found = toText(readChip(folder.write("chip.yaml", text)).takeError());
    return found.substr(found.find("error: "));
  };
  EXPECT_EQ(error(withLimits("weight_sharing: kernel")),
            "error: weight_sharing says how synapse_words are counted, which are not limited; give "
            "synapse_words as well, or leave it out");
  EXPECT_EQ(error(withLimits("synapse_words: {value: 9, source: s}, word_bits: 3")),
            "error: word_bits is 3, less than a weight of 4 bits; use words that hold a weight");
  EXPECT_THAT(error(withLimits("fan_in: 7")), HasSubstr("fan_in is '7' without a source"));
  EXPECT_EQ(error(withLimits("axon_types: 4")),
            "error: axon_types says how axons are counted, which are not limited; give axons as "
            "well, or leave it out");
  for (const char *types : {"0", "17"})
    EXPECT_EQ(error(withLimits(std::string("axons: {value: 9, source: s}, axon_types: ") + types)),
              std::string("error: axon_types is ") + types + ", expected 1 to 16");
  EXPECT_THAT(error(withLimits("axons: {value: 9, source: s}, axons_per: layer")),
              HasSubstr("axons_per is 'layer', expected source or population"));
  EXPECT_THAT(error(withLimits("", "1048577")),
              HasSubstr("rows is 1048577, expected 1 to 1048576"));
  std::string first = withLimits("fan_in: {value: 9, source: s}");
  first.replace(first.find("version: 2"), 10, "version: 1");
  EXPECT_EQ(error(first),
            "error: limits of a core belong to version 2 of the format; set version: 2");
}

TEST_F(ChipFile, OtherFormatsAreRefused) {
  EXPECT_EQ(errorOf("spindle-chip", "sdf"),
            "chip.yaml:1:9: error: format is 'sdf', expected spindle-chip");
  EXPECT_EQ(errorOf("version: 1", "version: 3"),
            "chip.yaml:2:10: error: version is 3, expected 1 to 2");
  EXPECT_THAT(errorOf("format: spindle-chip\n", ""), HasSubstr("key 'format' is missing"));
  for (const char *text : {"", "8x8", "- 1"}) {
    llvm::Expected<Chip> chip = readChip(folder.write("other.yaml", text));
    ASSERT_FALSE(bool(chip)) << text;
    llvm::Error error = chip.takeError();
    EXPECT_EQ(kindOf(error), ErrorKind::Input);
    EXPECT_THAT(toText(std::move(error)), HasSubstr("other.yaml"));
  }
  EXPECT_THAT(toText(readChip(folder / "absent.yaml").takeError()), HasSubstr("cannot open"));
}

TEST(ChipConfigs, TheExampleOfTheDocumentationIsValid) {
  std::string page = llvm::cantFail(readFile("docs/formats/chip.md"));
  size_t begin = page.find("```yaml\n") + 8;
  TemporaryFolder folder;
  llvm::Expected<Chip> chip =
      readChip(folder.write("chip.yaml", page.substr(begin, page.find("```", begin) - begin)));
  ASSERT_TRUE(bool(chip)) << toText(chip.takeError());
  Router router; // the page states the defaults
  router.gating = Gating();
  EXPECT_EQ(chip->router, router);
}

/// The figures of SANA-FE after Davies 2018.
TEST(ChipConfigs, LoihiHasItsPublishedSizeAndPrices) {
  llvm::Expected<Chip> chip = readChip("configs/chips/loihi.yaml");
  ASSERT_TRUE(bool(chip)) << toText(chip.takeError());
  EXPECT_EQ(chip->crossbars(), 128u);
  EXPECT_EQ(chip->crossbars() * chip->crossbar.columns, 131072u);
  EXPECT_EQ(chip->energy.hopXPj.value, 3.0);
  EXPECT_EQ(chip->energy.hopYPj.value, 4.2);
  EXPECT_EQ(chip->energy.axonOutPj.value, 111);
  EXPECT_EQ(chip->energy.synapsePj.value, 35.5);
  EXPECT_EQ(chip->energy.neuronAccessPj.value, 51.2);
  EXPECT_EQ(chip->energy.neuronUpdatePj.value, 21.6);
  EXPECT_TRUE(chip->countsAccesses());
  EXPECT_EQ(chip->router.packetsTo, PacketTarget::Crossbar);
  // 0.6, 1.0, 1.4 and 1.8 us from 1, 2, 4 and 29 tiles on.
  for (auto [tiles, cycles] : {std::pair{1u, 6000u},
                               {2u, 10000u},
                               {3u, 10000u},
                               {4u, 14000u},
                               {28u, 14000u},
                               {29u, 18000u},
                               {32u, 18000u}})
    EXPECT_EQ(chip->barrierCycles(tiles), cycles) << tiles;
  EXPECT_EQ(chip->energy.neuronSpikePj.value, 69.3);
}

TEST(ChipConfigs, MeshesHoldOneCrossbarPerTile) {
  for (auto [file, side] :
       {std::pair{"mesh-128", 8u}, {"mesh-128-large", 32u}, {"mesh-16-fpga", 4u}}) {
    llvm::Expected<Chip> chip = readChip(std::string("configs/chips/") + file + ".yaml");
    ASSERT_TRUE(bool(chip)) << toText(chip.takeError());
    EXPECT_EQ(chip->name, file);
    EXPECT_EQ(chip->mesh, (Mesh{side, side}));
    EXPECT_EQ(chip->crossbars(), side * side);
    EXPECT_EQ(chip->crossbar, (Crossbar{.rows = 128, .columns = 128, .weightBits = 8}));
    // The barrier crosses the mesh and comes back.
    EXPECT_EQ(chip->latency.stepBarrierCycles.value, 2 * chip->mesh.hops(0, side * side - 1));
    EXPECT_DOUBLE_EQ(chip->energy.hopXPj.value, 0.762 + 0.534 + 0.221 + 1.562); // Noxim
    // 10 ns and 10.4 fJ, NeuroSim.
    EXPECT_EQ(chip->latency.rowReadCycles.value * 1e3 / chip->clockMhz.value, 10);
    EXPECT_EQ(chip->energy.synapsePj.value, 0.0104);
  }
}

} // namespace
