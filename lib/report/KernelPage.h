// The page of a synthesised kernel: when its tasks run, what each pipeline does in which cycle; and
// that of a system of kernels.
#pragma once

#include "core/kernel/KernelInterface.h"
#include "core/kernel/KernelSchedule.h"
#include "core/kernel/TaskGraph.h"

namespace spindle {

/// Lines of a chart that are drawn at most; what is left out is said on the page.
struct KernelPageLimits {
  size_t operations = 160; // of one iteration, and as many rows of units and ports
  size_t columns = 64;     // cycles
  size_t iterations = 12;  // in the picture of the overlap, and inputs of a system
};

/// HTML that loads nothing from anywhere; charts are SVG with a title on every bar.
std::string renderKernelPage(const hls::KernelInterface &kernel,
                             const hls::KernelSchedule &schedule,
                             const KernelPageLimits &limits = {});

/// The same of a system: a chart and a table of its tasks, as predicted and, after a
/// co-simulation, as measured.
std::string renderSystemPage(const hls::KernelInterface &kernel, const hls::TaskGraph &system,
                             const std::vector<hls::TaskSpan> &measured,
                             const KernelPageLimits &limits = {});

} // namespace spindle
