// The memory behind a channel, driven by hand: its cycles, and every broken rule.
#include "hw/cosim/harness/axi/ChannelModel.h"

#include "gmock/gmock.h"

using namespace spindle::hls;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;

namespace {

constexpr uint64_t kLatency = 5;

class Channel : public testing::Test {
protected:
  Channel() {
    source.name = "arg0";
    source.number = 1;
    source.bytes = 4;
    source.mask = 0xffffffff;
    target = source;
    target.name = "arg1";
    target.number = 2;
    source.load({11, 12, 13}, chance); // a word and a half
    target.load({0, 0, 7}, chance);
    source.base = 0x10000;
    target.base = 0x20000;
    pins.name = "mem0";
    pins.read = {pinOf(arvalid), pinOf(arready), pinOf(araddr), pinOf(arlen),
                 pinOf(arsize),  pinOf(arburst), pinOf(rvalid), pinOf(rready),
                 pinOf(rdata),   pinOf(rresp),   pinOf(rlast)};
    pins.write = {pinOf(awvalid), pinOf(awready), pinOf(awaddr), pinOf(awlen), pinOf(awsize),
                  pinOf(awburst), pinOf(wvalid),  pinOf(wready), pinOf(wdata), pinOf(wstrb),
                  pinOf(wlast),   pinOf(bvalid),  pinOf(bready), pinOf(bresp)};
    model = std::make_unique<ChannelModel>(pins, std::vector<Region *>{&source},
                                           std::vector<Region *>{&target}, kLatency, chance);
    model->reset();
  }

  void cycle() {
    model->drive(now);
    model->see(now++, [this](const std::string &text) { problems.push_back(text); });
  }
  void finish() {
    model->finish([this](const std::string &text) { problems.push_back(text); });
  }
  void ask(uint64_t address, unsigned words) {
    arvalid = 1;
    araddr = address;
    arlen = uint8_t(words - 1);
    cycle();
    arvalid = 0;
  }
  void askToWrite(uint64_t address, unsigned words) {
    awvalid = 1;
    awaddr = address;
    awlen = uint8_t(words - 1);
    cycle();
    awvalid = 0;
  }
  void send(uint64_t word, uint8_t strobes, bool isLast) {
    wvalid = 1;
    wdata = word;
    wstrb = strobes;
    wlast = isLast;
    cycle();
    wvalid = 0;
  }
  std::string problem() {
    std::string text = problems.empty() ? "" : problems.front();
    problems.clear();
    return text;
  }

  Chance chance;
  Region source, target;
  ChannelPins pins;
  std::unique_ptr<ChannelModel> model;
  std::vector<std::string> problems;
  uint64_t now = 0;
  uint8_t arvalid = 0, arready = 0, arlen = 0, arsize = 3, arburst = 1, rvalid = 0, rready = 1,
          rresp = 0, rlast = 0;
  uint8_t awvalid = 0, awready = 0, awlen = 0, awsize = 3, awburst = 1, wvalid = 0, wready = 0,
          wstrb = 0, wlast = 0, bvalid = 0, bready = 1, bresp = 0;
  uint64_t araddr = 0, rdata = 0, awaddr = 0, wdata = 0;
};

TEST_F(Channel, AnswersSoManyCyclesLater) {
  ask(source.base, 2);
  std::vector<uint64_t> words, cycles;
  for (int i = 0; i < 12; ++i) {
    uint64_t at = now;
    cycle();
    if (rvalid) {
      words.push_back(rdata);
      cycles.push_back(at);
      EXPECT_EQ(rlast, cycles.size() == 2);
    }
  }
  EXPECT_THAT(cycles, ElementsAre(kLatency, kLatency + 1));
  ASSERT_EQ(words.size(), 2u);
  EXPECT_EQ(words[0], uint64_t(12) << 32 | 11);
  EXPECT_EQ(uint32_t(words[1]), 13u);
  EXPECT_THAT(source.reads, ElementsAre(kLatency, kLatency, kLatency + 1));
  finish();
  EXPECT_THAT(problems, IsEmpty());
}

TEST_F(Channel, TakesWordsAndAnswersLater) {
  askToWrite(target.base, 2);
  send(uint64_t(22) << 32 | 21, 255, false);
  uint64_t last = now;
  send(23, 15, true);
  EXPECT_THAT(target.values(), ElementsAre(21, 22, 23));
  EXPECT_THAT(target.writes, ElementsAre(last - 1, last - 1, last));
  finish();
  EXPECT_EQ(problem(), "mem0 is done with bursts under way");
  while (now < last + kLatency) {
    cycle();
    EXPECT_EQ(bvalid, 0);
  }
  cycle();
  EXPECT_EQ(bvalid, 1);
  cycle();
  EXPECT_EQ(bvalid, 0);
  finish();
  EXPECT_THAT(problems, IsEmpty());
}

TEST_F(Channel, FindsWrongBursts) {
  ask(source.base + 4, 1);
  EXPECT_THAT(problem(), HasSubstr("mem0_ar: a burst of 1 words at arg0 + 4 is not aligned"));
  ask(source.base, 3);
  EXPECT_THAT(problem(), HasSubstr("at arg0 + 0 leaves its argument"));
  ask(target.base, 1);
  EXPECT_THAT(problem(), HasSubstr("is of no argument"));
  arsize = 2;
  ask(source.base, 1);
  EXPECT_THAT(problem(), HasSubstr("has beats of another size"));
  arsize = 3;
  arburst = 0;
  ask(source.base, 1);
  EXPECT_THAT(problem(), HasSubstr("is not incrementing"));
  source.load(Words(4096, 1), chance);
  ask((source.base + 4096) / 4096 * 4096 - 8, 2);
  arburst = 1;
  problems.clear();
  ask((source.base + 4096) / 4096 * 4096 - 8, 2);
  EXPECT_THAT(problem(), HasSubstr("crosses 4 KiB"));
  source.isKept = true;
  ask(source.base, 1);
  EXPECT_EQ(problem(), "arg0 is read, but its elements were to be kept");
  askToWrite(source.base, 1);
  EXPECT_THAT(problem(), HasSubstr("mem0_aw: a burst of 1 words at "));
}

/// A burst that is under way while its argument becomes another one.
TEST_F(Channel, OutlivesArguments) {
  ask(source.base, 2);
  source.contents.resize(4);
  source.reads.resize(1);
  source.base += 4096;
  for (uint64_t n = 0; n < 2 * kLatency; ++n)
    cycle();
  EXPECT_THAT(source.reads, ElementsAre(kNever));
}

TEST_F(Channel, FindsWrongWords) {
  askToWrite(target.base + 8, 1);
  send(23, 255, true);
  EXPECT_EQ(problem(), "mem0_w has the strobes 255, expected 15 in arg1");
  askToWrite(target.base, 1);
  send(23, 255, false);
  EXPECT_EQ(problem(), "mem0_w has wlast 0, 1 words before the end of its burst");
  model->reset();
  chance.stallPercent = 100; // it takes nothing
  arvalid = 1;
  araddr = source.base;
  cycle();
  arvalid = 0;
  cycle();
  EXPECT_EQ(problem(), "mem0_ar takes back valid before it was ready");
}

TEST(Region, TokensThatAreMissingAreSeen) {
  Chance chance;
  Region region;
  region.name = "arg2";
  region.bytes = 2;
  region.mask = 0xffff;
  auto tokens = makeSharedTokens(region, /*isInput=*/false, chance);
  tokens->load({1, 2, 3});
  region.writes[0] = 4;
  region.writes[2] = 5;
  std::vector<std::string> problems;
  tokens->finish([&](const std::string &text) { problems.push_back(text); });
  EXPECT_THAT(problems, ElementsAre("is done before all tokens are in memory; arg2: 0 elements "
                                    "read, 2 written of 3"));
  EXPECT_THAT(tokens->moved(), ElementsAre(1));
  auto input = makeSharedTokens(region, /*isInput=*/true, chance);
  input->load({1, 2, 3});
  region.reads[1] = 9;
  EXPECT_EQ(input->left(), 2u);
  EXPECT_THAT(input->moments(), ElementsAre(9));
}

} // namespace
