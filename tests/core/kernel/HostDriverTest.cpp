// The driver of a circuit behind AXI: compiled as its users would, and run on registers in memory.
// That it drives the circuit itself, the co-simulation of every circuit behind a bus shows.
#include "core/kernel/HostDriver.h"

#include "core/support/files/File.h"
#include "tests/cosim/KernelFolder.h"

#include "llvm/Support/Program.h"
#include "gmock/gmock.h"

#include <cstdlib>

using namespace spindle;
using namespace spindle::hls;
using testing::HasSubstr;

namespace {

/// Arrays and scalars of all kinds.
KernelInterface kernelOfAll() {
  KernelInterface kernel = interfaceOf("every", 1);
  kernel.arguments = {memoryArgument(0, "i32", {4, 6}, {{}, {}}),
                      scalarArgument(1, "f32"),
                      scalarArgument(2, "i8"),
                      scalarArgument(3, "f64"),
                      scalarArgument(4, "index"),
                      scalarArgument(6, "i1"),
                      scalarArgument(7, "bf16")};
  for (uint32_t index : {8, 9}) {
    KernelArgument stream = scalarArgument(index, index == 8 ? "i43" : "i11");
    stream.kind = KernelArgument::Kind::Stream;
    stream.isRead = index == 8;
    stream.isWritten = index == 9;
    kernel.arguments.push_back(stream);
  }
  kernel.results = {*parseElementType("i16"), *parseElementType("f32")};
  return kernel;
}

BusInterface busOfAll() {
  BusInterface bus{"every_axi", AxiData::Memory, {"every_axi.sv"}, {}};
  uint64_t offset = 16;
  for (const char *name :
       {"arg0", "arg1", "arg2", "arg3", "arg4", "arg6", "arg7", "result0", "result1"}) {
    bus.registers.push_back({name, offset});
    offset += 8;
  }
  bus.streams = {{"arg8", 8, 24, 6}, {"arg9", 2, 0, 2}};
  return bus;
}

/// A host: it writes arguments, polls, and reads results. Registers that become done by themselves
/// stand in for the circuit.
constexpr const char *kHost = R"(
#include "every_axi.hpp"
#include <map>

struct Registers {
  std::map<std::uint32_t, std::uint32_t> words;
  int polls = 0;
  void write(std::uint32_t offset, std::uint32_t value) { words[offset] = value; }
  std::uint32_t read(std::uint32_t offset) {
    if (offset == EVERY_AXI_CONTROL && (words[offset] & EVERY_AXI_START) != 0)
      return ++polls < 3 ? 0u : EVERY_AXI_DONE | EVERY_AXI_IDLE | EVERY_AXI_ERROR;
    return words[offset];
  }
};

int main() {
  Registers registers;
  registers.words[EVERY_AXI_RESULT0] = 0xfffe;
  registers.words[EVERY_AXI_RESULT1] = 0x3fc00000; // 1.5
  every_axi::Driver<Registers> driver(registers);
  every_axi::Arguments arguments;
  arguments.arg0 = 0x123456789abcdef0;
  arguments.arg1 = -2.0f;
  arguments.arg2 = -1;
  arguments.arg3 = 1.0;
  arguments.arg4 = 7;
  arguments.arg6 = true;
  arguments.arg7 = 0x3f80;
  driver.enableInterrupt(true);
  driver.run(arguments);
  auto at = [&](std::uint32_t offset) { return registers.words[offset]; };
  bool isRight = registers.polls == 3 && driver.hasFailed() && at(0x4) == 1 &&
                 at(0x10) == 0x9abcdef0 && at(0x14) == 0x12345678 && at(0x18) == 0xc0000000 &&
                 at(0x20) == 0xff && at(0x28) == 0 && at(0x2c) == 0x3ff00000 && at(0x30) == 7 &&
                 at(0x38) == 1 && at(0x40) == 0x3f80 && driver.result0() == -2 &&
                 driver.result1() == 1.5f;
  registers.words[8] = 1;
  isRight = isRight && driver.isInterruptPending();
  std::uint32_t memory[32] = {};
  every_axi::Mapped mapped(memory);
  every_axi::Driver<every_axi::Mapped> hardware(mapped);
  hardware.start(arguments);
  isRight = isRight && memory[0] == EVERY_AXI_START && memory[4] == 0x9abcdef0 && !hardware.isDone();
  hardware.start(arguments, true);
  isRight = isRight && memory[0] == (EVERY_AXI_START | EVERY_AXI_KEEP);
  isRight = isRight && EVERY_AXI_ARG8_IN_BYTES == 8 && EVERY_AXI_ARG8_IN_BEATS == 24 &&
            EVERY_AXI_ARG8_IN_LAST_BYTES == 6 && EVERY_AXI_ARG9_OUT_BYTES == 2;
  return isRight ? 0 : 1;
}
)";

TEST(HostDriver, CompilesWithoutWarningsAndWritesWhatTheCircuitReads) {
  if (!llvm::sys::findProgramByName("g++") || !llvm::sys::findProgramByName("gcc"))
    GTEST_SKIP() << "needs gcc and g++";
  TemporaryFolder folder;
  DriverTexts texts = driverTexts(kernelOfAll(), busOfAll());
  folder.write("every_axi.h", texts.registers);
  folder.write("every_axi.hpp", texts.driver);
  folder.write("host.cpp", kHost);
  folder.write("registers.c", "#include \"every_axi.h\"\nint control = EVERY_AXI_ARG7;\n");
  auto run = [&](const std::string &command) {
    return std::system(("cd '" + folder.path() + "' && " + command).c_str());
  };
  EXPECT_EQ(run("gcc -std=c99 -Wall -Wextra -Werror -pedantic -c registers.c"), 0);
  std::string options = " -std=c++17 -Wall -Wextra -Wshadow -Wconversion -Werror host.cpp";
  ASSERT_EQ(run("g++" + options + " -o host"), 0);
  EXPECT_EQ(run("./host"), 0);
  if (llvm::sys::findProgramByName("aarch64-linux-gnu-g++")) {
    EXPECT_EQ(run("aarch64-linux-gnu-g++" + options + " -o host-aarch64"), 0);
  }
}

TEST(HostDriver, ThePageHasEveryRegisterAndStream) {
  std::string page =
      driverTexts(kernelOfAll(), busOfAll(), {{"arg2", "samples"}, {"arg8", "spikes"}}).page;
  EXPECT_THAT(page, HasSubstr("| 0x20 | arg2 | 64, low half first | samples; i8, a scalar |\n"));
  EXPECT_THAT(page, HasSubstr("| arg8_in | 8 | 24 | 6 | spikes; i43 |\n"));
  EXPECT_THAT(page, HasSubstr("| arg9_out | 2 | no TLAST | - | i11 |\n"));
  EXPECT_THAT(page, HasSubstr("| 0x10 | arg0 | 64, low half first | address of 4 x 6 of i32, "
                              "row-major, read and written |\n"));
  EXPECT_THAT(page, HasSubstr("| 0x40 | arg7 | 64, low half first | bf16, a scalar |\n"));
  EXPECT_THAT(page, HasSubstr("| 0x50 | result1 | 64, low half first | f32, read only |\n"));
}

} // namespace
