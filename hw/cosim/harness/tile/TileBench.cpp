#include "hw/cosim/harness/tile/TileBench.h"

namespace spindle::hls {

namespace {

class TileBench {
public:
  TileBench(const TilePins &tilePins, const Stimulus &whole)
      : pins(tilePins), stimulus(whole), run(whole.runs.at(0)), state(whole.seed * 2 + 1) {
    outcome.streams.resize(TileStreams::OutCount);
  }

  Response make() {
    prepare();
    while (!isBroken && (nextStep < in(TileStreams::Steps).size() || isWorking ||
                         nextPacket < in(TileStreams::Packets).size()))
      cycle();
    for (uint64_t settled = 0; !isBroken && settled < in(TileStreams::Settle).at(0); ++settled)
      cycle();
    outcome.isFinished = !isBroken;
    outcome.cycles = now;
    response.outcomes.push_back(std::move(outcome));
    return std::move(response);
  }

private:
  const Words &in(TileStreams::In stream) const { return run.streams.at(stream); }
  Words &out(TileStreams::Out stream) { return outcome.streams[stream]; }

  /// Reset, table, start; the cycles of the run begin behind it.
  void prepare() {
    for (const Pin *pin : {&pins.start, &pins.inValid, &pins.step, &pins.tableWrite})
      pin->set(0);
    pins.samples.set(run.scalars.at(0));
    pins.outReady.set(1);
    pins.reset.set(1);
    edge();
    edge();
    pins.reset.set(0);
    pins.tableWrite.set(1);
    for (size_t entry = 0; entry < in(TileStreams::Table).size(); ++entry) {
      pins.tableEntry.set(entry);
      pins.tableData.set(in(TileStreams::Table)[entry]);
      edge();
    }
    pins.tableWrite.set(0);
    settle();
    if (!pins.idle.get())
      return fail("is not idle after its reset");
    pins.start.set(1);
    edge();
    pins.start.set(0);
    now = 1; // behind the edge that has seen start
  }

  void cycle() {
    bool isLeft = nextPacket < in(TileStreams::Packets).size();
    uint64_t stepOf = isLeft ? in(TileStreams::PacketSteps)[nextPacket] : kNever;
    bool ends = !isWorking && nextStep < in(TileStreams::Steps).size() &&
                in(TileStreams::Steps)[nextStep] <= now && stepOf > nextStep;
    bool hasPacket = isLeft && in(TileStreams::Arrivals)[nextPacket] <= now &&
                     stepOf <= out(TileStreams::Begins).size() + ends;
    pins.inValid.set(hasPacket);
    pins.inNeuron.set(hasPacket ? in(TileStreams::Packets)[nextPacket] : random() & 0xffffffff);
    pins.step.set(ends);
    pins.outReady.set(random() % 100 >= run.stallPercent);
    settle();
    observe(hasPacket, ends);
    trace(2 * now);
    pins.clock.set(1);
    pins.evaluate();
    trace(2 * now + 1);
    ++now;
  }

  /// What the edge sees.
  void observe(bool hasPacket, bool ends) {
    if (ends) {
      out(TileStreams::Begins).push_back(now);
      isWorking = true;
    }
    if (hasPacket && pins.inReady.get()) {
      out(TileStreams::Taken).push_back(now);
      ++nextPacket;
    }
    if (pins.wordMoved.get())
      out(TileStreams::Words).push_back(now);
    if (pins.spikesMoved.get())
      out(TileStreams::Answers).push_back(now);
    if (pins.spike.get()) {
      out(TileStreams::Spikes).push_back(pins.spikeNeuron.get());
      out(TileStreams::SpikeSteps).push_back(nextStep);
    }
    if (pins.outValid.get() && pins.outReady.get()) {
      out(TileStreams::Sent).push_back(pins.outNeuron.get());
      out(TileStreams::SentTiles).push_back(pins.outTile.get());
      out(TileStreams::SentCycles).push_back(now);
      out(TileStreams::SentSteps).push_back(nextStep);
    }
    if (pins.done.get()) {
      if (!isWorking)
        return fail("ends a step that nobody has begun");
      out(TileStreams::Ends).push_back(now);
      isWorking = false;
      ++nextStep;
    }
    if (pins.stray.get())
      return fail("got a packet of a neuron that does not drive its layer");
    if (isWorking && now - out(TileStreams::Begins).back() > stimulus.mostCycles)
      fail("does not end step " + std::to_string(nextStep) + " within " +
           std::to_string(stimulus.mostCycles) + " cycles");
  }

  void settle() {
    pins.clock.set(0);
    pins.evaluate();
  }

  void edge() {
    settle();
    pins.clock.set(1);
    pins.evaluate();
  }

  void trace(uint64_t moment) {
    if (pins.trace && now >= stimulus.traceFrom && now <= stimulus.traceTo)
      pins.trace(moment);
  }

  void fail(const std::string &text) {
    response.violations.push_back({0, now, text});
    isBroken = true;
  }

  /// xorshift64.
  uint64_t random() {
    state ^= state << 13;
    state ^= state >> 7;
    state ^= state << 17;
    return state >> 11;
  }

  const TilePins &pins;
  const Stimulus &stimulus;
  const BenchRun &run;
  uint64_t state;
  Response response;
  BenchOutcome outcome;
  uint64_t now = 0;
  size_t nextPacket = 0, nextStep = 0;
  bool isWorking = false, isBroken = false;
};

} // namespace

Response runBench(const TilePins &pins, const Stimulus &stimulus) {
  return TileBench(pins, stimulus).make();
}

} // namespace spindle::hls
