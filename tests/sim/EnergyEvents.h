// Of one kind of energy that a simulated chip spent.
#pragma once

#include "core/chip/ChipStats.h"

#include "gtest/gtest.h"

#include <string>

namespace spindle {

/// How often; a kind that the chip does not list fails the test.
inline uint64_t eventsOf(const ChipStats &stats, const std::string &name) {
  for (const EnergyPart &part : stats.energy)
    if (part.name == name)
      return part.events;
  ADD_FAILURE() << "no energy of " << name;
  return 0;
}

} // namespace spindle
