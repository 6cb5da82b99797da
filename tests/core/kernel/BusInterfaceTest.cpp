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

TEST(BusInterface, ChannelsDivideArguments) {
  TemporaryFolder folder;
  std::string path = folder / "axi.json";
  auto errorOf = [&](std::vector<AxiChannel> channels, AxiData data = AxiData::Memory) {
    BusInterface bus{"k_axi", data, {"k_axi.sv"}, {}};
    bus.channels = std::move(channels);
    llvm::cantFail(writeBusInterface(path, bus));
    auto read = readBusInterface(path);
    return read ? std::string("none") : toText(read.takeError());
  };
  EXPECT_EQ(errorOf({{"mem0", 64, {"arg0"}, {"arg0"}}, {"mem1", 64, {"arg1"}, {}}}), "none");
  std::string before = path + ": error: ";
  EXPECT_EQ(errorOf({{"mem0", 64, {"arg0"}, {}}}, AxiData::Stream),
            before + "found channels where data is stream, expected memory");
  EXPECT_EQ(errorOf({{"mem0", 64, {"arg0"}, {}}, {"mem0", 64, {"arg1"}, {}}}),
            before + "found two channels 'mem0', expected names of their own");
  std::string twice = before + "found 'arg0' twice among what channels move, expected it in one of "
                               "them, once for each way";
  EXPECT_EQ(errorOf({{"mem0", 64, {"arg0", "arg0"}, {}}}), twice);
  EXPECT_EQ(errorOf({{"mem0", 64, {"arg0"}, {}}, {"mem1", 64, {}, {"arg0"}}}), twice);
  std::vector<AxiChannel> many;
  for (int k = 0; k < 17; ++k)
    many.push_back({"mem" + std::to_string(k), 64, {"arg" + std::to_string(k)}, {}});
  EXPECT_EQ(errorOf(many), before + "found 17 channels, expected at most 16");
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
