#include "hw/program/WatchIterations.h"

#include "dialects/hls/Hls.h"
#include "dialects/location/Location.h"
#include "hw/program/WatchAccesses.h"

#include "fmt/format.h"
#include "fmt/ranges.h"
#include "mlir/Dialect/Affine/IR/AffineOps.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/IR/ImplicitLocOpBuilder.h"

#include <algorithm>

using namespace mlir;

namespace spindle::hls {

namespace {

constexpr const char *kBegin = "spindle_loop_begin", *kTurn = "spindle_loop_turn",
                     *kEnd = "spindle_loop_end", *kTouch = "spindle_loop_touch";

/// Compiled code has no argument of ours that could say who watches.
thread_local IterationWatch *watching = nullptr;

void beginLoop(int64_t loop) { watching->begin(loop); }
void turnLoop(int64_t iteration) { watching->turn(iteration); }
void endLoop() { watching->end(); }
void touchElement(int64_t access, int64_t pointer, int64_t element, int64_t isWrite) {
  watching->touch(access, pointer, element, isWrite != 0);
}

void declare(ModuleOp module, const char *name, unsigned words) {
  auto top = OpBuilder::atBlockBegin(module.getBody());
  SmallVector<Type> types(words, top.getI64Type());
  func::FuncOp::create(top, module.getLoc(), name, top.getFunctionType(types, {})).setPrivate();
}

Value number(ImplicitLocOpBuilder &builder, int64_t value) {
  return arith::ConstantIntOp::create(builder, value, 64);
}
Value asWord(ImplicitLocOpBuilder &builder, Value value) {
  return value.getType().isInteger(64)
             ? value
             : arith::IndexCastOp::create(builder, builder.getI64Type(), value).getResult();
}
void call(ImplicitLocOpBuilder &builder, const char *name, ValueRange words) {
  func::CallOp::create(builder, name, TypeRange(), words);
}

/// The counter as a word, wherever it is an integer that is narrower.
Value counterWord(ImplicitLocOpBuilder &builder, Value counter) {
  if (counter.getType().isIndex() || counter.getType().isInteger(64))
    return asWord(builder, counter);
  return arith::ExtSIOp::create(builder, builder.getI64Type(), counter);
}

void watchLoop(LoopLikeOpInterface loop, int64_t index) {
  ImplicitLocOpBuilder before(loop.getLoc(), loop);
  call(before, kBegin, number(before, index));
  Block &body = loop.getLoopRegions().front()->front();
  ImplicitLocOpBuilder inside(loop.getLoc(), &body, body.begin());
  call(inside, kTurn, counterWord(inside, loop.getLoopInductionVars()->front()));
  ImplicitLocOpBuilder behind(loop.getLoc(), loop->getBlock(), std::next(Block::iterator(loop)));
  call(behind, kEnd, {});
}

void watchTouch(Operation *op, Value array, ValueRange indices, int64_t access, bool isWrite) {
  ImplicitLocOpBuilder builder(op->getLoc(), op);
  auto layout = memref::ExtractStridedMetadataOp::create(builder, array);
  Value pointer = memref::ExtractAlignedPointerAsIndexOp::create(builder, array);
  Value element = asWord(builder, layout.getOffset());
  for (auto [index, stride] : llvm::zip(indices, layout.getStrides())) {
    Value part = arith::MulIOp::create(builder, asWord(builder, index), asWord(builder, stride));
    element = arith::AddIOp::create(builder, element, part);
  }
  call(builder, kTouch,
       ValueRange({number(builder, access), asWord(builder, pointer), element,
                   number(builder, isWrite ? 1 : 0)}));
}

/// `arg0[1, 2]`; of an array whose shape is not known, its word.
std::string elementText(const WatchedLoops::Access &access, int64_t element) {
  std::vector<int64_t> indices(access.shape.size());
  for (size_t d = indices.size(); d-- > 0;) {
    indices[d] = element % access.shape[d];
    element /= access.shape[d];
  }
  return indices.empty() ? fmt::format("word {} of {}", element, access.array)
                         : fmt::format("{}[{}]", access.array, fmt::join(indices, ", "));
}

template <typename Function> void *watcherAt(Function *function) {
  return reinterpret_cast<void *>(function);
}

} // namespace

std::vector<WatchedLoops::Loop> watchLoops(ModuleOp module) {
  std::vector<WatchedLoops::Loop> loops;
  SmallVector<LoopLikeOpInterface> found;
  module.walk([&](LoopLikeOpInterface loop) {
    if (loop->hasAttr(HlsDialect::independentName))
      found.push_back(loop);
  });
  if (found.empty())
    return loops;
  declare(module, kBegin, 1);
  declare(module, kTurn, 1);
  declare(module, kEnd, 0);
  for (LoopLikeOpInterface loop : found) {
    auto claim = loop->getAttrOfType<IndependentAttr>(HlsDialect::independentName);
    watchLoop(loop, int64_t(loops.size()));
    loops.push_back({filePlaceOf(loop), claim.getArguments().vec()});
    loop->removeAttr(HlsDialect::independentName);
  }
  return loops;
}

std::vector<WatchedLoops::Access> watchTouches(ModuleOp module, const std::string &function) {
  std::vector<WatchedLoops::Access> accesses;
  SmallVector<Operation *> found;
  module.walk([&](Operation *op) {
    if (isa<memref::LoadOp, memref::StoreOp>(op))
      found.push_back(op);
  });
  declare(module, kTouch, 4);
  for (Operation *op : found) {
    auto load = dyn_cast<memref::LoadOp>(op);
    Value array = load ? load.getMemRef() : cast<memref::StoreOp>(op).getMemRef();
    Value root = rootOf(array);
    auto type = cast<MemRefType>(root.getType());
    watchTouch(op, array, load ? load.getIndices() : cast<memref::StoreOp>(op).getIndices(),
               int64_t(accesses.size()), !load);
    unsigned bits = type.getElementType().isIndex() ? 64 : type.getElementTypeBitWidth();
    accesses.push_back({arrayName(array, function),
                        type.hasStaticShape() ? type.getShape().vec() : std::vector<int64_t>(),
                        int64_t(llvm::PowerOf2Ceil(llvm::divideCeil(bits, 8)))});
  }
  return accesses;
}

std::vector<jit::Callee> iterationCallees() {
  return {{kBegin, watcherAt(beginLoop)},
          {kTurn, watcherAt(turnLoop)},
          {kEnd, watcherAt(endLoop)},
          {kTouch, watcherAt(touchElement)}};
}

IterationWatch::IterationWatch(const WatchedLoops &loops, std::vector<Region> arguments,
                               const Refusal &howTo)
    : watched(loops), regions(std::move(arguments)), refuse(howTo) {
  watching = this;
}
IterationWatch::~IterationWatch() { watching = nullptr; }

void IterationWatch::begin(int64_t loop) {
  runs.push_back({&watched.loops[static_cast<size_t>(loop)], 0, {}});
}

bool IterationWatch::isMeant(const WatchedLoops::Loop &loop, uint64_t address) const {
  return loop.arguments.empty() ||
         std::any_of(loop.arguments.begin(), loop.arguments.end(), [&](unsigned argument) {
           auto [data, size] = regions[argument];
           auto begin = reinterpret_cast<uint64_t>(data);
           return address >= begin && address - begin < size;
         });
}

void IterationWatch::touch(int64_t number, int64_t pointer, int64_t element, bool isWrite) {
  const WatchedLoops::Access &access = watched.accesses[static_cast<size_t>(number)];
  uint64_t address = uint64_t(pointer) + uint64_t(element * access.bytes);
  for (Run &run : runs)
    if (isMeant(*run.loop, address))
      touch(run, access, address, element, isWrite);
}

void IterationWatch::touch(Run &run, const WatchedLoops::Access &access, uint64_t address,
                           int64_t element, bool isWrite) {
  Touched &known = run.elements[address];
  auto other = [&](const std::vector<int64_t> &iterations) {
    return std::find_if(iterations.begin(), iterations.end(),
                        [&](int64_t one) { return one != run.iteration; });
  };
  auto writer = other(known.writers), reader = other(known.readers);
  bool isWritten = writer != known.writers.end();
  if (isWritten || (isWrite && reader != known.readers.end()))
    refuse(run.loop->place,
           fmt::format("iterations {} and {} of the loop touch {}, which one of them writes, but "
                       "hls.independent says that they do not meet: take it off, or correct the "
                       "program",
                       isWritten ? *writer : *reader, run.iteration, elementText(access, element)));
  std::vector<int64_t> &same = isWrite ? known.writers : known.readers;
  if (same.size() < 2 && std::find(same.begin(), same.end(), run.iteration) == same.end())
    same.push_back(run.iteration);
}

} // namespace spindle::hls
