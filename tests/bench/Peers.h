// Runs the script of another simulator and reads its answer.
#pragma once

#include "tests/bench/EmulationWorkload.h"

#include <variant>

namespace spindle::bench {

struct PeerAnswer {
  double seconds = 0;
  std::vector<uint64_t> spikes; // per population, as in Measurement
  std::string detail;           // version and way of working
};

struct PeerSkipped {
  std::string reason;
};

/// Runs `script` on `file` with the Python of the variable SPINDLE_PYTHON, else /usr/bin/python3:
/// Debian's packages belong to that one. A peer that is not installed is skipped. Errors: a script
/// that fails, an answer that is none.
llvm::Expected<std::variant<PeerAnswer, PeerSkipped>>
runPeer(const Peer &peer, const std::string &file, int64_t runs,
        const std::vector<std::string> &moreArguments = {});

/// The same network on the same rates: each population of `peer` makes as many spikes as ours
/// within `tolerance`. The random numbers of the input differ.
llvm::Error checkSpikes(const std::string &place, const Measurement &ours, const PeerAnswer &peer,
                        double tolerance);

/// Runs the peer in f64 over its `equalSteps` and compares spike by spike; how many there are.
llvm::Expected<uint64_t> checkFirstSpikes(const Peer &peer, const std::string &file,
                                          const Measurement &ours);

} // namespace spindle::bench
