#include "core/chip/file/PlacementList.h"

#include "core/support/files/File.h"
#include "tests/support/TemporaryFolder.h"

#include "gmock/gmock.h"

namespace spindle {
namespace {

class PlacementListFile : public ::testing::Test {
protected:
  llvm::Expected<PlacementList> read(const std::string &text) {
    Chip chip;
    chip.mesh = {4, 2};
    chip.crossbarsPerTile = 3;
    return readPlacementList(folder.write("list.csv", text), chip);
  }
  std::string errorOf(const std::string &text) {
    llvm::Expected<PlacementList> list = read(text);
    if (list)
      return "no error";
    std::string error = toText(list.takeError());
    size_t at = error.find(folder.path());
    return at == std::string::npos ? error : error.substr(at + folder.path().size() + 1);
  }
  TemporaryFolder folder;
};

TEST_F(PlacementListFile, IsReadAndWritten) {
  PlacementList list =
      llvm::cantFail(read("neuron,tile,crossbar\r\n7, 3,0\n\n2,7,2\n4294967294,0,0"));
  std::vector<ListedNeuron> expected = {{2, {7, 2}, 4}, {7, {3, 0}, 2}, {4294967294, {0, 0}, 5}};
  EXPECT_EQ(list.neurons, expected);
  EXPECT_EQ(*list.find(7), expected[1]);
  EXPECT_EQ(list.find(3), nullptr);
  EXPECT_EQ(placementText(list.neurons), "neuron,tile,crossbar\n2,7,2\n7,3,0\n4294967294,0,0\n");
}

TEST_F(PlacementListFile, TheExampleOfItsPageIsRead) {
  std::string page = llvm::cantFail(readFile("docs/formats/placement.md"));
  size_t begin = page.find("```csv\n") + 7;
  PlacementList list = llvm::cantFail(read(page.substr(begin, page.find("```", begin) - begin)));
  EXPECT_EQ(list.neurons.size(), 3u);
}

TEST_F(PlacementListFile, SaysWhatIsWrong) {
  EXPECT_EQ(errorOf(""), "list.csv:1: error: the columns are '', expected neuron,tile,crossbar");
  EXPECT_EQ(errorOf("neuron,tile\n1,2"),
            "list.csv:1: error: the columns are 'neuron,tile', expected neuron,tile,crossbar");
  EXPECT_EQ(errorOf("neuron,tile,crossbar\n1,2"),
            "list.csv:2: error: 2 values, expected 3 (neuron,tile,crossbar)");
  EXPECT_EQ(errorOf("neuron,tile,crossbar\n1,8,0"),
            "list.csv:2: error: tile is '8', expected a whole number from 0 to 7 on this chip");
  EXPECT_EQ(errorOf("neuron,tile,crossbar\n1,0,-1"),
            "list.csv:2: error: crossbar is '-1', expected a whole number from 0 to 2 on this "
            "chip");
  EXPECT_EQ(errorOf("neuron,tile,crossbar\nx,0,0"),
            "list.csv:2: error: neuron is 'x', expected a whole number from 0 to 4294967294");
  EXPECT_EQ(errorOf("neuron,tile,crossbar\n5,0,0\n6,0,0\n5,0,0"),
            "list.csv:4: error: neuron 5 is listed twice, first in line 2");
}

} // namespace
} // namespace spindle
