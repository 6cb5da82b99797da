#include "lib/conversion/snn-to-loops/ProgramBuilder.h"

#include "dialects/hls/StoredStreams.h"
#include "dialects/order/SettleOrder.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/IR/IRMapping.h"

using namespace mlir;

namespace spindle::snn_to_loops {

static MemRefType arrayType(ArrayRef<int64_t> shape, IntegerType type) {
  return MemRefType::get(shape, type);
}

ProgramBuilder::ProgramBuilder(MLIRContext &context, const CircuitOptions &settings)
    : body(&context), options(settings) {
  Location location = UnknownLoc::get(&context);
  module = ModuleOp::create(location);
  body.setInsertionPointToEnd(module->getBody());
  function = func::FuncOp::create(body, location, "main", body.getFunctionType({}, {}));
  body.setInsertionPointToEnd(function.addEntryBlock());
  auto end = func::ReturnOp::create(body, location);
  body.setInsertionPoint(end);
}

template <typename Op, typename... Arguments>
Value ProgramBuilder::makeFirst(Arguments &&...operands) {
  OpBuilder first(function.getContext());
  if (lastBeforeLoops)
    first.setInsertionPointAfter(lastBeforeLoops);
  else
    first.setInsertionPointToStart(&function.getBody().front());
  auto made = Op::create(first, std::forward<Arguments>(operands)...);
  lastBeforeLoops = made;
  return made;
}

Location ProgramBuilder::named(StringRef name) { return NameLoc::get(body.getStringAttr(name)); }

Value ProgramBuilder::argument(HardwareArray port, std::vector<int64_t> values) {
  Type type = arrayType(port.shape, integer(port.bits));
  return argumentOf(type, std::move(port), std::move(values));
}

Value ProgramBuilder::streamArgument(HardwareArray port) {
  port.isStream = true;
  Type type = hls::StreamType::get(body.getContext(), integer(port.bits));
  return argumentOf(type, std::move(port), {});
}

Value ProgramBuilder::images() {
  constexpr unsigned kCountBits = 16;
  if (!samples)
    samples =
        argumentOf(integer(kCountBits), {"images", ArrayRole::Images, "", {}, kCountBits}, {});
  return samples;
}

affine::AffineForOp ProgramBuilder::loopOverSamples(Location location) {
  if (sampleLoop)
    return affine::AffineForOp::create(body, location, 0, 1);
  Value count = arith::IndexCastUIOp::create(body, location, body.getIndexType(), images());
  return affine::AffineForOp::create(body, location, {}, body.getConstantAffineMap(0), count,
                                     body.getSymbolIdentityMap());
}

void ProgramBuilder::enterSamples() {
  affine::AffineForOp loop = loopOverSamples(body.getUnknownLoc());
  sampleLoop = loop;
  body.setInsertionPoint(loop.getBody()->getTerminator());
}

void ProgramBuilder::leaveSamples() {
  if (sampleLoop)
    body.setInsertionPoint(sampleLoop);
}

Value ProgramBuilder::samplesOfProcess() { return sampleLoop ? constant(integer(1), 1) : images(); }

Value ProgramBuilder::argumentOf(Type type, HardwareArray port, std::vector<int64_t> values) {
  unsigned index = function.getNumArguments();
  (void)function.insertArgument(index, type, {}, named(port.name));
  arguments.push_back({std::move(port), std::move(values)});
  return function.getArgument(index);
}

Value ProgramBuilder::local(StringRef name, ArrayRef<int64_t> shape, unsigned bits) {
  return makeFirst<memref::AllocOp>(named(name), arrayType(shape, integer(bits)));
}

Value ProgramBuilder::table(const std::string &layer, const std::string &name,
                            std::vector<int64_t> shape, unsigned bits,
                            std::vector<int64_t> values) {
  std::string full = layer + "." + name;
  if (options.takesWeights)
    return argument({full, ArrayRole::Weights, layer, std::move(shape), bits}, std::move(values));
  return constants(full, shape, bits, values);
}

Value ProgramBuilder::constants(const std::string &full, ArrayRef<int64_t> shape, unsigned bits,
                                ArrayRef<int64_t> values) {
  MemRefType type = arrayType(shape, integer(bits));
  std::vector<APInt> words;
  for (int64_t value : values)
    words.emplace_back(bits, uint64_t(value), /*isSigned=*/true, /*implicitTrunc=*/true);
  auto contents =
      DenseElementsAttr::get(RankedTensorType::get(shape, type.getElementType()), words);
  OpBuilder globals(function);
  memref::GlobalOp::create(globals, named(full), full, globals.getStringAttr("private"), type,
                           contents, /*constant=*/true, /*alignment=*/IntegerAttr());
  return makeFirst<memref::GetGlobalOp>(named(full), type, full);
}

Parameter ProgramBuilder::parameter(const std::string &layer, const std::string &name,
                                    unsigned bits, std::vector<int64_t> values) {
  Parameter result{integer(bits), values.front(), {}};
  if (!llvm::all_equal(values)) {
    auto count = int64_t(values.size());
    result.array = table(layer, name, {count}, bits, std::move(values));
  }
  return result;
}

Value ProgramBuilder::stream(StringRef name, int64_t depth, unsigned bits) {
  return makeFirst<hls::MakeStreamOp>(
      named(name), hls::StreamType::get(body.getContext(), integer(bits)), uint64_t(depth));
}

Value ProgramBuilder::streamToLayer(StringRef name, int64_t depth, int64_t most, unsigned bits) {
  if (!sampleLoop)
    return stream(name, depth, bits);
  Value made = stream(name, most + 1, bits);
  hls::setStored(made.getDefiningOp());
  return made;
}

Value ProgramBuilder::position(int64_t value) {
  Value &known = positions[value];
  if (!known)
    known = makeFirst<arith::ConstantIndexOp>(body.getUnknownLoc(), value);
  return known;
}

void ProgramBuilder::divide(Value array, int64_t blocks) {
  hls::ArrayPartition partition(size_t(cast<MemRefType>(array.getType()).getRank()));
  partition.back() = {hls::DimensionPartition::Kind::Block, uint32_t(blocks)};
  setPartition(array, partition);
}

void ProgramBuilder::separate(Value array, unsigned dimension) {
  ArrayRef<int64_t> shape = cast<MemRefType>(array.getType()).getShape();
  hls::ArrayPartition partition =
      hls::readPartition(partitionOf(array), shape).value_or(hls::ArrayPartition(shape.size()));
  partition[dimension] = {hls::DimensionPartition::Kind::Complete, uint32_t(shape[dimension])};
  setPartition(array, partition);
}

Attribute ProgramBuilder::partitionOf(Value array) {
  auto argument = dyn_cast<BlockArgument>(array);
  return argument ? function.getArgAttr(argument.getArgNumber(), hls::HlsDialect::partitionName)
                  : array.getDefiningOp()->getAttr(hls::HlsDialect::partitionName);
}

void ProgramBuilder::setPartition(Value array, const hls::ArrayPartition &partition) {
  ArrayAttr attribute = hls::toAttribute(partition, body.getContext());
  if (auto argument = dyn_cast<BlockArgument>(array))
    function.setArgAttr(argument.getArgNumber(), hls::HlsDialect::partitionName, attribute);
  else
    array.getDefiningOp()->setAttr(hls::HlsDialect::partitionName, attribute);
}

SmallVector<Value> ProgramBuilder::copies(Value array, int64_t count) {
  SmallVector<Operation *> stores;
  for (Operation *user : array.getUsers())
    if (isa<affine::AffineStoreOp>(user))
      stores.push_back(user);
  SmallVector<Value> made{array};
  while (int64_t(made.size()) < count) {
    if (stores.empty()) {
      made.push_back(array);
      continue;
    }
    auto type = cast<MemRefType>(array.getType());
    Value copy = makeFirst<memref::AllocOp>(array.getLoc(), type);
    if (Attribute partition = partitionOf(array))
      copy.getDefiningOp()->setAttr(hls::HlsDialect::partitionName, partition);
    IRMapping inCopy;
    inCopy.map(array, copy);
    for (Operation *store : stores)
      OpBuilder(store->getBlock(), std::next(store->getIterator())).clone(*store, inCopy);
    made.push_back(copy);
  }
  return made;
}

Value ProgramBuilder::constant(IntegerType type, int64_t value) {
  Value &known = numbers[{type.getWidth(), value}];
  if (!known)
    known = makeFirst<arith::ConstantOp>(body.getUnknownLoc(), IntegerAttr::get(type, value));
  return known;
}

LoopProgram ProgramBuilder::take() {
  settleOrder(function);
  return {std::move(module),
          std::move(arguments),
          std::move(layers),
          options.steps,
          std::move(work),
          std::move(lanes),
          given};
}

} // namespace spindle::snn_to_loops
