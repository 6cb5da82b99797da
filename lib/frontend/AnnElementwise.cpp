// Arithmetic element by element: evaluated on constants, else a scale or a sum.
#include "lib/frontend/AnnBuilder.h"

#include "fmt/format.h"

#include <algorithm>
#include <cmath>
#include <limits>

using namespace mlir;

namespace spindle {

static double apply(Arithmetic kind, double a, double b) {
  switch (kind) {
  case Arithmetic::Add:
    return a + b;
  case Arithmetic::Subtract:
    return a - b;
  case Arithmetic::Multiply:
    return a * b;
  case Arithmetic::Divide:
    return a / b;
  case Arithmetic::Maximum:
    return std::max(a, b);
  case Arithmetic::Minimum:
    return std::min(a, b);
  }
  llvm_unreachable("arithmetic");
}

static Tensor combined(Arithmetic kind, const Tensor &a, const Tensor &b, const Shape &shape) {
  if (a.values.size() == 1 && b.values.size() == 1)
    return Tensor::constant(shape, {apply(kind, a.values[0], b.values[0])});
  std::vector<double> left = broadcastValues(a, shape), right = broadcastValues(b, shape);
  for (size_t i = 0; i < left.size(); ++i)
    left[i] = apply(kind, left[i], right[i]);
  return Tensor::constant(shape, std::move(left));
}

static Tensor mapped(const Tensor &x, const std::function<double(double)> &function) {
  Tensor result = x;
  for (double &value : result.values)
    value = function(value);
  return result;
}

llvm::Expected<Tensor> AnnBuilder::evaluate(const std::string &what, const Tensor &x,
                                            const std::function<double(double)> &function) {
  if (!x.isConstant())
    return refuse(fmt::format("{} is supported only on constants", what));
  return mapped(x, function);
}

llvm::Expected<Tensor> AnnBuilder::withoutBatch(const Tensor &c, const Tensor &x) {
  if (batch == 1 || c.shape.empty() || c.shape.size() != x.shape.size() || c.shape[0] != batch ||
      x.shape[0] != 1)
    return c;
  Tensor one = c;
  one.shape[0] = 1;
  if (c.values.size() == 1)
    return one;
  size_t size = spindle::sizeOf(one.shape);
  one.values.resize(size);
  for (size_t i = 0; i < c.values.size(); ++i)
    if (c.values[i] != one.values[i % size])
      return refuse("a constant differs among the samples of the batch");
  return one;
}

/// The values of a constant for each channel of `shape`, or for each element.
static std::vector<double> perChannelOrElement(const Tensor &c, const Shape &shape) {
  Shape sample = sampleShape(shape), channels(shape.size(), 1);
  size_t axis = shape.size() - sample.size();
  channels[axis] = sample[0];
  if (c.values.size() == 1)
    return std::vector<double>(sample[0], c.values[0]);
  if (broadcastShape(c.shape, channels) == channels)
    return broadcastValues(c, channels);
  return broadcastValues(c, shape);
}

llvm::Expected<Tensor> AnnBuilder::scale(const Tensor &x, const Shape &shape, const Tensor &factor,
                                         const Tensor &bias) {
  SPINDLE_ASSIGN(Tensor present, plain(x));
  SPINDLE_ASSIGN(Tensor input, activation(present.activation, shape));
  Value source = input.activation;
  std::vector<double> factors = perChannelOrElement(factor, shape);
  // A factor on a factor is merged here in double: a sum over n elements divided by n is an
  // average, to the last bit.
  if (auto previous = source.getDefiningOp<snn::ScaleOp>(); previous && !previous.getBias()) {
    FailureOr<std::vector<float>> old = snn::constantFloats(previous.getFactor());
    if (succeeded(old) && old->size() == factors.size()) {
      for (size_t i = 0; i < factors.size(); ++i)
        factors[i] *= (*old)[i];
      source = previous.getInput();
    }
  }
  Value factorValue = constant(factors), biasValue;
  if (!bias.isAll(0))
    biasValue = constant(perChannelOrElement(bias, shape));
  return activation(snn::ScaleOp::create(builder, location, source.getType(), source, factorValue,
                                         biasValue, layer),
                    shape);
}

llvm::Expected<Tensor> AnnBuilder::arithmetic(Arithmetic kind, const Tensor &a, const Tensor &b) {
  for (const Tensor *x : {&a, &b})
    if (x->isConstant() && x->values.empty())
      return refuse("a tensor without values is read");
  if (!a.isConstant() && !b.isConstant())
    return joined(kind, a, b);
  std::optional<Shape> shape = broadcastShape(a.shape, b.shape);
  if (a.isConstant() && b.isConstant()) {
    if (!shape)
      return refuse(fmt::format("shapes {} and {} do not fit", toText(a.shape), toText(b.shape)));
    const Tensor &larger = a.values.size() < b.values.size() ? b : a;
    SPINDLE_RETURN_IF_ERROR(larger.values.size() == 1 ? checkSize(*shape)
                                                      : checkComputed(*shape, larger));
    return combined(kind, a, b, *shape);
  }

  bool swapped = a.isConstant();
  const Tensor &x = swapped ? b : a;
  SPINDLE_ASSIGN(Tensor c, withoutBatch(swapped ? a : b, x));
  shape = broadcastShape(x.shape, c.shape);
  if (!shape || spindle::sizeOf(*shape) != spindle::sizeOf(x.shape))
    return refuse(fmt::format("a constant of {} does not broadcast to an activation of {}",
                              toText(c.shape), toText(x.shape)));
  Tensor zero = Tensor::constant({}, {0}), one = Tensor::constant({}, {1});
  switch (kind) {
  case Arithmetic::Add:
    return scale(x, *shape, one, c);
  case Arithmetic::Subtract:
    if (swapped)
      return scale(x, *shape, Tensor::constant({}, {-1}), c);
    return scale(x, *shape, one, mapped(c, std::negate<>()));
  case Arithmetic::Multiply:
    return scale(x, *shape, c, zero);
  case Arithmetic::Divide:
    if (swapped || llvm::is_contained(c.values, 0.0))
      return refuse("division is supported only by constants other than zero");
    return scale(x, *shape, mapped(c, [](double value) { return 1 / value; }), zero);
  case Arithmetic::Maximum:
  case Arithmetic::Minimum: {
    constexpr double infinity = std::numeric_limits<double>::infinity();
    if (c.values.size() != 1 && !c.isAll(c.values.front()))
      return refuse("a bound that differs among the elements is not supported");
    bool isLeast = kind == Arithmetic::Maximum;
    return clamp(x, isLeast ? c.values[0] : -infinity, isLeast ? infinity : c.values[0]);
  }
  }
  llvm_unreachable("arithmetic");
}

llvm::Expected<Tensor> AnnBuilder::joined(Arithmetic kind, const Tensor &a, const Tensor &b) {
  if (kind != Arithmetic::Add && kind != Arithmetic::Subtract)
    return refuse("joins two activations; only their sum and difference are supported");
  if (a.shape != b.shape)
    return refuse(fmt::format("adding an activation of {} to one of {} is not supported",
                              toText(b.shape), toText(a.shape)));
  SPINDLE_ASSIGN(Tensor left, plain(a));
  SPINDLE_ASSIGN(Tensor right, plain(b));
  if (kind == Arithmetic::Subtract) {
    SPINDLE_ASSIGN(
        right, scale(right, right.shape, Tensor::constant({}, {-1}), Tensor::constant({}, {0})));
  }
  return activation(snn::AddOp::create(builder, location, left.activation.getType(),
                                       left.activation, right.activation, layer),
                    a.shape);
}

llvm::Expected<Tensor> AnnBuilder::normalize(const Tensor &x, size_t axis, const Statistics &s) {
  int64_t channels = axis < x.shape.size() ? x.shape[axis] : 0;
  const std::pair<const char *, const Tensor *> given[] = {
      {"scale", &s.scale}, {"bias", &s.bias}, {"mean", &s.mean}, {"variance", &s.variance}};
  for (auto [name, tensor] : given)
    if (!tensor->isConstant() || tensor->shape != Shape{channels})
      return refuse(fmt::format("{} is {}, expected a constant of {} channels", name,
                                toText(tensor->shape), channels));
  std::vector<double> factor, bias;
  for (int64_t k = 0; k < channels; ++k) {
    if (!(s.variance.at(k) + s.epsilon > 0)) // NaN, too
      return refuse(
          fmt::format("variance of channel {} is {}, with epsilon {}: expected more than 0", k,
                      s.variance.at(k), s.epsilon));
    factor.push_back(s.scale.at(k) / std::sqrt(s.variance.at(k) + s.epsilon));
    bias.push_back(s.bias.at(k) - s.mean.at(k) * factor.back());
  }
  Shape shape(x.shape.size() - axis, 1); // channels, then ones
  shape[0] = channels;
  SPINDLE_ASSIGN(Tensor scaled,
                 arithmetic(Arithmetic::Multiply, x, Tensor::constant(shape, factor)));
  return arithmetic(Arithmetic::Add, scaled, Tensor::constant(shape, bias));
}

} // namespace spindle
