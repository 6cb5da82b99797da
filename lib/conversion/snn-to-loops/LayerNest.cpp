#include "lib/conversion/snn-to-loops/LayerNest.h"

#include "dialects/hls/Hls.h"

#include "mlir/Dialect/Affine/IR/AffineOps.h"
#include "mlir/Dialect/Arith/IR/Arith.h"

using namespace mlir;

namespace spindle::snn_to_loops {

Value NestPoint::load(Value array, ArrayRef<AffineExpr> subscripts) const {
  auto map = AffineMap::get(unsigned(counters.size()), 0, subscripts, builder.getContext());
  return affine::AffineLoadOp::create(builder, location, array, map, counters);
}

void NestPoint::store(Value value, Value array, ArrayRef<AffineExpr> subscripts) const {
  auto map = AffineMap::get(unsigned(counters.size()), 0, subscripts, builder.getContext());
  affine::AffineStoreOp::create(builder, location, value, array, map, counters);
}

Value NestPoint::at(ProgramBuilder &program, const Parameter &parameter, AffineExpr neuron) const {
  return parameter.array ? load(parameter.array, {neuron})
                         : program.constant(parameter.type, parameter.value);
}

static IntegerSet setOf(const NestPoint &point, ArrayRef<AffineExpr> conditions, bool areZero) {
  SmallVector<bool> equalities(conditions.size(), areZero);
  return IntegerSet::get(unsigned(point.counters.size()), 0, conditions, equalities);
}

Value NestPoint::choose(ArrayRef<AffineExpr> conditions, bool areZero, Make make,
                        Make otherwise) const {
  if (conditions.empty())
    return make(*this);
  // The type is known when the first branch is there.
  OpBuilder aside(builder.getContext());
  Block branch;
  aside.setInsertionPointToEnd(&branch);
  Value first = make({aside, location, counters});
  affine::AffineYieldOp::create(aside, location, first);
  auto choice = affine::AffineIfOp::create(builder, location, TypeRange(first.getType()),
                                           setOf(*this, conditions, areZero), counters, true);
  choice.getThenBlock()->getOperations().splice(choice.getThenBlock()->end(),
                                                branch.getOperations());
  OpBuilder other = OpBuilder::atBlockEnd(choice.getElseBlock());
  affine::AffineYieldOp::create(other, location, otherwise({other, location, counters}));
  return choice.getResult(0);
}

void NestPoint::only(ArrayRef<AffineExpr> conditions, bool areZero,
                     llvm::function_ref<void(const NestPoint &)> make) const {
  if (conditions.empty())
    return make(*this);
  auto choice = affine::AffineIfOp::create(builder, location, setOf(*this, conditions, areZero),
                                           counters, false);
  OpBuilder inside = choice.getThenBodyBuilder();
  make({inside, location, counters});
}

/// The loops, and the builder inside the innermost one.
static OpBuilder emitLoops(OpBuilder builder, const LayerNest &nest, SmallVector<Value> &counters) {
  SmallVector<int64_t> trips(nest.outer);
  trips.append(nest.taps);
  trips.push_back(nest.lanes);
  for (int64_t trip : trips) {
    auto loop = affine::AffineForOp::create(builder, nest.location, 0, trip);
    counters.push_back(loop.getInductionVar());
    if (counters.size() == 1)
      loop->setAttr(kLayerName, builder.getStringAttr(nest.name));
    builder = OpBuilder::atBlockBegin(loop.getBody());
  }
  auto lanes = cast<affine::AffineForOp>(builder.getInsertionBlock()->getParentOp());
  lanes->setAttr(hls::HlsDialect::unrollName, builder.getI64IntegerAttr(0));
  return builder;
}

/// Counters of taps, and how far they are from their last values.
static std::pair<SmallVector<AffineExpr>, SmallVector<AffineExpr>> endsOf(const NestPoint &point,
                                                                          const LayerNest &nest) {
  SmallVector<AffineExpr> first, last;
  for (auto [number, trip] : llvm::enumerate(nest.taps))
    if (trip > 1) {
      first.push_back(point.dimension(nest.tap(unsigned(number))));
      last.push_back(first.back() - (trip - 1));
    }
  return {first, last};
}

static Value combine(const NestPoint &point, Combine how, Value a, Value b) {
  if (how == Combine::Maximum)
    return arith::MaxSIOp::create(point.builder, point.location, a, b);
  return arith::AddIOp::create(point.builder, point.location, a, b);
}

void emitNest(ProgramBuilder &program, const LayerNest &nest, unsigned bits, NestPoint::Make start,
              NestPoint::Make term, llvm::function_ref<void(const NestPoint &, Value sum)> finish) {
  SmallVector<Value> counters;
  OpBuilder inside = emitLoops(program.body, nest, counters);
  NestPoint point{inside, nest.location, counters};
  auto [first, last] = endsOf(point, nest);
  AffineExpr lane = point.dimension(nest.lane());
  Value sums; // a running sum for each lane
  if (!first.empty())
    sums = program.local(nest.name + ".sums", {nest.lanes}, bits);
  auto zero = [&](const NestPoint &) { return program.constant(program.integer(bits), 0); };
  auto running = [&](const NestPoint &later) { return later.load(sums, {lane}); };
  SmallVector<AffineExpr> room;
  if (nest.room)
    room.push_back(nest.room);
  point.only(room, false, [&, &ends = last, &begins = first](const NestPoint &neuron) {
    Value sum = term(neuron);
    if (sums || start)
      sum =
          combine(neuron, nest.combine,
                  neuron.choose(begins, true, start ? start : NestPoint::Make(zero), running), sum);
    if (sums)
      neuron.store(sum, sums, {lane});
    neuron.only(ends, true, [&](const NestPoint &end) { finish(end, sum); });
  });
}

} // namespace spindle::snn_to_loops
