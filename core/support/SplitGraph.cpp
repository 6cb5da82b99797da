#include "core/support/SplitGraph.h"

#include "fmt/format.h"
#include "metis.h"

#include <algorithm>

namespace spindle {

static_assert(sizeof(idx_t) == sizeof(int32_t) && sizeof(real_t) == sizeof(float));

llvm::Expected<std::vector<uint32_t>> splitGraph(WeightedGraph &graph, const SplitOptions &options,
                                                 const char *remedy) {
  std::vector<idx_t> part(graph.vertices(), 0);
  if (options.parts > 1 && graph.vertices() > 0) {
    idx_t count = static_cast<idx_t>(part.size()), parts = static_cast<idx_t>(options.parts);
    idx_t cut = 0, settings[METIS_NOPTIONS];
    METIS_SetDefaultOptions(settings);
    settings[METIS_OPTION_SEED] = static_cast<idx_t>(options.seed % INT32_MAX);
    settings[METIS_OPTION_NUMBERING] = 0;
    std::vector<real_t> most(size_t(graph.balanced), options.mostOfMean);
    auto *split = options.byHalves ? METIS_PartGraphRecursive : METIS_PartGraphKway;
    int status =
        split(&count, &graph.balanced, graph.offsets.data(), graph.neighbours.data(),
              graph.vertexWeights.empty() ? nullptr : graph.vertexWeights.data(), nullptr,
              graph.edgeWeights.data(), &parts, nullptr, most.data(), settings, &cut, part.data());
    if (status != METIS_OK)
      return checkError("metis", fmt::format("returned {} for {} vertices and {} parts; {}", status,
                                             count, parts, remedy));
  }
  return std::vector<uint32_t>(part.begin(), part.end());
}

} // namespace spindle
