// What the cells of all crossbars make of a network's weights.
#pragma once

#include "core/chip/Clustering.h"
#include "core/network/SpikingGraph.h"
#include "sim/model/devices/CellArray.h"

#include <vector>

namespace spindle {

/// The columns of one crossbar that belong to one population, and the rows that drive it. They are
/// read together, and nothing else with them.
struct CrossbarBlock {
  std::vector<NeuronId> rows;    // ascending
  std::vector<NeuronId> columns; // the neuron of each column, a part of it where it is divided
  std::vector<UnitId> units;     // … and its unit
  double largest = 1;            // weight of the crossbar, that of a cell that is on
  CellMatrix weights;            // as the network has them
  CellMatrix errors;             // what the cells add to them; exactly zero where they are ideal
  CellMatrix readVariances;      // of a reading of one spike; empty without read noise
};

/// By population, ascending cluster. A crossbar's rows are its axons and its columns its units,
/// each in its order; other rows and columns are switched off. Each array of a pair has wires of
/// its own. With `seed`, whatever that of the device.
std::vector<std::vector<CrossbarBlock>> disturbedCrossbars(const SpikingGraph &graph,
                                                           const Clustering &clustering,
                                                           const Device &device, uint64_t seed);

/// A column's sum as the converter reads it, in units of weights.
double converted(double sum, const Converter &converter, double largest);

} // namespace spindle
