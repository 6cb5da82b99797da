#include "core/chip/PacketTrace.h"

#include "core/support/files/File.h"
#include "tests/support/TemporaryFolder.h"

#include "gmock/gmock.h"

using namespace spindle;
using ::testing::ElementsAre;

namespace {

const std::string kHeader = "pkt_id,inject_cycle,src,dst,size_flits\n";

class PacketTraceFile : public ::testing::Test {
protected:
  llvm::Expected<PacketTrace> read(const std::string &text, Mesh mesh = {8, 8}) {
    llvm::cantFail(writeFile(path, text));
    return readPacketTrace(path, mesh);
  }
  /// The error without the folder of the file.
  std::string errorOf(const std::string &text, Mesh mesh = {8, 8}) {
    std::string error = toText(read(text, mesh).takeError());
    return error.substr(error.find("packets.csv"));
  }
  TemporaryFolder folder;
  std::string path = folder / "packets.csv";
};

TEST_F(PacketTraceFile, RowsAreRead) {
  PacketTrace trace = llvm::cantFail(read(kHeader + "0,5,10,28,1\n1,5,63,0,4\n"));
  EXPECT_TRUE(trace.origins.empty());
  EXPECT_THAT(trace.packets,
              ElementsAre(TracedPacket{5, 10, {28}, 1}, TracedPacket{5, 63, {0}, 4}));
  // Lines of Windows, a byte order mark, empty lines, no rows at all.
  EXPECT_EQ(llvm::cantFail(read("\xEF\xBB\xBFpkt_id,inject_cycle,src,dst,size_flits\r\n"
                                "0,5,10,28,1\r\n\r\n1,5,63,0,4")),
            trace);
  EXPECT_TRUE(llvm::cantFail(read(kHeader)).packets.empty());
}

TEST_F(PacketTraceFile, WhatIsWrittenIsReadAgain) {
  PacketTrace trace;
  trace.packets = {{0, 1, {2}, 1}, {7, 3, {0, 2, 5}, 65535}};
  for (bool origins : {false, true}) {
    if (origins)
      trace.origins = {{40, 0, 2, PacketKind::Spike}, {41, 1, 3, PacketKind::PartialSum}};
    llvm::cantFail(writePacketTrace(path, trace));
    EXPECT_EQ(llvm::cantFail(readPacketTrace(path, {3, 2})), trace);
  }
  EXPECT_EQ(llvm::cantFail(readFile(path)),
            "pkt_id,inject_cycle,src,dst,size_flits,neuron,step,kind,sample\n"
            "0,0,1,2,1,40,2,spike,0\n1,7,3,0;2;5,65535,41,3,partial_sum,1\n");
}

TEST_F(PacketTraceFile, TheExamplesOfTheDocumentationAreValid) {
  std::string page = llvm::cantFail(readFile("docs/formats/packets.md"));
  std::vector<std::string> examples;
  for (size_t begin = 0; (begin = page.find("```csv\n", begin)) != std::string::npos;) {
    size_t end = page.find("```", begin += 7);
    examples.push_back(page.substr(begin, end - begin));
    begin = end;
  }
  ASSERT_EQ(examples.size(), 3u);
  EXPECT_THAT(llvm::cantFail(read(examples[0])).packets[1].targets, ElementsAre(3, 7, 31));
  EXPECT_EQ(llvm::cantFail(read(examples[1])).origins[0].neuron, 812u);
  // The last one is what the first packet of the first makes.
  llvm::cantFail(writeDeliveries(path, {{0, 10, 28, 1, 0, 0, 17, 17, 4}}));
  EXPECT_EQ(llvm::cantFail(readFile(path)), examples[2]);
}

TEST_F(PacketTraceFile, WrongRowsAreRefused) {
  const char *columns = "expected pkt_id,inject_cycle,src,dst,size_flits, followed by "
                        "neuron,step,kind,sample or nothing";
  EXPECT_EQ(errorOf(""), std::string("packets.csv:1: error: the columns are '', ") + columns);
  EXPECT_EQ(errorOf("cycle,src,dst\n"),
            std::string("packets.csv:1: error: the columns are 'cycle,src,dst', ") + columns);
  EXPECT_EQ(errorOf(kHeader + "0,5,10,28\n"), "packets.csv:2: error: 4 values, expected 5 "
                                              "(pkt_id,inject_cycle,src,dst,size_flits)");
  EXPECT_EQ(errorOf(kHeader + "0,5,10,28,1\n1,x,10,28,1\n"),
            "packets.csv:3: error: inject_cycle is 'x', expected a whole number from 0 to "
            "9007199254740992");
  EXPECT_EQ(errorOf(kHeader + "0,-1,10,28,1\n"),
            "packets.csv:2: error: inject_cycle is '-1', expected a whole number from 0 to "
            "9007199254740992");
  for (const char *flits : {"0", "65536", "", "1.5"})
    EXPECT_EQ(errorOf(kHeader + "0,5,10,28," + flits + "\n"),
              std::string("packets.csv:2: error: size_flits is '") + flits +
                  "', expected a whole number from 1 to 65535");
  EXPECT_EQ(errorOf(kHeader + "1,5,10,28,1\n"),
            "packets.csv:2: error: pkt_id is 1, expected 0: rows are numbered from 0");
  EXPECT_EQ(errorOf(kHeader + "0,5,10,28,1\n1,4,10,28,1\n"),
            "packets.csv:3: error: inject_cycle is 4 behind 5; sort the rows by cycle and number "
            "them anew");
  EXPECT_EQ(errorOf(kHeader + "0,5,10,3;3,1\n"),
            "packets.csv:2: error: dst names tile 3 behind 3, expected ascending tiles");
  EXPECT_EQ(errorOf("pkt_id,inject_cycle,src,dst,size_flits,neuron,step,kind,sample\n"
                    "0,5,10,28,1,2,0,spice,0\n"),
            "packets.csv:2: error: kind is 'spice', expected spike or partial_sum");
}

TEST_F(PacketTraceFile, TilesOutsideTheMeshAreRefused) {
  EXPECT_EQ(errorOf(kHeader + "0,5,10,28,1\n1,6,64,0,1\n"),
            "packets.csv:3: error: src is tile 64, but the mesh of 8x8 ends with tile 63; take "
            "the chip that the packets were made for, or one with a larger mesh");
  EXPECT_EQ(errorOf(kHeader + "0,5,2,6,1\n", {3, 2}),
            "packets.csv:2: error: dst is tile 6, but the mesh of 3x2 ends with tile 5; take the "
            "chip that the packets were made for, or one with a larger mesh");
}

} // namespace
