// The other ends of an array's bus, driven by hand: right transfers, and every broken rule.
#include "hw/cosim/harness/axi/ArrayModel.h"

#include "gmock/gmock.h"

using namespace spindle::hls;
using testing::ElementsAre;

namespace {

class Model : public testing::Test {
protected:
  /// A cycle in which the kernel's pins are as the test has set them.
  void cycle() {
    model->drive();
    model->see(now++, [this](const std::string &text) { problems.push_back(text); });
  }
  void finish() {
    model->finish([this](const std::string &text) { problems.push_back(text); });
  }

  Chance chance;
  ArrayPins pins;
  std::unique_ptr<ArrayModel> model;
  std::vector<std::string> problems;
  uint64_t now = 0;
};

class Streams : public Model {
protected:
  Streams() {
    pins.name = "arg0";
    pins.elements = 3;
    pins.bytes = 2;
    pins.mask = 0xffff;
    pins.in = {pinOf(inValid), pinOf(inReady), pinOf(inData), {}};
    pins.out = {pinOf(outValid), pinOf(outReady), pinOf(outData), pinOf(outLast)};
    model = makeStreams(pins, chance);
    model->reset();
    model->load({7, 8, 9});
  }
  void send(uint16_t data, bool isLast) {
    outValid = 1;
    outData = data;
    outLast = isLast;
    cycle();
    outValid = 0;
  }

  uint8_t inValid = 0, inReady = 0, outValid = 0, outReady = 0, outLast = 0;
  uint16_t inData = 0, outData = 0;
};

TEST_F(Streams, CarryElementsBothWays) {
  std::vector<uint16_t> seen;
  for (int i = 0; i < 5; ++i) {
    inReady = i != 1; // the element waits
    cycle();
    if (inValid && inReady)
      seen.push_back(inData);
  }
  EXPECT_THAT(seen, ElementsAre(7, 8, 9));
  EXPECT_EQ(inValid, 0);
  send(17, false);
  send(18, false);
  send(19, true);
  finish();
  EXPECT_THAT(problems, testing::IsEmpty());
  EXPECT_THAT(model->contents(), ElementsAre(17, 18, 19));
  EXPECT_THAT(model->lastWrites(), ElementsAre(5, 6, 7));
}

TEST_F(Streams, FindWhatIsMissingOrTooMuch) {
  send(17, true);
  finish();
  send(18, false);
  send(19, true);
  send(20, false);
  EXPECT_THAT(problems, ElementsAre("arg0_out has tlast 1 at element 0 of 3",
                                    "is done too early; arg0: 0 of 3 elements went in, 1 came out",
                                    "arg0_out sends more than 3 elements"));
}

TEST_F(Streams, HoldTheKernelToItsWord) {
  chance.stallPercent = 100;
  send(17, false);
  cycle();
  send(17, false);
  outValid = 1;
  outData = 18;
  cycle();
  EXPECT_THAT(problems, ElementsAre("arg0_out takes back valid before it was ready",
                                    "arg0_out changes its payload before it was ready"));
}

class Memory : public Model {
protected:
  Memory() {
    pins.name = "arg1";
    pins.elements = 4;
    pins.bytes = 2;
    pins.mask = 0xffff;
    pins.read = {pinOf(arvalid), pinOf(arready), pinOf(araddr), pinOf(arlen),
                 pinOf(arsize),  pinOf(arburst), pinOf(rvalid), pinOf(rready),
                 pinOf(rdata),   pinOf(rresp),   pinOf(rlast)};
    pins.write = {pinOf(awvalid), pinOf(awready), pinOf(awaddr), pinOf(awlen), pinOf(awsize),
                  pinOf(awburst), pinOf(wvalid),  pinOf(wready), pinOf(wdata), pinOf(wstrb),
                  pinOf(wlast),   pinOf(bvalid),  pinOf(bready), pinOf(bresp)};
    model = makeMemory(pins, 5, chance);
    model->reset();
    model->load({0x1211, 0x1413, 0x1615, 0x1817});
  }
  /// Element `first` and `beats - 1` behind it.
  void askToWrite(uint64_t first, unsigned beats) {
    awvalid = 1;
    awaddr = model->address() + 2 * first;
    awlen = uint8_t(beats - 1);
    cycle();
    awvalid = 0;
  }
  void askToRead(uint64_t first, unsigned beats) {
    arvalid = 1;
    araddr = model->address() + 2 * first;
    arlen = uint8_t(beats - 1);
    cycle();
    arvalid = 0;
  }
  /// The lanes of an element's address.
  unsigned laneOf(uint64_t element) const { return (model->address() + 2 * element) % 4; }
  void put(uint64_t element, uint16_t data, bool isLast) {
    wvalid = 1;
    wdata = uint32_t(data) << 8 * laneOf(element);
    wstrb = uint8_t(3 << laneOf(element));
    wlast = isLast;
    cycle();
    wvalid = 0;
  }

  uint8_t arvalid = 0, arready = 0, arlen = 0, arsize = 1, arburst = 1, rvalid = 0, rready = 0,
          rresp = 0, rlast = 0, awvalid = 0, awready = 0, awlen = 0, awsize = 1, awburst = 1,
          wvalid = 0, wready = 0, wstrb = 0, wlast = 0, bvalid = 0, bready = 0, bresp = 0;
  uint64_t araddr = 0, awaddr = 0;
  uint32_t rdata = 0, wdata = 0;
};

TEST_F(Memory, ReadsBursts) {
  askToRead(1, 3);
  rready = 1;
  std::vector<uint16_t> seen;
  for (uint64_t i = 1; i < 4; ++i) {
    cycle();
    ASSERT_TRUE(rvalid);
    EXPECT_EQ(rlast, i == 3);
    seen.push_back(uint16_t(rdata >> 8 * laneOf(i)));
  }
  cycle();
  EXPECT_FALSE(rvalid);
  EXPECT_THAT(seen, ElementsAre(0x1413, 0x1615, 0x1817));
  EXPECT_THAT(problems, testing::IsEmpty());
}

TEST_F(Memory, WritesBurstsAndAnswersOnce) {
  askToWrite(1, 2);
  put(1, 0xaaaa, false);
  finish();
  EXPECT_THAT(problems, ElementsAre("is done with bursts under way; arg1: 0 elements read, 1 "
                                    "written of 4"));
  problems.clear();
  put(2, 0xbbbb, true);
  bready = 1;
  cycle();
  EXPECT_TRUE(bvalid);
  cycle();
  EXPECT_FALSE(bvalid);
  finish();
  EXPECT_THAT(problems, testing::IsEmpty());
  EXPECT_THAT(model->contents(), ElementsAre(0x1211, 0xaaaa, 0xbbbb, 0x1817));
  EXPECT_THAT(model->lastWrites(), ElementsAre(kNever, 1, 2, kNever));
}

TEST_F(Memory, RefusesWrongBursts) {
  askToRead(3, 2);
  askToWrite(4, 1);
  arsize = 2;
  askToRead(0, 1);
  arsize = 1;
  arburst = 0;
  askToRead(0, 1);
  EXPECT_THAT(problems,
              ElementsAre("arg1_ar: a burst of 2 beats at offset 6 leaves the array",
                          "arg1_aw: a burst of 1 beats at offset 8 leaves the array",
                          "arg1_ar: a burst of 1 beats at offset 0 has beats of another size",
                          "arg1_ar: a burst of 1 beats at offset 0 is not incrementing"));
}

TEST_F(Memory, NoBurstCrossesFourKilobytes) {
  Words elements(200, 1);
  pins.elements = 200;
  for (int load = 0; load < 20; ++load) {
    model->load(elements);
    uint64_t before = (4096 - model->address() % 4096) / 2; // elements to the border
    if (before == 2048 || before >= 199)
      continue;
    problems.clear();
    askToRead(before - 1, 2);
    EXPECT_THAT(problems, ElementsAre(testing::EndsWith("crosses 4 KiB")));
    return;
  }
  FAIL() << "no array came near the border";
}

TEST_F(Memory, FindsWrongBeats) {
  askToWrite(0, 2);
  put(0, 1, true);
  wstrb = 0;
  wvalid = 1;
  wlast = 1;
  cycle();
  ASSERT_EQ(problems.size(), 2u);
  EXPECT_EQ(problems[0], "arg1_w has wlast 1, 2 beats before the end of its burst");
  EXPECT_EQ(problems[1], "arg1_w has the strobes 0, expected " + std::to_string(3 << laneOf(1)));
}

} // namespace
