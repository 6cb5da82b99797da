// snn-compose-linear keeps the function of a network: random chains of operations, before and
// after.
#include "dialects/snn/transforms/Passes.h"
#include "tests/frontend/Imported.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/IR/Verifier.h"
#include "mlir/Pass/PassManager.h"
#include "gmock/gmock.h"

namespace spindle {
namespace {

using mlir::Value;
using Extents = llvm::SmallVector<int64_t>;

/// Appends random operations to a function: any on activations, or linear ones on currents.
class RandomNetwork {
public:
  RandomNetwork(mlir::MLIRContext &context, uint64_t seed, bool areCurrents = false)
      : random(seed), builder(&context) {
    context.loadDialect<snn::SnnDialect, mlir::func::FuncDialect, mlir::arith::ArithDialect>();
    module = mlir::ModuleOp::create(location());
    builder.setInsertionPointToEnd(module->getBody());
    auto type = mlir::RankedTensorType::get({2, 5, 6}, builder.getF32Type());
    auto function = mlir::func::FuncOp::create(builder, location(), "main",
                                               builder.getFunctionType({type}, {}));
    builder.setInsertionPointToEnd(function.addEntryBlock());
    Value x = function.getArgument(0);
    if (areCurrents)
      x = snn::EncodeOp::create(builder, location(),
                                snn::CurrentType::get(builder.getContext(), snn::shapeOf(x)), x,
                                snn::Encoding::Direct);
    for (int k = 0; k < 9; ++k)
      x = areCurrents ? appendLinear(x) : append(x);
    mlir::func::ReturnOp::create(builder, location(), x);
    function.setType(builder.getFunctionType({type}, {x.getType()}));
  }
  mlir::OwningOpRef<mlir::ModuleOp> module;

private:
  mlir::Location location() { return builder.getUnknownLoc(); }
  Value constant(const Extents &shape) {
    int64_t size = 1;
    for (int64_t extent : shape)
      size *= extent;
    std::vector<float> values(size);
    for (float &value : values)
      value = float(random.uniform() * 2 - 1);
    return snn::makeConstant(builder, location(), shape, values);
  }
  Value bias(int64_t count) { return random.below(2) ? constant({count}) : Value(); }

  Value append(Value x) {
    bool image = snn::shapeOf(x).size() == 3;
    switch (random.below(image ? 11 : 8)) {
    case 0:
      return scale(x);
    case 1:
      return relu(x);
    case 2:
      return transpose(x);
    case 3:
      return image ? conv(x) : dense(x);
    case 4:
      return reshape(x);
    case 5:
      return sparse(x);
    case 6: { // two ways from x to one sum
      Value a = append(x), b = append(x);
      return a.getType() == b.getType()
                 ? snn::AddOp::create(builder, location(), a.getType(), a, b, mlir::StringAttr())
                       .getOutput()
                 : join(a, x);
    }
    case 7:
      return join(append(x), x);
    case 8:
      return pool(x);
    case 9:
      return maxPool(x);
    default:
      return conv(x);
    }
  }
  Value appendLinear(Value x) {
    bool image = snn::shapeOf(x).size() == 3;
    switch (random.below(image ? 7 : 5)) {
    case 0:
      return scale(x);
    case 1:
      return transpose(x);
    case 2:
      return reshape(x);
    case 3:
      return sparse(x);
    case 5:
      return pool(x);
    default:
      return image ? conv(x) : dense(x);
    }
  }
  Value relu(Value x) {
    mlir::FloatAttr maximum = random.below(2) ? builder.getF32FloatAttr(1.5f) : mlir::FloatAttr();
    return snn::ReluOp::create(builder, location(), x.getType(), x, maximum, mlir::IntegerAttr(),
                               mlir::StringAttr());
  }
  /// Along a dimension where both fit; `a` alone where there is none or the result would be large.
  Value join(Value a, Value b) {
    Extents left(snn::shapeOf(a)), right(snn::shapeOf(b));
    if (left.size() != right.size() || snn::sizeOf(a) + snn::sizeOf(b) > 400)
      return a;
    for (size_t axis = 0; axis < left.size(); ++axis) {
      Extents shape = right;
      shape[axis] = left[axis];
      if (shape != left)
        continue;
      shape[axis] += right[axis];
      return snn::ConcatOp::create(builder, location(), snn::withShape(a.getType(), shape),
                                   mlir::ValueRange{a, b}, int64_t(axis));
    }
    return a;
  }
  /// Up to two inputs for each output.
  Value sparse(Value x) {
    int64_t inputs = snn::sizeOf(x);
    std::vector<int64_t> offsets = {0};
    std::vector<int32_t> indices;
    for (int64_t o = 0; o < inputs; ++o) {
      int32_t first = int32_t(random.below(uint32_t(inputs)));
      if (random.below(4))
        indices.push_back(first);
      if (first + 1 < inputs && random.below(2))
        indices.push_back(first + 1);
      offsets.push_back(int64_t(indices.size()));
    }
    return indices.empty()
               ? x
               : snn::SparseOp::create(builder, location(), x.getType(), x,
                                       constant({int64_t(indices.size())}), bias(inputs), offsets,
                                       indices, mlir::StringAttr())
                     .getOutput();
  }
  Value scale(Value x) {
    int64_t channels = snn::shapeOf(x)[0], size = snn::sizeOf(x);
    Value factor = constant({random.below(2) ? channels : size});
    return snn::ScaleOp::create(builder, location(), x.getType(), x, factor,
                                bias(random.below(2) ? channels : size), mlir::StringAttr());
  }
  Value transpose(Value x) {
    Extents order, shape;
    for (size_t d = 0; d < snn::shapeOf(x).size(); ++d)
      order.push_back(int64_t(d));
    for (size_t d = order.size(); d-- > 1;)
      std::swap(order[d], order[random.below(uint32_t(d + 1))]);
    for (int64_t d : order)
      shape.push_back(snn::shapeOf(x)[d]);
    return snn::TransposeOp::create(builder, location(), snn::withShape(x.getType(), shape), x,
                                    order);
  }
  Value reshape(Value x) {
    Extents shape = {snn::sizeOf(x)};
    if (random.below(2) && snn::shapeOf(x).size() == 3)
      shape = {snn::shapeOf(x)[0] * snn::shapeOf(x)[1], 1, snn::shapeOf(x)[2]};
    return snn::ReshapeOp::create(builder, location(), snn::withShape(x.getType(), shape), x);
  }
  Value dense(Value x) {
    if (snn::shapeOf(x).size() != 1)
      return reshape(x);
    int64_t outputs = 3 + random.below(6);
    return snn::DenseOp::create(builder, location(), snn::synapseResult(x.getType(), {outputs}), x,
                                constant({outputs, snn::sizeOf(x)}), bias(outputs),
                                mlir::StringAttr());
  }
  Value conv(Value x) {
    Extents in(snn::shapeOf(x));
    int64_t groups = in[0] % 2 == 0 ? 1 + random.below(2) : 1,
            filters = groups * (1 + random.below(2));
    Extents pad = {random.below(2), random.below(2), random.below(2), random.below(2)};
    Extents kernel = {std::min<int64_t>(2, in[1]), std::min<int64_t>(3, in[2])};
    Extents out = {filters, in[1] + pad[0] + pad[2] - kernel[0] + 1,
                   in[2] + pad[1] + pad[3] - kernel[1] + 1};
    return snn::Conv2dOp::create(builder, location(), snn::synapseResult(x.getType(), out), x,
                                 constant({filters, in[0] / groups, kernel[0], kernel[1]}),
                                 bias(filters), Extents{1, 1}, pad, Extents{1, 1}, groups,
                                 mlir::StringAttr());
  }
  Value pool(Value x) {
    Extents in(snn::shapeOf(x));
    Extents kernel = {std::min<int64_t>(2, in[1]), std::min<int64_t>(2, in[2])};
    Extents pad = {random.below(uint32_t(kernel[0])), random.below(uint32_t(kernel[1])), 0, 0};
    Extents out = {in[0], in[1] + pad[0] - kernel[0] + 1, in[2] + pad[1] - kernel[1] + 1};
    return snn::AvgPool2dOp::create(builder, location(), snn::synapseResult(x.getType(), out), x,
                                    kernel, Extents{1, 1}, pad, random.below(2) == 1,
                                    mlir::StringAttr());
  }

  Value maxPool(Value x) {
    Extents in(snn::shapeOf(x));
    Extents kernel = {std::min<int64_t>(2, in[1]), std::min<int64_t>(2, in[2])};
    Extents out = {in[0], in[1] - kernel[0] + 1, in[2] - kernel[1] + 1};
    return snn::MaxPool2dOp::create(builder, location(), snn::withShape(x.getType(), out), x,
                                    kernel, Extents{1, 1}, Extents{0, 0, 0, 0}, mlir::StringAttr());
  }

  CounterRandom random;
  mlir::OpBuilder builder;
};

mlir::LogicalResult compose(mlir::ModuleOp module, bool rows = false) {
  mlir::PassManager passes(module.getContext());
  passes.addPass(snn::createSnnComposeLinear({rows}));
  return passes.run(module);
}

/// What the currents of a chain are of its input.
snn::LinearMap mapOf(mlir::ModuleOp module) {
  std::optional<snn::LinearMap> all;
  module.walk([&](snn::SynapseOp op) {
    snn::LinearMap next = *op.linearMap(0);
    all = all ? snn::compose(*all, next) : next;
  });
  return *all;
}

/// The weight of each input, row by row, and the biases.
std::vector<double> denseOf(const snn::LinearMap &map) {
  std::vector<double> values(map.bias.begin(), map.bias.end());
  values.resize(map.outputs + size_t(map.outputs) * map.inputs);
  for (size_t o = 0; o < map.outputs; ++o)
    for (uint64_t k = map.offsets[o]; k < map.offsets[o + 1]; ++k)
      values[map.outputs + o * map.inputs + map.indices[k]] += map.weights[k];
  return values;
}

TEST(ComposeLinear, RowsLeaveOneLayerOfAnyChain) {
  size_t merged = 0;
  for (uint64_t seed = 1; seed <= 200; ++seed) {
    SCOPED_TRACE(seed);
    mlir::MLIRContext context(mlir::MLIRContext::Threading::DISABLED);
    RandomNetwork network(context, seed, true);
    ASSERT_TRUE(succeeded(mlir::verify(*network.module)));
    auto layers = [&] {
      size_t count = 0;
      network.module->walk([&](snn::SynapseOp op) { count += op.hasWeights(); });
      return count;
    };
    std::vector<double> expected = denseOf(mapOf(*network.module));
    ASSERT_TRUE(succeeded(compose(*network.module)));
    merged += layers() > 1;
    ASSERT_TRUE(succeeded(compose(*network.module, true)));
    ASSERT_TRUE(succeeded(mlir::verify(*network.module)));
    EXPECT_LE(layers(), 1u);
    std::vector<double> found = denseOf(mapOf(*network.module));
    ASSERT_EQ(found.size(), expected.size());
    double largest = 1;
    for (double value : expected)
      largest = std::max(largest, std::abs(value));
    for (size_t i = 0; i < found.size(); ++i)
      ASSERT_NEAR(found[i], expected[i], 1e-5 * largest);
  }
  EXPECT_GT(merged, 50u); // for which nothing else is enough
}

size_t countOperations(mlir::ModuleOp module) { return describe(module).size(); }

TEST(ComposeLinear, KeepsTheFunctionOfRandomNetworks) {
  size_t before = 0, after = 0;
  for (uint64_t seed = 1; seed <= 300; ++seed) {
    mlir::MLIRContext context(mlir::MLIRContext::Threading::DISABLED);
    RandomNetwork network(context, seed);
    ASSERT_TRUE(succeeded(mlir::verify(*network.module)));
    std::vector<double> x = randomDoubles(60, seed);
    std::vector<double> expected = ReferenceAnn(*network.module)(x);
    before += countOperations(*network.module);
    ASSERT_TRUE(succeeded(compose(*network.module))) << "seed " << seed;
    ASSERT_TRUE(succeeded(mlir::verify(*network.module))) << "seed " << seed;
    after += countOperations(*network.module);
    std::vector<double> found = ReferenceAnn(*network.module)(x);
    double largest = 1;
    for (double value : expected)
      largest = std::max(largest, std::abs(value));
    ASSERT_EQ(found.size(), expected.size()) << "seed " << seed;
    for (size_t i = 0; i < found.size(); ++i)
      ASSERT_NEAR(found[i], expected[i], 1e-5 * largest) << "seed " << seed;
  }
  EXPECT_LT(after, before * 9 / 10); // it does merge
}

/// Nothing linear is left to merge after one run.
TEST(ComposeLinear, IsIdempotent) {
  for (uint64_t seed = 1; seed <= 50; ++seed) {
    mlir::MLIRContext context(mlir::MLIRContext::Threading::DISABLED);
    RandomNetwork network(context, seed);
    ASSERT_TRUE(succeeded(compose(*network.module)));
    std::vector<std::string> once = describe(*network.module);
    ASSERT_TRUE(succeeded(compose(*network.module)));
    EXPECT_EQ(describe(*network.module), once) << "seed " << seed;
  }
}

} // namespace
} // namespace spindle
