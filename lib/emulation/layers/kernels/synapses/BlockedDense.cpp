// Dense layers over all inputs, for rows most of whose elements are not zero: the sums of a block
// of rows and of a panel of outputs stand in registers, and each weight is loaded once for the
// block.
#include "lib/emulation/lanes/HostTarget.h"
#include "lib/emulation/layers/kernels/synapses/DenseLayer.h"

#include "fmt/format.h"

namespace spindle::layers {

static constexpr llvm::StringLiteral kBlockedDenseKernel = R"(
func.func @$name(%signal: !llvm.ptr {llvm.noalias}, %weights: !llvm.ptr {llvm.noalias}, %biases: !llvm.ptr {llvm.noalias},
                 %out: !llvm.ptr {llvm.noalias}, %rows: i64) {
  %c0 = arith.constant 0 : i64
  %c1 = arith.constant 1 : i64
  %together = arith.constant $together : i64
  %panels = arith.constant $panels : i64
  %inputs = arith.constant $inputs : i64
  %inStride = arith.constant $inStride : i64
  %stride = arith.constant $stride : i64
  %width = arith.constant $width : i64
  %size = arith.constant $size : i64
  %zeros = arith.constant dense<0.0> : $vector
  %last = arith.subi %rows, %c1 : i64
  %columns = llvm.getelementptr %out[$first] : (!llvm.ptr) -> !llvm.ptr, f32
  scf.for %p = %c0 to %panels step %c1 : i64 {
    %panelAt = arith.muli %p, %size : i64
    %panel = llvm.getelementptr %weights[%panelAt] : (!llvm.ptr, i64) -> !llvm.ptr, f32
    %columnAt = arith.muli %p, %width : i64
    %column = llvm.getelementptr %columns[%columnAt] : (!llvm.ptr, i64) -> !llvm.ptr, f32
    %biasFrom = llvm.getelementptr %biases[%columnAt] : (!llvm.ptr, i64) -> !llvm.ptr, f32
    %bias = llvm.load %biasFrom {alignment = 64 : i64} : !llvm.ptr -> $vector
    scf.for %r = %c0 to %rows step %together : i64 {
      $starts
      %sums:$together = scf.for %i = %c0 to %inputs step %c1 iter_args($carried) -> ($types) : i64 {
        %weightAt = arith.muli %i, %width : i64
        %from = llvm.getelementptr %panel[%weightAt] : (!llvm.ptr, i64) -> !llvm.ptr, f32
        %weight = llvm.load %from {alignment = 64 : i64} : !llvm.ptr -> $vector
        $products
        scf.yield $next : $types
      }
      $results
    }
  }
  return
}
)";

/// The share of inputs with events above which this is faster than adding events (measured,
/// docs/benchmarks/emulation-experiments.md).
constexpr double kBusyDense = 0.42;

/// Row $k of the block; behind the last row it is the last one again.
static constexpr llvm::StringLiteral kBlockStart = R"(
      %number$k = arith.constant $k : i64
      %wanted$k = arith.addi %r, %number$k : i64
      %row$k = arith.minui %wanted$k, %last : i64
      %inAt$k = arith.muli %row$k, %inStride : i64
      %in$k = llvm.getelementptr %signal[%inAt$k] : (!llvm.ptr, i64) -> !llvm.ptr, f32)";

static constexpr llvm::StringLiteral kBlockProduct = R"(
        %inputFrom$k = llvm.getelementptr %in$k[%i] : (!llvm.ptr, i64) -> !llvm.ptr, f32
        %input$k = llvm.load %inputFrom$k : !llvm.ptr -> f32
        %spread$k = vector.broadcast %input$k : f32 to $vector
        %product$k = arith.mulf %weight, %spread$k : $vector
        %after$k = arith.addf %before$k, %product$k : $vector)";

static constexpr llvm::StringLiteral kBlockResult = R"(
      %biased$k = arith.addf %sums#$k, %bias : $vector
      %rowAt$k = arith.muli %row$k, %stride : i64
      %to$k = llvm.getelementptr %column[%rowAt$k] : (!llvm.ptr, i64) -> !llvm.ptr, f32
      llvm.store $result, %to$k {alignment = 64 : i64} : $vector, !llvm.ptr)";

void addBlockedPanels(PlanBuilder &b, const DenseLayer &layer, const Signal &input,
                      const EventList &events, const FloatPanels &floats, size_t out) {
  const Panels &panels = floats.panels;
  int64_t together = lanes::registerSums() / 2;
  Names names;
  names.set("vector", fmt::format("vector<{}xf32>", panels.width))
      .set("together", together)
      .set("panels", int64_t(panels.count))
      .set("first", int64_t(panels.first))
      .set("width", int64_t(panels.width))
      .set("inputs", int64_t(layer.inputs))
      .set("size", int64_t(layer.inputs * panels.width))
      .set("inStride", int64_t(b.bytesOf(input.buffer) / sizeof(float)))
      .set("stride", int64_t(b.bytesOf(out) / sizeof(float)));
  std::string starts, carried, types, products, next, results;
  for (int64_t k = 0; k < together; ++k) {
    names.set("k", k).set("comma", k > 0 ? ", " : "");
    names.set("result", names.fill(layer.bias.empty() ? "%sums#$k" : "%biased$k"));
    starts += names.fill(kBlockStart);
    carried += names.fill("$comma%before$k = %zeros");
    types += names.fill("$comma$vector");
    products += names.fill(kBlockProduct);
    next += names.fill("$comma%after$k");
    results += names.fill(kBlockResult);
  }
  names.set("starts", starts)
      .set("carried", carried)
      .set("types", types)
      .set("products", products)
      .set("next", next)
      .set("results", results);
  b.addAlternative(kBlockedDenseKernel, names, {input.buffer, floats.weights, floats.biases, out},
                   {events.ends, 0, layer.inputs, kBusyDense});
}

} // namespace spindle::layers
