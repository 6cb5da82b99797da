#include "hw/hls/schedule/bounds/RowMatching.h"

namespace spindle::hls {

bool RowMatching::add(const std::vector<unsigned> &allowedRows) {
  rowsOf.push_back(allowedRows);
  return place(rowsOf.size() - 1);
}

bool RowMatching::place(size_t operation) {
  for (unsigned row : rowsOf[operation])
    if (takers[row].size() < free[row]) {
      takers[row].push_back(operation);
      return true;
    }
  for (unsigned row : rowsOf[operation]) {
    if (visited[row] == rowsOf.size())
      continue;
    visited[row] = rowsOf.size();
    for (size_t &taker : takers[row])
      if (place(taker)) {
        taker = operation;
        return true;
      }
  }
  return false;
}

} // namespace spindle::hls
