// The pass, and what its rewrites share.
#include "dialects/snn/transforms/ComposeLinear.h"
#include "dialects/snn/transforms/Passes.h"

#include "mlir/Transforms/GreedyPatternRewriteDriver.h"

using namespace mlir;

namespace spindle::snn {

#define GEN_PASS_DEF_SNNCOMPOSELINEAR
#include "dialects/snn/transforms/Passes.h.inc"

void ScaleValues::expand(size_t count) {
  ScaleValues wide;
  size_t block = count / factor.size();
  for (size_t i = 0; i < count; ++i) {
    wide.factor.push_back(factor[i / block]);
    wide.bias.push_back(bias[i / block]);
  }
  *this = std::move(wide);
}

FailureOr<std::vector<double>> biasOf(Value bias, size_t count) {
  if (!bias)
    return std::vector<double>(count, 0);
  FailureOr<std::vector<float>> floats = constantFloats(bias);
  if (failed(floats))
    return failure();
  return std::vector<double>(floats->begin(), floats->end());
}

FailureOr<ScaleValues> valuesOf(ScaleOp scale) {
  FailureOr<std::vector<float>> factor = constantFloats(scale.getFactor());
  if (failed(factor) || factor->empty() || shapeOf(scale.getInput()).empty())
    return failure();
  FailureOr<std::vector<double>> bias = biasOf(scale.getBias(), factor->size());
  if (failed(bias))
    return failure();
  // One of the two may be per channel and the other per element.
  ScaleValues values{std::vector<double>(factor->begin(), factor->end()), {}};
  ScaleValues shift{*bias, *bias};
  size_t count = std::max(factor->size(), bias->size());
  values.bias.resize(values.factor.size());
  values.expand(count);
  shift.expand(count);
  values.bias = std::move(shift.bias);
  return values;
}

std::vector<float> rounded(const std::vector<double> &values) {
  return std::vector<float>(values.begin(), values.end());
}

Value makeBias(OpBuilder &builder, Location location, const std::vector<double> &values) {
  if (llvm::all_of(values, [](double value) { return value == 0; }))
    return {};
  return makeConstant(builder, location, {int64_t(values.size())}, rounded(values));
}

bool takesScale(Value value) {
  Operation *op = value.getDefiningOp();
  return op && op->hasOneUse() && isa<Conv2dOp, DenseOp, ScaleOp>(op);
}

/// Whether each of `channels` equal blocks holds one value.
static bool isPerChannel(ArrayRef<double> values, size_t channels) {
  size_t block = values.size() / channels;
  for (size_t k = 0; k < channels; ++k)
    if (!llvm::all_equal(values.slice(k * block, block)))
      return false;
  return true;
}

void ScaleValues::narrow(size_t channels) {
  if (!isPerChannel(factor, channels) || !isPerChannel(bias, channels))
    return;
  size_t block = factor.size() / channels;
  for (std::vector<double> *part : {&factor, &bias}) {
    for (size_t k = 0; k < channels; ++k)
      (*part)[k] = (*part)[k * block];
    part->resize(channels);
  }
}

ScaleOp makeScale(OpBuilder &builder, Location location, Value input, ScaleValues values,
                  StringAttr layer) {
  values.narrow(shapeOf(input)[0]);
  Value factor =
      makeConstant(builder, location, {int64_t(values.factor.size())}, rounded(values.factor));
  Value bias = makeBias(builder, location, values.bias);
  return ScaleOp::create(builder, location, synapseResult(input.getType(), shapeOf(input)), input,
                         factor, bias, layer);
}

namespace {
struct ComposeLinear : impl::SnnComposeLinearBase<ComposeLinear> {
  using SnnComposeLinearBase::SnnComposeLinearBase;

  void runOnOperation() override {
    RewritePatternSet patterns(&getContext());
    addScalePatterns(patterns);
    addPoolPatterns(patterns);
    addViewPatterns(patterns);
    addDensePatterns(patterns);
    addMaximumPatterns(patterns);
    addJoinPatterns(patterns);
    auto count = [&] {
      unsigned operations = 0;
      getOperation()->walk([&](Operation *op) { operations += isa<SynapseOp>(op); });
      return operations;
    };
    unsigned before = count();
    // Views sink one operation at a time, so deep networks take more rounds than the default.
    GreedyRewriteConfig config;
    config.setMaxIterations(1000);
    if (failed(applyPatternsGreedily(getOperation(), std::move(patterns), config)))
      return signalPassFailure();
    RewritePatternSet rest(&getContext());
    addRowPatterns(rest);
    if (rows && failed(applyPatternsGreedily(getOperation(), std::move(rest), config)))
      return signalPassFailure();
    removed += before - count();
  }
};
} // namespace

} // namespace spindle::snn
