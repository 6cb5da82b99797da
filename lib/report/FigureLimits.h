// How much of a large network a page draws.
#pragma once

#include <cstddef>
#include <cstdint>

namespace spindle {

/// Most spikes drawn, most neurons per population, most rows and columns of the traffic map, and
/// most tiles of a mesh with its links.
struct FigureLimits {
  size_t rasterSpikes = 60000;
  uint32_t rasterNeurons = 400;
  uint32_t trafficBins = 128;
  uint32_t wholeMeshTiles = 256;
  uint32_t meshTiles = 4096;
};

} // namespace spindle
