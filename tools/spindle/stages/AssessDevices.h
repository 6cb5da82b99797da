// How right a network is whose crossbars are made of real cells.
#pragma once

#include "core/chip/Chip.h"
#include "core/chip/Clustering.h"
#include "core/chip/assessment/Assessment.h"
#include "core/network/Samples.h"
#include "core/network/SpikingGraph.h"
#include "core/run/Progress.h"
#include "lib/emulation/SteppedEmulation.h"
#include "tools/spindle/stages/AssessmentOptions.h"

namespace spindle {

/// What all devices of an assessment share.
struct NetworkOnDevices {
  const SpikingGraph &graph;
  const Clustering &clustering;
  const Samples &samples;
  const SteppedEmulation &emulation;
  uint32_t steps;
  size_t threads;
};

/// The devices that are assessed: that of the chip with each variation and each number of bits.
/// Errors: a sweep without the part of the device that it varies. `place` is that of the section.
llvm::Expected<std::vector<Device>> devicesOf(const AssessmentOptions &options, const Chip &chip,
                                              const std::string &place);

/// Each device with `seeds` seeds from its own on (one where nothing is random): right answers, and
/// samples that spike as the emulation does.
llvm::Expected<std::vector<DevicePoint>> assessDevices(const NetworkOnDevices &given,
                                                       llvm::ArrayRef<Device> devices,
                                                       uint64_t seeds, const Progress &progress);

} // namespace spindle
