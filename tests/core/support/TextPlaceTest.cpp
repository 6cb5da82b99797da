#include "core/support/TextPlace.h"

#include "gtest/gtest.h"

using namespace spindle;

TEST(TextPlace, CountsLinesAndColumnsFromOne) {
  EXPECT_EQ(textPlace("f", "", 0), "f:1:1");
  EXPECT_EQ(textPlace("f", "ab\ncd", 1), "f:1:2");
  EXPECT_EQ(textPlace("f", "ab\ncd", 3), "f:2:1");
  EXPECT_EQ(textPlace("f", "ab\ncd", 4), "f:2:2");
  EXPECT_EQ(textPlace("f", "ab\n", 99), "f:2:1");
}

TEST(TextPlace, FindsTheFirstByteThatIsNoCharacter) {
  EXPECT_EQ(findNotUtf8("größe €"), llvm::StringRef::npos);
  EXPECT_EQ(findNotUtf8(""), llvm::StringRef::npos);
  EXPECT_EQ(findNotUtf8("gr\xfc"), 2u);
  EXPECT_EQ(findNotUtf8("\x80"), 0u);
}

TEST(TextPlace, ExcerptsAreOneLineOfWholeCharacters) {
  EXPECT_EQ(excerpt("a\nb\tc\x01"), "a b c ");
  EXPECT_EQ(excerpt("größe", 3), "gr…"); // the third byte begins a character of two
  EXPECT_EQ(excerpt("größe", 4), "grö…");
  EXPECT_EQ(excerpt("gr\xfc\xdf", 4), "gr��");
  EXPECT_EQ(excerpt(std::string(81, 'x')), std::string(80, 'x') + "…");
  EXPECT_EQ(excerpt(std::string(80, 'x')), std::string(80, 'x'));
}
