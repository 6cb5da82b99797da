// Names in emitted SystemVerilog.
#include "dialects/rtl/systemverilog/Names.h"

#include "gtest/gtest.h"

#include <set>

using namespace spindle::rtl;

TEST(Names, AreIdentifiersAndEachUsedOnce) {
  Names names;
  EXPECT_EQ(names.add("mulf_l12"), "mulf_l12");
  EXPECT_EQ(names.add("mulf_l12"), "mulf_l12_2");
  EXPECT_EQ(names.add("mulf_l12_2"), "mulf_l12_2_2");
  EXPECT_EQ(names.add("mulf_l12"), "mulf_l12_3");
  EXPECT_EQ(names.add("reg"), "reg_2");
  EXPECT_EQ(names.add("double"), "double_2"); // C++, which Verilator writes
  EXPECT_EQ(names.add("3 café"), "_3_caf__");
  EXPECT_EQ(names.add(""), "_");
}

/// As fast as they are many: an unrolled loop has thousands of values of one line.
TEST(Names, OfOneLineAreNumbered) {
  Names names;
  names.add("mulf_l12_777");
  std::set<std::string> all;
  for (int i = 0; i < 20000; ++i)
    all.insert(names.add("mulf_l12"));
  EXPECT_EQ(all.size(), 20000u);
  EXPECT_EQ(all.count("mulf_l12_777"), 0u);
  EXPECT_EQ(all.count("mulf_l12_20001"), 1u);
}
