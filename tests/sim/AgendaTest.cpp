#include "sim/model/router/Agenda.h"

#include "core/support/CounterRandom.h"

#include "gmock/gmock.h"

#include <set>

using namespace spindle;

namespace {

/// The wheel against a sorted set of (cycle, tile).
TEST(Agenda, VisitsTilesOfACycleOnceAndInOrder) {
  constexpr uint32_t tiles = 200, horizon = 11;
  Agenda agenda(tiles, horizon);
  std::set<std::pair<uint64_t, uint32_t>> reference;
  CounterRandom random(3);
  uint64_t last = 0;
  for (uint64_t cycle = 0; cycle < 2000; ++cycle) {
    for (uint32_t n = random.below(4); n > 0; --n) {
      uint32_t tile = random.below(tiles);
      uint64_t at = cycle + random.below(horizon + 1);
      agenda.add(tile, at);
      reference.insert({at, tile});
      last = std::max(last, at);
    }
    std::vector<uint32_t> visited, expected;
    agenda.take(cycle, [&](uint32_t tile) {
      visited.push_back(tile);
      if (tile % 7 == 0) { // a visit that asks for a later one
        agenda.add(tile + 1, cycle + horizon);
        reference.insert({cycle + horizon, tile + 1});
        last = std::max(last, cycle + horizon);
      }
    });
    for (; !reference.empty() && reference.begin()->first == cycle;
         reference.erase(reference.begin()))
      expected.push_back(reference.begin()->second);
    ASSERT_EQ(visited, expected) << "cycle " << cycle;
    ASSERT_EQ(agenda.last(), last);
  }
}

} // namespace
