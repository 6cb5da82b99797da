// A network in the Neuromorphic Intermediate Representation (Pedersen et al., Nat. Commun. 2024) as
// its files hold it: nodes with named parameters, and edges between them.
#pragma once

#include "core/support/formats/Hdf5.h"

#include <cstdint>
#include <map>
#include <string>
#include <utility>
#include <vector>

namespace spindle {

enum class NirType { Integers, Float32, Float64, Texts };

/// A data set: an array, or a scalar where it has no extents.
struct NirArray {
  NirType type = NirType::Float32;
  std::vector<uint64_t> extents;
  std::vector<double> numbers;    // in C order; of integers, too
  std::vector<std::string> texts; // of type Texts

  bool operator==(const NirArray &) const = default;
};

using NirArrays = std::map<std::string, NirArray>;
using NirEdge = std::pair<std::string, std::string>; // names of nodes, from and to

/// A node, or with the type "NIRGraph" a graph, whose own nodes are numbered apart from those
/// around.
struct NirNode {
  std::string name; // unique among its neighbours
  std::string type; // "Affine", "LIF", …
  NirArrays parameters;
  NirArrays metadata; // not needed to run the network
  std::vector<NirNode> nodes;
  std::vector<NirEdge> edges;

  bool isGraph() const { return type == "NIRGraph"; }
  bool operator==(const NirNode &) const = default;
};

struct NirGraph {
  std::string version; // of the package that wrote the file
  NirNode root;        // type "NIRGraph", name ""

  bool operator==(const NirGraph &) const = default;
};

/// Every edge joins nodes of its own graph, names are unique; else an error that names file, graph
/// and edge.
llvm::Error verify(const NirGraph &graph, const std::string &path);

/// Refuses a file of HDF5 that is none of NIR.
llvm::Error checkNirFile(const Hdf5Reader &file);

/// HDF5, by the layout of the nir package (versions 0.1 to 1.0). Nodes are sorted by name, edges
/// keep the order of the file.
llvm::Expected<NirGraph> readNirGraph(const std::string &path);
llvm::Error writeNirGraph(const std::string &path, const NirGraph &graph);

} // namespace spindle
