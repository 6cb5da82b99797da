#include "core/kernel/DimensionPartition.h"

namespace spindle::hls {

BankAddress DimensionPartition::placeOf(int64_t extent, int64_t index) const {
  int64_t count = words(extent);
  bool isCyclic = kind == Kind::Cyclic;
  int64_t bank = isCyclic ? index % factor : index / count;
  int64_t word = isCyclic ? index / factor : index % count;
  return {static_cast<uint32_t>(bank), static_cast<uint64_t>(word)};
}

} // namespace spindle::hls
