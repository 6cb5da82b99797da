// In which order columns are updated.
#include "core/chip/work/ColumnOrder.h"

#include "gmock/gmock.h"

using namespace spindle;
using ::testing::ElementsAre;

namespace {

/// Inputs 0 and 1, which drive nothing of the order. Neuron 2 is heard in its own cluster alone,
/// neuron 3 nine times in the other, neuron 4 four times in either; neuron 5 in two units, of which
/// the first sends a sum in each of eight steps.
TEST(ColumnOrder, PutsPacketsForOthersFirst) {
  Clustering clustering;
  clustering.rows = clustering.columns = 8;
  clustering.neurons = 6;
  clustering.samples = 2;
  clustering.steps = 4;
  clustering.units = {{2, 0, kNone}, {3, 0, kNone}, {4, 0, kNone}, {5, 0, 4}, {5, 1, kNone}};
  clustering.clusters = {{4, 3, 2, {{2, 1, 99}, {4, 1, 4}}},
                         {1, 1, 3, {{0, 1, 50}, {3, 1, 9}, {4, 1, 4}}}};
  EXPECT_THAT(columnOrder(clustering), ElementsAre(0, 1, 2, 3, 4));
  clustering.order = ColumnOrder::SpikesFirst;
  EXPECT_THAT(columnOrder(clustering), ElementsAre(1, 3, 2, 0, 4));
  clustering.clusters[1].axons[1].spikes = 8; // as many as the sums: in the order of the units
  EXPECT_THAT(columnOrder(clustering), ElementsAre(1, 3, 2, 0, 4));
  clustering.clusters[1].axons[1].spikes = 7;
  EXPECT_THAT(columnOrder(clustering), ElementsAre(3, 1, 2, 0, 4));
  clustering.units[4].cluster = 0; // the sum goes nowhere
  EXPECT_THAT(columnOrder(clustering), ElementsAre(1, 2, 0, 3, 4));
  clustering.clusters[1].axons.push_back({5, 1, 6}); // neuron 5 is heard: its parts come first
  EXPECT_THAT(columnOrder(clustering), ElementsAre(1, 3, 4, 2, 0));
}

} // namespace
