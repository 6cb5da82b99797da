// Linear nodes.
#include "lib/frontend/nir/NirBuilder.h"

#include "fmt/format.h"
#include "fmt/ranges.h"

#include <cmath>

using namespace mlir;

namespace spindle {

namespace {

using Shape = std::vector<int64_t>;

Type analog(Value input, llvm::ArrayRef<int64_t> shape) {
  return snn::synapseResult(input.getType(), shape);
}

std::vector<float> floats(const NirArray &array) {
  return {array.numbers.begin(), array.numbers.end()};
}

Shape extents(const NirArray &array) { return {array.extents.begin(), array.extents.end()}; }

llvm::Error checkRank(const NirBuilder &context, Value input, size_t rank, const char *expected) {
  llvm::ArrayRef<int64_t> shape = snn::shapeOf(input);
  if (shape.size() == rank)
    return llvm::Error::success();
  return context.refuse(
      fmt::format("its input has the shape ({}), expected {}", fmt::join(shape, ", "), expected));
}

/// The weights and their shape as an operand.
llvm::Expected<const NirArray *> weights(const NirBuilder &context, size_t rank) {
  SPINDLE_ASSIGN(const NirArray *array, context.numbers("weight"));
  if (array->extents.size() != rank)
    return context.refuse(fmt::format("weight has the shape ({}), expected {} dimensions",
                                      fmt::join(array->extents, ", "), rank));
  return array;
}

/// Appends the bias where there is one; that of a convolution is left out where it is zero.
llvm::Error addBias(const NirBuilder &context, int64_t outputs, bool keepZero,
                    SmallVectorImpl<Value> &operands) {
  SPINDLE_ASSIGN(const NirArray *bias, context.numbers("bias"));
  std::vector<float> values = floats(*bias);
  if (values.size() == 1)
    values.resize(static_cast<size_t>(outputs), values[0]);
  if (values.size() != static_cast<size_t>(outputs))
    return context.refuse(fmt::format("bias has {} values for {} outputs", values.size(), outputs));
  if (keepZero || llvm::any_of(values, [](float value) { return value != 0; }))
    operands.push_back(context.constant({outputs}, values));
  return llvm::Error::success();
}

llvm::Expected<Value> makeDense(const NirBuilder &context, Value input) {
  SPINDLE_RETURN_IF_ERROR(checkRank(context, input, 1, "a vector; put a Flatten before it"));
  SPINDLE_ASSIGN(const NirArray *weight, weights(context, 2));
  Shape shape = extents(*weight);
  if (shape[1] != snn::sizeOf(input))
    return context.refuse(
        fmt::format("weight has {} columns for {} inputs", shape[1], snn::sizeOf(input)));
  SmallVector<Value> operands{input, context.constant(shape, floats(*weight))};
  if (context.node.type == "Affine")
    SPINDLE_RETURN_IF_ERROR(addBias(context, shape[0], /*keepZero=*/true, operands));
  return context.make("snn.dense", operands, analog(input, shape[0]));
}

llvm::Expected<Value> makeScale(const NirBuilder &context, Value input) {
  Shape shape(snn::shapeOf(input));
  SPINDLE_ASSIGN(std::vector<float> factor, context.perNeuron("scale", shape, 1, std::nullopt));
  if (factor.size() == 1)
    factor.resize(static_cast<size_t>(shape[0]), factor[0]);
  bool perChannel = factor.size() == static_cast<size_t>(shape[0]);
  return context.make("snn.scale",
                      {input, context.constant(perChannel ? Shape{shape[0]} : shape, factor)},
                      analog(input, shape));
}

/// Kernel, strides, dilations and padding of a window over rows and columns.
struct Window {
  Shape kernel, strides, dilations{1, 1}, padding{0, 0, 0, 0}; // padding: top, left, bottom, right

  Shape output(llvm::ArrayRef<int64_t> shape, int64_t channels) const {
    Shape result{channels};
    for (size_t d = 0; d < 2; ++d) {
      int64_t reach = dilations[d] * (kernel[d] - 1) + 1;
      int64_t room = shape[d + 1] + padding[d] + padding[d + 2] - reach;
      result.push_back(room < 0 ? 0 : room / strides[d] + 1);
    }
    return result;
  }
};

llvm::Error checkWindow(const NirBuilder &context, const Window &window, const Shape &output) {
  auto list = [](const Shape &values) { return fmt::format("{}", fmt::join(values, ", ")); };
  for (auto [name, values] : {std::pair{"kernel_size", &window.kernel},
                              {"stride", &window.strides},
                              {"dilation", &window.dilations}})
    if (llvm::any_of(*values, [](int64_t value) { return value < 1 || value > 1 << 20; }))
      return context.refuse(fmt::format("{} is ({}), expected at least one", name, list(*values)));
  if (llvm::any_of(window.padding, [](int64_t value) { return value < 0 || value > 1 << 20; }))
    return context.refuse(
        fmt::format("padding is ({}), expected zero or more", list(window.padding)));
  if (llvm::is_contained(output, 0))
    return context.refuse("the kernel does not fit into its input");
  return llvm::Error::success();
}

/// Padding in the file: numbers, `valid`, or `same`, which puts the odd one after.
llvm::Error readPadding(const NirBuilder &context, size_t dimensions, Window &window) {
  auto found = context.node.parameters.find("padding");
  if (found == context.node.parameters.end() || found->second.type != NirType::Texts) {
    SPINDLE_ASSIGN(Shape both, context.integers("padding", dimensions));
    for (size_t d = 0; d < dimensions; ++d)
      window.padding[2 - dimensions + d] = window.padding[4 - dimensions + d] = both[d];
    return llvm::Error::success();
  }
  const std::string word = found->second.texts.empty() ? "" : found->second.texts[0];
  if (word == "valid")
    return llvm::Error::success();
  if (word != "same" || window.strides != Shape{1, 1})
    return context.refuse(fmt::format("padding is '{}', expected numbers, 'valid', or with stride "
                                      "one 'same'",
                                      word));
  for (size_t d = 0; d < 2; ++d) {
    int64_t total = window.dilations[d] * (window.kernel[d] - 1);
    window.padding[d] = total / 2;
    window.padding[d + 2] = total - total / 2;
  }
  return llvm::Error::success();
}

NamedAttribute integers(const NirBuilder &context, const char *name, const Shape &values) {
  return context.attribute(name, context.attributes().getDenseI64ArrayAttr(values));
}

/// Fills up the numbers of one dimension to those of an image of one row.
Shape twoDimensions(Shape values) {
  if (values.size() == 1)
    values.insert(values.begin(), 1);
  return values;
}

/// Of an image; `shape` of the weights has four dimensions.
llvm::Expected<Value> convolve(const NirBuilder &context, Value input, const NirArray &weight,
                               const Shape &shape) {
  size_t dimensions = weight.extents.size() - 2;
  Window window;
  window.kernel = {shape[2], shape[3]};
  SPINDLE_ASSIGN(window.strides, context.integers("stride", dimensions));
  SPINDLE_ASSIGN(window.dilations, context.integers("dilation", dimensions));
  window.strides = twoDimensions(window.strides);
  window.dilations = twoDimensions(window.dilations);
  SPINDLE_RETURN_IF_ERROR(checkWindow(context, window, {}));
  SPINDLE_RETURN_IF_ERROR(readPadding(context, dimensions, window));
  SPINDLE_ASSIGN(Shape groups, context.integers("groups", 1));
  int64_t channels = snn::shapeOf(input)[0];
  if (groups[0] < 1 || groups[0] > shape[0] || shape[0] % groups[0] != 0 ||
      channels != shape[1] * groups[0])
    return context.refuse(fmt::format("weight of the shape ({}) in {} groups does not fit an input "
                                      "of {} channels",
                                      fmt::join(weight.extents, ", "), groups[0], channels));
  Shape output = window.output(snn::shapeOf(input), shape[0]);
  SPINDLE_RETURN_IF_ERROR(checkWindow(context, window, output));
  SmallVector<Value> operands{input, context.constant(shape, floats(weight))};
  SPINDLE_RETURN_IF_ERROR(addBias(context, shape[0], /*keepZero=*/false, operands));
  return context.make(
      "snn.conv2d", operands, analog(input, output),
      {integers(context, "strides", window.strides), integers(context, "padding", window.padding),
       integers(context, "dilations", window.dilations),
       context.attribute("groups", context.attributes().getI64IntegerAttr(groups[0]))});
}

llvm::Expected<Value> makeConv2d(const NirBuilder &context, Value input) {
  SPINDLE_RETURN_IF_ERROR(checkRank(context, input, 3, "channels, rows, columns"));
  SPINDLE_ASSIGN(const NirArray *weight, weights(context, 4));
  return convolve(context, input, *weight, extents(*weight));
}

/// An image of one row.
llvm::Expected<Value> makeConv1d(const NirBuilder &context, Value input) {
  SPINDLE_RETURN_IF_ERROR(checkRank(context, input, 2, "channels, positions"));
  SPINDLE_ASSIGN(const NirArray *weight, weights(context, 3));
  Shape shape = extents(*weight), row(snn::shapeOf(input));
  shape.insert(shape.begin() + 2, 1);
  row.insert(row.begin() + 1, 1);
  Value image = context.make("snn.reshape", input, snn::withShape(input.getType(), row));
  SPINDLE_ASSIGN(Value result, convolve(context, image, *weight, shape));
  llvm::ArrayRef<int64_t> out = snn::shapeOf(result);
  return context.make("snn.reshape", result, snn::withShape(result.getType(), {out[0], out[2]}));
}

llvm::Expected<Value> makePool(const NirBuilder &context, Value input) {
  SPINDLE_RETURN_IF_ERROR(checkRank(context, input, 3, "channels, rows, columns"));
  Window window;
  SPINDLE_ASSIGN(window.kernel, context.integers("kernel_size", 2));
  SPINDLE_ASSIGN(window.strides, context.integers("stride", 2));
  SPINDLE_RETURN_IF_ERROR(checkWindow(context, window, {}));
  SPINDLE_RETURN_IF_ERROR(readPadding(context, 2, window));
  Shape output = window.output(snn::shapeOf(input), snn::shapeOf(input)[0]);
  SPINDLE_RETURN_IF_ERROR(checkWindow(context, window, output));
  if (window.padding[0] >= window.kernel[0] || window.padding[1] >= window.kernel[1])
    return context.refuse("padding is as large as the kernel, so windows would hold no input");
  return context.make(context.node.type == "SumPool2d" ? "snn.sum_pool2d" : "snn.avg_pool2d", input,
                      analog(input, output),
                      {integers(context, "kernel", window.kernel),
                       integers(context, "strides", window.strides),
                       integers(context, "padding", window.padding)});
}

llvm::Expected<Value> makeFlatten(const NirBuilder &context, Value input) {
  Shape shape(snn::shapeOf(input));
  auto rank = static_cast<int64_t>(shape.size());
  SPINDLE_ASSIGN(Shape first, context.integers("start_dim", 1));
  SPINDLE_ASSIGN(Shape last, context.integers("end_dim", 1));
  int64_t from = first[0] < 0 ? first[0] + rank : first[0];
  int64_t to = last[0] < 0 ? last[0] + rank : last[0];
  if (from < 0 || to >= rank || from > to)
    return context.refuse(fmt::format("start_dim {} and end_dim {} do not fit the shape ({})",
                                      first[0], last[0], fmt::join(shape, ", ")));
  int64_t joined = 1;
  for (int64_t d = from; d <= to; ++d)
    joined *= shape[static_cast<size_t>(d)];
  shape.erase(shape.begin() + from, shape.begin() + to);
  shape[static_cast<size_t>(from)] = joined;
  return context.make("snn.reshape", input, snn::withShape(input.getType(), shape));
}

llvm::Expected<Value> makeDelay(const NirBuilder &context, Value input) {
  SPINDLE_ASSIGN(
      std::vector<float> delays,
      context.perNeuron("delay", snn::shapeOf(input), 1000 / context.options.dtMs, std::nullopt));
  Shape steps;
  for (float delay : delays) {
    if (delay < 0 || delay > 1e6f)
      return context.refuse(fmt::format("a delay is {} steps of {} ms, expected 0 to 1000000",
                                        delay, context.options.dtMs));
    steps.push_back(std::lround(delay));
  }
  return context.make("snn.delay", input, input.getType(), {integers(context, "steps", steps)});
}

} // namespace

const std::map<std::string, NirRule> &nirSynapseRules() {
  static const std::map<std::string, NirRule> rules{
      {"Linear", makeDense},   {"Affine", makeDense},    {"Scale", makeScale},
      {"Conv1d", makeConv1d},  {"Conv2d", makeConv2d},   {"SumPool2d", makePool},
      {"AvgPool2d", makePool}, {"Flatten", makeFlatten}, {"Delay", makeDelay},
  };
  return rules;
}

} // namespace spindle
