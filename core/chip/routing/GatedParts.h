// The parts of a router that are switched off by themselves.
#pragma once

#include "core/chip/Chip.h"
#include "core/chip/routing/Ports.h"

namespace spindle {

/// How many a router has, beside what is left of it; 0 where it sleeps as a whole. In the order of
/// input ports, their channels, and places of flits.
inline uint32_t gatedParts(const Router &router) {
  if (!router.gating)
    return 0;
  switch (router.gating->granularity) {
  case Granularity::Router:
    return 0;
  case Granularity::Port:
    return kPorts;
  case Granularity::Channel:
    return kPorts * router.virtualChannels;
  case Granularity::Flit:
    return kPorts * router.virtualChannels * router.bufferFlits;
  }
  return 0;
}

/// Of the leakage of a router, and of what it takes to wake it: the part of all its parts together;
/// each has as much of it as any other.
inline double gatedShare(const Chip &chip) {
  if (gatedParts(chip.router) == 0 || chip.energy.leakageRouterMw.value == 0)
    return 0;
  return double(kPorts) * chip.energy.leakagePortMw.value / chip.energy.leakageRouterMw.value;
}

} // namespace spindle
