// Vertices that no cluster has yet, asked for the first one that is small enough.
#pragma once

#include "lib/partition/Hypergraph.h"

#include <algorithm>
#include <bit>

namespace spindle {

/// A tree of minima over the vertices in their order. A question costs the logarithm of their
/// number where rows and columns agree on what is small.
class FreeVertices {
public:
  FreeVertices(const std::vector<uint32_t> &rows, const std::vector<uint32_t> &columns)
      : leaves(std::bit_ceil(std::max<size_t>(rows.size(), 1))), least(2 * leaves) {
    for (size_t v = 0; v < rows.size(); ++v)
      least[leaves + v] = {rows[v], columns[v]};
    for (size_t node = leaves - 1; node > 0; --node)
      least[node] = lesser(2 * node);
  }

  void remove(VertexId v) {
    least[leaves + v] = {};
    for (size_t node = (leaves + v) / 2; node > 0; node /= 2)
      least[node] = lesser(2 * node);
  }

  /// The first vertex of at most `rows` and `columns` that `accepts`, kNone for none.
  template <typename Accepts>
  VertexId first(uint32_t rows, uint32_t columns, const Accepts &accepts) const {
    return firstBelow(1, {rows, columns}, accepts);
  }

private:
  struct Size {
    uint32_t rows = kNone, columns = kNone; // kNone: no vertex is left
  };
  Size lesser(size_t node) const {
    return {std::min(least[node].rows, least[node + 1].rows),
            std::min(least[node].columns, least[node + 1].columns)};
  }
  template <typename Accepts>
  VertexId firstBelow(size_t node, Size most, const Accepts &accepts) const {
    const Size &own = least[node];
    if (own.rows == kNone || own.rows > most.rows || own.columns > most.columns)
      return kNone;
    if (node >= leaves) {
      auto v = static_cast<VertexId>(node - leaves);
      return accepts(v) ? v : kNone;
    }
    VertexId found = firstBelow(2 * node, most, accepts);
    return found != kNone ? found : firstBelow(2 * node + 1, most, accepts);
  }

  size_t leaves; // a power of two
  std::vector<Size> least;
};

} // namespace spindle
