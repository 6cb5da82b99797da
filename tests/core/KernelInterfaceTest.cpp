#include "lib/core/KernelInterface.h"

#include "lib/support/Json.h"

#include "gmock/gmock.h"

#include <set>

using namespace spindle;
using namespace spindle::hls;
using testing::HasSubstr;

namespace {

using Kind = DimensionPartition::Kind;

KernelArgument memory(uint32_t index, std::vector<int64_t> shape,
                      std::vector<DimensionPartition> partition) {
  KernelArgument argument;
  argument.index = index;
  argument.kind = KernelArgument::Kind::Memory;
  argument.type = *parseElementType("f64");
  argument.shape = std::move(shape);
  argument.partition = std::move(partition);
  return argument;
}

KernelInterface kernel() {
  KernelInterface result;
  result.top = result.function = "kernel_gemm";
  result.original = "original.mlir";
  result.bind = {{0, {20}}, {4, {20, 25}}};
  result.target = "zynq-7020-100mhz";
  result.sources = {"kernel_gemm.sv", "units/spindle_addf.sv"};
  result.predictedCycles = 123;
  KernelArgument scalar;
  scalar.index = 1;
  result.arguments = {scalar, memory(3, {20, 25}, {{Kind::Cyclic, 2}, {Kind::None, 1}}),
                      memory(4, {20, 25}, {{Kind::Block, 3}, {Kind::Complete, 25}}),
                      memory(5, {}, {})};
  result.results = {*parseElementType("f64"), *parseElementType("i1")};
  result.units = {{"mulf_f64", 2}};
  return result;
}

std::string faultOf(const KernelInterface &wrong) { return toText(verify(wrong, "k.json")); }

TEST(KernelInterface, SurvivesAFile) {
  std::string path = testing::TempDir() + "kernel.json";
  ASSERT_FALSE(bool(writeKernelInterface(path, kernel())));
  auto read = readKernelInterface(path);
  ASSERT_TRUE(bool(read)) << toText(read.takeError());
  EXPECT_EQ(*read, kernel());
}

TEST(KernelInterface, PlacesAsTheFormatSays) {
  KernelArgument cyclic = memory(0, {5, 7}, {{Kind::Cyclic, 2}, {Kind::None, 1}});
  EXPECT_EQ(cyclic.place(3 * 7 + 4), (BankAddress{1, 1 * 7 + 4}));
  KernelArgument block = memory(0, {10}, {{Kind::Block, 3}}); // of 4, 4 and 2
  EXPECT_EQ(block.place(7), (BankAddress{1, 3}));
  EXPECT_EQ(block.place(8), (BankAddress{2, 0}));
  EXPECT_EQ(block.bankWords(), 4u);
  KernelArgument complete = memory(0, {3, 2}, {{Kind::Complete, 3}, {Kind::Complete, 2}});
  EXPECT_EQ(complete.place(5), (BankAddress{5, 0}));
  KernelArgument both = memory(0, {4, 6}, {{Kind::Block, 2}, {Kind::Cyclic, 3}});
  EXPECT_EQ(both.banks(), 6u);
  EXPECT_EQ(both.place(2 * 6 + 4), (BankAddress{1 * 3 + 1, 0 * 2 + 1}));
  EXPECT_EQ(memory(0, {}, {}).place(0), (BankAddress{0, 0}));
}

TEST(KernelInterface, NoTwoElementsShareAWord) {
  for (Kind first : {Kind::None, Kind::Block, Kind::Cyclic, Kind::Complete})
    for (Kind second : {Kind::None, Kind::Block, Kind::Cyclic, Kind::Complete}) {
      auto dimension = [](Kind kind, int64_t extent, int64_t factor) {
        return DimensionPartition{kind, kind == Kind::None       ? 1
                                        : kind == Kind::Complete ? extent
                                                                 : factor};
      };
      KernelArgument array = memory(0, {7, 5}, {dimension(first, 7, 3), dimension(second, 5, 4)});
      std::set<std::pair<uint32_t, uint64_t>> taken;
      for (uint64_t element = 0; element < array.elements(); ++element) {
        BankAddress at = array.place(element);
        EXPECT_LT(at.bank, array.banks());
        EXPECT_LT(at.address, array.bankWords());
        EXPECT_TRUE(taken.emplace(at.bank, at.address).second);
      }
    }
}

TEST(KernelInterface, VerifyFindsEveryKindOfFault) {
  EXPECT_EQ(faultOf(kernel()), "");
  KernelInterface wrong = kernel();
  wrong.top = "2mm";
  EXPECT_EQ(faultOf(wrong), "k.json: error: top is '2mm', expected the name of a module");
  wrong = kernel();
  wrong.sources.clear();
  EXPECT_EQ(faultOf(wrong), "k.json: error: names no function, original program or sources");
  wrong = kernel();
  wrong.clockPeriodNs = 0;
  EXPECT_EQ(faultOf(wrong), "k.json: error: clock_period_ns is 0, expected more than 0");
  wrong = kernel();
  wrong.arguments[1].index = 1;
  EXPECT_EQ(faultOf(wrong),
            "k.json: arguments[1]: error: has the index 1 after 1, expected ascending ones");
  wrong = kernel();
  wrong.arguments[0].index = 0;
  EXPECT_EQ(faultOf(wrong),
            "k.json: arguments[0]: error: argument 0 is bound, expected no port for it");
  wrong = kernel();
  wrong.arguments[1].shape[0] = 0;
  EXPECT_EQ(faultOf(wrong), "k.json: arguments[1]: error: has the shape [0, 25], expected extents "
                            "of at least 1 and at most 4294967296 elements");
  wrong = kernel();
  wrong.arguments[1].partition.pop_back();
  EXPECT_EQ(faultOf(wrong), "k.json: arguments[1]: error: has 1 partitions for 2 dimensions");
  wrong = kernel();
  wrong.arguments[1].partition[0].factor = 21;
  EXPECT_EQ(faultOf(wrong), "k.json: arguments[1]: partition[0]: error: cyclic partition of 20 "
                            "elements into 21 banks, expected 1 to 20");
  wrong = kernel();
  wrong.arguments[2].partition[1].factor = 5;
  EXPECT_EQ(faultOf(wrong), "k.json: arguments[2]: partition[1]: error: complete partition of 25 "
                            "elements into 5 banks, expected 25");
  wrong = kernel();
  wrong.arguments[1].ports = 0;
  EXPECT_EQ(faultOf(wrong),
            "k.json: arguments[1]: error: has 0 ports of read latency 1, expected at least 1");
}

TEST(KernelInterface, ReadingSaysWhatIsWrong) {
  auto errorOf = [](const std::string &key, const Json &value) {
    std::string path = testing::TempDir() + "wrong.json";
    llvm::cantFail(writeKernelInterface(path, kernel()));
    Json json = llvm::cantFail(readJson(path));
    json[Json::json_pointer(key)] = value;
    llvm::cantFail(writeJson(path, json));
    return toText(readKernelInterface(path).takeError());
  };
  EXPECT_THAT(errorOf("/arguments/0/kind", "stream"),
              HasSubstr("kind is 'stream', expected scalar or memory"));
  EXPECT_THAT(errorOf("/arguments/1/type", "f16"),
              HasSubstr("type is 'f16', expected i1 to i64, index, f32 or f64"));
  EXPECT_THAT(errorOf("/arguments/1/partition/0/kind", "random"),
              HasSubstr("partition[0].kind is 'random', expected none, block, cyclic, complete"));
  EXPECT_THAT(errorOf("/arguments/1/ports", -1), HasSubstr("ports is -1, expected a whole number"));
  EXPECT_THAT(errorOf("/bind/x", 1), HasSubstr("bind has the key 'x', expected an argument index"));
  EXPECT_THAT(errorOf("/version", 9), HasSubstr("version"));
}

} // namespace
