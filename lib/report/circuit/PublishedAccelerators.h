// Spiking accelerators for MNIST as their authors report them.
#pragma once

#include "core/support/formats/Json.h"

namespace spindle {

/// [{name, network, tool, part, clock_mhz, accuracy, time, area, energy}]: what an author does not
/// say is absent. LUTs, logic cells, ALMs and LEs are no measure of each other.
Json publishedAccelerators();

} // namespace spindle
