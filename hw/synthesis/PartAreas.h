// What a circuit takes by the places of the program that its parts come from.
#pragma once

#include "hw/synthesis/Synthesis.h"

#include <map>

namespace spindle::hls {

/// Place in the program (`original.mlir:12:3`, as schedules have it) → the estimate of the tasks
/// that come from there, with memories and streams: of several tasks, those that the last one
/// accesses, or that one reads. What is for all of them has no place. `made` has its circuit.
std::map<std::string, DeviceArea> areasBySource(const Synthesis &made, const Target &target);

} // namespace spindle::hls
