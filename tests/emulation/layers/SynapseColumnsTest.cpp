// Packed columns hold the synapses of the operation, each once, targets ascending.
#include "lib/emulation/layers/kernels/synapses/SynapseColumns.h"
#include "tests/emulation/NetworkBuilder.h"

#include "gmock/gmock.h"

#include <map>

using namespace spindle;
using namespace spindle::layers;
using test::NetworkBuilder;

namespace {

struct Synapse {
  int64_t source, target;
  float weight;
  bool operator==(const Synapse &) const = default;
};

std::vector<Synapse> unpacked(const SynapseColumns &columns) {
  std::vector<Synapse> synapses;
  const char *bytes = columns.targets.data();
  for (size_t source = 0; source + 1 < columns.offsets.size(); ++source) {
    int64_t at = 0;
    for (auto k = size_t(columns.offsets[source]); k < size_t(columns.offsets[source + 1]); ++k) {
      if (columns.form == TargetForm::Numbers16)
        at = reinterpret_cast<const uint16_t *>(bytes)[k];
      else if (columns.form == TargetForm::Numbers32)
        at = reinterpret_cast<const uint32_t *>(bytes)[k];
      else
        at += reinterpret_cast<const uint8_t *>(bytes)[k];
      bool skips =
          columns.form == TargetForm::Gaps8 && reinterpret_cast<const uint8_t *>(bytes)[k] == kSkip;
      if (!skips)
        synapses.push_back(
            {int64_t(source), at, columns.weights[columns.weights.size() == 1 ? 0 : k]});
    }
  }
  return synapses;
}

/// From the rows of targets, by sorting.
template <typename Op> std::vector<Synapse> expected(Op op) {
  snn::LinearMap map = *op.linearMap(0);
  std::vector<Synapse> synapses;
  for (uint32_t source = 0; source < map.inputs; ++source)
    for (uint32_t target = 0; target < map.outputs; ++target)
      for (uint64_t k = map.offsets[target]; k < map.offsets[target + 1]; ++k)
        if (map.indices[k] == source)
          synapses.push_back({source, target, map.weights[k]});
  return synapses;
}

template <typename Op> TargetForm expectPacked(mlir::Value made) {
  auto op = mlir::cast<Op>(made.getDefiningOp());
  SynapseColumns columns = measureColumns(op);
  EXPECT_TRUE(columns.targets.data() == nullptr);
  writeColumns(op, columns);
  std::vector<Synapse> synapses = expected(op);
  EXPECT_EQ(unpacked(columns), synapses);
  std::map<int64_t, int64_t> ofTargets;
  for (const Synapse &synapse : synapses)
    ++ofTargets[synapse.target];
  int64_t most = 0;
  for (auto [target, count] : ofTargets)
    most = std::max(most, count);
  EXPECT_EQ(columns.most, most);
  EXPECT_GE(int64_t(columns.targets.size()), columns.offsets.back() + 64);
  return columns.form;
}

} // namespace

TEST(SynapseColumns, OfRulesAreGapsWhereTargetsAreClose) {
  NetworkBuilder n({300});
  mlir::Value x = n.poisson().last();
  auto formOf = [&](double probability, int64_t targets, bool avoidsSelf = false) {
    RandomRows rule{9, probability, {}, {20, 280}, {5, targets}, avoidsSelf};
    return expectPacked<snn::RandomOp>(n.from(x).drawn({targets}, rule, 0.5f).last());
  };
  EXPECT_EQ(formOf(0.02, 2000), TargetForm::Gaps8);
  EXPECT_EQ(formOf(1, 280, true), TargetForm::Gaps8);
  EXPECT_EQ(formOf(0.008, 6000), TargetForm::Gaps8); // with skips: mean 125, more than 255 at times
  EXPECT_EQ(formOf(0.0005, 6000), TargetForm::Numbers16);
  EXPECT_EQ(formOf(0, 2000), TargetForm::Gaps8); // of nothing
  EXPECT_EQ(formOf(2e-5, 70000), TargetForm::Numbers32);
  RandomRows rule{9, 0, 7, {20, 280}, {0, 400}, true};
  expectPacked<snn::RandomOp>(n.from(x).drawn({400}, rule, 0.5f).last());
}

TEST(SynapseColumns, OfPartsAreThoseOfTheirRows) {
  NetworkBuilder n({300});
  mlir::Value x = n.poisson().last();
  RandomRows rule{9, 0.1, {}, {0, 300}, {100, 250}, true};
  expectPacked<snn::RandomOp>(n.from(x).drawn({90}, rule, 0.5f, false, 180).last());
}

TEST(SynapseColumns, OfListsHaveTheirWeights) {
  NetworkBuilder n({40});
  mlir::Value x = n.poisson().last();
  EXPECT_EQ(expectPacked<snn::SparseOp>(n.from(x).sparse({60}, 0.3).last()), TargetForm::Numbers16);
  EXPECT_EQ(expectPacked<snn::SparseOp>(
                n.from(x).sparse({4}, {0, 2, 2, 3, 5}, {1, 39, 7, 0, 1}, 2).last()),
            TargetForm::Numbers16); // short columns would be mostly filling
  EXPECT_EQ(expectPacked<snn::SparseOp>(n.from(x).sparse({1000}, 0.01).last()),
            TargetForm::Numbers16);
  // Gaps of exactly one skip and of several, behind and before close targets.
  std::vector<int64_t> offsets{0};
  for (int64_t target = 0, first = 200, second = first + 255, third = second + 510; target < 3000;
       ++target) {
    bool isOne = target <= first || (target >= second && target < second + 300) || target == third;
    offsets.push_back(offsets.back() + isOne);
  }
  std::vector<int32_t> sources(size_t(offsets.back()), 3);
  EXPECT_EQ(expectPacked<snn::SparseOp>(n.from(x).sparse({3000}, offsets, sources, 2).last()),
            TargetForm::Gaps8);
}
