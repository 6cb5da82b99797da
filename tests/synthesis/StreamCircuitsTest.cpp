// Kernels with streams under Verilator: runs back to back, a reset in mid-run, and streams that
// stall in half and seven eighths of the cycles.
#include "core/support/files/File.h"
#include "core/support/formats/Npz.h"
#include "hw/cosim/Cosim.h"
#include "hw/program/ProgramFile.h"
#include "hw/synthesis/KernelFiles.h"
#include "tests/cosim/KernelFolder.h"

#include "fmt/format.h"
#include "gmock/gmock.h"

using namespace spindle;
using namespace spindle::hls;
using testing::HasSubstr;
using testing::IsEmpty;

namespace {

#define SKIP_WITHOUT_SIMULATOR()                                                                   \
  if (!hasVerilator())                                                                             \
  GTEST_SKIP() << "verilator or make is absent, install the packages verilator and make"

std::string programText(const std::string &name) {
  return llvm::cantFail(readFile("tests/kernels/streams/" + name + ".mlir"));
}

void writeCircuit(const std::string &folder, const std::string &text) {
  auto context = makeSynthesisContext();
  auto program = llvm::cantFail(parseProgram(*context, text, "kernel.mlir"));
  SynthesisOptions options;
  options.loops.unroll = {1};
  Synthesis made =
      llvm::cantFail(synthesize(*program, llvm::cantFail(readTarget(kDefaultTarget)), options));
  llvm::cantFail(writeKernelFiles(folder, made, text));
}

CosimOptions fiveRuns() {
  CosimOptions options;
  options.runs = 5;
  options.mostCycles = 100'000;
  return options;
}

TEST(StreamCircuits, GiveTheTokensOfTheProgram) {
  SKIP_WITHOUT_SIMULATOR();
  for (const char *name : {"scale", "until_token", "serializer", "chain"}) {
    TemporaryFolder folder;
    writeCircuit(folder.path(), programText(name));
    CosimResult result = llvm::cantFail(cosim(folder.path(), fiveRuns()));
    EXPECT_THAT(result.problems, IsEmpty()) << name;
    EXPECT_EQ(result.runs, 5u) << name;
    EXPECT_EQ(result.predictedCycles, std::nullopt);
  }
}

TEST(StreamCircuits, TokensComeFromFiles) {
  SKIP_WITHOUT_SIMULATOR();
  TemporaryFolder folder;
  writeCircuit(folder.path(), programText("until_token"));
  CosimOptions options = fiveRuns();
  options.in = {folder / "in.npz"};
  options.dump = folder / "out.npz";
  llvm::cantFail(
      writeNpz(options.in[0], {{"arg0", toNpy(makeIntegers({ElementType::Kind::Integer, 8}, {8},
                                                           {1, 2, 0, 127, 4, 0, 0, 9}))}}));
  EXPECT_THAT(llvm::cantFail(cosim(folder.path(), options)).problems, IsEmpty());
  auto members = llvm::cantFail(readNpz(options.dump));
  for (const NpzMember &member : members)
    if (member.name == "arg1") {
      EXPECT_THAT(member.array.integers(), testing::ElementsAre(3, 131, 0));
    }
}

/// The first difference names stream and token.
TEST(StreamCircuits, WrongTokensAreFound) {
  SKIP_WITHOUT_SIMULATOR();
  std::string text = programText("scale");
  struct Change {
    const char *from, *to, *problem;
  };
  for (const Change &change :
       {Change{"%twice, %token", "%twice, %twice", "run 0: arg1 token 0 is "},
        Change{"0 to 40", "0 to 39", "run 0: arg1: 39 tokens come out, expected 40"}}) {
    TemporaryFolder folder;
    std::string wrong = text;
    wrong.replace(wrong.find(change.from), std::string(change.from).size(), change.to);
    writeCircuit(folder.path(), wrong);
    llvm::cantFail(writeFile(folder / "original.mlir", text));
    CosimResult result = llvm::cantFail(cosim(folder.path(), fiveRuns()));
    ASSERT_FALSE(result.problems.empty());
    EXPECT_THAT(result.problems[0], HasSubstr(change.problem));
  }
}

} // namespace
