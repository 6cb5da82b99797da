// Whether operations can share the free rows of a resource among them.
#pragma once

#include <cstddef>
#include <vector>

namespace spindle::hls {

/// A bipartite matching between operations and free cells: an operation may have one of its rows, a
/// row takes as many operations as it has free instances. Kuhn 1955: operations × allowed rows in
/// the worst case.
class RowMatching {
public:
  explicit RowMatching(std::vector<unsigned> freeInstances)
      : free(std::move(freeInstances)), takers(free.size()), visited(free.size(), 0) {}

  /// False if no matching holds the new one and all before it.
  bool add(const std::vector<unsigned> &allowedRows);

private:
  bool place(size_t operation);

  std::vector<unsigned> free;                // by row
  std::vector<std::vector<size_t>> takers;   // operations by row
  std::vector<size_t> visited;               // by row, the last operation added that asked for it
  std::vector<std::vector<unsigned>> rowsOf; // by operation
};

} // namespace spindle::hls
