// A verilated kernel with its test bench, built beside the kernel.
#pragma once

#include "core/kernel/BusInterface.h"
#include "core/kernel/KernelInterface.h"
#include "core/kernel/TaskGraph.h"
#include "hw/cosim/Ports.h"
#include "hw/cosim/harness/Exchange.h"

#include <functional>

namespace spindle::hls {

enum class Tracing { Off, On };

/// Of all runs together: short ones are done before a compiler has optimised them.
enum class SimulatedTime { Short, Long };
/// Of a circuit of 64 lanes: compiling at -O1 takes as much longer as simulating so many cycles at
/// -O0; both grow with the circuit.
constexpr uint64_t kMostShortCycles = 50'000;
SimulatedTime simulatedTime(uint64_t cycles);

/// A module that is simulated, and what drives it.
struct BenchDesign {
  std::string folder;               // of the kernel
  std::string work;                 // below it: all that is built
  std::string harness;              // folder of the sources that drive this kind of module
  std::string top;                  // SystemVerilog module
  std::vector<std::string> sources; // SystemVerilog files, from `folder`
  std::string file;                 // that says what ports there are
  ModulePorts ports;
  std::string lines; // of a file with what Verilator is told about the sources; empty: none
  /// The text of Adapter.h, which names the ports as Verilator has made them to the harness.
  std::function<std::string(const ModulePorts &)> adapter;

  std::string path(const std::string &name) const { return folder + "/" + work + "/" + name; }
};

/// The kernel itself; of a system the managers of its tasks are watched, and the streams inside of
/// it that `fifos` names.
BenchDesign designOf(const std::string &folder, const KernelInterface &kernel,
                     const std::optional<TaskGraph> &system = std::nullopt,
                     const std::vector<std::string> &fifos = {});
/// The kernel behind AXI.
BenchDesign designOf(const std::string &folder, const KernelInterface &kernel,
                     const BusInterface &bus);

/// Builds it, unless it is built already from the same files and fast enough for the time, and
/// returns the path of the program.
/// Errors: sources that are absent or that Verilator does not take, other ports, tools that are not
/// installed.
llvm::Expected<std::string> buildTestBench(const BenchDesign &design, Tracing tracing,
                                           SimulatedTime time);

/// Runs the program of `buildTestBench`; the waveform is written where its path is not empty.
llvm::Expected<Response> runTestBench(const BenchDesign &design, const std::string &program,
                                      const Stimulus &stimulus, const std::string &waveform);

} // namespace spindle::hls
