// The other end of an AXI4-Stream, driven by hand: right packets, and every broken rule.
#include "hw/cosim/harness/axi/BeatEnd.h"

#include "gmock/gmock.h"

using namespace spindle::hls;
using testing::ElementsAre;
using testing::IsEmpty;

namespace {

class Beats : public testing::Test {
protected:
  /// Packets of two beats, of the last one one byte.
  explicit Beats(bool isInput = true) {
    pins = {"arg2",       isInput,      0x7ff,       2,           2,          1,
            pinOf(valid), pinOf(ready), pinOf(data), pinOf(keep), pinOf(last)};
  }
  void cycle(BeatEnd &end) {
    end.drive();
    end.see(now++, [this](const std::string &text) { problems.push_back(text); });
  }
  void send(BeatEnd &end, uint16_t word, unsigned bytes, bool isLast) {
    valid = 1;
    data = word;
    keep = uint8_t(bytes);
    last = isLast;
    cycle(end);
    valid = 0;
  }
  void finish(BeatEnd &end) {
    end.finish([this](const std::string &text) { problems.push_back(text); });
  }

  Chance chance;
  BeatPins pins;
  std::vector<std::string> problems;
  uint8_t valid = 0, ready = 0, keep = 0, last = 0;
  uint16_t data = 0;
  uint64_t now = 0;
};

class BeatsOut : public Beats {
protected:
  BeatsOut() : Beats(false) {}
};

TEST_F(Beats, GoInWithTheirEndsMarked) {
  BeatEnd end(pins, chance);
  end.load({0x3ff, 0x12, 0x401, 0x34});
  std::vector<uint64_t> seen, lasts, keeps;
  for (int i = 0; i < 6; ++i) {
    ready = i != 1; // the beat waits
    cycle(end);
    if (!valid || !ready)
      continue;
    seen.push_back(data & (keep & 2 ? 0xffff : 0xff)); // above it there is garbage
    lasts.push_back(last);
    keeps.push_back(keep);
  }
  EXPECT_THAT(seen, ElementsAre(0x3ff, 0x12, 0x401, 0x34));
  EXPECT_THAT(lasts, ElementsAre(0, 1, 0, 1));
  EXPECT_THAT(keeps, ElementsAre(3, 1, 3, 1));
  EXPECT_THAT(end.moments(), ElementsAre(0, 2, 3, 4));
  EXPECT_EQ(end.left(), 0u);
  finish(end);
  EXPECT_THAT(problems, IsEmpty());
  end.load({1, 2});
  EXPECT_EQ(end.left(), 2u);
  EXPECT_EQ(end.progress(), "arg2: 0 tokens of 2 went in");
}

TEST_F(BeatsOut, ComeOutInPackets) {
  BeatEnd end(pins, chance);
  send(end, 0x3ff, 3, false);
  send(end, 0x12, 1, true);
  finish(end);
  EXPECT_THAT(problems, IsEmpty());
  EXPECT_THAT(end.moved(), ElementsAre(0x3ff, 0x12));
  EXPECT_THAT(end.moments(), ElementsAre(0, 1));
  EXPECT_EQ(end.left(), 0u);
}

TEST_F(BeatsOut, AreHeldToTheirPackets) {
  BeatEnd end(pins, chance);
  send(end, 0x3ff, 3, true);
  send(end, 0x12, 3, true);
  send(end, 0xfff, 3, false);
  valid = 1;
  finish(end);
  EXPECT_THAT(problems, ElementsAre("arg2_out, beat 0: tlast is 1 in packets of 2 beats",
                                    "arg2_out, beat 1: tkeep is 3, expected 1",
                                    "arg2_out, beat 2: tdata has bits above those of a token",
                                    "arg2_out has a token left when the run is done",
                                    "is done within a packet; arg2: 3 tokens came out"));
  problems.clear();
  chance.stallPercent = 100;
  send(end, 1, 3, false);
  cycle(end);
  EXPECT_THAT(problems, ElementsAre("arg2_out takes back valid before it was ready"));
}

} // namespace
