// What the layerwise schedule does not know is refused by name.
#include "dialects/snn/synapses/DelayedSparseOp.h"
#include "lib/emulation/Emulation.h"
#include "tests/emulation/NetworkBuilder.h"

#include "gmock/gmock.h"

#include <functional>

using namespace spindle;
using namespace spindle::test;

namespace {

void fireAtOne(NetworkBuilder &n) { n.integrateAndFire(snn::Reset::Subtract, {1}, {0}, {0.5f}); }

std::string refusalOf(const std::function<void(NetworkBuilder &)> &build,
                      EmulationOptions options = {}) {
  NetworkBuilder builder({2, 6, 6}, 5);
  build(builder);
  options.engine = EmulationEngine::Layers;
  llvm::Expected<EmulationResult> result =
      emulate(builder.finish(), randomSamples(3, {2, 6, 6}, 1, 1), options);
  return result ? "" : llvm::toString(result.takeError());
}

TEST(Layers, SaysWhyAnEngineCannotBeHad) {
  using ::testing::EndsWith;
  std::string end = "; expected compiled or lanes";
  EXPECT_THAT(refusalOf([](NetworkBuilder &n) {
                n.poisson().pool({2, 2}, {1, 512});
                fireAtOne(n);
                n.decode();
              }),
              EndsWith("avg_pool2d1 has windows too far apart" + end));
  EXPECT_THAT(refusalOf([](NetworkBuilder &n) {
                n.poisson().flatten().dense(2);
                n.population("if", "reset = #snn<reset zero>, threshold = array<f32: 1.0>, "
                                   "discretization = #snn<discretization exact_crossing>");
                n.decode();
              }),
              EndsWith("if1 seeks crossings within the step" + end));
  EXPECT_THAT(refusalOf([](NetworkBuilder &n) {
                n.poisson().pool({2, 2}, {1, 1});
                fireAtOne(n);
                n.decode().maxPool({1, 1}, {1, 1});
              }),
              EndsWith("max_pool2d1 takes maxima of what is decoded" + end));
  EXPECT_THAT(refusalOf([](NetworkBuilder &n) { // 2^15 steps of 2^17 sums are one too many
                n.poisson().flatten();
                mlir::OpBuilder builder(n.last().getContext());
                builder.setInsertionPointToEnd(n.last().getParentBlock());
                mlir::Location place = builder.getUnknownLoc();
                std::vector<int64_t> offsets((1 << 17) + 1, 1);
                offsets[0] = 0;
                n.from(snn::DelayedSparseOp::create(
                    builder, place, snn::CurrentType::get(builder.getContext(), {1 << 17}),
                    n.last(), snn::makeConstant(builder, place, {1}, {1}), mlir::Value(), offsets,
                    {0}, {INT16_MAX}, mlir::StringAttr()));
                fireAtOne(n);
                n.decode();
              }),
              EndsWith("delayed_sparse1 has too many outputs for its longest delay" + end));
  EmulationOptions traced;
  traced.recordMembranes = {"if1"};
  EXPECT_THAT(refusalOf(
                  [](NetworkBuilder &n) {
                    n.poisson().flatten().dense(2);
                    fireAtOne(n);
                    n.decode();
                  },
                  traced),
              EndsWith("but membranes are recorded after every step" + end));
}

} // namespace
