// Convolutions and dense layers: sums in registers, over a block of filters and columns at once.
#include "lib/emulation/lanes/HostTarget.h"
#include "lib/emulation/lanes/emitters/Emitters.h"
#include "lib/emulation/network/Network.h"

#include "mlir/Dialect/Arith/IR/Arith.h"

using namespace mlir;

namespace spindle::lanes {

namespace {

struct Convolution {
  size_t input, output;                    // buffers; the input has its padding
  SmallVector<int64_t> image, result;      // channels, rows, columns
  int64_t groups, channels, rows, columns; // of a filter: channels that it reads
  SmallVector<int64_t> strides, dilations;
  std::vector<float> weights, bias; // filters × channels × rows × columns

  int64_t filtersPerGroup() const { return result[0] / groups; }
  int64_t weightsPerFilter() const { return channels * rows * columns; }
};

/// How many sums stand in registers: filters × columns.
struct Block {
  int64_t filters, columns;
};

Block blockFor(const Convolution &conv) {
  int64_t sums = registerSums();
  Block block{0, std::min(conv.result[2], sums / 4)};
  block.filters = std::min(conv.filtersPerGroup(), sums / block.columns);
  block.columns = std::min(conv.result[2], sums / block.filters); // few filters: more columns
  return block;
}

/// Weights in the order of the innermost loops: filters of a block side by side.
std::vector<float> packWeights(const Convolution &conv, int64_t blockFilters) {
  std::vector<float> packed;
  packed.reserve(conv.weights.size());
  int64_t size = conv.weightsPerFilter();
  for (int64_t group = 0; group < conv.groups; ++group)
    for (int64_t first = 0; first < conv.filtersPerGroup(); first += blockFilters) {
      int64_t filters = std::min(blockFilters, conv.filtersPerGroup() - first);
      for (int64_t k = 0; k < size; ++k)
        for (int64_t f = 0; f < filters; ++f)
          packed.push_back(conv.weights[(group * conv.filtersPerGroup() + first + f) * size + k]);
    }
  return packed;
}

/// Calls `body(first, size)` for the blocks of an extent: a loop over the full ones, then the rest.
void forBlocks(KernelBuilder &b, int64_t extent, int64_t size,
               llvm::function_ref<void(Value, int64_t)> body) {
  b.loop({extent / size}, [&](ValueRange block) { body(b.at({{block[0], size}}), size); });
  if (extent % size != 0)
    body(b.index(extent / size * size), extent % size);
}

/// Where a block of sums stands: group, first filter (of all), row, first column.
struct Position {
  Value group, filter, row, column;
};

/// The sums of one block, inputs in ascending order, from zero.
KernelBuilder::Values emitSums(KernelBuilder &b, const Convolution &conv, size_t weights,
                               Block block, const Position &at) {
  Value image = b.view(conv.input, conv.image);
  Value packed = b.view(weights, {static_cast<int64_t>(conv.weights.size())});
  KernelBuilder::Values zeros(block.filters * block.columns, b.splat(0));
  return b.reduce(
      {conv.channels, conv.rows, conv.columns}, zeros, [&](ValueRange k, ValueRange sums) {
        Value channel = b.at({{at.group, conv.channels}, {k[0], 1}});
        Value row = b.at({{at.row, conv.strides[0]}, {k[1], conv.dilations[0]}});
        KernelBuilder::Values inputs, next;
        for (int64_t c = 0; c < block.columns; ++c) {
          Value column =
              b.at({{at.column, conv.strides[1]}, {k[2], conv.dilations[1]}}, c * conv.strides[1]);
          inputs.push_back(b.load(image, {channel, row, column}));
        }
        for (int64_t f = 0; f < block.filters; ++f) {
          Value place = b.at({{at.filter, conv.weightsPerFilter()},
                              {k[0], conv.rows * conv.columns * block.filters},
                              {k[1], conv.columns * block.filters},
                              {k[2], block.filters}},
                             f);
          Value weight = b.broadcast(b.load(packed, {place}));
          for (int64_t c = 0; c < block.columns; ++c) {
            Value product = b.make<arith::MulFOp>(weight, inputs[c]);
            next.push_back(b.make<arith::AddFOp>(sums[f * block.columns + c], product));
          }
        }
        return next;
      });
}

void emitConvolution(KernelBuilder &b, const Convolution &conv) {
  Block most = blockFor(conv);
  size_t weights = b.addParameter(packWeights(conv, most.filters));
  std::optional<size_t> bias;
  if (!conv.bias.empty())
    bias = b.addParameter(conv.bias);
  // Rows outermost: the input rows of a window stay in the cache while all filters pass over them.
  b.loop({conv.groups, conv.result[1]}, [&](ValueRange outer) {
    forBlocks(b, conv.filtersPerGroup(), most.filters, [&](Value first, int64_t filters) {
      Value filter = b.at({{outer[0], conv.filtersPerGroup()}, {first, 1}});
      forBlocks(b, conv.result[2], most.columns, [&](Value column, int64_t columns) {
        KernelBuilder::Values sums =
            emitSums(b, conv, weights, {filters, columns}, {outer[0], filter, outer[1], column});
        Value result = b.view(conv.output, conv.result);
        for (int64_t f = 0; f < filters; ++f)
          for (int64_t c = 0; c < columns; ++c) {
            Value sum = sums[f * columns + c], at = b.at({{filter, 1}}, f);
            if (bias)
              sum = b.make<arith::AddFOp>(
                  sum, b.broadcast(b.load(b.view(*bias, {conv.result[0]}), {at})));
            b.store(sum, result, {at, outer[1], b.at({{column, 1}}, c)});
          }
      });
    });
  });
}

} // namespace

void emitDense(KernelBuilder &b, snn::DenseOp op, const Signals &signals) {
  int64_t inputs = snn::sizeOf(op.getInput()), outputs = snn::sizeOf(op.getOutput());
  emitConvolution(b, {signals.input(),
                      signals.output,
                      {inputs, 1, 1},
                      {outputs, 1, 1},
                      1,
                      inputs,
                      1,
                      1,
                      {1, 1},
                      {1, 1},
                      constantOf(op.getWeight()),
                      constantOf(op.getBias())});
}

void emitConv2d(KernelBuilder &b, snn::Conv2dOp op, const Signals &signals) {
  ArrayRef<int64_t> weight = snn::shapeOf(op.getWeight()), result = snn::shapeOf(op.getOutput());
  SmallVector<int64_t> image(snn::shapeOf(op.getInput()));
  size_t input = emitPadding(b, signals.input(), image, op.getPadding());
  emitConvolution(b,
                  {input, signals.output, image, SmallVector<int64_t>(result),
                   static_cast<int64_t>(op.getGroups()), weight[1], weight[2], weight[3],
                   SmallVector<int64_t>(op.getStrides()), SmallVector<int64_t>(op.getDilations()),
                   constantOf(op.getWeight()), constantOf(op.getBias())});
}

} // namespace spindle::lanes
