// Signals worked element by element: sums, factors, sums over time, other orders of elements.
#include "lib/emulation/layers/PlanBuilder.h"

namespace spindle::layers {

namespace {

/// A buffer of which a kernel loads a vector as `loaded`, stores `stored`, or both; empty for what
/// it does not do.
struct Operand {
  size_t buffer;
  const char *loaded, *stored;
};

constexpr llvm::StringLiteral kElementKernel = R"(
func.func @$name(%sample: i64, %time: i64, %seed: i64$arguments) {
  %c0 = arith.constant 0 : i64
  %lanes = arith.constant 16 : i64
  %size = arith.constant $size : i64
  scf.for %i = %c0 to %size step %lanes : i64 {
    $loads
    $work
    $stores
  }
  return
}
)";

constexpr llvm::StringLiteral kElementPlace = R"(
    %at$k = llvm.getelementptr %row$k[%i] : (!llvm.ptr, i64) -> !llvm.ptr, f32)";
constexpr llvm::StringLiteral kElementLoad = R"(
    $loaded = llvm.load %at$k {alignment = 64 : i64} : !llvm.ptr -> vector<16xf32>)";
constexpr llvm::StringLiteral kElementStore = R"(
    llvm.store $stored, %at$k {alignment = 64 : i64} : vector<16xf32>, !llvm.ptr)";

/// A stage that works `size` elements of each row by `work`, from what is loaded to what is stored.
void addElementStage(PlanBuilder &b, size_t size, llvm::StringRef work,
                     llvm::ArrayRef<Operand> operands) {
  Names names;
  names.set("size", int64_t(size)).set("work", work.str());
  std::string arguments, loads, stores;
  std::vector<size_t> buffers;
  for (const Operand &operand : operands) {
    names.set("k", int64_t(buffers.size()));
    names.set("loaded", operand.loaded).set("stored", operand.stored);
    arguments += names.fill(", %row$k: !llvm.ptr {llvm.noalias}");
    loads += names.fill(kElementPlace);
    loads += *operand.loaded ? names.fill(kElementLoad) : "";
    stores += *operand.stored ? names.fill(kElementStore) : "";
    buffers.push_back(operand.buffer);
  }
  names.set("arguments", arguments).set("loads", loads).set("stores", stores);
  b.addStage(Work::Steps, kElementKernel, names, std::move(buffers));
}

Signal addRowsLike(PlanBuilder &b, const Signal &input, bool binary) {
  return {b.addFloats(Unit::Row, input.layout.size), input.elements, input.layout, binary};
}

size_t addState(PlanBuilder &b, size_t size) {
  size_t state = b.addFloats(Unit::Slot, size);
  b.plan.cleared.push_back(state);
  return state;
}

/// A parameter of one value per channel or per element, element by element in the places of a
/// layout.
size_t addSpread(PlanBuilder &b, const std::vector<float> &values, const Signal &input) {
  std::vector<float> spread(input.layout.size);
  for (size_t n = 0; n < input.elements; ++n)
    spread[input.layout.at(n)] = values[n / (input.elements / values.size())];
  return b.addParameter(spread);
}

} // namespace

Signal addSum(PlanBuilder &b, const Signal &left, const Signal &right) {
  Signal output = addRowsLike(b, left, false);
  addElementStage(b, left.layout.size, "%sum = arith.addf %x, %y : vector<16xf32>",
                  {{left.buffer, "%x", ""}, {right.buffer, "%y", ""}, {output.buffer, "", "%sum"}});
  return output;
}

Signal addScale(PlanBuilder &b, snn::ScaleOp op, const Signal &input) {
  Signal output = addRowsLike(b, input, false);
  std::string work = "%product = arith.mulf %factor, %x : vector<16xf32>";
  std::vector<Operand> operands{{input.buffer, "%x", ""},
                                {addSpread(b, constantOf(op.getFactor()), input), "%factor", ""},
                                {output.buffer, "", op.getBias() ? "%biased" : "%product"}};
  if (op.getBias()) {
    work += "\n%biased = arith.addf %product, %bias : vector<16xf32>";
    operands.push_back({addSpread(b, constantOf(op.getBias()), input), "%bias", ""});
  }
  addElementStage(b, input.layout.size, work, operands);
  return output;
}

Signal addSumOverTime(PlanBuilder &b, const Signal &input) {
  Signal output = addRowsLike(b, input, false);
  addElementStage(b, input.layout.size, "%sum = arith.addf %sofar, %x : vector<16xf32>",
                  {{input.buffer, "%x", ""},
                   {addState(b, input.layout.size), "%sofar", "%sum"},
                   {output.buffer, "", "%sum"}});
  return output;
}

Signal addChange(PlanBuilder &b, const Signal &input, bool binary, size_t &last) {
  Signal output = addRowsLike(b, input, binary);
  last = addState(b, input.layout.size);
  addElementStage(
      b, input.layout.size, "%change = arith.subf %x, %before : vector<16xf32>",
      {{input.buffer, "%x", ""}, {last, "%before", "%x"}, {output.buffer, "", "%change"}});
  return output;
}

static constexpr llvm::StringLiteral kElementGather = R"(
func.func @$name(%sample: i64, %time: i64, %seed: i64, %in: !llvm.ptr {llvm.noalias}, %table: !llvm.ptr {llvm.noalias}, %out: !llvm.ptr {llvm.noalias}) {
  %c0 = arith.constant 0 : i64
  %lanes = arith.constant 16 : i64
  %size = arith.constant $size : i64
  %all = arith.constant dense<true> : vector<16xi1>
  %zeros = arith.constant dense<0.0> : vector<16xf32>
  scf.for %i = %c0 to %size step %lanes : i64 {
    %placesFrom = llvm.getelementptr %table[%i] : (!llvm.ptr, i64) -> !llvm.ptr, i32
    %places = llvm.load %placesFrom {alignment = 64 : i64} : !llvm.ptr -> vector<16xi32>
    %from = llvm.getelementptr %in[%places] : (!llvm.ptr, vector<16xi32>) -> vector<16x!llvm.ptr>, f32
    %x = llvm.intr.masked.gather %from, %all, %zeros {alignment = 4 : i32} : (vector<16x!llvm.ptr>, vector<16xi1>, vector<16xf32>) -> vector<16xf32>
    %to = llvm.getelementptr %out[%i] : (!llvm.ptr, i64) -> !llvm.ptr, f32
    llvm.store %x, %to {alignment = 64 : i64} : vector<16xf32>, !llvm.ptr
  }
  return
}
)";

Signal addReordered(PlanBuilder &b, const Signal &input, const std::vector<uint32_t> &sources) {
  Signal output = b.addSignal(Unit::Row, sources.size(), input.binary);
  std::vector<uint32_t> places;
  for (uint32_t source : sources)
    places.push_back(uint32_t(input.layout.at(source)));
  Names names;
  names.set("size", int64_t(places.size()));
  b.addStage(Work::Steps, kElementGather, names,
             {input.buffer, b.addParameter(places), output.buffer});
  return output;
}

} // namespace spindle::layers
