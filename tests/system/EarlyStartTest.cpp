// When kernels access their arrays, and how early another one may begin: against what their
// circuits do, port by port and cycle by cycle.
#include "hw/system/EarlyStart.h"

#include "core/support/CounterRandom.h"
#include "dialects/rtl/simulation/Simulation.h"
#include "hw/program/Golden.h"
#include "hw/program/ProgramFile.h"
#include "hw/system/System.h"
#include "tests/system/RandomSystems.h"
#include "tests/system/SystemRun.h"

#include "gmock/gmock.h"

using namespace spindle;
using namespace spindle::hls;

namespace {

using llvm::APInt;

struct PortAccess {
  int64_t cycle;
  uint32_t argument;
  uint64_t word; // bank after bank
  bool isWrite;
};

/// What the circuit of a kernel does at its ports, from the edge that sees its start to its done,
/// on random words. No models of units.
std::vector<PortAccess> accessesOf(const Synthesis &kernel, uint64_t seed, int64_t input) {
  const KernelInterface &interface = kernel.interface;
  auto simulation = llvm::cantFail(rtl::Simulation::create(*kernel.design, interface.top));
  CounterRandom random(seed, 3);
  std::vector<PortAccess> found;
  auto isHigh = [&](const std::string &port) { return !simulation->get(port).isZero(); };
  simulation->set("rst", APInt(1, 1));
  simulation->set("start", APInt(1, 0));
  simulation->step();
  simulation->set("rst", APInt(1, 0));
  simulation->set("start", APInt(1, 1));
  for (const KernelArgument &argument : interface.arguments)
    if (!argument.isMemory())
      simulation->set("arg" + std::to_string(argument.index),
                      APInt(argument.type.bits == 64 ? 32 : argument.type.bits, uint64_t(input)));
  for (int64_t cycle = 0; cycle == 0 || !isHigh("done"); ++cycle) {
    EXPECT_LT(cycle, 100000);
    for (const KernelArgument &argument : interface.arguments)
      for (uint32_t bank = 0; argument.isMemory() && bank < argument.banks(); ++bank)
        for (uint32_t port = 0; port < argument.ports; ++port) {
          std::string name = portName(argument.index, bank, port);
          if (isHigh(name + "_en"))
            found.push_back(
                {cycle, argument.index,
                 bank * argument.bankWords() + simulation->get(name + "_addr").getZExtValue(),
                 isHigh(name + "_we")});
        }
    simulation->step();
    simulation->set("start", APInt(1, 0));
    for (const KernelArgument &argument : interface.arguments)
      for (uint32_t bank = 0; argument.isMemory() && bank < argument.banks(); ++bank)
        for (uint32_t port = 0; port < argument.ports; ++port)
          simulation->set(portName(argument.index, bank, port) + "_rdata",
                          APInt(argument.type.bits, random() & argument.type.mask()));
  }
  // The last writes take place at the edge of done.
  for (const KernelArgument &argument : interface.arguments)
    for (uint32_t bank = 0; argument.isMemory() && bank < argument.banks(); ++bank)
      for (uint32_t port = 0; port < argument.ports; ++port) {
        std::string name = portName(argument.index, bank, port);
        if (isHigh(name + "_en"))
          found.push_back(
              {int64_t(*interface.predictedCycles), argument.index,
               bank * argument.bankWords() + simulation->get(name + "_addr").getZExtValue(),
               isHigh(name + "_we")});
      }
  return found;
}

/// Kernels of random programs, each with what its circuit does.
struct TracedKernels {
  explicit TracedKernels(uint64_t seed) : text(randomSystem(seed, seed % 2)) {
    SystemOptions options;
    options.hasInputs = seed % 2;
    options.kernels.top = "kernel";
    options.kernels.loops.unroll = {seed % 5 == 4 ? 2u : 1u};
    auto program = llvm::cantFail(parseProgram(*context, text, "kernel.mlir"));
    made = llvm::cantFail(
        synthesizeSystem(*program, llvm::cantFail(readTarget(kDefaultTarget)), options));
    for (const Synthesis &kernel : made.kernels)
      traces.push_back(accessesOf(kernel, seed, input));
  }

  /// Arguments that are no arrays are the number of the input, or a number to compute with.
  std::optional<AccessTimes> timesOf(size_t kernel) const {
    std::map<uint32_t, int64_t> scalars;
    for (const KernelArgument &argument : made.kernels[kernel].interface.arguments)
      if (!argument.isMemory())
        scalars[argument.index] = input;
    return accessTimes(made.kernels[kernel].kernel, scalars, 1000000);
  }

  static constexpr int64_t input = 3;
  std::string text;
  std::unique_ptr<mlir::MLIRContext> context = makeSystemContext();
  SystemSynthesis made;
  std::vector<std::vector<PortAccess>> traces; // by kernel
};

TEST(AccessTimes, AreThoseOfTheCircuit) {
  size_t compared = 0;
  for (uint64_t seed = 1; seed <= 12; ++seed) {
    TracedKernels kernels(seed);
    for (size_t n = 0; n < kernels.traces.size(); ++n) {
      std::optional<AccessTimes> times = kernels.timesOf(n);
      ASSERT_TRUE(times) << kernels.text;
      EXPECT_EQ(times->cycles, kernels.made.kernels[n].interface.predictedCycles);
      std::map<uint32_t, std::vector<WordTimes>> seen;
      for (auto &[argument, words] : times->words)
        seen[argument].resize(words.size());
      for (const PortAccess &access : kernels.traces[n]) {
        ASSERT_LT(access.word, seen[access.argument].size());
        seen[access.argument][access.word].add(access.cycle, access.isWrite);
        ++compared;
      }
      EXPECT_EQ(seen, times->words)
          << "seed " << seed << ", kernel " << kernels.made.kernels[n].interface.top << "\n"
          << kernels.text;
    }
  }
  EXPECT_GT(compared, 3000u);
}

/// Whether any access of the second kernel, begun `delay` cycles later, comes in the cycle of one
/// that it must not overtake, or before it.
bool overtakes(const std::vector<PortAccess> &first, const std::vector<PortAccess> &second,
               uint32_t firstArgument, uint32_t secondArgument, int64_t delay) {
  for (const PortAccess &a : first)
    for (const PortAccess &b : second)
      if (a.argument == firstArgument && b.argument == secondArgument && a.word == b.word &&
          (a.isWrite || b.isWrite) && b.cycle + delay <= a.cycle)
        return true;
  return false;
}

TEST(EarlyStart, TheLeastDelayIsThatOfEveryPairOfAccesses) {
  size_t early = 0, late = 0;
  for (uint64_t seed = 1; seed <= 8; ++seed) {
    TracedKernels kernels(seed);
    for (size_t a = 0; a < kernels.traces.size(); ++a)
      for (size_t b = 0; b < kernels.traces.size(); ++b) {
        AccessTimes first = *kernels.timesOf(a), second = *kernels.timesOf(b);
        for (const auto &[mine, words] : first.words)
          for (const auto &[other, otherWords] : second.words) {
            if (words.size() != otherWords.size())
              continue;
            int64_t least = 1;
            while (overtakes(kernels.traces[a], kernels.traces[b], mine, other, least))
              ++least;
            EXPECT_EQ(leastDelay(first, second, {{mine, other}}), least) << seed;
            (least <= int64_t(first.cycles) / 2 ? early : late) += 1;
          }
      }
  }
  EXPECT_GT(early, 50u);
  EXPECT_GT(late, 50u);
}

/// A kernel that writes row after row, and one that sums up the rows: it begins in time to come to
/// the last one when that is there.
TEST(EarlyStart, WhatIsDataCountsForEveryWord) {
  const char *text = R"mlir(
func.func @kernel(%x: memref<16xi32>, %at: memref<16xi32>, %y: memref<16xi32>) {
  %t = memref.alloc() : memref<16xi32>
  %zero = arith.constant 0 : i32
  affine.for %i = 0 to 16 {
    %a = affine.load %x[%i] : memref<16xi32>
    affine.store %a, %t[%i] : memref<16xi32>
  }
  affine.for %i = 0 to 16 {
    %n = affine.load %at[%i] : memref<16xi32>
    %k = arith.index_cast %n : i32 to index
    %a = memref.load %t[%k] : memref<16xi32>
    affine.store %a, %y[%i] : memref<16xi32>
  }
  affine.for %i = 0 to 16 {
    %a = affine.load %y[%i] : memref<16xi32>
    affine.store %a, %x[%i] : memref<16xi32>
  }
  return
})mlir";
  auto context = makeSystemContext();
  auto program = llvm::cantFail(parseProgram(*context, text, "kernel.mlir"));
  SystemOptions options;
  options.kind = SystemKind::Dataflow;
  options.share = "none";
  options.kernels.loops.unroll = {1};
  SystemSynthesis made = llvm::cantFail(
      synthesizeSystem(*program, llvm::cantFail(readTarget(kDefaultTarget)), options));
  ASSERT_EQ(made.graph.tasks.size(), 3u);
  std::optional<uint64_t> gather, copy;
  for (const TaskOrder &order : made.graph.order) {
    if (order.from == 0 && order.to == 1)
      gather = order.delay;
    if (order.from == 1 && order.to == 2)
      copy = order.delay;
  }
  // The first word that is gathered may be the last one stored, in cycle 17 of the first kernel; it
  // is asked for in cycle 2 of the second one.
  AccessTimes first = *accessTimes(made.kernels[made.kernelOf[0]].kernel, {}, 1000000),
              second = *accessTimes(made.kernels[made.kernelOf[1]].kernel, {}, 1000000);
  int64_t stored = 0, asked = INT64_MAX;
  for (const WordTimes &word : first.words.at(1))
    stored = std::max(stored, word.lastWrite);
  for (const WordTimes &word : second.words.at(1))
    asked = std::min(asked, word.firstRead);
  EXPECT_EQ(gather, uint64_t(stored - asked + 1));
  for (const WordTimes &word : second.words.at(1))
    EXPECT_EQ(word.firstRead, asked);
  // What comes in the order in which it is made is copied almost at once.
  ASSERT_TRUE(copy);
  EXPECT_LT(*copy, 8u);
}

/// A loop that data end: those beside it begin early, those behind it wait for its end.
TEST(EarlyStart, KernelsWhoseCyclesAreDataAreWaitedFor) {
  const char *text = R"mlir(
func.func @kernel(%x: memref<8xi32>, %steps: memref<8xi32>, %y: memref<8xi32>, %z: memref<8xi32>) {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %mask = arith.constant 63 : i32
  %t = memref.alloc() : memref<8xi32>
  affine.for %i = 0 to 8 {
    %v = affine.load %x[%i] : memref<8xi32>
    %m = arith.andi %v, %mask : i32
    affine.store %m, %t[%i] : memref<8xi32>
  }
  affine.for %i = 0 to 8 {
    %v = affine.load %t[%i] : memref<8xi32>
    %r:2 = scf.while (%a = %v, %n = %c0) : (i32, i32) -> (i32, i32) {
      %go = arith.cmpi sgt, %a, %c1 : i32
      scf.condition(%go) %a, %n : i32, i32
    } do {
    ^bb0(%a: i32, %n: i32):
      %h = arith.shrui %a, %c1 : i32
      %k = arith.addi %n, %c1 : i32
      scf.yield %h, %k : i32, i32
    }
    affine.store %r#1, %steps[%i] : memref<8xi32>
  }
  affine.for %i = 0 to 8 {
    %v = affine.load %steps[%i] : memref<8xi32>
    %w = arith.addi %v, %v : i32
    affine.store %w, %y[%i] : memref<8xi32>
  }
  affine.for %i = 0 to 8 {
    %v = affine.load %t[%i] : memref<8xi32>
    %w = arith.addi %v, %v : i32
    affine.store %w, %z[%i] : memref<8xi32>
  }
  return
})mlir";
  auto context = makeSystemContext();
  auto program = llvm::cantFail(parseProgram(*context, text, "kernel.mlir"));
  SystemOptions options;
  options.kind = SystemKind::Dataflow;
  options.kernels.loops.unroll = {1};
  SystemSynthesis made = llvm::cantFail(
      synthesizeSystem(*program, llvm::cantFail(readTarget(kDefaultTarget)), options));
  EXPECT_FALSE(made.times);
  EXPECT_TRUE(made.graph.predicted.empty());
  std::map<std::pair<uint32_t, uint32_t>, bool> isEarly;
  for (const TaskOrder &order : made.graph.order)
    isEarly[{order.from, order.to}] = order.delay.has_value();
  EXPECT_EQ(isEarly, (std::map<std::pair<uint32_t, uint32_t>, bool>{
                         {{0, 1}, false}, {{1, 2}, false}, {{0, 3}, true}}));
  Golden golden = llvm::cantFail(Golden::compile(*program, "kernel", GoldenCode::Plain));
  std::vector<KernelArray> inputs;
  CounterRandom random(1);
  for (const GoldenType &type : golden.arguments()) {
    inputs.push_back(makeArray(type.type, type.shape));
    for (size_t n = 0; n < inputs.back().count(); ++n)
      inputs.back().set(n, random() & type.type.mask());
  }
  SystemRun run = llvm::cantFail(runSystem(*made.design, made.interface, inputs, 40, 10000));
  EXPECT_EQ(run.arguments, llvm::cantFail(golden.run(inputs)).arguments);
}

TEST(EarlyStart, ThereAreLimits) {
  TracedKernels kernels(2);
  EXPECT_FALSE(accessTimes(kernels.made.kernels[0].kernel, {}, 3));
}

} // namespace
