// What a circuit takes of a programmable device, and what the device has.
#pragma once

#include "core/support/Error.h"

#include <string>

namespace spindle::hls {

/// LUTs and flip-flops, DSP blocks, and block memories of 36 Kb; one of 18 Kb is a half. A part of
/// a LUT is an estimate's.
struct DeviceArea {
  double lut = 0, ff = 0, dsp = 0, bram = 0;

  DeviceArea &operator+=(const DeviceArea &other);
  bool operator==(const DeviceArea &) const = default;
};

/// `12300 LUT, 8400 FF, 20 DSP, 4.5 BRAM`: numbers rounded to what they are worth.
std::string areaText(const DeviceArea &area);

/// What of an area is more than another has: `55200 LUT of 53200, 230 DSP of 220`; empty if
/// nothing.
std::string excessText(const DeviceArea &area, const DeviceArea &limit);

/// An error at `place` where an estimate is more than the budget.
llvm::Error checkBudget(const DeviceArea &estimate, const DeviceArea &budget,
                        const std::string &place);

/// `lut=20000,dsp=10`: numbers from 0; what is not named has no limit. Errors at `place`.
llvm::Expected<DeviceArea> parseBudget(const std::string &text, const std::string &place);

} // namespace spindle::hls
