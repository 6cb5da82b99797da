// Connections by a rule: constraints, rows, and what they are as compressed rows.
#include "dialects/snn/Snn.h"

using namespace mlir;

namespace spindle::snn {

RandomRows RandomOp::getRule() {
  RandomRows rule;
  rule.key = uint64_t(getKey());
  if (getProbability())
    rule.probability = getProbability()->convertToDouble();
  if (getFanIn())
    rule.fanIn = int64_t(*getFanIn());
  rule.sources = {getSourceRange()[0], getSourceRange()[1]};
  rule.targets = {getTargetRange()[0], getTargetRange()[1]};
  rule.avoidsSelf = !getAutapses();
  return rule;
}

void RandomOp::forEachRow(function_ref<void(int64_t, ArrayRef<int32_t>)> use) {
  RandomRows rule = getRule();
  int64_t first = int64_t(getFirst()), outputs = sizeOf(getOutput());
  std::vector<int32_t> row;
  for (int64_t o = 0; o < outputs; ++o) {
    row.clear();
    rule.append(first + o, row);
    use(o, row);
  }
}

/// random_c1.
static LogicalResult verifyRule(RandomOp op) {
  if (op.getProbability().has_value() == op.getFanIn().has_value())
    return op.emitOpError("expected either probability or fan_in");
  if (op.getProbability()) {
    double probability = op.getProbability()->convertToDouble();
    if (!(probability >= 0 && probability <= 1))
      return op.emitOpError("probability is ") << probability << ", expected 0 to 1";
    return success();
  }
  RandomRows rule = op.getRule();
  bool meet = rule.avoidsSelf && rule.sources.begin < rule.targets.end &&
              rule.targets.begin < rule.sources.end;
  int64_t most = rule.sources.size() - meet;
  if (*rule.fanIn < 0 || *rule.fanIn > most)
    return op.emitOpError("fan_in is ") << *rule.fanIn << ", expected 0 to " << most;
  return success();
}

LogicalResult RandomOp::verify() {
  auto isRange = [](ArrayRef<int64_t> range) {
    return range.size() == 2 && 0 <= range[0] && range[0] <= range[1];
  };
  int64_t inputs = sizeOf(getInput()), outputs = sizeOf(getOutput());
  if (!isRange(getSourceRange()) || getSourceRange()[1] > inputs)
    return emitOpError("source_range must be begin and end of a range of the ")
           << inputs << " inputs";
  if (!isRange(getTargetRange()) || getTargetRange()[1] > INT32_MAX)
    return emitOpError("target_range must be begin and end of a range of rows");
  if (int64_t(getFirst()) < 0)
    return emitOpError("first is ") << int64_t(getFirst()) << ", expected a row, zero or more";
  if (failed(verifyRule(*this)))
    return failure();
  if (shapeOf(getWeight()) != ArrayRef<int64_t>{1})
    return emitOpError("weight must be one value, which all synapses share");
  if (getBias() && shapeOf(getBias()) != ArrayRef<int64_t>{outputs})
    return emitOpError("bias must have one value per output: ") << outputs;
  Type expected = synapseResult(getInput().getType(), shapeOf(getOutput()));
  if (getOutput().getType() != expected)
    return emitOpError("output is ") << getOutput().getType() << ", expected " << expected;
  return success();
}

FailureOr<LinearMap> RandomOp::linearMap(unsigned) {
  FailureOr<std::vector<float>> weight = constantFloats(getWeight());
  FailureOr<std::vector<float>> bias =
      getBias() ? constantFloats(getBias()) : FailureOr<std::vector<float>>(std::vector<float>());
  if (failed(weight) || failed(bias))
    return failure();
  LinearMapBuilder builder(sizeOf(getInput()), sizeOf(getOutput()));
  forEachRow([&](int64_t o, ArrayRef<int32_t> sources) {
    for (int32_t source : sources)
      builder.connect(source, weight->front());
    builder.endOutput(bias->empty() ? 0 : (*bias)[size_t(o)]);
  });
  return builder.take();
}

/// All synapses share a weight: scales must be equal wherever some may be.
LogicalResult RandomOp::rescale(ArrayRef<float> inputScale, ArrayRef<float> outputScale) {
  FailureOr<std::vector<float>> weight = constantFloats(getWeight());
  ArrayRef<float> in = inputScale.slice(size_t(getSourceRange()[0]),
                                        size_t(getSourceRange()[1] - getSourceRange()[0]));
  if (failed(weight) || !llvm::all_equal(in) || !llvm::all_equal(outputScale))
    return failure();
  FailureOr<std::vector<float>> bias =
      getBias() ? constantFloats(getBias()) : FailureOr<std::vector<float>>(std::vector<float>());
  if (failed(bias))
    return failure();
  OpBuilder builder(*this);
  float scaled = weight->front() * (in.empty() ? 1 : in.front()) *
                 (outputScale.empty() ? 1 : outputScale.front());
  setOperand(1, makeConstant(builder, getLoc(), {1}, scaled));
  for (size_t o = 0; o < bias->size(); ++o)
    (*bias)[o] *= outputScale[o];
  if (getBias())
    getBiasMutable().assign(makeConstant(builder, getLoc(), shapeOf(getBias()), *bias));
  return success();
}

} // namespace spindle::snn
