#include "core/support/GiveBackMemory.h"

#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <memory>
#include <sstream>
#include <string>
#include <vector>

namespace spindle {
namespace {

/// The code of this program, as the system maps it.
struct Code {
  uintptr_t start = 0, end = 0;
  size_t held = 0; // bytes in memory
};

Code findCode() {
  std::string program = std::filesystem::read_symlink("/proc/self/exe").string();
  std::ifstream maps("/proc/self/smaps");
  Code code;
  for (std::string line; std::getline(maps, line);) {
    if (code.start == 0 && line.ends_with(program) && line.find(" r-xp ") != std::string::npos) {
      char dash;
      std::istringstream(line) >> std::hex >> code.start >> dash >> code.end;
    } else if (code.start != 0 && line.starts_with("Rss:")) {
      code.held = 1024 * std::stoul(line.substr(4));
      break;
    }
  }
  return code;
}

/// Reads all of it, so that it is in memory.
uint64_t sumOf(const Code &code) {
  uint64_t sum = 0;
  for (uintptr_t at = code.start; at < code.end; at += sizeof(uint64_t))
    sum += *reinterpret_cast<const uint64_t *>(at);
  return sum;
}

TEST(GiveBackMemory, CodeGoesAndComesBack) {
  Code code = findCode();
  ASSERT_LT(code.start, code.end);
  uint64_t sum = sumOf(code);
  size_t before = findCode().held;
  EXPECT_EQ(before, code.end - code.start);
  giveBackMemory();
  EXPECT_LT(findCode().held, before);
  EXPECT_EQ(sumOf(code), sum);
  EXPECT_EQ(findCode().held, before);
}

TEST(GiveBackMemory, WhatIsFreedGoes) {
#ifdef __SANITIZE_ADDRESS__
  GTEST_SKIP() << "the sanitizer's heap keeps what is freed";
#endif
  auto held = [] {
    std::ifstream status("/proc/self/statm");
    size_t all, inMemory;
    status >> all >> inMemory;
    return inMemory * 4096;
  };
  constexpr size_t kBlocks = 4096, kBytes = 4096;
  std::vector<std::unique_ptr<char[]>> blocks;
  for (size_t k = 0; k < kBlocks; ++k)
    blocks.push_back(std::make_unique<char[]>(kBytes));
  auto last = std::make_unique<char[]>(kBytes); // above them, so that the heap does not shrink
  blocks.clear();
  size_t before = held();
  giveBackMemory();
  EXPECT_LT(held() + kBlocks * kBytes / 2, before);
}

} // namespace
} // namespace spindle
