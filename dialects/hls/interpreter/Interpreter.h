// A kernel cycle by cycle: the meaning of the hls dialect, before any Verilog exists.
#pragma once

#include "dialects/hls/interpreter/Arithmetic.h"

#include "core/kernel/KernelArray.h"
#include "core/support/Error.h"
#include "dialects/hls/Hls.h"

#include <map>

namespace spindle::hls {

/// What a pipeline did: cycles in which an iteration could begin.
struct PipelineUse {
  uint64_t iterations = 0;
  uint64_t withoutToken = 0, withoutRoom = 0; // in which none began because it had to wait
  bool operator==(const PipelineUse &) const = default;
};

/// How many tokens a stream held at the ends of cycles.
struct FifoUse {
  uint64_t depth = 0, most = 0;
  uint64_t sum = 0; // over all cycles
  bool operator==(const FifoUse &) const = default;
};

struct Interpretation {
  Values values;       // the arguments after the run, and the results
  uint64_t cycles = 0; // from the edge that sees start to the edge that sees done
  /// By argument, the cycle in which each token of a stream moved; 0: before the start.
  std::vector<std::vector<uint64_t>> streamCycles = {};
  std::map<std::string, PipelineUse> pipelines = {}; // by name, of all runs of one together
  std::map<std::string, FifoUse> fifos = {};         // by name
};

/// Runs `kernel` on the arguments of the function it is made from. Time is that of the hardware: a
/// pipeline started in cycle s issues its first iteration in cycle s + 1 and is done in the cycle
/// in which the last one ends; tasks start in the cycle in which those they wait for are done; a
/// repeat takes one cycle per turn to count; the kernel takes at least one. Local arrays hold no
/// zeros before they are written.
///
/// Streams that are arguments are lists of tokens: those that go in are all there from the start,
/// as fast as the port takes them; those that come out are taken at once. `available` says, by
/// argument, from which cycle on each token that goes in is there: where it is empty, from the
/// start.
///
/// The kernel's structure is verified, its schedule need not hold. Errors (Check) name the cycle: a
/// result that is used before it is there, a unit or a port that is taken twice, accesses of one
/// word that meet, addresses out of range, accesses in bubbles or after the end of the pipeline.
/// Input errors: no schedule; number, types or shapes of the arguments. Takes time in proportion to
/// the operations that it executes.
llvm::Expected<Interpretation> interpret(KernelOp kernel, std::vector<KernelArray> arguments,
                                         const ElementaryFunctions &elementary,
                                         const std::vector<std::vector<uint64_t>> &available = {});

} // namespace spindle::hls
