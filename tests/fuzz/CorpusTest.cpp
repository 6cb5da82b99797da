// The corpora of the fuzzers, and files damaged at random: read or refused, and nothing else.
#include "tests/fuzz/FuzzTarget.h"
#include "tests/fuzz/Mutation.h"

#include "gtest/gtest.h"

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <sstream>
#include <vector>

namespace spindle {
namespace {

class Corpus : public ::testing::TestWithParam<FuzzTarget> {
protected:
  /// The files of a target, sorted by name.
  static std::vector<std::string> files() {
    std::vector<std::filesystem::path> paths;
    for (const auto &entry :
         std::filesystem::directory_iterator(std::string("tests/fuzz/corpus/") + GetParam().name))
      paths.push_back(entry.path());
    std::sort(paths.begin(), paths.end());
    std::vector<std::string> bytes;
    for (const std::filesystem::path &path : paths) {
      std::ostringstream whole;
      whole << std::ifstream(path, std::ios::binary).rdbuf();
      bytes.push_back(std::move(whole).str());
    }
    return bytes;
  }
  static void read(const std::string &bytes) {
    GetParam().read(reinterpret_cast<const uint8_t *>(bytes.data()), bytes.size());
  }
};

TEST_P(Corpus, IsReadOrRefused) {
  std::vector<std::string> all = files();
  EXPECT_FALSE(all.empty());
  for (const std::string &bytes : all)
    EXPECT_NO_THROW(read(bytes));
  read("");
}

TEST_P(Corpus, DamagedFilesAreReadOrRefused) {
  std::vector<std::string> all = files();
  const char *count = std::getenv("SPINDLE_MUTATIONS");
  for (uint32_t number = 0; number < (count ? std::strtoul(count, nullptr, 10) : 300); ++number) {
    CounterRandom random(20, number);
    const std::string &whole = all[random.below(static_cast<uint32_t>(all.size()))],
                      &other = all[random.below(static_cast<uint32_t>(all.size()))];
    ASSERT_NO_THROW(read(mutated(whole, other, random))) << "number " << number;
  }
}

INSTANTIATE_TEST_SUITE_P(Fuzz, Corpus, ::testing::ValuesIn(kFuzzTargets),
                         [](const auto &each) { return std::string(each.param.name); });

} // namespace
} // namespace spindle
