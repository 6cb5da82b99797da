// The nodes of a NIR file in the order in which a step works through them. Private to this folder.
#pragma once

#include "lib/frontend/nir/NirGraph.h"

namespace spindle {

/// A node with what it reads; `sources` and `feedback` are positions in NirFlow::nodes.
struct NirStation {
  NirNode node;                 // named by its path: `lif1.w_rec`; a copy: `lif1.w_rec.late`
  std::string path;             // of the node that this may be a copy of
  std::vector<size_t> sources;  // earlier ones, read in the same step
  std::vector<size_t> feedback; // populations read one step later
};

struct NirFlow {
  std::vector<NirStation> nodes; // every source stands before its reader
  size_t input = 0, output = 0;
};

/// Whether a node of this type makes spikes.
bool isSpiking(const std::string &type);

/// Graphs within the graph are dissolved: their Input and Output pass on what they get.
NirNode flatten(const NirGraph &graph);

/// Orders what lies between the Input and the Output; nodes that the Output does not depend on are
/// left out. Within cycles some populations see others one step later (see NirDelays.h); a node
/// that leads spikes to some at once and to others late is there twice. A cycle without a
/// population is an error, as are none or several Inputs or Outputs.
llvm::Expected<NirFlow> orderNodes(const NirNode &flat, const std::string &path);

} // namespace spindle
