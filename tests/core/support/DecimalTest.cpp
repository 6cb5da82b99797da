// Numbers of texts: LLVM's reading of short ones, the C library's of long ones.
#include "core/support/Decimal.h"

#include "gtest/gtest.h"

#include <cstdlib>
#include <string>

using namespace spindle;

namespace {

TEST(Decimal, IsWhatLlvmReads) {
  for (const char *text : {"1", "-2.5e-3", "+7", "0x1p4", "inf", "-nan", "1e999", "1e-999", "", "a",
                           "1 ", " 1", "1e", "--1", "1,5"}) {
    double ours = 3, theirs = 3;
    bool isNumber = !llvm::StringRef(text).getAsDouble(theirs);
    EXPECT_EQ(readDecimal(text, ours), isNumber) << text;
    if (isNumber && theirs == theirs) {
      EXPECT_EQ(ours, theirs) << text;
    }
  }
}

/// Up to millions of digits, for which exact arithmetic takes minutes.
TEST(Decimal, LongOnesAreRoundedToTheNearest) {
  for (const std::string &text :
       {"0." + std::string(2'000'000, '1'),
        "+" + std::string(300, '9') + "." + std::string(900, '7'),
        "-1." + std::string(5000, '0') + "1", "1." + std::string(1500, '3') + "e-5"}) {
    double value = 0;
    EXPECT_TRUE(readDecimal(text, value));
    EXPECT_EQ(value, std::strtod(text.c_str(), nullptr));
  }
}

TEST(Decimal, LongWordsAreNoNumbers) {
  double value = 5;
  for (const std::string &text :
       {std::string(2000, '1') + "x", std::string(2000, 'x'), "++" + std::string(2000, '1'),
        "+-" + std::string(2000, '1'), std::string(5000, '1')}) // beyond a double
    EXPECT_FALSE(readDecimal(text, value));
  EXPECT_EQ(value, 5);
}

} // namespace
