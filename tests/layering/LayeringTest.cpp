#include "tests/layering/LayeringRules.h"

#include "gmock/gmock.h"

using namespace spindle;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::SizeIs;

namespace {

std::string includes(const std::string &target) { return "#include \"" + target + "\"\n"; }

std::vector<std::string> problemsOf(const std::string &path, const std::string &text) {
  return layeringProblems({{path, text}});
}

TEST(Layering, TheTreeKeepsItsRules) {
  std::vector<SourceFile> files = readSources(".");
  ASSERT_GT(files.size(), 50u) << "run from the repository's root";
  EXPECT_THAT(layeringProblems(files), IsEmpty());
}

TEST(Layering, StageLibrariesDoNotIncludeEachOther) {
  EXPECT_THAT(problemsOf("lib/mapping/Map.cpp", "// Why.\n" + includes("lib/sdf/Throughput.h")),
              ElementsAre("lib/mapping/Map.cpp:2: lib/mapping/ must not include "
                          "lib/sdf/Throughput.h"));
  EXPECT_THAT(problemsOf("lib/mapping/Map.cpp", includes("lib/mapping/Map.h") +
                                                    includes("core/chip/Mapping.h") +
                                                    includes("core/support/Error.h")),
              IsEmpty());
  EXPECT_THAT(problemsOf("lib/report/Page.cpp", includes("dialects/snn/SnnOps.h")), SizeIs(1));
  EXPECT_THAT(problemsOf("lib/emulation/Engine.cpp", includes("lib/conversion/Ann.h")), SizeIs(1));
}

TEST(Layering, CoreAndSupportStandAtTheBottom) {
  EXPECT_THAT(problemsOf("core/chip/Chip.h", includes("lib/sdf/Throughput.h")), SizeIs(1));
  EXPECT_THAT(problemsOf("core/support/Error.h", includes("core/chip/Chip.h")), SizeIs(1));
  EXPECT_THAT(problemsOf("core/chip/Chip.cpp", includes("tools/spindle/Run.h")), SizeIs(1));
  EXPECT_THAT(problemsOf("sim/model/Router.cpp", includes("sim/chip/Tile.h")), SizeIs(1));
  EXPECT_THAT(problemsOf("sim/chip/Tile.h", includes("sim/model/Router.h")), IsEmpty());
}

TEST(Layering, OutsideLibrariesStayWhereTheyBelong) {
  const std::string mlir = includes("mlir/IR/Builders.h"), systemC = "#include <systemc>\n";
  EXPECT_THAT(problemsOf("core/chip/Chip.h", mlir),
              ElementsAre("core/chip/Chip.h:1: core/chip/ must do without MLIR"));
  EXPECT_THAT(problemsOf("lib/partition/Metis.cpp", mlir), SizeIs(1));
  for (const char *path : {"dialects/snn/Ops.h", "lib/frontend/Onnx.cpp", "lib/emulation/Engine.h",
                           "lib/conversion/ann-to-snn/Scale.cpp", "hw/hls/Schedule.cpp",
                           "hw/system/Compose.cpp", "tools/spindle/Run.cpp"})
    EXPECT_THAT(problemsOf(path, mlir), IsEmpty()) << path;
  EXPECT_THAT(problemsOf("sim/model/Router.h", systemC),
              ElementsAre("sim/model/Router.h:1: SystemC belongs in sim/chip/ only"));
  EXPECT_THAT(problemsOf("tools/spindle/Run.cpp", "#  include <systemc.h>\n"), SizeIs(1));
  EXPECT_THAT(problemsOf("sim/chip/pins/Tile.cpp", systemC), IsEmpty());
  EXPECT_THAT(problemsOf("tests/chip/TileTest.cpp", systemC), SizeIs(1));
}

TEST(Layering, SystemCIsHiddenBehindOneHeader) {
  for (const char *path : {"tools/spindle/Run.cpp", "tests/chip/TileTest.cpp"}) {
    EXPECT_THAT(problemsOf(path, includes("sim/chip/pins/Router.h")),
                ElementsAre(std::string(path) + ":1: of sim/chip/, others include Engines.h only"));
    EXPECT_THAT(problemsOf(path, includes("sim/chip/Engines.h")), IsEmpty());
  }
  EXPECT_THAT(problemsOf("sim/chip/Engines.h", includes("sim/model/Router.h")), IsEmpty());
  // It shows nothing of SystemC, directly or by what it includes.
  for (const SourceFile &file : readSources("."))
    if (file.path == "sim/chip/Engines.h") {
      EXPECT_EQ(file.text.find("systemc"), std::string::npos);
      EXPECT_EQ(file.text.find("\"sim/chip/"), std::string::npos);
    }
}

TEST(Layering, TableGenIncludesCountToo) {
  EXPECT_THAT(problemsOf("dialects/snn/Ops.td", "include \"mlir/IR/OpBase.td\"\n"), IsEmpty());
  EXPECT_THAT(problemsOf("dialects/snn/Ops.td", "include \"hw/hls/Ops.td\"\n"), SizeIs(1));
}

TEST(Layering, MetisAndMpiStandInOneSourceFile) {
  SourceFile one{"lib/partition/Metis.cpp", "#include <metis.h>\n"};
  SourceFile two{"lib/partition/Greedy.cpp", "#include \"metis.h\"\n"};
  SourceFile header{"lib/partition/Metis.h", "#include \"metis.h\"\n"};
  EXPECT_THAT(layeringProblems({one}), IsEmpty());
  EXPECT_THAT(layeringProblems({one, two}), SizeIs(2));
  EXPECT_THAT(layeringProblems({header}),
              ElementsAre("lib/partition/Metis.h:1: METIS belongs in one .cpp only"));
  SourceFile ranks{"lib/emulation/ranks/Ranks.h", "#include <mpi.h>\n"};
  EXPECT_THAT(layeringProblems({one, ranks}),
              ElementsAre("lib/emulation/ranks/Ranks.h:1: MPI belongs in one .cpp only"));
}

TEST(Layering, IncludesStartAtTheRoot) {
  EXPECT_THAT(problemsOf("lib/sdf/Period.cpp", includes("../core/SdfGraph.h")), SizeIs(1));
  SourceFile header{"lib/sdf/Period.h", ""};
  SourceFile source{"lib/sdf/Period.cpp", includes("Period.h")};
  EXPECT_THAT(layeringProblems({header, source}),
              ElementsAre("lib/sdf/Period.cpp:1: include Period.h from the repository's root"));
}

TEST(Layering, EveryFolderHasALayer) {
  EXPECT_THAT(problemsOf("lib/extra/Thing.cpp", ""),
              ElementsAre("lib/extra/Thing.cpp:1: its folder has no layer, add it to the table"));
  EXPECT_THAT(problemsOf("lib/CMakeLists.txt", ""), IsEmpty());
}

TEST(Layering, NamesThatSayNothingAreRefused) {
  for (const char *path : {"lib/sdf/SdfUtils.h", "lib/common/Graph.cpp", "tests/sdf/Misc.cpp",
                           "tools/spindle/run-helpers.py"})
    EXPECT_THAT(problemsOf(path, "").front(), HasSubstr("say nothing, name the idea")) << path;
}

TEST(Layering, RoomsOfTheEmulationAndOfSynthesisAreLayers) {
  EXPECT_THAT(
      problemsOf("lib/emulation/network/Network.h", includes("lib/emulation/lanes/Lane.h")),
      ElementsAre("lib/emulation/network/Network.h:1: lib/emulation/network/ must not include "
                  "lib/emulation/lanes/Lane.h"));
  EXPECT_THAT(
      problemsOf("lib/emulation/lanes/emitters/A.cpp", includes("lib/emulation/network/Network.h") +
                                                           includes("lib/emulation/lanes/Lane.h")),
      IsEmpty());
  EXPECT_THAT(problemsOf("hw/hls/schedule/A.cpp", includes("hw/hls/lower/B.h")), SizeIs(1));
  EXPECT_THAT(problemsOf("hw/hls/lower/rtl/A.cpp", includes("hw/hls/schedule/B.h")), IsEmpty());
  EXPECT_THAT(problemsOf("core/network/A.h", includes("core/chip/Chip.h")), SizeIs(1));
}

TEST(Layering, CrowdedFoldersAreRefused) {
  std::vector<SourceFile> files;
  for (int number = 0; number < 25; ++number)
    files.push_back({"lib/sdf/A" + std::to_string(number) + ".cpp", ""});
  files.push_back({"lib/sdf/room/B.cpp", ""});
  EXPECT_THAT(layeringProblems(files), IsEmpty());
  files.push_back({"lib/sdf/B.cpp", ""});
  EXPECT_THAT(layeringProblems(files),
              ElementsAre("lib/sdf: 26 files, more than 25, give them rooms"));
}

TEST(Layering, NamespacesAreNamedAfterFolders) {
  const char *lanes = "\nnamespace spindle::lanes {\n";
  EXPECT_THAT(problemsOf("lib/emulation/lanes/emitters/A.cpp", lanes), IsEmpty());
  EXPECT_THAT(problemsOf("lib/emulation/layers/A.cpp", lanes),
              ElementsAre("lib/emulation/layers/A.cpp:2: namespace spindle::lanes is no folder of "
                          "this file"));
  EXPECT_THAT(problemsOf("lib/emulation/neuron-level/A.h", "namespace spindle::neuron_level {\n"),
              IsEmpty());
  EXPECT_THAT(problemsOf("core/kernel/A.h", "namespace spindle::hls {\n"), IsEmpty());
  EXPECT_THAT(problemsOf("lib/sdf/A.h", "namespace spindle::hls {\n"), SizeIs(1));
  EXPECT_THAT(problemsOf("lib/sdf/A.h", "namespace spindle::hls {\nclass Kernel;\n}\n"), IsEmpty());
}

TEST(Layering, ClassesOfOneNameAreRefused) {
  auto header = [](const char *path, const char *space, const char *text) {
    return SourceFile{path, std::string("\nnamespace ") + space + " {\n" + text + "}\n"};
  };
  SourceFile network = header("lib/sdf/A.h", "spindle", "class Network {\n};\n");
  EXPECT_THAT(layeringProblems({network, header("lib/mapping/B.h", "spindle",
                                                "class Network;\nstruct Other {\n};\n")}),
              IsEmpty());
  EXPECT_THAT(layeringProblems({network, header("core/kernel/B.h", "spindle::hls",
                                                "enum class Network { One };\n")}),
              IsEmpty());
  EXPECT_THAT(layeringProblems(
                  {network, header("lib/mapping/B.h", "spindle", "enum class Network { One };\n")}),
              ElementsAre("lib/mapping/B.h:3: spindle::Network is defined in lib/sdf/A.h:3, too"));
}

TEST(Layering, LongFilesAreRefused) {
  EXPECT_THAT(problemsOf("lib/sdf/Long.cpp", std::string(600, '\n')), IsEmpty());
  EXPECT_THAT(problemsOf("lib/sdf/Long.cpp", std::string(601, '\n')),
              ElementsAre("lib/sdf/Long.cpp:601: more than 600 lines, split it"));
}

} // namespace
