#include "lib/core/BusInterface.h"

#include "lib/support/File.h"

#include "gmock/gmock.h"

using namespace spindle;
using namespace spindle::hls;
using ::testing::HasSubstr;

namespace {

TEST(BusInterface, SurvivesAFile) {
  std::string path = ::testing::TempDir() + "axi.json";
  BusInterface bus{"k_axi", AxiData::Memory, {"k_axi.sv"}, {{"arg0", 16}, {"result0", 24}}};
  for (AxiData data : {AxiData::Memory, AxiData::Stream}) {
    bus.data = data;
    llvm::cantFail(writeBusInterface(path, bus));
    EXPECT_EQ(llvm::cantFail(readBusInterface(path)), bus);
  }
  EXPECT_EQ(bus.offsetOf("result0"), 24u);
  EXPECT_EQ(bus.offsetOf("arg1"), std::nullopt);
  std::string text = llvm::cantFail(readFile(path));
  llvm::cantFail(writeFile(path, text.replace(text.find("stream"), 6, "wishbone")));
  EXPECT_THAT(toText(readBusInterface(path).takeError()),
              HasSubstr("data is 'wishbone', expected stream or memory"));
}

} // namespace
