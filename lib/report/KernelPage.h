// The page of a synthesised kernel: when its tasks run, what each pipeline does in which cycle.
#pragma once

#include "core/kernel/KernelInterface.h"
#include "core/kernel/KernelSchedule.h"

namespace spindle {

/// Lines of a chart that are drawn at most; what is left out is said on the page.
struct KernelPageLimits {
  size_t operations = 160; // of one iteration, and as many rows of units and ports
  size_t columns = 64;     // cycles
  size_t iterations = 12;  // in the picture of the overlap
};

/// HTML that loads nothing from anywhere; charts are SVG with a title on every bar.
std::string renderKernelPage(const hls::KernelInterface &kernel,
                             const hls::KernelSchedule &schedule,
                             const KernelPageLimits &limits = {});

} // namespace spindle
