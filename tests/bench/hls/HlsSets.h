// The kernels of `spindle_bench hls`: what is synthesised with which options, and the cycles that
// were published for it.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace spindle::bench {

struct HlsEntry {
  std::string name;                 // unique within its set
  std::string kernel;               // of PolyBench: its template
  std::string size;                 // and type: mini-f64, 8-f32, …
  std::vector<std::string> options; // of `spindle synth`
  uint64_t publishedCycles = 0;     // 0: none known
  bool isReassociated = false;      // synthesised with --reassociate, too

  /// Random inputs for which the kernel computes numbers, as `spindle cosim --inputs` names them.
  std::string inputs() const;
  /// Options as one word: `--unroll 4 --resources fmul=2` becomes `unroll 4, fmul=2`.
  std::string optionText() const;
};

struct HlsSet {
  std::string name;
  std::string source;    // of the published cycles
  bool isDefault = true; // runs unless sets are named
  std::vector<HlsEntry> entries;
};

const std::vector<HlsSet> &hlsSets();

} // namespace spindle::bench
