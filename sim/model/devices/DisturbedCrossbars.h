// What the cells of all crossbars make of a network's weights.
#pragma once

#include "core/chip/Clustering.h"
#include "core/network/SpikingGraph.h"
#include "sim/model/devices/CellArray.h"

#include <vector>

namespace spindle {

/// A cell that conducts: what it holds of the network, and what it adds to that (exactly zero where
/// it is ideal).
struct ReadCell {
  double weight, error;
};

/// The columns of one crossbar that belong to one population, and the rows that drive it. They are
/// read together, and nothing else with them.
struct CrossbarBlock {
  std::vector<NeuronId> rows;        // ascending
  std::vector<NeuronId> columns;     // the neuron of each column, a part of it where it is divided
  std::vector<UnitId> units;         // … and its unit
  double largest = 1;                // weight of the crossbar, that of a cell that is on
  std::vector<size_t> offsets;       // of each row in `cells`, and the end
  std::vector<ReadCell> cells;       // without those that are zero in every respect
  std::vector<uint32_t> columnOf;    // of each cell, in the block
  std::vector<double> readVariances; // of each, read with one spike; empty: all are zero
};

/// By population, ascending cluster. A crossbar's rows are its axons and its columns its units,
/// each in its order; other rows and columns are switched off. Each array of a pair has wires of
/// its own. With `seed`, whatever that of the device.
std::vector<std::vector<CrossbarBlock>> disturbedCrossbars(const SpikingGraph &graph,
                                                           const Clustering &clustering,
                                                           const Device &device, uint64_t seed);

/// A column's sum as the converter reads it, in units of weights.
double converted(double sum, const Adc &converter, double largest);

} // namespace spindle
