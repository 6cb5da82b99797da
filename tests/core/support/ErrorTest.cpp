#include "core/support/Error.h"

#include "gtest/gtest.h"

using namespace spindle;

namespace {

llvm::Expected<int> half(int number) {
  if (number % 2)
    return inputError("here", "number is odd");
  return number / 2;
}

llvm::Expected<int> quarter(int number) {
  SPINDLE_ASSIGN(int halved, half(number));
  SPINDLE_ASSIGN(int result, half(halved));
  return result;
}

} // namespace

TEST(Error, SaysPlaceAndKind) {
  llvm::Error input = inputError("a.yaml:3:1", "rows is 0"), check = checkError("", "sum differs");
  EXPECT_EQ(kindOf(input), ErrorKind::Input);
  EXPECT_EQ(kindOf(check), ErrorKind::Check);
  EXPECT_EQ(toText(std::move(input)), "a.yaml:3:1: error: rows is 0");
  EXPECT_EQ(toText(std::move(check)), "error: sum differs");
  llvm::Error foreign = llvm::createStringError("foreign");
  EXPECT_EQ(kindOf(foreign), ErrorKind::Check);
  EXPECT_EQ(toText(std::move(foreign)), "foreign");
}

/// Places and messages name what stands in files, which may be no text at all.
TEST(Error, IsOneLineOfText) {
  EXPECT_EQ(toText(inputError("a\nb.onnx: node 'n\xff'", "type\t'\r\n' of 'é\xc3'")),
            "a b.onnx: node 'n\xef\xbf\xbd': error: type '  ' of 'é\xef\xbf\xbd'");
}

TEST(Error, AssignReturnsTheFirstError) {
  EXPECT_EQ(llvm::cantFail(quarter(12)), 3);
  EXPECT_EQ(toText(quarter(6).takeError()), "here: error: number is odd");
}
