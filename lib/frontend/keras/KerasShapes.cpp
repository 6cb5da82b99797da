// Keras layers without weights: activations, arrangements, sums of branches.
#include "lib/frontend/keras/KerasLayer.h"

#include "fmt/format.h"

#include <limits>

namespace spindle {

/// What acts in training alone, too.
static llvm::Expected<Tensor> identity(const KerasLayer &layer) { return layer.input(); }

static llvm::Expected<Tensor> activation(const KerasLayer &layer) {
  return layer.activate(layer.input());
}

static llvm::Expected<Tensor> relu(const KerasLayer &layer) { return layer.rectify(layer.input()); }

static llvm::Expected<Tensor> softmax(const KerasLayer &layer) {
  return layer.activate(layer.input(), "softmax");
}

/// Elements are taken channels last, whatever the order of the layer.
static llvm::Expected<Tensor> flatten(const KerasLayer &layer) {
  Tensor x = layer.input();
  SPINDLE_ASSIGN(bool last, layer.isChannelsLast());
  if (!last && x.shape.size() > 2) {
    Shape order = {0};
    for (size_t d = 2; d < x.shape.size(); ++d)
      order.push_back(int64_t(d));
    order.push_back(1);
    SPINDLE_ASSIGN(x, layer.builder.transpose(x, order));
  }
  return layer.builder.reshape(x, {1, sizeOf(x.shape)});
}

static llvm::Expected<Tensor> reshape(const KerasLayer &layer) {
  SPINDLE_ASSIGN(Shape shape, layer.list("target_shape"));
  int64_t known = 1, open = -1;
  for (size_t d = 0; d < shape.size(); ++d) {
    if (shape[d] == -1 && open < 0)
      open = int64_t(d);
    else if (shape[d] < 1 || __builtin_mul_overflow(known, shape[d], &known))
      return layer.refuse(fmt::format("target_shape {} is no shape", toText(shape)));
  }
  if (open >= 0)
    shape[open] = sizeOf(layer.input().shape) / known;
  shape.insert(shape.begin(), 1);
  return layer.builder.reshape(layer.input(), shape);
}

static llvm::Expected<Tensor> permute(const KerasLayer &layer) {
  SPINDLE_ASSIGN(Shape order, layer.list("dims")); // counted from one, without the batch
  order.insert(order.begin(), 0);
  return layer.builder.transpose(layer.input(), order);
}

/// Zeros before and after rows and columns; with `sign` −1 they are cut off.
template <size_t dimensions, int sign>
static llvm::Expected<Tensor> border(const KerasLayer &layer) {
  const char *key = sign > 0 ? "padding" : "cropping";
  SPINDLE_ASSIGN(Shape amounts, layer.list(key));
  if (amounts.empty())
    amounts = {1};
  if (amounts.size() == 1)
    amounts.resize(2 * dimensions, amounts.front());
  else if (amounts.size() == dimensions && dimensions == 2)
    amounts = {amounts[0], amounts[0], amounts[1], amounts[1]};
  SPINDLE_ASSIGN(bool last, layer.isChannelsLast());
  size_t rank = layer.input().shape.size(), first = last ? 1 : 2;
  if (amounts.size() != 2 * dimensions || rank != dimensions + 2)
    return layer.refuse(fmt::format("'{}' has {} numbers for an input of {}", key, amounts.size(),
                                    toText(layer.input().shape)));
  Shape low(rank, 0), high(rank, 0);
  for (size_t d = 0; d < dimensions; ++d) {
    low[first + d] = sign * amounts[2 * d];
    high[first + d] = sign * amounts[2 * d + 1];
  }
  return layer.builder.pad(layer.input(), low, high);
}

/// Each row and column repeated.
static llvm::Expected<Tensor> upSampling(const KerasLayer &layer) {
  SPINDLE_ASSIGN(std::string how, layer.word("interpolation", "nearest"));
  SPINDLE_ASSIGN(Shape factors, layer.integers("size", 2, 2));
  SPINDLE_ASSIGN(bool last, layer.isChannelsLast());
  Tensor x = layer.input();
  if (how != "nearest" || x.shape.size() != 4)
    return layer.refuse("only images are enlarged, and only with interpolation 'nearest'");
  for (size_t d : {0, 1}) {
    size_t axis = (last ? 1 : 2) + d;
    Shape sources;
    if (factors[d] < 1 || factors[d] > 1 << 10)
      return layer.refuse(fmt::format("size is {}, expected 1 to {}", factors[d], 1 << 10));
    for (int64_t o = 0; o < x.shape[axis] * factors[d]; ++o)
      sources.push_back(o / factors[d]);
    SPINDLE_ASSIGN(x, layer.builder.arrangeAxis(x, axis, takeInputs(sources)));
  }
  return x;
}

static llvm::Expected<Tensor> rescaling(const KerasLayer &layer) {
  SPINDLE_ASSIGN(double scale, layer.number("scale", 1));
  SPINDLE_ASSIGN(double offset, layer.number("offset", 0));
  SPINDLE_ASSIGN(Tensor scaled, layer.builder.arithmetic(Arithmetic::Multiply, layer.input(),
                                                         Tensor::constant({}, {scale})));
  return layer.builder.arithmetic(Arithmetic::Add, scaled, Tensor::constant({}, {offset}));
}

template <Arithmetic kind> static llvm::Expected<Tensor> folded(const KerasLayer &layer) {
  Tensor result = layer.input();
  for (const Tensor &next : llvm::ArrayRef<Tensor>(layer.inputs).drop_front()) {
    SPINDLE_ASSIGN(result, layer.builder.arithmetic(kind, result, next));
  }
  return result;
}

static llvm::Expected<Tensor> average(const KerasLayer &layer) {
  if (layer.inputs.size() < 2) // the function of keras.ops, which has the same name in HDF5
    return layer.refuse("averages one input, expected two or more; over pixels use "
                        "GlobalAveragePooling2D");
  SPINDLE_ASSIGN(Tensor sum, folded<Arithmetic::Add>(layer));
  return layer.builder.arithmetic(Arithmetic::Divide, sum,
                                  Tensor::constant({}, {double(layer.inputs.size())}));
}

static llvm::Expected<Tensor> concatenate(const KerasLayer &layer) {
  SPINDLE_ASSIGN(Shape axis, layer.integers("axis", 1, -1));
  int64_t rank = int64_t(layer.input().shape.size()),
          along = axis[0] < 0 ? axis[0] + rank : axis[0];
  if (along < 0 || along >= rank)
    return layer.refuse(fmt::format("axis is {}, expected a dimension of {}", axis[0],
                                    toText(layer.input().shape)));
  return layer.builder.concat(layer.inputs, size_t(along));
}

llvm::ArrayRef<KerasLayerKind> kerasShapes() {
  static const KerasLayerKind table[] = {
      {"Activation", activation},
      {"ActivityRegularization", identity},
      {"Add", folded<Arithmetic::Add>},
      {"AlphaDropout", identity},
      {"Average", average},
      {"Concatenate", concatenate},
      {"Cropping1D", border<1, -1>},
      {"Cropping2D", border<2, -1>},
      {"Divide", folded<Arithmetic::Divide>},
      {"Dropout", identity},
      {"Flatten", flatten},
      {"GaussianDropout", identity},
      {"GaussianNoise", identity},
      {"Identity", identity},
      {"InputLayer", identity},
      {"Multiply", folded<Arithmetic::Multiply>},
      {"Permute", permute},
      {"RandomBrightness", identity},
      {"RandomContrast", identity},
      {"RandomFlip", identity},
      {"RandomRotation", identity},
      {"RandomTranslation", identity},
      {"RandomZoom", identity},
      {"ReLU", relu},
      {"Rescaling", rescaling},
      {"Reshape", reshape},
      {"Softmax", softmax},
      {"SpatialDropout1D", identity},
      {"SpatialDropout2D", identity},
      {"SpatialDropout3D", identity},
      {"Subtract", folded<Arithmetic::Subtract>},
      {"TrueDivide", folded<Arithmetic::Divide>},
      {"UpSampling2D", upSampling},
      {"ZeroPadding1D", border<1, 1>},
      {"ZeroPadding2D", border<2, 1>},
  };
  return table;
}

} // namespace spindle
