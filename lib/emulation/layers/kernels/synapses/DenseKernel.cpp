// Dense layers: sums of a panel of outputs stand in registers while the rows of weights of the
// events are added; a panel's weights stay in the cache for all rows of a block.
#include "lib/emulation/layers/kernels/synapses/DenseLayer.h"

#include "fmt/format.h"

#include <bit>
#include <cmath>

namespace spindle::layers {

/// `panels` panels of one width, from output `first` on. Two rows at a time, so that the additions
/// of one need not wait for each other.
static constexpr llvm::StringLiteral kDenseKernel = R"(
func.func @$name(%list: !llvm.ptr {llvm.noalias}, %ends: !llvm.ptr {llvm.noalias}, %weights: !llvm.ptr {llvm.noalias},
                 %biases: !llvm.ptr {llvm.noalias}, %out: !llvm.ptr {llvm.noalias}$valuesArgument, %rows: i64) {
  %c0 = arith.constant 0 : i64
  %c1 = arith.constant 1 : i64
  %c2 = arith.constant 2 : i64
  %panels = arith.constant $panels : i64
  %capacity = arith.constant $capacity : i64
  %endsStride = arith.constant $endsStride : i64
  %stride = arith.constant $stride : i64
  %width = arith.constant $width : i64
  %size = arith.constant $size : i64
  %zeros = arith.constant dense<$zero> : $vector
  %columns = llvm.getelementptr %out[$first] : (!llvm.ptr) -> !llvm.ptr, f32
  scf.for %p = %c0 to %panels step %c1 : i64 {
    %panelAt = arith.muli %p, %size : i64
    %panel = llvm.getelementptr %weights[%panelAt] : (!llvm.ptr, i64) -> !llvm.ptr, $element
    %columnAt = arith.muli %p, %width : i64
    %column = llvm.getelementptr %columns[%columnAt] : (!llvm.ptr, i64) -> !llvm.ptr, f32
    %biasFrom = llvm.getelementptr %biases[%columnAt] : (!llvm.ptr, i64) -> !llvm.ptr, f32
    %bias = llvm.load %biasFrom {alignment = 64 : i64} : !llvm.ptr -> $floats
    scf.for %r = %c0 to %rows step %c2 : i64 {
      %after = arith.addi %r, %c1 : i64
      %isLast = arith.cmpi eq, %after, %rows : i64
      %s = arith.select %isLast, %r, %after : i64
      %endAt0 = arith.muli %r, %endsStride : i64
      %endFrom0 = llvm.getelementptr %ends[%endAt0] : (!llvm.ptr, i64) -> !llvm.ptr, i64
      %end0 = llvm.load %endFrom0 : !llvm.ptr -> i64
      %endAt1 = arith.muli %s, %endsStride : i64
      %endFrom1 = llvm.getelementptr %ends[%endAt1] : (!llvm.ptr, i64) -> !llvm.ptr, i64
      %found1 = llvm.load %endFrom1 : !llvm.ptr -> i64
      %end1 = arith.select %isLast, %c0, %found1 : i64
      %both = arith.minui %end0, %end1 : i64
      %listAt0 = arith.muli %r, %capacity : i64
      %entries0 = llvm.getelementptr %list[%listAt0] : (!llvm.ptr, i64) -> !llvm.ptr, $type
      %listAt1 = arith.muli %s, %capacity : i64
      %entries1 = llvm.getelementptr %list[%listAt1] : (!llvm.ptr, i64) -> !llvm.ptr, $type
      %joint:2 = scf.for %e = %c0 to %both step %c1 iter_args(%sofar0 = %zeros, %sofar1 = %zeros) -> ($vector, $vector) : i64 {
        $addition0
        $addition1
        scf.yield %next0, %next1 : $vector, $vector
      }
      %sum0 = scf.for %e = %both to %end0 step %c1 iter_args(%sofar0 = %joint#0) -> ($vector) : i64 {
        $addition0
        scf.yield %next0 : $vector
      }
      %sum1 = scf.for %e = %both to %end1 step %c1 iter_args(%sofar1 = %joint#1) -> ($vector) : i64 {
        $addition1
        scf.yield %next1 : $vector
      }
      $floatSum1
      %biased1 = arith.addf $total1, %bias : $floats
      %rowAt1 = arith.muli %s, %stride : i64
      %to1 = llvm.getelementptr %column[%rowAt1] : (!llvm.ptr, i64) -> !llvm.ptr, f32
      llvm.store $result1, %to1 {alignment = 64 : i64} : $floats, !llvm.ptr
      $floatSum0 // after the other one, which may be the same row
      %biased0 = arith.addf $total0, %bias : $floats
      %rowAt0 = arith.muli %r, %stride : i64
      %to0 = llvm.getelementptr %column[%rowAt0] : (!llvm.ptr, i64) -> !llvm.ptr, f32
      llvm.store $result0, %to0 {alignment = 64 : i64} : $floats, !llvm.ptr
    }
  }
  return
}
)";

/// The weights of event %e of row k, times its value where it has one.
static constexpr llvm::StringLiteral kDenseAddition = R"(
        %entryFrom$k = llvm.getelementptr %entries$k[%e] : (!llvm.ptr, i64) -> !llvm.ptr, $type
        %narrow$k = llvm.load %entryFrom$k : !llvm.ptr -> $type
        %entry$k = arith.extui %narrow$k : $type to i64
        %weightAt$k = arith.muli %entry$k, %width : i64
        %from$k = llvm.getelementptr %panel[%weightAt$k] : (!llvm.ptr, i64) -> !llvm.ptr, $element
        %weight$k = llvm.load %from$k {alignment = 64 : i64} : !llvm.ptr -> $vector
        $product
        %next$k = $add %sofar$k, $term : $vector)";

static constexpr llvm::StringLiteral kDenseProduct = R"(
        %valueAt$k = arith.addi %listAt$k, %e : i64
        %valueFrom$k = llvm.getelementptr %values[%valueAt$k] : (!llvm.ptr, i64) -> !llvm.ptr, f32
        %value$k = llvm.load %valueFrom$k : !llvm.ptr -> f32
        %spread$k = vector.broadcast %value$k : f32 to $vector
        %product$k = arith.mulf %weight$k, %spread$k : $vector)";

std::vector<float> packBias(const DenseLayer &layer, const Panels &panels) {
  std::vector<float> packed(panels.count * panels.width);
  for (size_t k = 0; k < packed.size() && panels.first + k < layer.bias.size(); ++k)
    packed[k] = layer.bias[panels.first + k];
  return packed;
}

namespace {

/// Rows of `width` outputs for each input, panel by panel, filled up with zeros.
template <typename T> std::vector<T> pack(const DenseLayer &layer, const Panels &panels) {
  std::vector<T> packed(panels.count * layer.inputs * panels.width);
  for (size_t p = 0; p < panels.count; ++p)
    for (size_t i = 0; i < layer.inputs; ++i)
      for (size_t k = 0; k < panels.width; ++k)
        if (size_t o = panels.first + p * panels.width + k; o < layer.outputs)
          packed[(p * layer.inputs + i) * panels.width + k] = T(layer.weight(o, i));
  return packed;
}

/// Whether the sums of any inputs fit into 16 bits: then so does every sum on the way.
bool sumsFitShort(const DenseLayer &layer) {
  for (size_t o = 0; o < layer.outputs; ++o) {
    double positive = 0, negative = 0;
    for (size_t i = 0; i < layer.inputs; ++i) {
      float weight = layer.weight(o, i);
      if (weight != std::trunc(weight))
        return false;
      (weight > 0 ? positive : negative) += double(weight);
    }
    if (positive > INT16_MAX || negative < INT16_MIN)
      return false;
  }
  return true;
}

bool weightsFitByte(const DenseLayer &layer) {
  return llvm::all_of(layer.weights, [](float w) { return w >= INT8_MIN && w <= INT8_MAX; });
}

/// The numbers that sums are made in.
struct Arithmetic {
  const char *element, *zero, *add;
  size_t lanes; // of a vector
};
constexpr Arithmetic kFloats{"f32", "0.0", "arith.addf", kVector};
constexpr Arithmetic kShorts{"i16", "0", "arith.addi", 2 * kVector};

/// Gives the parameters: weights, then biases.
FloatPanels addPanels(PlanBuilder &b, const DenseLayer &layer, const EventList &events, size_t out,
                      const Panels &panels, const Arithmetic &numbers) {
  bool isShort = numbers.lanes > kVector;
  Names names;
  names.set("vector", fmt::format("vector<{}x{}>", panels.width, numbers.element))
      .set("floats", fmt::format("vector<{}xf32>", panels.width))
      .set("element", numbers.element)
      .set("zero", numbers.zero)
      .set("add", numbers.add)
      .set("panels", int64_t(panels.count))
      .set("first", int64_t(panels.first))
      .set("width", int64_t(panels.width))
      .set("size", int64_t(layer.inputs * panels.width))
      .set("capacity", int64_t(events.capacity))
      .set("type", typeOf(events))
      .set("endsStride", int64_t(b.bytesOf(events.ends) / sizeof(int64_t)))
      .set("stride", int64_t(b.bytesOf(out) / sizeof(float)))
      .set("valuesArgument", events.values ? ", %values: !llvm.ptr {llvm.noalias}" : "");
  for (const char *row : {"0", "1"}) {
    names.set("k", row);
    names.set("product", events.values ? names.fill(kDenseProduct) : "");
    names.set("term", names.fill(events.values ? "%product$k" : "%weight$k"));
    names.set(std::string("addition") + row, names.fill(kDenseAddition));
    names.set(std::string("floatSum") + row,
              isShort ? names.fill("%float$k = arith.sitofp %sum$k : $vector to $floats") : "");
    names.set("total", names.fill(isShort ? "%float$k" : "%sum$k"));
    names.set(std::string("total") + row, names.fill("$total"));
    names.set(std::string("result") + row, names.fill(layer.bias.empty() ? "$total" : "%biased$k"));
  }
  size_t packed = isShort ? b.addParameter(pack<int16_t>(layer, panels))
                          : b.addParameter(pack<float>(layer, panels));
  size_t biases = b.addParameter(packBias(layer, panels));
  std::vector<size_t> buffers{events.entries, events.ends, packed, biases, out};
  if (events.values)
    buffers.push_back(*events.values);
  b.addStage(Work::Rows, kDenseKernel, names, std::move(buffers));
  return {panels, packed, biases};
}

} // namespace

/// Weights of a layer for which another kernel may be compiled.
constexpr size_t kWorthwhileDense = 1 << 15;

Signal addDense(PlanBuilder &b, snn::DenseOp op, const Signal &input) {
  DenseLayer layer{size_t(snn::sizeOf(op.getInput())), size_t(snn::sizeOf(op.getOutput())),
                   constantOf(op.getWeight()), constantOf(op.getBias())};
  EventList events = addEventList(b, input, 1, naturalNumbers(layer.inputs));
  Signal output = b.addSignal(Unit::Row, layer.outputs, false);
  bool isShort = input.binary && sumsFitShort(layer);
  bool inBytes = isShort && weightsFitByte(layer);
  const Arithmetic &numbers = isShort ? kShorts : kFloats;
  bool mayBeDense = !isShort && b.hasRows(input) && layer.weights.size() >= kWorthwhileDense;
  auto add = [&](const Panels &panels) {
    FloatPanels floats = addPanels(b, layer, events, output.buffer, panels, numbers);
    if (mayBeDense)
      addBlockedPanels(b, layer, input, events, floats, output.buffer);
  };
  size_t first = 0;
  if (inBytes && layer.outputs >= kByteWidth) {
    addBytePanels(b, layer, events, output.buffer, {0, layer.outputs / kByteWidth, kByteWidth});
    first = layer.outputs / kByteWidth * kByteWidth;
  }
  while (first < layer.outputs) {
    // Powers of two fill registers; the rows of busy inputs stay in the first cache.
    size_t left = roundUp(layer.outputs - first, kVector);
    size_t width = std::min(std::bit_floor(left), 2 * numbers.lanes);
    add({first, left / width, width});
    first += left / width * width;
  }
  return output;
}

} // namespace spindle::layers
