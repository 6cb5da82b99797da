// Test benches with the header that is precompiled for all of them, and without.
#include "hw/cosim/bench/BenchHeader.h"
#include "hw/cosim/Cosim.h"
#include "tests/cosim/KernelFolder.h"

#include "llvm/ADT/SmallString.h"
#include "llvm/Support/Path.h"
#include "gmock/gmock.h"

#include <filesystem>
#include <optional>

using namespace spindle;
using namespace spindle::hls;
using testing::AllOf;
using testing::EndsWith;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::Not;
using testing::StartsWith;
using testing::UnorderedElementsAre;

namespace {

class BenchHeaderTest : public testing::Test {
protected:
  void SetUp() override {
    if (const char *place = std::getenv("XDG_CACHE_HOME"))
      before = place;
    // A compiler cache is where it was.
    llvm::SmallString<128> place;
    if (llvm::sys::path::cache_directory(place))
      setenv("CCACHE_DIR", (place + "/ccache").str().c_str(), /*overwrite=*/0);
    setPlace(caches / "user");
  }
  void TearDown() override { before ? setPlace(*before) : void(unsetenv("XDG_CACHE_HOME")); }

  static void setPlace(const std::string &place) {
    setenv("XDG_CACHE_HOME", place.c_str(), /*overwrite=*/1);
  }

  /// Whether a right circuit is found right; its compiler's log.
  static std::string logOfCosim(const KernelInterface &kernel = scaleKernel()) {
    TemporaryFolder folder;
    writeKernel(folder, kernel);
    llvm::Expected<CosimResult> result = cosim(folder.path(), {});
    EXPECT_TRUE(bool(result)) << toText(result.takeError());
    if (!result)
      return "";
    EXPECT_THAT(result->problems, IsEmpty());
    EXPECT_EQ(result->cycles, kernel.predictedCycles);
    return folder.read("cosim/build-short/make.log");
  }

  /// The one header that benches have left.
  std::filesystem::path headerFolder() const {
    std::vector<std::filesystem::path> all;
    for (const auto &entry : std::filesystem::directory_iterator(caches / "user/spindle"))
      all.push_back(entry.path());
    EXPECT_EQ(all.size(), 1u);
    return all.at(0);
  }

  TemporaryFolder caches;
  std::optional<std::string> before;
};

TEST_F(BenchHeaderTest, IsMadeOnceForAllBenches) {
  if (!hasVerilator())
    GTEST_SKIP() << "verilator or make is absent, install the packages verilator and make";
  std::string log = logOfCosim();
  EXPECT_THAT(log, AllOf(HasSubstr("-include " + headerFolder().string()),
                         Not(HasSubstr("[-Winvalid-pch]"))));
  std::vector<std::string> files;
  for (const auto &entry : std::filesystem::directory_iterator(headerFolder()))
    files.push_back(entry.path().filename());
  EXPECT_THAT(files, UnorderedElementsAre("Verilated.h", "Verilated.h.gch", "Verilated.h.gch.sum"));

  std::string made = headerFolder() / "Verilated.h.gch";
  auto time = std::filesystem::last_write_time(made);
  EXPECT_THAT(logOfCosim(), HasSubstr("-include " + headerFolder().string()));
  EXPECT_EQ(std::filesystem::last_write_time(made), time);

  // What is no header is not read: of another circuit, which no compiler cache has.
  std::ofstream(made) << "no header\n";
  EXPECT_THAT(logOfCosim(bankedSumKernel()), HasSubstr("[-Winvalid-pch]"));
}

TEST_F(BenchHeaderTest, StaysAwayWhereThereIsNoPlaceForIt) {
  std::string program = caches.write("compiler", "first");
  EXPECT_THAT(benchHeader({program}, "-O0").file,
              AllOf(StartsWith(caches.path()), EndsWith("/Verilated.h")));
  // What a makefile and a shell would not take as it is.
  for (const char *name : {"of two words", "$HOME", "a'b"}) {
    setPlace(caches / name);
    EXPECT_THAT(benchHeader({program}, "-O0").file, IsEmpty()) << name;
  }
  setPlace(caches.write("file", "") + "/below");
  EXPECT_THAT(benchHeader({program}, "-O0").file, IsEmpty());
  EXPECT_THAT(benchHeader({program}, "-O0").options(), IsEmpty());
  if (hasVerilator()) {
    EXPECT_THAT(logOfCosim(), Not(HasSubstr("-include")));
  }
}

TEST_F(BenchHeaderTest, TellsProgramsAndOptionsApart) {
  std::string program = caches.write("compiler", "first");
  std::string first = benchHeader({program}, "-O0").file;
  EXPECT_EQ(benchHeader({program}, "-O0").file, first);
  EXPECT_NE(benchHeader({program}, "-O1").file, first);
  EXPECT_NE(benchHeader({program, program}, "-O0").file, first);
  caches.write("compiler", "another version");
  EXPECT_NE(benchHeader({program}, "-O0").file, first);
  EXPECT_THAT(benchHeader({caches / "none"}, "-O0").file, IsEmpty());
}

} // namespace
