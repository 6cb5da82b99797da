// How warm the tiles get: a grid of thermal resistances.
#pragma once

#include "core/chip/Chip.h"

#include <vector>

namespace spindle {

/// Temperatures of the tiles in °C in the steady state, with so many watts in each. A tile loses
/// its heat through a resistance to the surroundings, and through one to each of its neighbours in
/// the plane (a torus is one in its wires alone): the compact model of Skadron et al.,
/// "Temperature-aware microarchitecture", ISCA 2003, with one layer. The linear equations are
/// symmetric and positive definite; conjugate gradients solve them to 1e-12 of the heat.
/// O(tiles^1.5).
std::vector<double> tileTemperatures(const Mesh &mesh, const Thermal &thermal,
                                     const std::vector<double> &watts);

} // namespace spindle
