#include "core/kernel/BusInterface.h"

#include "core/support/files/File.h"

#include "tests/support/TemporaryFolder.h"

#include "gmock/gmock.h"

using namespace spindle;
using namespace spindle::hls;
using ::testing::HasSubstr;

namespace {

TEST(BusInterface, SurvivesAFile) {
  std::string path = ::testing::TempDir() + "axi.json";
  BusInterface bus{"k_axi",
                   AxiData::Memory,
                   {"k_axi.sv"},
                   {{"arg0", 16}, {"result0", 24}},
                   {{"arg1", 8, 104, 7}, {"arg2", 2, 0, 2}}};
  for (AxiData data : {AxiData::Memory, AxiData::Stream}) {
    bus.data = data;
    llvm::cantFail(writeBusInterface(path, bus));
    EXPECT_EQ(llvm::cantFail(readBusInterface(path)), bus);
  }
  EXPECT_EQ(bus.offsetOf("result0"), 24u);
  EXPECT_EQ(bus.offsetOf("arg1"), std::nullopt);
  EXPECT_EQ(bus.streamOf("arg0"), nullptr);
  EXPECT_TRUE(bus.streamOf("arg1")->isPartial());
  EXPECT_FALSE(bus.streamOf("arg2")->hasPackets());
  std::string text = llvm::cantFail(readFile(path));
  llvm::cantFail(writeFile(path, text.replace(text.find("stream"), 6, "wishbone")));
  EXPECT_THAT(toText(readBusInterface(path).takeError()),
              HasSubstr("data is 'wishbone', expected stream or memory"));
}

TEST(BusInterface, StreamsHaveBytes) {
  TemporaryFolder folder;
  std::string path = folder / "axi.json";
  auto errorOf = [&](const AxiStream &stream) {
    llvm::cantFail(writeBusInterface(path, {"k_axi", AxiData::Stream, {"k_axi.sv"}, {}, {stream}}));
    return toText(readBusInterface(path).takeError());
  };
  EXPECT_EQ(errorOf({"arg0", 9, 4, 1}),
            path +
                ": error: not a valid file of this format: streams[0].bytes is 9, expected 1 to 8");
  EXPECT_EQ(errorOf({"arg0", 4, 4, 5}),
            path + ": error: not a valid file of this format: streams[0].last_bytes is 5, expected "
                   "1 to the bytes of a beat");
}

/// What they name becomes part of a program.
TEST(BusInterface, ChannelsHaveNames) {
  TemporaryFolder folder;
  std::string path = folder / "axi.json";
  auto read = [&](const AxiChannel &channel) {
    BusInterface bus{"k_axi", AxiData::Memory, {"k_axi.sv"}, {}};
    bus.channels = {channel};
    llvm::cantFail(writeBusInterface(path, bus));
    return readBusInterface(path);
  };
  AxiChannel right{"mem0", 64, {"arg0", "arg12"}, {"arg3"}};
  BusInterface bus = llvm::cantFail(read(right));
  EXPECT_THAT(bus.channels, testing::ElementsAre(right));
  EXPECT_TRUE(bus.isInChannel("arg12") && bus.isInChannel("arg3"));
  EXPECT_FALSE(bus.isInChannel("arg1"));
  std::string before = path + ": error: not a valid file of this format: channels[0].";
  EXPECT_THAT(toText(read({"mem0;", 64, {}, {}}).takeError()),
              HasSubstr(before + "name is 'mem0;', expected the name of a port's channel"));
  EXPECT_THAT(toText(read({"mem0", 32, {}, {}}).takeError()),
              HasSubstr(before + "bits is 32, expected 64"));
  for (const char *name : {"arg", "arg0\"}, {\"", "argx", "arg1 ", "arg1234567890", "result0"}) {
    EXPECT_THAT(toText(read({"mem0", 64, {name}, {}}).takeError()), HasSubstr(before + "reads"));
    EXPECT_THAT(toText(read({"mem0", 64, {}, {"arg1", name}}).takeError()),
                HasSubstr(before + "writes"));
  }
}

TEST(BusInterface, NamesAreNames) {
  TemporaryFolder folder;
  std::string path = folder / "axi.json";
  auto errorOf = [&](const BusInterface &bus) {
    llvm::cantFail(writeBusInterface(path, bus));
    auto read = readBusInterface(path);
    return read ? std::string("none") : toText(read.takeError());
  };
  EXPECT_EQ(errorOf({"k_axi", AxiData::Stream, {"k_axi.sv", "units/u.sv"}, {}}), "none");
  EXPECT_EQ(errorOf({"k\n#include <x>", AxiData::Stream, {"k.sv"}, {}}),
            path + ": error: top is 'k #include <x>', expected the name of a module");
  EXPECT_EQ(errorOf({"k", AxiData::Stream, {"../k.sv"}, {}}),
            path + ": error: names the file '../k.sv', expected one in its folder, in letters, "
                   "digits and _ . - /");
}

} // namespace
