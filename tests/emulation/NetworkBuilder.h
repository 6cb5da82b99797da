// Builds networks of the snn dialect operation by operation, with random weights where asked.
#pragma once

#include "core/network/Samples.h"
#include "core/support/CounterRandom.h"
#include "dialects/snn/Snn.h"

#include "mlir/AsmParser/AsmParser.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/OwningOpRef.h"
#include "mlir/IR/Verifier.h"
#include "mlir/Parser/Parser.h"

namespace spindle::test {

using Shape = std::vector<int64_t>;

inline std::vector<float> randomFloats(CounterRandom &random, size_t count, float low = -1,
                                       float high = 1) {
  std::vector<float> values(count);
  for (float &value : values)
    value = low + (high - low) * float(random.uniform());
  return values;
}

/// Samples of uniform values with labels in turn.
inline Samples randomSamples(uint64_t seed, Shape shape, size_t count, uint32_t classes,
                             float low = 0, float high = 1) {
  CounterRandom random(seed);
  Samples samples;
  samples.shape = std::move(shape);
  samples.labels.resize(count);
  for (size_t index = 0; index < count; ++index)
    samples.labels[index] = static_cast<uint32_t>(index) % classes;
  samples.values = randomFloats(random, count * samples.size(), low, high);
  return samples;
}

struct ConvOptions {
  Shape strides{1, 1}, padding{0, 0, 0, 0}, dilations{1, 1};
  int64_t groups = 1;
};

struct PoolOptions {
  Shape kernel, strides, padding;
};

/// A window, strides, and padding smaller than the window.
inline PoolOptions drawPool(CounterRandom &random) {
  PoolOptions pool;
  for (int64_t axis = 0; axis < 2; ++axis) {
    pool.kernel.push_back(1 + random.below(3));
    pool.strides.push_back(1 + random.below(3));
  }
  for (size_t side = 0; side < 4; ++side)
    pool.padding.push_back(random.below(uint32_t(pool.kernel[side % 2])));
  return pool;
}

/// Each call appends an operation that reads the result of the one before.
class NetworkBuilder {
public:
  explicit NetworkBuilder(Shape input, uint64_t seed = 1) : random(seed), builder(&context) {
    context.loadDialect<snn::SnnDialect, mlir::arith::ArithDialect, mlir::func::FuncDialect>();
    loc = builder.getUnknownLoc();
    module = mlir::ModuleOp::create(loc);
    builder.setInsertionPointToEnd(module->getBody());
    auto type = mlir::RankedTensorType::get(input, builder.getF32Type());
    function =
        mlir::func::FuncOp::create(builder, loc, "main", builder.getFunctionType({type}, {type}));
    builder.setInsertionPointToEnd(function.addEntryBlock());
    value = function.getArgument(0);
  }

  NetworkBuilder &dense(int64_t outputs, bool bias = true, float weight = 1) {
    int64_t inputs = snn::sizeOf(value);
    return dense(outputs, randomFloats(random, outputs * inputs, -weight, weight),
                 bias ? randomFloats(random, outputs) : std::vector<float>(), "");
  }
  NetworkBuilder &dense(int64_t outputs, const std::vector<float> &weights,
                        const std::vector<float> &bias, llvm::StringRef layer) {
    auto op = snn::DenseOp::create(
        builder, loc, result({outputs}), value, constant({outputs, snn::sizeOf(value)}, weights),
        bias.empty() ? mlir::Value() : constant({outputs}, bias), name(layer));
    return take(op);
  }
  NetworkBuilder &conv(int64_t filters, int64_t rows, int64_t columns, bool bias = true,
                       const ConvOptions &options = {}) {
    int64_t channels = snn::shapeOf(value)[0] / options.groups;
    return conv({filters, channels, rows, columns},
                randomFloats(random, filters * channels * rows * columns),
                bias ? randomFloats(random, filters) : std::vector<float>(), "", options);
  }
  NetworkBuilder &conv(Shape weight, const std::vector<float> &weights,
                       const std::vector<float> &bias, llvm::StringRef layer,
                       const ConvOptions &o = {}) {
    llvm::ArrayRef<int64_t> in = snn::shapeOf(value);
    auto extent = [&](size_t axis) {
      return (in[axis + 1] + o.padding[axis] + o.padding[axis + 2] -
              (o.dilations[axis] * (weight[axis + 2] - 1) + 1)) /
                 o.strides[axis] +
             1;
    };
    auto op = snn::Conv2dOp::create(
        builder, loc, result({weight[0], extent(0), extent(1)}), value, constant(weight, weights),
        bias.empty() ? mlir::Value() : constant({weight[0]}, bias), array(o.strides),
        array(o.padding), array(o.dilations), builder.getI64IntegerAttr(o.groups), name(layer));
    return take(op);
  }
  NetworkBuilder &pool(Shape kernel, Shape strides, Shape padding = {0, 0, 0, 0},
                       bool countPad = true) {
    auto op = snn::AvgPool2dOp::create(builder, loc, result(pooled(kernel, strides, padding)),
                                       value, array(kernel), array(strides), array(padding),
                                       builder.getBoolAttr(countPad), mlir::StringAttr());
    return take(op);
  }
  NetworkBuilder &sumPool(Shape kernel, Shape strides, Shape padding = {0, 0, 0, 0}) {
    return take(snn::SumPool2dOp::create(builder, loc, result(pooled(kernel, strides, padding)),
                                         value, array(kernel), array(strides), array(padding),
                                         mlir::StringAttr()));
  }
  NetworkBuilder &maxPool(Shape kernel, Shape strides, Shape padding = {0, 0, 0, 0},
                          llvm::StringRef layer = "") {
    auto type = snn::withShape(value.getType(), pooled(kernel, strides, padding));
    return take(snn::MaxPool2dOp::create(builder, loc, type, value, array(kernel), array(strides),
                                         array(padding), name(layer)));
  }
  /// Random rows: each output reads each input with the probability of `density`.
  NetworkBuilder &sparse(Shape shape, double density, bool bias = true) {
    int64_t outputs = 1;
    for (int64_t extent : shape)
      outputs *= extent;
    std::vector<int64_t> offsets{0};
    std::vector<int32_t> indices;
    for (int64_t o = 0; o < outputs; ++o) {
      for (int64_t i = 0; i < snn::sizeOf(value); ++i)
        if (random.uniform() < density)
          indices.push_back(static_cast<int32_t>(i));
      offsets.push_back(static_cast<int64_t>(indices.size()));
    }
    auto synapses = static_cast<int64_t>(indices.size());
    auto weights = constant({synapses}, randomFloats(random, indices.size()));
    return take(snn::SparseOp::create(builder, loc, result(shape), value, weights,
                                      bias ? constant({outputs}, randomFloats(random, outputs))
                                           : mlir::Value(),
                                      offsets, indices, mlir::StringAttr()));
  }
  /// Rows of one weight.
  NetworkBuilder &sparse(Shape shape, const std::vector<int64_t> &offsets,
                         const std::vector<int32_t> &indices, float weight) {
    auto weights = constant({int64_t(indices.size())}, std::vector<float>(indices.size(), weight));
    return take(snn::SparseOp::create(builder, loc, result(shape), value, weights, mlir::Value(),
                                      offsets, indices, mlir::StringAttr()));
  }
  /// Connections by a rule, of one weight; `part` is its first row.
  NetworkBuilder &drawn(Shape shape, const RandomRows &rule, float weight, bool bias = false,
                        int64_t part = 0) {
    auto op = snn::RandomOp::create(
        builder, loc, result(shape), value, constant({1}, {weight}),
        bias ? constant(shape, randomFloats(random, size_t(shape[0]))) : mlir::Value(),
        builder.getI64IntegerAttr(int64_t(rule.key)), mlir::FloatAttr(), mlir::IntegerAttr(),
        array({rule.sources.begin, rule.sources.end}),
        array({rule.targets.begin, rule.targets.end}), builder.getBoolAttr(!rule.avoidsSelf),
        builder.getI64IntegerAttr(part), mlir::StringAttr());
    if (rule.fanIn)
      op.setFanIn(*rule.fanIn);
    else
      op.setProbability(llvm::APFloat(rule.probability));
    return take(op);
  }
  /// Joins the present value with another one.
  NetworkBuilder &add(mlir::Value other) {
    mlir::Type type = snn::runsInTime(value.getType()) ? current() : value.getType();
    return take(snn::AddOp::create(builder, loc, type, value, other, mlir::StringAttr()));
  }
  NetworkBuilder &concat(mlir::Value other, int64_t axis, bool isCurrent = false) {
    Shape shape = snn::shapeOf(value).vec();
    shape[size_t(axis)] += snn::shapeOf(other)[size_t(axis)];
    mlir::Type type = isCurrent ? mlir::Type(snn::CurrentType::get(&context, shape))
                                : snn::withShape(value.getType(), shape);
    return take(snn::ConcatOp::create(builder, loc, type, mlir::ValueRange{value, other}, axis));
  }
  NetworkBuilder &delay(std::vector<int64_t> steps) {
    return take(snn::DelayOp::create(builder, loc, value.getType(), value, steps));
  }
  /// Goes on from the spikes of a population, which may come later.
  NetworkBuilder &feedback(llvm::StringRef population, Shape shape, int64_t steps = 1) {
    return take(snn::FeedbackOp::create(builder, loc, snn::SpikeBundleType::get(&context, shape),
                                        population, steps));
  }
  /// All spikes of a population of which the present one is the part from `first` on.
  NetworkBuilder &gather(int64_t first, Shape shape, llvm::StringRef layer) {
    return take(snn::GatherOp::create(builder, loc, snn::SpikeBundleType::get(&context, shape),
                                      value, first, name(layer)));
  }
  /// Goes on from a value of before.
  NetworkBuilder &from(mlir::Value earlier) {
    value = earlier;
    return *this;
  }
  /// Factors and biases: one per channel or one per element.
  NetworkBuilder &scale(bool perElement, bool bias = true) {
    int64_t count = perElement ? snn::sizeOf(value) : snn::shapeOf(value)[0];
    Shape shape = perElement ? snn::shapeOf(value).vec() : Shape{count};
    std::vector<float> factors = randomFloats(random, size_t(count), 0.5f, 2);
    return scale(shape, factors,
                 bias ? randomFloats(random, size_t(count), -0.1f, 0.1f) : std::vector<float>());
  }
  NetworkBuilder &scale(Shape shape, const std::vector<float> &factors,
                        const std::vector<float> &bias) {
    auto op = snn::ScaleOp::create(
        builder, loc, result(snn::shapeOf(value).vec()), value, constant(shape, factors),
        bias.empty() ? mlir::Value() : constant(shape, bias), mlir::StringAttr());
    return take(op);
  }
  NetworkBuilder &reshape(Shape shape) {
    return take(
        snn::ReshapeOp::create(builder, loc, snn::withShape(value.getType(), shape), value));
  }
  NetworkBuilder &flatten() { return reshape({snn::sizeOf(value)}); }
  NetworkBuilder &transpose(Shape permutation) {
    Shape shape;
    for (int64_t dimension : permutation)
      shape.push_back(snn::shapeOf(value)[dimension]);
    return take(snn::TransposeOp::create(builder, loc, snn::withShape(value.getType(), shape),
                                         value, array(permutation)));
  }
  NetworkBuilder &relu(llvm::StringRef layer = "") {
    return take(snn::ReluOp::create(builder, loc, value, name(layer)));
  }
  NetworkBuilder &clampedRelu(float maximum, std::optional<int64_t> levels = {}) {
    auto op = snn::ReluOp::create(builder, loc, value, mlir::StringAttr());
    op.setMaximum(llvm::APFloat(maximum));
    op.setLevels(levels);
    return take(op);
  }
  /// Integers from `low` to `high`.
  NetworkBuilder &quantize(float unit, int64_t low, int64_t high) {
    return take(snn::QuantizeOp::create(builder, loc, value.getType(), value, llvm::APFloat(unit),
                                        low, high, mlir::StringAttr()));
  }
  NetworkBuilder &direct() {
    auto type = snn::CurrentType::get(&context, snn::shapeOf(value));
    return take(encode(type, snn::Encoding::Direct, 1));
  }
  NetworkBuilder &poisson(float maximum = 1) {
    return take(encode(bundle(), snn::Encoding::Poisson, maximum));
  }

  NetworkBuilder &regular(float maximum = 1) {
    return take(encode(bundle(), snn::Encoding::Regular, maximum));
  }
  /// What the encoder takes are integers.
  NetworkBuilder &ofIntegers() {
    value.getDefiningOp<snn::EncodeOp>().setIntegers(true);
    return *this;
  }
  NetworkBuilder &events() { return take(encode(bundle(), snn::Encoding::Events, 1)); }
  NetworkBuilder &latency(int64_t steps, float maximum = 1) {
    return take(snn::EncodeOp::create(builder, loc, bundle(), value, snn::Encoding::Latency,
                                      llvm::APFloat(maximum), builder.getI64IntegerAttr(steps),
                                      mlir::StringAttr()));
  }

  NetworkBuilder &integrateAndFire(snn::Reset reset, std::vector<float> threshold,
                                   std::vector<float> vReset, std::vector<float> initial,
                                   llvm::StringRef layer = "") {
    return take(snn::IfOp::create(builder, loc, bundle(), value, reset, threshold, vReset, initial,
                                  std::vector<int64_t>{0}, 1, name(layer), std::vector<float>{1},
                                  snn::Discretization::Euler));
  }
  NetworkBuilder &leaky(snn::Reset reset, std::vector<float> threshold, std::vector<float> tau,
                        std::vector<float> r, std::vector<float> leak, std::vector<float> vReset,
                        std::vector<float> initial, llvm::StringRef layer = "") {
    return take(snn::LifOp::create(builder, loc, bundle(), value, reset, threshold, vReset, initial,
                                   std::vector<int64_t>{0}, 1, name(layer), tau, r, leak,
                                   snn::Discretization::Euler));
  }
  NetworkBuilder &integrator(std::vector<float> initial = {0}, llvm::StringRef layer = "") {
    return take(snn::IntegratorOp::create(builder, loc, value.getType(), value, initial,
                                          name(layer), std::vector<float>{1}, false));
  }
  /// A population given by the text of its attributes, and its second current where it has one:
  /// `population("lif", "tau = array<f32: 5.0>, …")`.
  NetworkBuilder &population(llvm::StringRef kind, llvm::StringRef attributes,
                             mlir::Value second = {}) {
    mlir::OperationState state(loc, ("snn." + kind).str());
    state.addOperands(value);
    if (second)
      state.addOperands(second);
    std::string text = ("{" + attributes + "}").str();
    auto parsed = mlir::cast<mlir::DictionaryAttr>(mlir::parseAttribute(text, &context));
    state.addAttributes(parsed.getValue());
    bool isMembrane =
        kind == "integrator" || kind == "li" || kind == "cuba_li" || kind == "fixed_li";
    state.addTypes(isMembrane || kind == "rectifier" ? current() : bundle());
    return take(builder.create(state));
  }
  NetworkBuilder &decodeFirstSpike() {
    auto type = mlir::RankedTensorType::get(snn::shapeOf(value), builder.getF32Type());
    return take(snn::DecodeOp::create(builder, loc, type, value, snn::Decoding::FirstSpike,
                                      mlir::IntegerAttr()));
  }
  NetworkBuilder &decode() {
    auto type = mlir::RankedTensorType::get(snn::shapeOf(value), builder.getF32Type());
    bool spikes = mlir::isa<snn::SpikeBundleType>(value.getType());
    return take(snn::DecodeOp::create(builder, loc, type, value,
                                      spikes ? snn::Decoding::Count : snn::Decoding::Membrane,
                                      mlir::IntegerAttr()));
  }
  /// At most so many.
  NetworkBuilder &count(int64_t maximum) {
    auto type = mlir::RankedTensorType::get(snn::shapeOf(value), builder.getF32Type());
    return take(snn::DecodeOp::create(builder, loc, type, value, snn::Decoding::Count,
                                      builder.getI64IntegerAttr(maximum)));
  }

  /// Ends the function; the builder keeps the module.
  mlir::ModuleOp finish() {
    mlir::func::ReturnOp::create(builder, loc, value);
    function.setFunctionType(
        builder.getFunctionType(function.getArgumentTypes(), {value.getType()}));
    bool valid = succeeded(mlir::verify(*module));
    return valid ? *module : mlir::ModuleOp();
  }

  mlir::Value last() const { return value; }
  CounterRandom random;

private:
  mlir::Type result(Shape shape) { return snn::synapseResult(value.getType(), shape); }
  mlir::Type bundle() { return snn::SpikeBundleType::get(&context, snn::shapeOf(value)); }
  mlir::Type current() { return snn::CurrentType::get(&context, snn::shapeOf(value)); }
  Shape pooled(const Shape &kernel, const Shape &strides, const Shape &padding) {
    llvm::ArrayRef<int64_t> in = snn::shapeOf(value);
    auto extent = [&](size_t axis) {
      return (in[axis + 1] + padding[axis] + padding[axis + 2] - kernel[axis]) / strides[axis] + 1;
    };
    return {in[0], extent(0), extent(1)};
  }
  mlir::Operation *encode(mlir::Type type, snn::Encoding encoding, float maximum) {
    return snn::EncodeOp::create(builder, loc, type, value, encoding, maximum);
  }
  mlir::Value constant(Shape shape, const std::vector<float> &values) {
    return snn::makeConstant(builder, loc, shape, values);
  }
  mlir::DenseI64ArrayAttr array(const Shape &values) {
    return builder.getDenseI64ArrayAttr(values);
  }
  mlir::StringAttr name(llvm::StringRef layer) {
    return layer.empty() ? mlir::StringAttr() : builder.getStringAttr(layer);
  }
  NetworkBuilder &take(mlir::Operation *op) {
    value = op->getResult(0);
    return *this;
  }

  mlir::MLIRContext context;
  mlir::OpBuilder builder;
  mlir::Location loc = mlir::UnknownLoc::get(&context);
  mlir::OwningOpRef<mlir::ModuleOp> module;
  mlir::func::FuncOp function;
  mlir::Value value;
};

/// Of the network's own random numbers.
inline std::vector<float> some(NetworkBuilder &n, int64_t count, float low, float high) {
  return randomFloats(n.random, static_cast<size_t>(count), low, high);
}

/// Neurons that spike from 1 on and then begin at 0 again.
inline NetworkBuilder &fire(NetworkBuilder &n, const char *layer) {
  return n.integrateAndFire(snn::Reset::Zero, {1}, {0}, {0}, layer);
}

/// One neuron per input, read by its spikes.
inline mlir::ModuleOp pixelNeurons(NetworkBuilder &n) {
  n.direct().flatten().integrateAndFire(snn::Reset::Subtract, {1}, {0}, {0}, "pixels").decode();
  return n.finish();
}

/// A module from text; errors of the parser fail the test.
class ParsedModule {
public:
  explicit ParsedModule(llvm::StringRef text) {
    context.loadDialect<snn::SnnDialect, mlir::arith::ArithDialect, mlir::func::FuncDialect>();
    module =
        mlir::parseSourceString<mlir::ModuleOp>(text, mlir::ParserConfig(&context), "net.mlir");
  }
  mlir::ModuleOp operator*() { return *module; }

private:
  mlir::MLIRContext context;
  mlir::OwningOpRef<mlir::ModuleOp> module;
};

} // namespace spindle::test
