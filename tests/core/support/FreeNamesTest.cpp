#include "core/support/FreeNames.h"

#include "gtest/gtest.h"

#include <random>
#include <set>

using namespace spindle;

namespace {

/// Each name beside a search through all numbers.
TEST(FreeNames, AreTheFirstThatNobodyHas) {
  std::mt19937 random(1);
  for (const char *separator : {"", "_", "."}) {
    FreeNames names(separator);
    std::set<std::string> taken;
    auto expectFree = [&](const std::string &name) {
      std::string free = name;
      for (int copy = 2; !taken.insert(free).second; ++copy)
        free = name + separator + std::to_string(copy);
      EXPECT_EQ(names.takeFree(name), free);
      EXPECT_TRUE(names.isTaken(free));
    };
    for (int i = 0; i < 500; ++i) {
      std::string name = std::string(1, "ab"[random() % 2]);
      if (random() % 3 == 0)
        name += separator + std::to_string(random() % 40);
      if (random() % 4 == 0) {
        names.take(name);
        taken.insert(name);
      } else {
        expectFree(name);
      }
    }
    EXPECT_FALSE(names.isTaken("c"));
  }
}

TEST(FreeNames, ThousandsOfOneNameAreSoonFound) {
  FreeNames names("_");
  std::string last;
  for (int i = 0; i < 200'000; ++i)
    last = names.takeFree("group");
  EXPECT_EQ(last, "group_200000");
}

} // namespace
