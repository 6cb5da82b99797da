// A verilated kernel with its test bench, built beside the kernel.
#pragma once

#include "hw/cosim/Ports.h"
#include "hw/cosim/harness/Exchange.h"
#include "lib/core/KernelInterface.h"

namespace spindle::hls {

enum class Tracing { Off, On };

/// Names the ports of a kernel to the test bench: the text of Adapter.h.
std::string adapterText(const KernelInterface &kernel, const ModulePorts &ports);

/// Builds the kernel in `folder` below `folder`/cosim, unless it is built already from the same
/// files, and returns the path of the program. Errors: sources that are absent or that Verilator
/// does not take, tools that are not installed.
llvm::Expected<std::string> buildTestBench(const std::string &folder, const KernelInterface &kernel,
                                           Tracing tracing);

/// Runs the program of `buildTestBench`; the waveform is written where its path is not empty.
llvm::Expected<Response> runTestBench(const std::string &program, const Stimulus &stimulus,
                                      const std::string &folder, const std::string &waveform);

} // namespace spindle::hls
