// The bench of the buses around a kernel in C++: right runs, and every rule broken once.
#include "hw/cosim/harness/axi/BusBench.h"

#include "gmock/gmock.h"

using namespace spindle::hls;
using testing::ElementsAre;
using testing::HasSubstr;

namespace {

enum class Fault {
  None,
  ErrorResponse,   // of every register
  NoAnswer,        // to reads
  EarlyAnswer,     // to writes: before anything was taken
  Interrupt,       // although it is off
  Status,          // idle in mid-run
  Pending,         // interrupts are never cleared
  NeverDone,       // the last element is kept
  KeepsAfterReset, // the elements that came in before
};

/// Adds arg1 to each of four elements; result0 is their sum.
class Adder {
public:
  explicit Adder(Fault wanted) : fault(wanted) {
    pins.clock = pinOf(clk);
    pins.reset = pinOf(rst);
    pins.interrupt = pinOf(irq);
    pins.lite = {pinOf(awvalid), pinOf(awready), pinOf(awaddr), pinOf(wvalid), pinOf(wready),
                 pinOf(wdata),   pinOf(wstrb),   pinOf(bvalid), pinOf(bready), pinOf(bresp),
                 pinOf(arvalid), pinOf(arready), pinOf(araddr), pinOf(rvalid), pinOf(rready),
                 pinOf(rdata),   pinOf(rresp)};
    pins.scalars = {{16, 0xffff}};
    pins.results = {{24, 0xffff}};
    ArrayPins array;
    array.name = "arg0";
    array.elements = 4;
    array.bytes = 2;
    array.mask = 0xffff;
    array.in = {pinOf(inValid), pinOf(inReady), pinOf(inData), {}};
    array.out = {pinOf(outValid), pinOf(outReady), pinOf(outData), pinOf(outLast)};
    pins.arrays = {array};
    pins.evaluate = [this] {
      if (clk && !wasHigh)
        edge();
      wasHigh = clk;
      settle();
    };
  }

  BusPins pins;

private:
  void settle() {
    awready = wready = awvalid && wvalid && !bvalid;
    if (fault == Fault::EarlyAnswer)
      bvalid = 1;
    arready = !rvalid && fault != Fault::NoAnswer;
    irq = isPending && (isEnabled || fault == Fault::Interrupt);
    bresp = rresp = fault == Fault::ErrorResponse ? 2 : 0;
    inReady = isBusy && taken < 4;
    outValid = isBusy && taken >= 4 && sent < (fault == Fault::NeverDone ? 3 : 4);
    outData = sent < 4 ? uint16_t(elements[sent] + scalar) : 0;
    outLast = sent == 3;
  }

  void edge() {
    if (rst) {
      isBusy = isDone = isEnabled = isPending = false;
      bvalid = rvalid = 0;
      sent = 0;
      taken = fault == Fault::KeepsAfterReset ? taken : 0;
      return;
    }
    bool moved = inValid && inReady;
    bool left = outValid && outReady;
    if (awready)
      write();
    else if (bready)
      bvalid = 0;
    if (arvalid && arready)
      read();
    else if (rready)
      rvalid = 0;
    if (moved)
      elements[taken++] = inData;
    if (left && ++sent == 4) {
      isBusy = false;
      isDone = isPending = true;
    }
  }

  void write() {
    bvalid = 1;
    if (awaddr == 0 && wdata == 1 && !isBusy) {
      isBusy = true;
      sent = 0;
      taken = fault == Fault::KeepsAfterReset && taken < 4 ? taken : 0;
    } else if (awaddr == 4)
      isEnabled = wdata & 1;
    else if (awaddr == 8 && fault != Fault::Pending)
      isPending = false;
    else if (awaddr == 16)
      scalar = uint16_t(wdata);
  }

  void read() {
    rvalid = 1;
    rdata = 0;
    if (araddr == 0) {
      rdata = isDone * 2 + (!isBusy || fault == Fault::Status) * 4;
      isDone = false;
    } else if (araddr == 8)
      rdata = isPending;
    else if (araddr == 24)
      for (uint16_t element : elements)
        rdata = uint16_t(rdata + element + scalar);
  }

  Fault fault;
  uint8_t clk = 0, rst = 0, irq = 0, awvalid = 0, awready = 0, awaddr = 0, wvalid = 0, wready = 0,
          wstrb = 0, bvalid = 0, bready = 0, bresp = 0, arvalid = 0, arready = 0, araddr = 0,
          rvalid = 0, rready = 0, rresp = 0, inValid = 0, inReady = 0, outValid = 0, outReady = 0,
          outLast = 0;
  uint16_t inData = 0, outData = 0, scalar = 0, elements[4] = {};
  uint32_t wdata = 0, rdata = 0;
  bool wasHigh = false, isBusy = false, isDone = false, isEnabled = false, isPending = false;
  unsigned taken = 0, sent = 0;
};

/// No stalls, half, a run that is broken off, seven eighths.
Stimulus runs() {
  Stimulus stimulus;
  stimulus.mostCycles = 500;
  for (uint64_t run = 0; run < 4; ++run) {
    BenchRun each;
    each.stallPercent = run == 0 ? 0 : run == 3 ? 87 : 50;
    each.resetPercent = run == 2 ? 40 : 0;
    each.gap = run;
    each.scalars = {100 * run};
    each.memories = {{run, run + 1, run + 2, run + 3}};
    stimulus.runs.push_back(each);
  }
  return stimulus;
}

TEST(BusBench, RunsAKernel) {
  for (uint64_t seed = 1; seed <= 20; ++seed) {
    Adder adder(Fault::None);
    Stimulus stimulus = runs();
    stimulus.seed = seed;
    Response response = runBench(adder.pins, stimulus);
    ASSERT_TRUE(response.violations.empty()) << response.violations[0].text;
    ASSERT_EQ(response.outcomes.size(), 4u);
    EXPECT_EQ(response.outcomes[0].cycles, 8u); // four elements in, four out
    for (uint64_t run : {0u, 1u, 3u}) {
      uint64_t first = 101 * run;
      EXPECT_EQ(response.outcomes[run].isFinished, 1u);
      EXPECT_THAT(response.outcomes[run].memories,
                  ElementsAre(ElementsAre(first, first + 1, first + 2, first + 3)));
      EXPECT_THAT(response.outcomes[run].results, ElementsAre(4 * first + 6));
    }
  }
}

TEST(BusBench, FindsBrokenRules) {
  for (auto [fault, run, text] :
       {std::tuple(Fault::ErrorResponse, 0u, "answers a register with an error"),
        {Fault::NoAnswer, 0u, "does not answer on AXI4-Lite"},
        {Fault::EarlyAnswer, 0u, "answers a write before it has taken address and data"},
        {Fault::Interrupt, 1u, "raises an interrupt that was not asked for"},
        {Fault::Status, 1u, "has the status 4 while a run is under way"},
        {Fault::Pending, 0u,
         "register 8 reads 1 as pending interrupts after they were cleared, expected 0"},
        {Fault::NeverDone, 0u,
         "is not done after 500 cycles; arg0: 4 of 4 elements went in, 3 came out"}}) {
    Adder adder(fault);
    Response response = runBench(adder.pins, runs());
    ASSERT_EQ(response.violations.size(), 1u) << text;
    EXPECT_EQ(response.violations[0].text, text);
    EXPECT_EQ(response.violations[0].run, run);
  }
}

/// Elements of the run that was broken off are there still: too few are taken afterwards.
TEST(BusBench, FindsWhatAResetLeaves) {
  bool isFound = false;
  for (uint64_t seed = 1; seed <= 20 && !isFound; ++seed) {
    Adder adder(Fault::KeepsAfterReset);
    Stimulus stimulus = runs();
    stimulus.seed = seed;
    Response response = runBench(adder.pins, stimulus);
    isFound = !response.violations.empty() && response.violations[0].run == 3;
    if (isFound) {
      EXPECT_THAT(response.violations[0].text, HasSubstr("is done too early; arg0: "));
    }
  }
  EXPECT_TRUE(isFound);
}

} // namespace
