#include "hw/cosim/harness/axi/BusBench.h"

#include "hw/cosim/harness/axi/ArrayModel.h"
#include "hw/cosim/harness/axi/BeatEnd.h"
#include "hw/cosim/harness/axi/ChannelModel.h"

namespace spindle::hls {

namespace {

constexpr uint64_t kControl = 0, kInterruptEnable = 4, kInterruptPending = 8;
constexpr uint64_t kDone = 2, kIdle = 4, kKeep = 16; // bits of the control word

class BusBench {
public:
  BusBench(const BusPins &busPins, const Stimulus &whole)
      : pins(busPins), stimulus(whole), chance{whole.seed * 2 + 1} {
    for (const ArrayPins &array : pins.arrays)
      arrays.push_back(modelOf(array));
    for (const BeatPins &stream : pins.streams)
      streams.push_back(modelOf(stream));
    for (const ChannelPins &channel : pins.channels)
      channels.emplace_back(channel, regionsOf(channel.reads), regionsOf(channel.writes),
                            stimulus.memoryLatency, chance);
  }

  Response run() {
    reset();
    for (index = 0; index < stimulus.runs.size() && !isBroken; ++index)
      runOnce(stimulus.runs[index]);
    return std::move(response);
  }

private:
  std::unique_ptr<ArrayModel> modelOf(const ArrayPins &array) {
    if (array.isShared)
      return makeSharedArray(addRegion(array.name, array.bytes, array.mask), chance);
    return pins.hasStreams ? makeStreams(array, chance) : makeMemory(array, ++lastRegion, chance);
  }

  std::unique_ptr<TokenModel> modelOf(const BeatPins &stream) {
    if (!stream.isShared)
      return std::make_unique<BeatEnd>(stream, chance);
    return makeSharedTokens(addRegion(stream.name, stream.bytes, stream.mask), stream.isInput,
                            chance);
  }

  Region &addRegion(const std::string &name, unsigned bytes, uint64_t mask) {
    regions.push_back(std::make_unique<Region>());
    Region &region = *regions.back();
    region.name = name;
    region.number = ++lastRegion;
    region.bytes = bytes;
    region.mask = mask;
    return region;
  }

  std::vector<Region *> regionsOf(const std::vector<std::string> &names) const {
    std::vector<Region *> found;
    for (const std::string &name : names)
      for (const auto &region : regions)
        if (region->name == name)
          found.push_back(region.get());
    return found;
  }

  static constexpr uint64_t kMostWaiting = 10000; // cycles for an answer of a register

  void runOnce(const BenchRun &run) {
    chance.stallPercent = run.stallPercent;
    for (uint64_t i = 0; i < run.gap && !isBroken; ++i)
      cycle();
    // What a circuit asks for after its run would be read from the memory of the next one.
    for (const ChannelModel &channel : channels)
      channel.finish([this](const std::string &text) { fail(text); });
    if (isBroken)
      return;
    for (size_t i = 0; i < arrays.size(); ++i)
      arrays[i]->load(run.memories[i]);
    for (size_t i = 0; i < streams.size(); ++i)
      streams[i]->load(run.streams[i]);
    keeps = mayKeep(run);
    for (size_t i = 0; keeps && i < arrays.size(); ++i)
      if (!pins.arrays[i].isWritten)
        arrays[i]->keep();
    expect(kControl, kIdle, "before its start");
    begin(run, index % 2 == 0);
    BenchOutcome outcome;
    outcome.startCycle = acceptedAt;
    outcome.isFinished = toEnd(run, index % 2 == 0);
    outcome.cycles = now - 1 - outcome.startCycle;
    outcome.endCycle = now - 1;
    before = nullptr;
    if (outcome.isFinished) {
      before = &run;
      wholeCycles = outcome.cycles;
      finish(outcome);
    }
    for (const auto &array : arrays) {
      outcome.memories.push_back(array->contents());
      outcome.lastWrites.push_back(array->lastWrites());
    }
    for (const auto &stream : streams) {
      outcome.streams.push_back(stream->moved());
      outcome.left.push_back(stream->left());
      outcome.moments.push_back(stream->moments());
    }
    response.outcomes.push_back(std::move(outcome));
    if (!isBroken && (run.resetPercent > 0 || !response.outcomes.back().isFinished))
      reset();
  }

  /// Every other run leaves the arrays that the kernel only reads where they are, if it can.
  bool mayKeep(const BenchRun &run) const {
    bool hasSome = false, isSame = before != nullptr && index % 2 == 1;
    for (size_t i = 0; isSame && i < pins.arrays.size(); ++i) {
      hasSome |= !pins.arrays[i].isWritten;
      isSame = pins.arrays[i].isWritten || run.memories[i] == before->memories[i];
    }
    return hasSome && isSame;
  }

  /// By the driver, where there is one.
  void begin(const BenchRun &run, bool hasInterrupt) {
    std::vector<uint64_t> addresses;
    for (const auto &array : arrays)
      addresses.push_back(array->address());
    for (size_t i = 0; i < streams.size(); ++i)
      if (pins.streams[i].isShared)
        addresses.push_back(streams[i]->address());
    if (pins.driver.start) {
      pins.driver.start(registers, run.scalars, addresses, hasInterrupt, keeps);
      return;
    }
    for (size_t i = 0; i < arrays.size() && !pins.hasStreams; ++i)
      writeWide(pins.arrays[i].addressRegister, addresses[i]);
    for (size_t i = 0; i < pins.scalars.size(); ++i)
      writeWide(pins.scalars[i].offset, run.scalars[i] & pins.scalars[i].mask);
    write(kInterruptEnable, hasInterrupt);
    write(kControl, keeps ? 1 | kKeep : 1);
  }

  std::vector<uint64_t> results() {
    if (pins.driver.results)
      return pins.driver.results(registers);
    std::vector<uint64_t> words;
    for (const RegisterPlace &result : pins.results)
      words.push_back(readWide(result.offset));
    return words;
  }

  /// Whether it came to its end; otherwise it is to be broken off by a reset.
  bool toEnd(const BenchRun &run, bool hasInterrupt) {
    breakAt = run.resetPercent ? acceptedAt + 1 + run.resetPercent * wholeCycles / 100 : kNever;
    bool isDone = false;
    while (!isBroken && !isDone && now < breakAt) {
      if (now - acceptedAt > stimulus.mostCycles)
        fail("is not done after " + std::to_string(stimulus.mostCycles) + " cycles; " + report());
      if (hasInterrupt) {
        cycle();
        isDone = pins.interrupt.get() != 0;
        continue;
      }
      uint64_t status = read(kControl);
      if (now >= breakAt)
        break;
      isDone = status & kDone;
      if (status != 0 && status != (kDone | kIdle))
        fail("has the status " + std::to_string(status) + " while a run is under way");
      if (pins.interrupt.get())
        fail("raises an interrupt that was not asked for");
    }
    breakAt = kNever;
    return isDone && !isBroken;
  }

  void finish(BenchOutcome &outcome) {
    for (const auto &array : arrays)
      array->finish([this](const std::string &text) { fail(text); });
    for (const auto &stream : streams)
      stream->finish([this](const std::string &text) { fail(text); });
    for (const ChannelModel &channel : channels)
      channel.finish([this](const std::string &text) { fail(text); });
    if (index % 2 == 0)
      expect(kControl, kDone | kIdle, "after a run");
    expect(kControl, kIdle, "after done was read");
    expect(kInterruptPending, 1, "as pending interrupts after a run");
    write(kInterruptPending, 1);
    expect(kInterruptPending, 0, "as pending interrupts after they were cleared");
    std::vector<uint64_t> words = results();
    for (size_t i = 0; i < words.size(); ++i)
      outcome.results.push_back(words[i] & pins.results[i].mask);
  }

  void expect(uint64_t offset, uint64_t value, const char *when) {
    uint64_t found = read(offset);
    if (!isBroken && found != value)
      fail("register " + std::to_string(offset) + " reads " + std::to_string(found) + " " + when +
           ", expected " + std::to_string(value));
  }

  void writeWide(uint64_t offset, uint64_t value) {
    write(offset, uint32_t(value));
    write(offset + 4, uint32_t(value >> 32));
  }
  uint64_t readWide(uint64_t offset) { return read(offset) | uint64_t(read(offset + 4)) << 32; }

  /// Address and data come in any order.
  void write(uint64_t offset, uint32_t data) {
    const LitePins &lite = pins.lite;
    bool addressWaits = true, dataWaits = true, isAnswered = false;
    lite.awaddr.set(offset);
    lite.wdata.set(data);
    lite.wstrb.set(15);
    for (uint64_t waited = 0; !isBroken && !isAnswered; ++waited) {
      lite.awvalid.set(addressWaits && (lite.awvalid.get() || chance.goes()));
      lite.wvalid.set(dataWaits && (lite.wvalid.get() || chance.goes()));
      lite.bready.set(chance.goes());
      settle();
      bool takesAddress = lite.awvalid.get() && lite.awready.get();
      bool takesData = lite.wvalid.get() && lite.wready.get();
      isAnswered = lite.bvalid.get() && lite.bready.get();
      if (isAnswered && (addressWaits || dataWaits))
        fail("answers a write before it has taken address and data");
      if (takesData)
        acceptedAt = now;
      checkAnswer(waited, isAnswered, lite.bresp);
      edge();
      addressWaits &= !takesAddress;
      dataWaits &= !takesData;
      lite.awvalid.set(addressWaits && lite.awvalid.get());
      lite.wvalid.set(dataWaits && lite.wvalid.get());
    }
    lite.bready.set(0);
  }

  /// Gives up where the run is to be broken off.
  uint32_t read(uint64_t offset) {
    const LitePins &lite = pins.lite;
    bool addressWaits = true;
    uint32_t data = 0;
    lite.araddr.set(offset);
    for (uint64_t waited = 0; !isBroken && now < breakAt; ++waited) {
      lite.arvalid.set(addressWaits && (lite.arvalid.get() || chance.goes()));
      lite.rready.set(chance.goes());
      settle();
      bool takesAddress = lite.arvalid.get() && lite.arready.get();
      bool isAnswered = lite.rvalid.get() && lite.rready.get();
      data = uint32_t(lite.rdata.get());
      checkAnswer(waited, isAnswered, lite.rresp);
      edge();
      addressWaits &= !takesAddress;
      lite.arvalid.set(addressWaits && lite.arvalid.get());
      if (isAnswered)
        break;
    }
    lite.rready.set(0);
    return data;
  }

  void checkAnswer(uint64_t waited, bool isAnswered, const Pin &answer) {
    if (isAnswered && answer.get() != 0)
      fail("answers a register with an error");
    if (waited > kMostWaiting)
      fail("does not answer on AXI4-Lite");
  }

  /// Two cycles of reset, in which nothing is valid.
  void reset() {
    const LitePins &lite = pins.lite;
    for (const Pin &pin : {lite.awvalid, lite.wvalid, lite.bready, lite.arvalid, lite.rready})
      pin.set(0);
    for (const auto &array : arrays)
      array->reset();
    for (const auto &stream : streams)
      stream->reset();
    for (ChannelModel &channel : channels)
      channel.reset();
    answers.reset();
    reads.reset();
    pins.reset.set(1);
    for (int i = 0; i < 2; ++i) {
      evaluate(0, 2 * now);
      edge();
    }
    pins.reset.set(0);
  }

  void cycle() {
    settle();
    edge();
  }

  /// Before the edge: both sides see the same wires.
  void settle() {
    for (const auto &array : arrays)
      array->drive();
    for (const auto &stream : streams)
      stream->drive();
    for (ChannelModel &channel : channels)
      channel.drive(now);
    evaluate(0, 2 * now);
    Complain complain = [this](const std::string &text) { fail(text); };
    for (const auto &array : arrays)
      array->see(now, complain);
    for (const auto &stream : streams)
      stream->see(now, complain);
    for (ChannelModel &channel : channels)
      channel.see(now, complain);
    const LitePins &lite = pins.lite;
    answers.see(lite.bvalid.get(), lite.bready.get(), {lite.bresp.get()}, complain);
    reads.see(lite.rvalid.get(), lite.rready.get(), {lite.rdata.get(), lite.rresp.get()}, complain);
  }

  void edge() {
    evaluate(1, 2 * now + 1);
    ++now;
  }

  void evaluate(uint64_t level, uint64_t moment) {
    pins.clock.set(level);
    pins.evaluate();
    if (pins.trace && now >= stimulus.traceFrom && now <= stimulus.traceTo)
      pins.trace(moment);
  }

  void fail(const std::string &text) {
    if (!isBroken)
      response.violations.push_back({index, now, text});
    isBroken = true;
  }

  std::string report() const {
    std::string text;
    for (const auto &array : arrays)
      text += (text.empty() ? "" : "; ") + array->progress();
    for (const auto &stream : streams)
      text += (text.empty() ? "" : "; ") + stream->progress();
    return text;
  }

  const BusPins &pins;
  const Stimulus &stimulus;
  RegisterBus registers{[this](uint32_t offset, uint32_t value) { write(offset, value); },
                        [this](uint32_t offset) { return read(offset); }};
  Chance chance;
  std::vector<std::unique_ptr<ArrayModel>> arrays;
  std::vector<std::unique_ptr<TokenModel>> streams;
  std::vector<std::unique_ptr<Region>> regions;
  uint64_t lastRegion = 0; // tells the addresses of arguments apart
  std::deque<ChannelModel> channels;
  const BenchRun *before = nullptr; // the last run, if it came to its end
  bool keeps = false;
  Held answers{"b"}, reads{"r"};
  Response response;
  size_t index = 0;         // of the run
  uint64_t now = 0;         // cycle of the clock
  uint64_t acceptedAt = 0;  // the last write
  uint64_t wholeCycles = 0; // of the last run that came to its end
  uint64_t breakAt = kNever;
  bool isBroken = false;
};

} // namespace

Response runBench(const BusPins &pins, const Stimulus &stimulus) {
  return BusBench(pins, stimulus).run();
}

} // namespace spindle::hls
