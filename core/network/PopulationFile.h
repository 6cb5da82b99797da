// What our files of networks have in common: the header of SONATA, and the populations, checked, in
// HDF5 and in JSON.
#pragma once

#include "core/network/Population.h"
#include "core/support/formats/Hdf5.h"
#include "core/support/formats/JsonMapping.h"

namespace spindle {

/// What is wrong with the populations, empty when nothing: names present and different, shapes
/// positive, sizes their product, ids contiguous from zero.
std::string populationFault(const std::vector<Population> &populations);

/// The group of a population below `spikes/` or `edges/`: its name with `%`, `/` and a leading `.`,
/// which mean something in an HDF5 path, written as `%25`, `%2F` and `%2E`.
std::string populationGroup(const std::string &name);

/// The root attributes of every SONATA file, then our own format and its version.
llvm::Error writeSonataHeader(Hdf5Writer &file, FileFormat format);

/// Data sets `populations/{name,kind,shape,dimensions}`: shapes one after the other, each of as
/// many extents as `dimensions` says. First ids and sizes follow and are not stored.
llvm::Error writePopulations(Hdf5Writer &file, const std::vector<Population> &populations);
llvm::Expected<std::vector<Population>> readPopulations(const Hdf5Reader &file);

inline constexpr const char *kPopulationKinds[] = {"input", "neuron"}; // in their order

/// `{"name": "conv1", "kind": "neuron", "shape": [6, 24, 24]}`; numberPopulations does the rest.
void describe(auto &file, MaybeConst<Population> auto &population) {
  file.field("name", population.name);
  file.field("kind", wordOf(population.kind, kPopulationKinds, "input or neuron"));
  file.field("shape", population.shape);
}

/// Fills in the ids and sizes that follow from the shapes. Errors: shapes and names that
/// populations of one network cannot have, at `place`.
llvm::Error numberPopulations(const std::string &place, std::vector<Population> &populations);

} // namespace spindle
