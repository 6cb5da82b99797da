// Dense layers: sums of a panel of outputs stand in registers while the rows of weights of the
// events are added; a panel's weights stay in the cache for all rows of a block.
#include "lib/emulation/engine/HostTarget.h"
#include "lib/emulation/layerwise/PlanBuilder.h"

namespace spindle::layerwise {

/// `panels` panels of one width, from output `first` on.
static constexpr llvm::StringLiteral kText = R"(
func.func @$name(%list: !llvm.ptr {llvm.noalias}, %ends: !llvm.ptr {llvm.noalias}, %weights: !llvm.ptr {llvm.noalias},
                 %biases: !llvm.ptr {llvm.noalias}, %out: !llvm.ptr {llvm.noalias}$valuesArgument, %rows: i64) {
  %c0 = arith.constant 0 : i64
  %c1 = arith.constant 1 : i64
  %panels = arith.constant $panels : i64
  %capacity = arith.constant $capacity : i64
  %endsStride = arith.constant $endsStride : i64
  %stride = arith.constant $stride : i64
  %width = arith.constant $width : i64
  %size = arith.constant $size : i64
  %zeros = arith.constant dense<0.0> : $vector
  %columns = llvm.getelementptr %out[$first] : (!llvm.ptr) -> !llvm.ptr, f32
  scf.for %p = %c0 to %panels step %c1 : i64 {
    %panelAt = arith.muli %p, %size : i64
    %panel = llvm.getelementptr %weights[%panelAt] : (!llvm.ptr, i64) -> !llvm.ptr, f32
    %columnAt = arith.muli %p, %width : i64
    %column = llvm.getelementptr %columns[%columnAt] : (!llvm.ptr, i64) -> !llvm.ptr, f32
    %biasFrom = llvm.getelementptr %biases[%columnAt] : (!llvm.ptr, i64) -> !llvm.ptr, f32
    %bias = llvm.load %biasFrom {alignment = 64 : i64} : !llvm.ptr -> $vector
    scf.for %r = %c0 to %rows step %c1 : i64 {
      %endAt = arith.muli %r, %endsStride : i64
      %endFrom = llvm.getelementptr %ends[%endAt] : (!llvm.ptr, i64) -> !llvm.ptr, i64
      %end = llvm.load %endFrom : !llvm.ptr -> i64
      %listAt = arith.muli %r, %capacity : i64
      %entries = llvm.getelementptr %list[%listAt] : (!llvm.ptr, i64) -> !llvm.ptr, i32
      %sum = scf.for %e = %c0 to %end step %c1 iter_args(%sofar = %zeros) -> ($vector) : i64 {
        %entryFrom = llvm.getelementptr %entries[%e] : (!llvm.ptr, i64) -> !llvm.ptr, i32
        %entry32 = llvm.load %entryFrom : !llvm.ptr -> i32
        %entry = arith.extui %entry32 : i32 to i64
        %weightAt = arith.muli %entry, %width : i64
        %from = llvm.getelementptr %panel[%weightAt] : (!llvm.ptr, i64) -> !llvm.ptr, f32
        %weight = llvm.load %from {alignment = 64 : i64} : !llvm.ptr -> $vector
        $product
        %next = arith.addf %sofar, $term : $vector
        scf.yield %next : $vector
      }
      %biased = arith.addf %sum, %bias : $vector
      %rowAt = arith.muli %r, %stride : i64
      %to = llvm.getelementptr %column[%rowAt] : (!llvm.ptr, i64) -> !llvm.ptr, f32
      llvm.store $result, %to {alignment = 64 : i64} : $vector, !llvm.ptr
    }
  }
  return
}
)";

static constexpr llvm::StringLiteral kProduct = R"(
        %valueAt = arith.addi %listAt, %e : i64
        %valueFrom = llvm.getelementptr %values[%valueAt] : (!llvm.ptr, i64) -> !llvm.ptr, f32
        %value = llvm.load %valueFrom : !llvm.ptr -> f32
        %spread = vector.broadcast %value : f32 to $vector
        %product = arith.mulf %weight, %spread : $vector)";

namespace {

struct Weights {
  size_t inputs, outputs;
  std::vector<float> values, bias; // outputs × inputs
};

struct Panels {
  size_t first, count, width;
};

/// Rows of `width` outputs for each input, panel by panel, filled up with zeros.
std::vector<float> pack(const Weights &weights, const Panels &panels) {
  std::vector<float> packed(panels.count * weights.inputs * panels.width);
  for (size_t p = 0; p < panels.count; ++p)
    for (size_t i = 0; i < weights.inputs; ++i)
      for (size_t k = 0; k < panels.width; ++k)
        if (size_t o = panels.first + p * panels.width + k; o < weights.outputs)
          packed[(p * weights.inputs + i) * panels.width + k] =
              weights.values[o * weights.inputs + i];
  return packed;
}

std::vector<float> packBias(const Weights &weights, const Panels &panels) {
  std::vector<float> packed(panels.count * panels.width);
  for (size_t k = 0; k < packed.size() && panels.first + k < weights.bias.size(); ++k)
    packed[k] = weights.bias[panels.first + k];
  return packed;
}

void addPanels(PlanBuilder &b, const Weights &weights, const EventList &events, size_t out,
               const Panels &panels) {
  Names names;
  names.set("vector", "vector<" + std::to_string(panels.width) + "xf32>")
      .set("panels", int64_t(panels.count))
      .set("first", int64_t(panels.first))
      .set("width", int64_t(panels.width))
      .set("size", int64_t(weights.inputs * panels.width))
      .set("capacity", int64_t(b.bytesOf(events.entries) / sizeof(uint32_t)))
      .set("endsStride", int64_t(b.bytesOf(events.ends) / sizeof(int64_t)))
      .set("stride", int64_t(b.bytesOf(out) / sizeof(float)))
      .set("result", weights.bias.empty() ? "%sum" : "%biased")
      .set("valuesArgument", events.values ? ", %values: !llvm.ptr {llvm.noalias}" : "")
      .set("term", events.values ? "%product" : "%weight");
  names.set("product", events.values ? names.fill(kProduct) : "");
  std::vector<size_t> buffers{events.entries, events.ends, b.addParameter(pack(weights, panels)),
                              b.addParameter(packBias(weights, panels)), out};
  if (events.values)
    buffers.push_back(*events.values);
  b.addRowStage(kText, names, std::move(buffers));
}

} // namespace

Signal addDense(PlanBuilder &b, snn::DenseOp op, const Signal &input) {
  Weights weights{size_t(snn::sizeOf(op.getInput())), size_t(snn::sizeOf(op.getOutput())),
                  constantOf(op.getWeight()), constantOf(op.getBias())};
  std::vector<uint32_t> numbers(weights.inputs);
  for (size_t n = 0; n < numbers.size(); ++n)
    numbers[n] = uint32_t(n);
  EventList events = addEventList(b, input, 1, numbers);
  Signal output = b.addSignal(Unit::Row, weights.outputs, false);
  size_t widest = 8 * kVector; // sums in registers, half of those of AVX-512
  if (engine::registerSums() < 16)
    widest /= 4;
  size_t full = weights.outputs / widest, rest = weights.outputs % widest;
  if (full > 0)
    addPanels(b, weights, events, output.buffer, {0, full, widest});
  if (rest > 0)
    addPanels(b, weights, events, output.buffer, {full * widest, 1, roundUp(rest, kVector)});
  return output;
}

} // namespace spindle::layerwise
