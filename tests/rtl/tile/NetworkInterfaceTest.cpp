// The network interface of tiles beside a reference that knows sets of neurons and lists of
// packets, and nothing of registers: random packets, random circuits behind it, random stalls.
#include "core/support/CounterRandom.h"

#include "Vnetwork_interface_bench.h"
#include "gtest/gtest.h"

#include <deque>
#include <set>
#include <utility>
#include <vector>

namespace spindle::rtl {
namespace {

struct InterfaceSize {
  uint32_t inputs, words, bits, neurons, targets;
};
constexpr InterfaceSize interfaceSizes[] = {
    {1, 1, 1, 1, 1}, {20, 3, 7, 10, 3}, {128, 3, 43, 64, 16}};

using Sent = std::pair<uint32_t, uint32_t>; // neuron, tile

class InterfaceBench {
public:
  InterfaceBench(uint32_t which, uint64_t seed, uint32_t stalls)
      : at(which), size(interfaceSizes[which]), firstInput(100 * which), first(1000 * which),
        random(seed), stallPercent(stalls) {}

  /// All of it for so many steps.
  void run(uint32_t steps) {
    reset();
    fillTable();
    while (stepsDone < steps && !testing::Test::HasFailure())
      cycle();
  }

  bool sawStray() const { return top.stray[at]; }
  void sendStray(uint32_t neuron) {
    top.in_valid[at] = 1;
    top.in_neuron[at] = neuron;
    edge();
    top.in_valid[at] = 0;
    settle();
  }
  void reset() {
    top.rst = 1;
    edge();
    top.rst = 0;
    settle();
  }

  uint64_t packets = 0;

private:
  bool stalls() { return random.below(100) < stallPercent; }

  void fillTable() {
    targets.resize(size.neurons);
    top.table_write[at] = 1;
    for (uint32_t neuron = 0; neuron < size.neurons; ++neuron) {
      uint32_t count = random.below(size.targets + 1);
      for (uint32_t entry = 0; entry < size.targets; ++entry) {
        uint32_t tile = random.below(1 << 16);
        top.table_entry[at] = neuron * size.targets + entry;
        // What is behind the last entry is not looked at.
        top.table_data[at] = entry < count ? (entry + 1 == count) << 17 | 1 << 16 | tile
                             : count == 0  ? 0
                                           : random.below(1 << 18);
        if (entry < count)
          targets[neuron].push_back(tile);
        edge();
      }
    }
    top.table_write[at] = 0;
  }

  void cycle() {
    bool endsStep = !isWorking && random.below(100) < 5;
    bool hasPacket = random.below(100) < 40;
    uint32_t neuron = random.below(size.inputs);
    top.step[at] = endsStep;
    top.in_valid[at] = hasPacket;
    top.in_neuron[at] = hasPacket ? firstInput + neuron : random();
    top.word_ready[at] = !stalls();
    top.out_ready[at] = !stalls();
    bool offers = wordsOut == size.words && !isAnswered && (isOffered || random.below(4) == 0);
    if (offers && !isOffered)
      answer = (uint64_t(random()) << 32 | random()) & (random.below(2) ? ~0ull : random()) &
               (size.neurons == 64 ? ~0ull : (1ull << size.neurons) - 1);
    isOffered = offers;
    top.spikes_valid[at] = offers;
    top.spikes[at] = offers ? answer : uint64_t(random());
    settle();
    observe(endsStep, hasPacket, neuron);
    edge();
    ++now;
  }

  void observe(bool endsStep, bool hasPacket, uint32_t neuron) {
    EXPECT_TRUE(top.in_ready[at]);
    EXPECT_FALSE(top.stray[at]);
    if (top.word_valid[at] && top.word_ready[at])
      expectWord();
    if (top.out_valid[at] && top.out_ready[at]) {
      ASSERT_FALSE(due.empty()) << "a packet that nobody has spiked";
      EXPECT_EQ(Sent(top.out_neuron[at], top.out_tile[at]), due.front());
      due.pop_front();
      ++packets;
    }
    if (top.spike[at]) {
      ASSERT_FALSE(spikes.empty());
      EXPECT_EQ(top.spike_neuron[at], spikes.front());
      spikes.pop_front();
    }
    if (top.done[at]) {
      EXPECT_TRUE(isWorking && isAnswered && due.empty() && spikes.empty());
      if (stallPercent == 0) {
        EXPECT_EQ(now, answeredCycle + 1 + leastCycles);
      }
      isWorking = false;
      ++stepsDone;
    }
    if (top.spikes_valid[at] && top.spikes_ready[at])
      takeAnswer();
    if (endsStep) {
      sending = std::exchange(collected, {});
      isWorking = true;
      isAnswered = false;
      wordsOut = 0;
    }
    if (hasPacket) // with a step: of the next one
      collected.insert(neuron);
  }

  void expectWord() {
    ASSERT_TRUE(isWorking && wordsOut < size.words);
    uint64_t right = 0;
    for (uint32_t input : sending)
      if (input / size.bits == wordsOut)
        right |= 1ull << input % size.bits;
    EXPECT_EQ(top.word[at], right) << "word " << wordsOut << " of step " << stepsDone;
    ++wordsOut;
  }

  void takeAnswer() {
    isAnswered = true;
    isOffered = false;
    answeredCycle = now;
    leastCycles = 0;
    for (uint32_t neuron = 0; neuron < size.neurons; ++neuron) {
      if (!(answer >> neuron & 1))
        continue;
      spikes.push_back(first + neuron);
      for (uint32_t tile : targets[neuron])
        due.emplace_back(first + neuron, tile);
      leastCycles += std::max<size_t>(1, targets[neuron].size());
    }
  }

  void settle() {
    top.clk = 0;
    top.eval();
  }
  void edge() {
    settle();
    top.clk = 1;
    top.eval();
  }

  Vnetwork_interface_bench top;
  uint32_t at;
  InterfaceSize size;
  uint32_t firstInput, first;
  CounterRandom random;
  uint32_t stallPercent;
  std::vector<std::vector<uint32_t>> targets;
  std::set<uint32_t> collected, sending;
  std::deque<Sent> due;
  std::deque<uint32_t> spikes;
  uint64_t answer = 0, now = 0, answeredCycle = 0, leastCycles = 0;
  uint32_t wordsOut = 0, stepsDone = 0;
  bool isWorking = false, isAnswered = true, isOffered = false;
};

TEST(NetworkInterface, MakesWordsOfPacketsAndPacketsOfSpikes) {
  for (uint32_t which = 0; which < std::size(interfaceSizes); ++which)
    for (uint32_t stalls : {0, 30, 80}) {
      InterfaceBench bench(which, 7 + which, stalls);
      bench.run(300);
      EXPECT_GT(bench.packets, 20u) << which;
    }
}

TEST(NetworkInterface, NamesAPacketOfAStrangerUntilTheReset) {
  InterfaceBench bench(1, 1, 0);
  bench.reset();
  bench.sendStray(100); // the first, and the last neuron that drive the layer
  bench.sendStray(119);
  EXPECT_FALSE(bench.sawStray());
  for (uint32_t neuron : {99u, 120u, 0u, ~0u}) {
    bench.sendStray(neuron);
    EXPECT_TRUE(bench.sawStray()) << neuron;
    bench.sendStray(105);
    EXPECT_TRUE(bench.sawStray()) << neuron;
    bench.reset();
    EXPECT_FALSE(bench.sawStray()) << neuron;
  }
}

} // namespace
} // namespace spindle::rtl
