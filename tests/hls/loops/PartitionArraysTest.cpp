#include "hw/hls/Passes.h"
#include "hw/hls/loops/arrays/ArrayPartition.h"
#include "hw/hls/ranges/ValueRanges.h"
#include "tests/hls/loops/RandomKernels.h"

#include "core/support/CounterRandom.h"

#include "gtest/gtest.h"

#include <set>

using namespace spindle;
using namespace spindle::hls;
using namespace mlir;
using namespace mlir::affine;

namespace {

/// Calls `visit(subscripts)` for all iterations of an access below loops whose bounds are affine.
void enumerate(Operation *access, AffineMap map, ValueRange operands,
               llvm::function_ref<void(ArrayRef<int64_t>)> visit) {
  SmallVector<AffineForOp> loops;
  for (auto loop = access->getParentOfType<AffineForOp>(); loop;
       loop = loop->getParentOfType<AffineForOp>())
    loops.insert(loops.begin(), loop);
  llvm::DenseMap<Value, int64_t> values;
  auto evaluate = [&](AffineMap m, ValueRange of) {
    SmallVector<Attribute> inputs, outputs;
    Builder builder(access->getContext());
    for (Value operand : of)
      inputs.push_back(builder.getIndexAttr(values.lookup(operand)));
    EXPECT_TRUE(succeeded(m.constantFold(inputs, outputs)));
    SmallVector<int64_t> results;
    for (Attribute output : outputs)
      results.push_back(cast<IntegerAttr>(output).getInt());
    return results;
  };
  std::function<void(size_t)> run = [&](size_t depth) {
    if (depth == loops.size())
      return visit(evaluate(map, operands));
    AffineForOp loop = loops[depth];
    SmallVector<int64_t> lower = evaluate(loop.getLowerBoundMap(), loop.getLowerBoundOperands());
    SmallVector<int64_t> upper = evaluate(loop.getUpperBoundMap(), loop.getUpperBoundOperands());
    for (int64_t i = *llvm::max_element(lower); i < *llvm::min_element(upper); ++i) {
      values[loop.getInductionVar()] = i;
      run(depth + 1);
    }
  };
  run(0);
}

using Kind = DimensionPartition::Kind;

TEST(ArrayPartition, PlacesAreDistinctAndFillTheBanks) {
  for (int64_t extent = 3; extent < 20; ++extent)
    for (DimensionPartition partition :
         {DimensionPartition{}, DimensionPartition{Kind::Cyclic, 3},
          DimensionPartition{Kind::Block, 3}, DimensionPartition{Kind::Complete, extent}}) {
      std::set<std::pair<int64_t, uint64_t>> places;
      for (int64_t i = 0; i < extent; ++i) {
        BankAddress place = partition.placeOf(extent, i);
        EXPECT_LT(int64_t(place.bank), partition.factor);
        EXPECT_LT(int64_t(place.address), partition.words(extent));
        EXPECT_TRUE(places.insert({place.bank, place.address}).second) << extent << " " << i;
      }
    }
}

TEST(ArrayPartition, BanksOfAccessesAreThoseOfEnumeration) {
  unsigned proved = 0;
  for (uint64_t seed = 0; seed < 100; ++seed) {
    RandomKernelOptions options;
    options.guards = false;
    OwningOpRef<ModuleOp> kernel = parseKernel(randomKernel(seed, options));
    CounterRandom random(seed);
    kernel->walk([&](AffineLoadOp load) {
      ArrayPartition partition;
      for (int64_t extent : load.getMemRefType().getShape()) {
        auto kind = Kind(random.below(4));
        int64_t factor = 1 + int64_t(random.below(uint32_t(extent)));
        partition.push_back({kind, kind == Kind::None       ? 1
                                   : kind == Kind::Complete ? extent
                                                            : factor});
      }
      std::optional<int64_t> bank = bankOf(partition, load);
      if (!bank)
        return;
      ++proved;
      enumerate(load, load.getAffineMap(), load.getMapOperands(), [&](ArrayRef<int64_t> indices) {
        int64_t found = 0;
        for (auto [dimension, extent, index] :
             llvm::zip(partition, load.getMemRefType().getShape(), indices))
          found = found * dimension.factor + dimension.placeOf(extent, index).bank;
        EXPECT_EQ(found, *bank) << seed;
      });
    });
  }
  EXPECT_GT(proved, 100u);
}

TEST(ArrayPartition, RangesContainEveryValue) {
  for (uint64_t seed = 0; seed < 60; ++seed) {
    OwningOpRef<ModuleOp> kernel = parseKernel(randomKernel(seed));
    kernel->walk([&](AffineStoreOp store) {
      enumerate(
          store, store.getAffineMap(), store.getMapOperands(), [&](ArrayRef<int64_t> indices) {
            for (auto [subscript, index] : llvm::zip(store.getAffineMap().getResults(), indices)) {
              IntegerRange range = integerRangeOf(subscript, store.getAffineMap().getNumDims(),
                                                  store.getMapOperands());
              EXPECT_TRUE(range.isKnown() && range.contains(index)) << seed;
            }
          });
    });
  }
}

std::string gemm(unsigned n) {
  std::string size = std::to_string(n), matrix = "memref<" + size + "x" + size + "xf32>";
  return "func.func @kernel(%c: " + matrix + ", %a: " + matrix + ", %b: " + matrix +
         ") {\n  affine.for %i = 0 to " + size + " {\n    affine.for %j = 0 to " + size +
         " {\n      affine.for %k = 0 to " + size +
         " {\n        %x = affine.load %a[%i, %k] : " + matrix +
         "\n        %y = affine.load %b[%k, %j] : " + matrix +
         "\n        %z = affine.load %c[%i, %j] : " + matrix +
         "\n        %p = arith.mulf %x, %y : f32\n        %s = arith.addf %z, %p : f32\n"
         "        affine.store %s, %c[%i, %j] : " +
         matrix + "\n      }\n    }\n  }\n  return\n}\n";
}

/// Every body of 16 x 16 x 16 jammed over i and j: 256 multiply-adds, one access per bank.
TEST(PartitionArrays, AJammedProductHasAPortForEveryAccess) {
  registerHlsPasses();
  OwningOpRef<ModuleOp> after = expectPipelineKeepsResults(
      gemm(16),
      "hls-unroll-and-jam{loops=1:full},hls-unroll-and-jam{loops=0:full},"
      "hls-partition-arrays",
      1);
  ASSERT_TRUE(after);
  unsigned multiplications = 0, loops = 0;
  std::map<std::pair<void *, int64_t>, std::set<void *>> locations;
  after->walk([&](Operation *op) {
    multiplications += isa<arith::MulFOp>(op);
    loops += isa<AffineForOp>(op);
    if (isa<AffineLoadOp, AffineStoreOp>(op)) {
      auto bank = op->getAttrOfType<IntegerAttr>("hls.bank");
      ASSERT_TRUE(bank);
      Value array = isa<AffineLoadOp>(op) ? cast<AffineLoadOp>(op).getMemRef()
                                          : cast<AffineStoreOp>(op).getMemRef();
      locations[{array.getAsOpaquePointer(), bank.getInt()}].insert(
          const_cast<void *>(op->getAttr("map").getAsOpaquePointer()));
    }
  });
  EXPECT_EQ(multiplications, 256u);
  EXPECT_EQ(loops, 1u);
  EXPECT_GE(locations.size(), 256u + 8 + 8); // two elements of a or b may share a bank's two ports
  for (auto &[bank, maps] : locations)
    EXPECT_LE(maps.size(), 2u);
}

TEST(PartitionArrays, KeepsTheResults) {
  registerHlsPasses();
  for (uint64_t seed = 0; seed < 30; ++seed)
    expectPipelineKeepsResults(randomKernel(seed),
                               "hls-unroll-loops{loops=2:4},hls-partition-arrays", seed);
}

} // namespace
