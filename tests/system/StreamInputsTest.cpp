// Inputs by streams: in Verilator, bare and behind their bus, and how many buffers they have.
#include "core/kernel/BusInterface.h"
#include "tests/cosim/KernelFolder.h"
#include "tests/system/RandomSystems.h"
#include "tests/system/SystemFolder.h"

#include "gmock/gmock.h"

#include <cstdlib>

using namespace spindle;
using namespace spindle::hls;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;

namespace {

SystemOptions streamOptions(SystemKind kind) {
  SystemOptions options = optionsOf(kind, /*hasInputs=*/true);
  options.streamsInputs = true;
  return options;
}

/// Elements of several types, a part without dimensions, one whose extents are no powers of two,
/// and banks; weights that are moved before the run.
const char *const kTypes = R"mlir(
func.func @kernel(%bytes: memref<4x3x5xi8>, %numbers: memref<4xf32>, %weights: memref<5xi8>,
                  %chosen: memref<4x3x5xf32>, %any: memref<4xi1>) {
  %zero = arith.constant 0 : i8
  %false = arith.constant false
  %half = arith.constant 0.5 : f32
  %t = memref.alloc() : memref<3x5xi8>
  affine.for %n = 0 to 4 {
    affine.for %i = 0 to 3 {
      affine.for %j = 0 to 5 {
        %x = affine.load %bytes[%n, %i, %j] : memref<4x3x5xi8>
        %w = affine.load %weights[%j] : memref<5xi8>
        %y = arith.addi %x, %w : i8
        affine.store %y, %t[%i, %j] : memref<3x5xi8>
      }
    }
    affine.store %false, %any[%n] : memref<4xi1>
    affine.for %j = 0 to 5 {
      %x = affine.load %t[0, %j] : memref<3x5xi8>
      %is = arith.cmpi slt, %x, %zero : i8
      %before = affine.load %any[%n] : memref<4xi1>
      %now = arith.ori %is, %before : i1
      affine.store %now, %any[%n] : memref<4xi1>
    }
    affine.for %i = 0 to 3 {
      affine.for %j = 0 to 5 {
        %x = affine.load %t[%i, %j] : memref<3x5xi8>
        %is = arith.cmpi slt, %x, %zero : i8
        %a = affine.load %numbers[%n] : memref<4xf32>
        %y = arith.select %is, %a, %half : f32
        affine.store %y, %chosen[%n, %i, %j] : memref<4x3x5xf32>
      }
    }
  }
  return
})mlir";

TEST(SystemStreams, VerilatorFindsElementsOfAllTypesBehindTheBusToo) {
  SystemOptions options = streamOptions(SystemKind::Dataflow);
  options.kernels.loops.unroll = {5};
  SystemFolder system(kTypes, options, AxiOptions{AxiData::Stream});
  BusInterface bus = llvm::cantFail(readBusInterface(system.folder / "axi.json"));
  EXPECT_THAT(bus.streams, ElementsAre(AxiStream{"arg0", 1, 15, 1}, AxiStream{"arg1", 4, 1, 4},
                                       AxiStream{"arg3", 4, 15, 4}, AxiStream{"arg4", 1, 1, 1}));
  std::string page = llvm::cantFail(readFile(system.folder / "driver/kernel_axi.md"));
  EXPECT_THAT(page, HasSubstr("| arg0_in | 1 | 15 | 1 | a packet for each of 4 inputs, 3 x 5 in "
                              "row-major order; i8 |"));
  EXPECT_THAT(page, HasSubstr("| arg1_in | 4 | 1 | 4 | a packet for each of 4 inputs; f32 |"));
  EXPECT_THAT(page, HasSubstr("| arg3_out | 4 | 15 | 4 |"));
  if (!hasVerilator())
    GTEST_SKIP() << "verilator or make is absent, install the packages verilator and make";
  CosimResult result = system.run(); // the third run after a reset, the second and third stalled
  EXPECT_THAT(result.problems, IsEmpty());
  EXPECT_EQ(result.cycles, result.predictedCycles);
  EXPECT_EQ(result.tasks, system.made.graph.predicted);
  ASSERT_TRUE(result.bus);
  EXPECT_EQ(result.bus->runs, 3u);
  EXPECT_EQ(result.bus->mismatches, 0u);
}

TEST(SystemStreams, VerilatorFindsRandomOnesRight) {
  if (!hasVerilator())
    GTEST_SKIP() << "verilator or make is absent, install the packages verilator and make";
  SystemFolder system(randomStreams(12), streamOptions(SystemKind::Centralised),
                      AxiOptions{AxiData::Stream});
  CosimResult result = system.run();
  EXPECT_THAT(result.problems, IsEmpty());
  EXPECT_EQ(result.cycles, result.predictedCycles);
}

/// The same with the packets of all inputs in memory, through one channel and through two.
TEST(SystemStreams, VerilatorFindsThemRightBehindChannels) {
  for (unsigned channels : {1u, 2u}) {
    SystemOptions options =
        streamOptions(channels == 1 ? SystemKind::Dataflow : SystemKind::Centralised);
    AxiOptions bus{AxiData::Memory};
    bus.channels = channels;
    SystemFolder system(kTypes, options, bus);
    BusInterface interface = llvm::cantFail(readBusInterface(system.folder / "axi.json"));
    EXPECT_THAT(interface.streams, IsEmpty());
    EXPECT_EQ(interface.channels.size(), channels);
    for (const char *name : {"arg0", "arg1", "arg2", "arg3", "arg4"})
      EXPECT_TRUE(interface.isInChannel(name) && interface.offsetOf(name)) << name;
    EXPECT_THAT(llvm::cantFail(readFile(system.folder / "driver/kernel_axi.md")),
                HasSubstr("address of 4 x 3 x 5 of i8, row-major, read"));
    if (!hasVerilator())
      GTEST_SKIP() << "verilator or make is absent, install the packages verilator and make";
    CosimResult result = system.run();
    EXPECT_THAT(result.problems, IsEmpty());
    ASSERT_TRUE(result.bus);
    EXPECT_EQ(result.bus->runs, 3u);
    EXPECT_EQ(result.bus->mismatches, 0u);
    EXPECT_EQ(result.bus->memoryLatency, 20u);
  }
}

/// SPINDLE_PROGRAMS says how many.
TEST(SystemStreams, VerilatorFindsRandomOnesRightBehindChannels) {
  if (!hasVerilator())
    GTEST_SKIP() << "verilator or make is absent, install the packages verilator and make";
  const char *wish = std::getenv("SPINDLE_PROGRAMS");
  uint64_t programs = wish ? std::min<uint64_t>(std::strtoull(wish, nullptr, 10), 40) : 1;
  for (uint64_t seed = 13; seed < 13 + programs; ++seed) {
    SystemOptions options =
        streamOptions(seed % 3 == 0 ? SystemKind::Centralised : SystemKind::Dataflow);
    AxiOptions bus{AxiData::Memory};
    bus.channels = 1 + seed % 4;
    bus.burst = 1u << seed % 9;
    std::string text = randomStreams(seed);
    SystemFolder system(text, options, bus);
    CosimResult result = system.run();
    EXPECT_THAT(result.problems, IsEmpty()) << "seed " << seed << "\n" << text;
    EXPECT_TRUE(result.bus && result.bus->runs == 3) << "seed " << seed;
  }
}

/// Three stages of 16 elements each, in opposite orders, and a last one that needs the input again.
std::string chainOf(unsigned inputs) {
  std::string part = "memref<16xi32>", whole = "memref<" + std::to_string(inputs) + "x16xi32>",
              text = "func.func @kernel(%x: " + whole + ", %y: " + whole + ") {\n";
  for (const char *local : {"%a", "%b", "%c"})
    text += std::string(local) + " = memref.alloc() : " + part + "\n";
  text += "affine.for %n = 0 to " + std::to_string(inputs) + " {\n";
  auto stage = [&](const std::string &from, const std::string &to) {
    text += "affine.for %i = 0 to 16 {\n%v = affine.load " + from +
            "\n%w = arith.addi %v, %v : i32\naffine.store %w, " + to + "\n}\n";
  };
  stage("%x[%n, %i] : " + whole, "%a[%i] : " + part);
  stage("%a[15 - %i] : " + part, "%b[%i] : " + part);
  stage("%b[15 - %i] : " + part, "%c[%i] : " + part);
  return text + "affine.for %i = 0 to 16 {\n%v = affine.load %c[15 - %i] : " + part +
         "\n%u = affine.load %x[%n, %i] : " + whole +
         "\n%w = arith.addi %v, %u : i32\naffine.store %w, %y[%n, %i] : " + whole +
         "\n}\n}\nreturn\n}\n";
}

/// Other inputs come in while it waits, so that in the long run an input takes the slowest task.
TEST(SystemStreams, WhatIsNeededLateHasMoreBuffers) {
  constexpr unsigned inputs = 40;
  SystemFolder system(chainOf(inputs), streamOptions(SystemKind::Dataflow));
  std::vector<uint32_t> buffers;
  for (const TaskArray &array : system.made.graph.arrays)
    buffers.push_back(array.buffers);
  EXPECT_THAT(buffers, testing::UnorderedElementsAre(8u, 2u, 2u, 2u, 2u));
  uint64_t slowest = 0, last = 0, beforeLast = 0;
  for (const TaskSpan &span : system.made.times->spans) {
    slowest = std::max(slowest, span.end - span.start);
    beforeLast = span.input + 2 == inputs ? std::max(beforeLast, span.end) : beforeLast;
    last = std::max(last, span.end);
  }
  EXPECT_EQ(last - beforeLast, slowest + 1);
}

} // namespace
