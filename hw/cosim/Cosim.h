// Co-simulation: a synthesised kernel beside its original program, bit for bit.
#pragma once

#include "core/kernel/CosimResult.h"
#include "hw/cosim/Inputs.h"

#include <functional>

namespace spindle::hls {

inline constexpr uint64_t kMemoryLatency = 20; // cycles

struct CosimOptions {
  uint32_t runs = 3;
  uint64_t seed = 1;
  /// .npz files: run r takes its inputs from file r modulo their number; random ones without any.
  std::vector<std::string> in;
  /// Simulated in place of the sources of kernel.json, from the folder: a netlist with its cells.
  /// All that is built for it lies in the folder `netlistWork`.
  std::vector<std::string> netlist;
  std::string netlistWork = "area/simulation";
  std::string dump; // .npz for arguments and results after the first run
  /// Not given: uniform, integers for kernels that were reassociated.
  std::optional<InputKind> inputs;
  bool withSpecial = false;
  /// Cycles of the first runs, which the kernel's own prediction does not say.
  std::vector<uint64_t> predicted;
  /// Of the first runs, percent of the cycles in which streams stall.
  std::vector<uint64_t> stalls;
  /// Streams inside of the kernel, by their names in its schedule: how full they are is watched.
  std::vector<std::string> fifos;
  /// Of run, argument and element or token: what it is of (`ElementName`).
  std::function<std::string(size_t run, size_t argument, size_t element, uint64_t bits)> names;
  /// From an address that the memory behind channels takes to its first word, from the last word of
  /// a burst to its answer.
  uint64_t memoryLatency = kMemoryLatency;
  bool hasWaveform = false;        // of the first run, as cosim/waveform.vcd
  uint64_t mostCycles = 100000000; // of a run whose cycles nobody has predicted
};

/// Builds and runs the kernel in `folder` (kernel.json). The first run starts as soon as the kernel
/// is idle, and so does the second one; of three runs or more the last one follows a run that was
/// broken off by a reset. The others start after random gaps; where there is a clock enable, all
/// but the first run are stalled now and then. Streams stall in no cycle of the first run, in
/// half and seven eighths of the cycles of others,
/// unless `stalls` says otherwise.
///
/// A kernel that is behind a bus too (axi.json) is then run through it: arrays and registers over
/// AXI, no stalls in the first run, later half and seven eighths of the cycles on every channel.
///
/// What is wrong with the kernel stands in the result, with a waveform of 50 cycles on either side
/// in cosim/mismatch.vcd (cosim/bus/mismatch.vcd); errors are of files, inputs and tools.
llvm::Expected<CosimResult> cosim(const std::string &folder, const CosimOptions &options);

} // namespace spindle::hls
