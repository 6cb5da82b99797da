#include "lib/mapping/Matching.h"

namespace spindle {

Matching::Matching(const PlacementProblem &given, Slots candidates)
    : problem(given), tried(std::move(candidates)), slotOf(problem.clusters, kNone),
      occupant(problem.slots(), kNone) {}

void Matching::put(ClusterId cluster, SlotId slot) {
  slotOf[cluster] = slot;
  occupant[slot] = cluster;
}

bool Matching::add(ClusterId cluster) {
  std::vector<ClusterId> seenFrom(problem.slots(), kNone); // who would move there
  competing = {cluster};
  for (size_t at = 0; at < competing.size(); ++at)
    for (SlotId slot : tried) {
      if (seenFrom[slot] != kNone || !problem.fits(competing[at], slot))
        continue;
      seenFrom[slot] = competing[at];
      if (occupant[slot] != kNone) {
        competing.push_back(occupant[slot]);
        continue;
      }
      for (SlotId free = slot; free != kNone;) {
        ClusterId mover = seenFrom[free];
        SlotId left = slotOf[mover];
        put(mover, free);
        free = left;
      }
      return true;
    }
  return false;
}

} // namespace spindle
