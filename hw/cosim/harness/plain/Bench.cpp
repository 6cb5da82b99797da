#include "hw/cosim/harness/plain/Bench.h"

#include "hw/cosim/harness/plain/MemoryModel.h"
#include "hw/cosim/harness/plain/StreamEnd.h"

#include <algorithm>
#include <memory>

namespace spindle::hls {

namespace {

class Bench {
public:
  Bench(const KernelPins &kernelPins, const Stimulus &whole)
      : pins(kernelPins), stimulus(whole), state(whole.seed * 2 + 1) {
    for (const MemoryPins &memory : pins.memories)
      memories.push_back(std::make_unique<MemoryModel>(memory, random()));
    for (const TokenPins &stream : pins.streams)
      streams.emplace_back(stream);
  }

  Response run() {
    for (const ScalarPins &scalar : pins.scalars)
      scalar.value.set(0);
    pins.start.set(0);
    reset();
    for (index = 0; index < stimulus.runs.size() && !isBroken; ++index)
      runOnce(stimulus.runs[index]);
    for (int i = 0; i < 4 && !isBroken; ++i) // nothing may come after the last run
      cycle();
    return std::move(response);
  }

private:
  static constexpr uint64_t kMostWaiting = 1000; // cycles until a kernel has to be idle
  static constexpr unsigned kDrained = 4;        // cycles without a token after a run

  void runOnce(const BenchRun &run) {
    stallPercent = run.stallPercent;
    waitForIdle(run.gap);
    if (isBroken)
      return;
    for (size_t i = 0; i < memories.size(); ++i)
      memories[i]->load(run.memories[i]);
    for (size_t i = 0; i < streams.size(); ++i)
      streams[i].load(run.streams[i]);
    BenchOutcome outcome;
    spans.assign(pins.watched.size(), {});
    fills.assign(pins.fifos.size(), {0, 0});
    outcome.startCycle = start(run);
    toEnd(run);
    outcome.isFinished = sawDone;
    if (sawDone)
      wholeCycles = enabledCycles;
    outcome.cycles = enabledCycles;
    outcome.endCycle = now - 1;
    isRunning = false;
    if (sawDone)
      drain();
    for (StreamEnd &stream : streams) {
      outcome.streams.push_back(stream.received());
      outcome.left.push_back(stream.left());
      outcome.moments.push_back(stream.moments());
      stream.load({});
    }
    outcome.results = results;
    outcome.spans = spans;
    outcome.fills = fills;
    for (const auto &memory : memories) {
      outcome.memories.push_back(memory->contents());
      outcome.lastWrites.push_back(memory->lastWrites());
    }
    response.outcomes.push_back(std::move(outcome));
    if (!isBroken && !sawDone)
      reset();
  }

  /// Of the run, or to where it is broken off.
  void toEnd(const BenchRun &run) {
    enabledCycles = 0;
    while (!isBroken && !sawDone && !isBrokenOff(run)) {
      cycle();
      if (enabledCycles >= stimulus.mostCycles && !sawDone)
        fail("is not done after " + std::to_string(stimulus.mostCycles) + " cycles; " + report());
    }
  }

  bool isBrokenOff(const BenchRun &run) const {
    return run.resetPercent > 0 && enabledCycles * 100 >= run.resetPercent * wholeCycles;
  }

  /// The last tokens may come after the end of a run.
  void drain() {
    for (unsigned still = 0; still < kDrained && !streams.empty() && !isBroken; ++still) {
      cycle();
      for (const StreamEnd &stream : streams)
        still = stream.isOffered() ? 0 : still;
    }
  }

  /// Two cycles of reset; memories forget what they are asked in them.
  void reset() {
    pins.reset.set(1);
    isResetting = true;
    cycle();
    cycle();
    isResetting = false;
    pins.reset.set(0);
  }

  void waitForIdle(uint64_t gap) {
    for (uint64_t waited = 0; !isBroken; ++waited) {
      settle();
      if (pins.idle.get() && gap == 0)
        return;
      if (waited > kMostWaiting + gap)
        return fail("is not idle " + std::to_string(waited) +
                    " cycles after its last run or reset");
      gap -= pins.idle.get() && gap > 0 ? 1 : 0;
      cycle();
    }
  }

  /// The cycle with start; returns the cycle of the edge that sees it.
  uint64_t start(const BenchRun &run) {
    pins.start.set(1);
    for (size_t i = 0; i < pins.scalars.size(); ++i)
      pins.scalars[i].value.set(run.scalars[i] & pins.scalars[i].mask);
    isRunning = isStarting = true;
    sawDone = false;
    do
      cycle();
    while (!isBroken && !wasEnabled);
    isStarting = false;
    pins.start.set(0);
    for (const ScalarPins &scalar : pins.scalars) // sampled with start, and never again
      scalar.value.set(random() & scalar.mask);
    return now - 1;
  }

  /// Low phase: the kernel sees its inputs.
  void settle() {
    pins.clock.set(0);
    pins.evaluate();
  }

  void cycle() {
    wasEnabled = isResetting || !pins.clockEnable.data || random() % 100 >= stallPercent;
    if (pins.clockEnable.data)
      pins.clockEnable.set(wasEnabled);
    for (StreamEnd &stream : streams)
      stream.drive(random() % 100 < stallPercent);
    settle();
    trace(2 * now);
    if (wasEnabled && !isResetting)
      observe();
    pins.clock.set(1);
    pins.evaluate();
    trace(2 * now + 1);
    if (wasEnabled)
      for (const auto &memory : memories)
        memory->drive();
    ++now;
    enabledCycles += wasEnabled;
  }

  /// Spans are pairs: open where their number is odd.
  void watch() {
    for (size_t i = 0; i < spans.size(); ++i) {
      bool isOpen = spans[i].size() % 2 == 1, isHigh = pins.watched[i].get();
      if (isHigh != isOpen)
        spans[i].push_back(isHigh ? now : now - 1);
    }
    for (size_t i = 0; isRunning && !isStarting && i < fills.size(); ++i) {
      uint64_t tokens = pins.fifos[i].get();
      fills[i][0] = std::max(fills[i][0], tokens);
      fills[i][1] += tokens;
    }
  }

  /// What the edge sees.
  void observe() {
    watch();
    for (const auto &memory : memories)
      if (std::optional<std::string> problem = memory->sample(now, isRunning))
        return fail(*problem);
    for (StreamEnd &stream : streams)
      if (std::optional<std::string> problem = stream.sample(now))
        return fail(*problem);
    bool isDone = pins.done.get();
    if (isDone && (!isRunning || isStarting))
      return fail("is done while no run is under way");
    if (isRunning && !isStarting && !isDone && pins.idle.get())
      return fail("is idle while a run is under way");
    if (!isDone)
      return;
    sawDone = true;
    results.clear();
    for (const Pin &result : pins.results)
      results.push_back(result.get());
  }

  void trace(uint64_t moment) {
    if (pins.trace && now >= stimulus.traceFrom && now <= stimulus.traceTo)
      pins.trace(moment);
  }

  void fail(const std::string &text) {
    response.violations.push_back({index, now, text});
    isBroken = true;
  }

  /// Where a kernel stands that does not come to its end.
  std::string report() const {
    std::string text = "idle " + std::to_string(pins.idle.get());
    for (size_t i = 0; i < memories.size(); ++i) {
      const MemoryModel &memory = *memories[i];
      text += "; " + pins.memories[i].name + ": " + std::to_string(memory.reads()) + " reads, " +
              std::to_string(memory.writes()) + " writes";
      if (std::string last = memory.lastAccess(now); !last.empty())
        text += ", " + last;
    }
    return text;
  }

  /// xorshift64.
  uint64_t random() {
    state ^= state << 13;
    state ^= state >> 7;
    state ^= state << 17;
    return state >> 11;
  }

  const KernelPins &pins;
  const Stimulus &stimulus;
  uint64_t state;
  std::vector<std::unique_ptr<MemoryModel>> memories;
  std::vector<StreamEnd> streams;
  Response response;
  Words results;
  std::vector<Words> spans;   // of this run, by watched pin
  std::vector<Words> fills;   // likewise, by FIFO
  size_t index = 0;           // of the run
  uint64_t now = 0;           // cycle of the clock
  uint64_t enabledCycles = 0; // of this run
  uint64_t wholeCycles = 0;   // of the last one that came to its end
  uint64_t stallPercent = 0;
  bool isResetting = false, isStarting = false, isRunning = false, sawDone = false;
  bool wasEnabled = true, isBroken = false;
};

} // namespace

Response runBench(const KernelPins &pins, const Stimulus &stimulus) {
  return Bench(pins, stimulus).run();
}

} // namespace spindle::hls
