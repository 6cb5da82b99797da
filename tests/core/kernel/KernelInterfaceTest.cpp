#include "core/kernel/KernelInterface.h"

#include "core/support/formats/Json.h"

#include "tests/support/TemporaryFolder.h"

#include "gmock/gmock.h"

#include <filesystem>

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

KernelArgument stream(uint32_t index) {
  KernelArgument argument;
  argument.index = index;
  argument.kind = KernelArgument::Kind::Stream;
  argument.type = *parseElementType("i11");
  argument.isWritten = false;
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
                      memory(5, {}, {}), stream(6)};
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

/// One that carries an array has its shape.
TEST(KernelInterface, StreamsOfArraysSurviveAFile) {
  std::string path = testing::TempDir() + "streams.json";
  KernelInterface streams = kernel();
  EXPECT_FALSE(streams.arguments[4].isArray());
  streams.arguments[4].shape = {5, 4, 4};
  EXPECT_TRUE(streams.arguments[4].isArray());
  ASSERT_FALSE(bool(writeKernelInterface(path, streams)));
  auto read = readKernelInterface(path);
  ASSERT_TRUE(bool(read)) << toText(read.takeError());
  EXPECT_EQ(*read, streams);
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
                            "of at least 1 and at most 268435456 elements");
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
  wrong.arguments[4].isWritten = true;
  EXPECT_EQ(faultOf(wrong), "k.json: arguments[4]: error: is a stream that the kernel reads and "
                            "writes, expected one of both");
  wrong.arguments[4].isRead = wrong.arguments[4].isWritten = false;
  EXPECT_EQ(faultOf(wrong), "k.json: arguments[4]: error: is a stream that the kernel neither "
                            "reads nor writes, expected one of both");
  wrong = kernel();
  wrong.arguments[4].shape = {5, 0};
  EXPECT_EQ(faultOf(wrong),
            "k.json: arguments[4]: error: has the shape [5, 0], expected extents of "
            "at least 1 and at most 268435456 elements");
  wrong = kernel();
  wrong.arguments[1].ports = 0;
  EXPECT_EQ(faultOf(wrong), "k.json: arguments[1]: error: has 0 ports, expected 1 to 64");
  // What a line of the file asks for must not fill the memory.
  wrong.arguments[1].ports = 4294967295;
  EXPECT_EQ(faultOf(wrong), "k.json: arguments[1]: error: has 4294967295 ports, expected 1 to 64");
  wrong = kernel();
  wrong.arguments[1].readLatency = 4294967295;
  EXPECT_EQ(faultOf(wrong),
            "k.json: arguments[1]: error: has a read latency of 4294967295, expected 1 to 16");
  wrong = kernel();
  wrong.arguments[1] =
      memory(2, {16384, 16384}, {{Kind::Complete, 16384}, {Kind::Complete, 16384}});
  EXPECT_EQ(faultOf(wrong), "k.json: arguments[1]: error: has 268435456 banks of 2 ports, expected "
                            "at most 65536 ports of all arrays");
}

/// Yosys and shells make commands of names, Verilator options and code of their own.
TEST(KernelInterface, FilesAreNamesInTheFolder) {
  TemporaryFolder folder;
  folder.write("a.sv", "");
  folder.write("units/b.sv", "");
  std::filesystem::create_symlink("/etc/hostname", folder / "out.sv");
  std::filesystem::create_directory_symlink("/etc", folder / "etc");
  std::filesystem::create_symlink("units/b.sv", folder / "in.sv");
  auto errorOf = [&](const std::string &name, bool isOriginal = false) {
    KernelInterface named = kernel();
    (isOriginal ? named.original : named.sources[0]) = name;
    llvm::cantFail(writeKernelInterface(folder / "kernel.json", named));
    auto read = readKernelInterface(folder / "kernel.json");
    return read ? std::string("none") : toText(read.takeError());
  };
  for (const char *name : {"a.sv", "units/b.sv", "in.sv", "absent.sv", "..a.v", "a-b_C.0.sv"})
    EXPECT_EQ(errorOf(name), "none") << name;
  const std::string form = ", expected one in its folder, in letters, digits and _ . - /";
  for (const char *name : {"a.sv; exec -- touch /tmp/x",
                           "!touch.sv",
                           "a.sv\n!touch x",
                           "\"a.sv\"",
                           "a b.sv",
                           "$x.sv",
                           "/etc/a.sv",
                           "../a.sv",
                           "units/../../a.sv",
                           "units/./b.sv",
                           "units//b.sv",
                           "-f.sv",
                           "units/-o.sv",
                           "",
                           "a.sv/",
                           "#.sv",
                           "`x`.sv",
                           "~/a.sv",
                           "\xc3\xa4.sv",
                           "a\tb.sv"})
    for (bool isOriginal : {false, true}) {
      std::string error = errorOf(name, isOriginal);
      bool isEmpty = isOriginal && !*name; // which is said otherwise
      EXPECT_THAT(error, testing::HasSubstr(isEmpty ? "names no function" : form)) << name;
      EXPECT_EQ(std::count(error.begin(), error.end(), '\n'), 0) << error;
    }
  const std::string file = folder / "kernel.json: error: names the file '";
  EXPECT_EQ(errorOf("out.sv"),
            file + "out.sv', a link out of its folder: put the file itself there");
  EXPECT_EQ(errorOf("etc/a.sv"),
            file + "etc/a.sv', a link out of its folder: put the file itself there");
  EXPECT_EQ(errorOf("a.cpp"), file + "a.cpp', expected one that ends in .sv or .v");
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
  EXPECT_THAT(errorOf("/arguments/0/kind", "port"),
              HasSubstr("kind is 'port', expected scalar, memory or stream"));
  EXPECT_THAT(errorOf("/arguments/1/type", "f80"),
              HasSubstr("type is 'f80', expected i1 to i64, index, f16, bf16, f32 or f64"));
  EXPECT_THAT(errorOf("/arguments/1/partition/0/kind", "random"),
              HasSubstr("partition[0].kind is 'random', expected none, block, cyclic, complete"));
  EXPECT_THAT(errorOf("/arguments/1/ports", -1), HasSubstr("ports is -1, expected a whole number"));
  EXPECT_THAT(errorOf("/bind/x", 1), HasSubstr("bind has the key 'x', expected an argument index"));
  for (const char *key : {"4294967296", "18446744073709551616", "18446744073709551617", "00", "+1",
                          "-1", " 1", "1 ", "1.0", "0x1", ""})
    EXPECT_THAT(errorOf(std::string("/bind/") + key, 1),
                HasSubstr("bind has the key '" + std::string(key) +
                          "', expected an argument index, a whole number from 0 to 4294967295"))
        << key;
  EXPECT_EQ(errorOf("/bind/4294967295", 1), "");
  EXPECT_THAT(errorOf("/version", 9), HasSubstr("version"));
}

} // namespace
