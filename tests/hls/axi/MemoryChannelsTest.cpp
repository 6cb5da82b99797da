// Which argument goes through which channel, against all divisions of a few.
#include "hw/hls/axi/MemoryChannels.h"

#include "core/support/CounterRandom.h"

#include "gmock/gmock.h"

#include <algorithm>
#include <map>

namespace spindle::hls {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;

/// Arrays that are read, arrays that are written as well, streams of a program's arrays.
KernelInterface randomKernel(CounterRandom &random) {
  KernelInterface kernel;
  kernel.top = "kernel";
  for (uint32_t index = 0; index < 1 + random.below(6); ++index) {
    KernelArgument argument;
    argument.index = index;
    argument.kind =
        random.below(3) == 0 ? KernelArgument::Kind::Stream : KernelArgument::Kind::Memory;
    argument.type = {ElementType::Kind::Integer, 8u << random.below(4)};
    argument.shape = {int64_t(1 + random.below(100))};
    argument.isWritten = random.below(2);
    argument.isRead = !argument.isStream() || !argument.isWritten;
    kernel.arguments.push_back(argument);
  }
  return kernel;
}

struct Bytes {
  uint64_t read = 0, written = 0;
  uint64_t most() const { return std::max(read, written); }
};

void add(Bytes &bytes, const KernelArgument &argument) {
  uint64_t all = argument.elements() * argument.type.bytes();
  bytes.read += argument.isMemory() || argument.isRead ? all : 0;
  bytes.written += argument.isWritten ? all : 0;
}

/// The fewest bytes that the busiest channel moves.
uint64_t leastOf(const KernelInterface &kernel, size_t channels) {
  uint64_t least = UINT64_MAX, divisions = 1;
  for (size_t n = 0; n < kernel.arguments.size(); ++n)
    divisions *= channels;
  for (uint64_t division = 0; division < divisions; ++division) {
    std::vector<Bytes> loads(channels);
    uint64_t rest = division, most = 0;
    for (const KernelArgument &argument : kernel.arguments) {
      add(loads[rest % channels], argument);
      rest /= channels;
    }
    for (const Bytes &load : loads)
      most = std::max(most, load.most());
    least = std::min(least, most);
  }
  return least;
}

TEST(MemoryChannels, DivideArgumentsAmongThem) {
  CounterRandom random(3);
  uint64_t all = 0, leastOfAll = 0;
  for (int round = 0; round < 300; ++round) {
    KernelInterface kernel = randomKernel(random);
    AxiOptions options{AxiData::Memory};
    options.channels = 1 + random.below(4);
    std::vector<AxiChannel> channels = axiChannels(kernel, options);
    ASSERT_EQ(channels.size(), std::min<size_t>(options.channels, kernel.arguments.size()));
    std::vector<Bytes> loads(channels.size());
    for (const KernelArgument &argument : kernel.arguments) {
      std::string name = "arg" + std::to_string(argument.index);
      size_t readers = 0, writers = 0;
      for (size_t k = 0; k < channels.size(); ++k) {
        size_t reads = llvm::count(channels[k].reads, name);
        size_t writes = llvm::count(channels[k].writes, name);
        if (reads + writes > 0)
          add(loads[k], argument);
        readers += reads;
        writers += writes;
      }
      EXPECT_EQ(readers, argument.isMemory() || argument.isRead);
      EXPECT_EQ(writers, argument.isWritten);
    }
    uint64_t most = 0, least = leastOf(kernel, channels.size());
    for (const Bytes &load : loads)
      most = std::max(most, load.most());
    EXPECT_LE(most, 2 * least);
    all += most;
    leastOfAll += least;
  }
  EXPECT_LE(double(all), 1.05 * double(leastOfAll)); // in the mean
}

TEST(MemoryChannels, TakeStreamsWhoseTokensAreKnown) {
  KernelInterface kernel;
  kernel.top = "kernel";
  for (uint32_t index = 0; index < 3; ++index) {
    KernelArgument argument;
    argument.index = index;
    argument.kind = index == 0 ? KernelArgument::Kind::Scalar : KernelArgument::Kind::Stream;
    argument.type = {ElementType::Kind::Integer, 16};
    argument.isWritten = index == 2;
    argument.isRead = index == 1;
    kernel.arguments.push_back(argument);
  }
  AxiOptions options{AxiData::Memory};
  options.channels = 2;
  EXPECT_THAT(axiChannels(kernel, options), IsEmpty());
  EXPECT_EQ(axiStreams(kernel, options).size(), 2u);
  options.packets = {{1, {24, 16}}};
  options.packetCount = 0;
  EXPECT_THAT(axiChannels(kernel, options), ElementsAre(AxiChannel{"mem0", 64, {"arg1"}, {}}));
  EXPECT_THAT(axiStreams(kernel, options), ElementsAre(AxiStream{"arg2", 2, 0, 2}));
  EXPECT_THAT(axiRegisters(kernel, options),
              ElementsAre(AxiRegister{"arg0", 16}, AxiRegister{"arg1", 24}));
  EXPECT_THAT(
      axiModules(kernel, options),
      ElementsAre("spindle_axi_lite_control", "spindle_memory_reader", "spindle_read_channel"));
}

} // namespace
} // namespace spindle::hls
