#include "hw/hls/prepare/Bindings.h"

#include "gmock/gmock.h"

using namespace spindle;
using namespace spindle::hls;
using ::testing::ElementsAre;
using ::testing::Pair;

namespace {

std::string bindingError(const std::string &text) {
  llvm::Expected<Bindings> bindings = parseBindings(text);
  return bindings ? "none" : toText(bindings.takeError());
}

TEST(Bindings, ValuesAndShapesByArgument) {
  EXPECT_THAT(llvm::cantFail(parseBindings("1=25, 0=-20,3=20x25")),
              ElementsAre(Pair(0, ElementsAre(-20)), Pair(1, ElementsAre(25)),
                          Pair(3, ElementsAre(20, 25))));
  EXPECT_TRUE(llvm::cantFail(parseBindings("")).empty());
}

TEST(Bindings, WrongTextIsRefused) {
  const std::string form = ": expected ARGUMENT=VALUE or ARGUMENT=NxM, such as 0=20";
  EXPECT_EQ(bindingError("0"), "--bind: error: '0'" + form);
  EXPECT_EQ(bindingError("n=20"), "--bind: error: 'n=20'" + form);
  EXPECT_EQ(bindingError("0=1,1=2.5"), "--bind: error: '1=2.5'" + form);
  EXPECT_EQ(bindingError("0=20x"), "--bind: error: '0=20x'" + form);
  EXPECT_EQ(bindingError("0=20,0=30"), "--bind: error: argument 0 is bound twice");
}

} // namespace
