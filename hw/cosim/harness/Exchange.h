// What the tool and a test bench tell each other, in binary files of 64-bit words. This folder is
// copied beside every kernel and compiled there: it needs nothing but the standard library, and as
// C++17, whose headers take half the time of those of C++20.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace spindle::hls {

constexpr uint64_t kNever = ~uint64_t(0);

using Words = std::vector<uint64_t>;

/// One start of the kernel.
struct BenchRun {
  uint64_t gap = 0;            // cycles between idle and start
  uint64_t resetPercent = 0;   // of the last whole run's cycles, then a reset ends it; 0: whole
  uint64_t stallPercent = 0;   // of cycles in which the clock is not enabled, or a stream stands
  Words scalars;               // in the order of the pins
  std::vector<Words> memories; // in the order of the pins: all words of bank 0, of bank 1, …
  std::vector<Words> streams;  // in the order of the pins: tokens that the kernel reads
};

struct Stimulus {
  uint64_t seed = 1;
  uint64_t mostCycles = 0;                  // of a run, before it counts as hanging
  uint64_t memoryLatency = 0;               // cycles of the memory behind channels
  uint64_t traceFrom = kNever, traceTo = 0; // cycles of the clock that the waveform shows
  std::vector<BenchRun> runs;
};

/// What came of a run. Cycles `startCycle`, `lastWrites` and `moments` count edges of the clock
/// since the beginning of the simulation.
struct BenchOutcome {
  uint64_t isFinished = 0;
  uint64_t cycles = 0; // enabled edges from the one that sees start to the one that sees done
  uint64_t startCycle = 0, endCycle = 0;
  Words results;
  std::vector<Words> memories;
  std::vector<Words> lastWrites;   // of each word in this run, or kNever
  std::vector<Words> streams;      // tokens that the kernel wrote
  Words left;                      // per stream, tokens that it did not read
  std::vector<Words> moments = {}; // per stream, the edge at which each token moved
  std::vector<Words> spans = {};   // per watched pin, the first and the last cycle of each time
  /// Per watched FIFO, the most tokens that it held from the start to the end, and their sum over
  /// these cycles.
  std::vector<Words> fills = {};
};

/// The kernel broke a rule of the interface.
struct Violation {
  uint64_t run = 0;
  uint64_t cycle = 0; // of the clock, since the beginning of the simulation
  std::string text;
};

struct Response {
  std::vector<BenchOutcome> outcomes; // one per run, fewer after a violation that ends all
  std::vector<Violation> violations;  // the first ones
};

/// False where the file cannot be written or read, or is none of these.
bool writeStimulus(const std::string &path, const Stimulus &stimulus);
bool readStimulus(const std::string &path, Stimulus &stimulus);
bool writeResponse(const std::string &path, const Response &response);
bool readResponse(const std::string &path, Response &response);

} // namespace spindle::hls
