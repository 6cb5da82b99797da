// Several chips that are joined by slower links: the section `chips` of a chip file
// (docs/formats/chip.md).
#pragma once

#include "core/chip/Chip.h"
#include "core/support/formats/Yaml.h"

namespace spindle {

/// Reads the section into a chip whose mesh is that of one of them, which becomes the mesh of all;
/// tiles of the host and of faults are numbered there. `mapping` is the YAML of the section,
/// `version` that of the file. Refused: version 1, a mesh with a longer side than
/// kLongestMeshSide.
void readJoinedChips(YamlReader &reader, const YAML::Node &mapping, Chip &chip, int64_t version);

/// Once the router is there: refuses a torus, whose ends would have to be joined, too, and links
/// between chips that are faster than those inside, which bounds of placements are made of.
void checkJoinedChips(YamlReader &reader, Chip &chip);

} // namespace spindle
