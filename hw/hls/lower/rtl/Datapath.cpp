#include "hw/hls/lower/rtl/Datapath.h"

#include "hw/hls/body/ConstantProduct.h"
#include "hw/hls/lower/kernel/SourceNames.h"
#include "hw/hls/lower/rtl/CarriedAddresses.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/IR/Matchers.h"

#include "fmt/format.h"

namespace spindle::hls {

namespace arith = mlir::arith;

void Datapath::define(mlir::Value original, mlir::Value wire, bool isInvariant) {
  known[original] = {wire, isInvariant ? -1 : 0, ""};
}

static mlir::Value addressOf(mlir::Operation *access) {
  auto load = llvm::dyn_cast<LoadOp>(access);
  return load ? load.getAddress() : llvm::cast<StoreOp>(access).getAddress();
}

/// Subscripts that stand where the access stands are its address.
static mlir::Operation *subscriptsOf(mlir::Operation *access) {
  if (!llvm::isa<LoadOp, StoreOp>(access) || !addressOf(access))
    return nullptr;
  auto apply = addressOf(access).getDefiningOp<mlir::affine::AffineApplyOp>();
  return apply && apply.getLoc() == access->getLoc() ? apply.getOperation() : nullptr;
}

/// Operations of one name, as those of unrolled loops, get numbers.
void Datapath::nameOperations() {
  std::map<std::string, unsigned> taken;
  for (mlir::Operation &op : pipeline.getBody().front().without_terminator()) {
    if (mlir::matchPattern(&op, mlir::m_Constant()))
      continue;
    std::string name = operationName(&op);
    unsigned number = ++taken[name];
    names[&op] = number == 1 ? name : fmt::format("{}_{}", name, number);
  }
  for (mlir::Operation &op : pipeline.getBody().front())
    if (mlir::Operation *subscripts = subscriptsOf(&op))
      names[subscripts] = names.lookup(&op) + "_addr";
}

static bool isExtension(mlir::Operation *op) {
  return llvm::isa_and_nonnull<arith::ExtSIOp, arith::ExtUIOp>(op);
}

/// The narrow value waits; the bits above it are wires.
mlir::Value Datapath::extendedAt(mlir::Operation *op, int64_t cycle) {
  mlir::Value wide = wires.resized(at(op->getOperand(0), cycle), bitsOf(op->getResult(0).getType()),
                                   llvm::isa<arith::ExtSIOp>(op));
  std::string name = names.lookup(op);
  int64_t late = cycle - startOf(op);
  return wires.named(wide, late > 0 ? fmt::format("{}_d{}", name, late) : name);
}

mlir::Value Datapath::at(mlir::Value original, int64_t cycle) {
  auto found = known.find(original);
  if (found == known.end()) {
    if (mlir::Operation *op = original.getDefiningOp(); isExtension(op))
      return extendedAt(op, cycle);
    if (auto argument = llvm::dyn_cast<mlir::BlockArgument>(original))
      return carriedAt(argument, cycle);
    mlir::Attribute value;
    mlir::matchPattern(original, mlir::m_Constant(&value));
    if (auto real = llvm::dyn_cast<mlir::FloatAttr>(value)) {
      llvm::APInt bits = real.getValue().bitcastToAPInt();
      return arith::ConstantOp::create(
          wires.builder,
          mlir::IntegerAttr::get(wires.builder.getIntegerType(bits.getBitWidth()), bits));
    }
    auto whole = llvm::cast<mlir::IntegerAttr>(value);
    unsigned bits =
        original.getType().isIndex() ? ranges.widthOf(original) : bitsOf(original.getType());
    return wires.constant(whole.getInt(), bits);
  }
  return found->second.ready < 0 ? found->second.wire
                                 : wires.delayed(found->second.wire, cycle - found->second.ready,
                                                 false, found->second.name);
}

/// The first cycle in which `value` is there, counted from the start of its own iteration, not
/// before 0.
int64_t Datapath::readyCycle(mlir::Value value, unsigned turns) {
  if (mlir::Operation *maker = value.getDefiningOp()) {
    bool isInside = pipeline->isAncestor(maker) && !mlir::matchPattern(maker, mlir::m_Constant());
    return isInside ? startOf(maker) + latencyOf(maker) : 0;
  }
  auto argument = llvm::cast<mlir::BlockArgument>(value);
  auto next = llvm::cast<YieldOp>(pipeline.getBody().front().getTerminator()).getValues();
  bool isCarried = argument.getOwner() == &pipeline.getBody().front() &&
                   argument.getArgNumber() >= pipeline.getLevels();
  if (!isCarried || turns > next.size()) // carried round in a circle without being made
    return 0;
  int64_t before = readyCycle(next[argument.getArgNumber() - pipeline.getLevels()], turns + 1);
  return std::max<int64_t>(0, before - static_cast<int64_t>(pipeline.getInterval()));
}

/// What the iteration before yielded; the first one sees where it starts from.
mlir::Value Datapath::carriedAt(mlir::BlockArgument argument, int64_t cycle) {
  unsigned position = argument.getArgNumber() - pipeline.getLevels();
  mlir::Value next =
      llvm::cast<YieldOp>(pipeline.getBody().front().getTerminator()).getValues()[position];
  rtl::WireOp &yielded = pending[argument];
  if (!yielded)
    yielded = wires.wire(
        argument.getType().isIndex() ? ranges.widthOf(argument) : bitsOf(argument.getType()), "");
  int64_t interval = pipeline.getInterval();
  std::string name = counterName(argument, fmt::format("carried{}", position));
  std::string made = next.getDefiningOp() ? names.lookup(next.getDefiningOp()) : "";
  mlir::Value before = wires.delayed(yielded, cycle + interval - readyCycle(next), false,
                                     made.empty() ? name : made);
  mlir::Value value = wires.choose(wires.delayed(isFirst, cycle, true),
                                   at(pipeline.getCarried()[position], cycle), before);
  return wires.named(value, cycle == 0 ? name : fmt::format("{}_d{}", name, cycle));
}

Index Datapath::indexAt(mlir::Value original, int64_t cycle) {
  return {at(original, cycle), ranges.of(original)};
}

/// A result that comes in through a port.
void Datapath::defineResult(mlir::Operation *op, const std::string &port) {
  known[op->getResult(0)] = {inputs.at(port), startOf(op) + latencyOf(op), names.at(op)};
  results.emplace_back(names.at(op), port);
}

void Datapath::enable(const std::string &port, mlir::Value acts) {
  Wires::Part part(wires, port + "_any");
  mlir::Value &before = enables[port];
  before = wires.disjunction(before, acts);
}

void Datapath::buildAccess(mlir::Operation *op) {
  MemoryOp memory = memoryOf(op);
  int64_t cycle = startOf(op), bank = op->getAttrOfType<mlir::IntegerAttr>("bank").getInt();
  auto load = llvm::dyn_cast<LoadOp>(op);
  mlir::Value condition = load ? load.getCondition() : llvm::cast<StoreOp>(op).getCondition();
  mlir::Value address = addressOf(op);
  if (memory.getRegisters() && load)
    return defineResult(op, RegisterId{memory, bank}.name() + "_q");
  const std::string &own = names.at(op);
  Wires::Part part(wires, op->getLoc(), own + "_part");
  mlir::Value acts = validAt(cycle);
  if (condition)
    acts = wires.named(wires.conjunction(acts, at(condition, cycle)), own + "_en");
  std::string name =
      memory.getRegisters()
          ? RegisterId{memory, bank}.name()
          : PortId{memory, bank, op->getAttrOfType<mlir::IntegerAttr>("port").getInt()}.name();
  if (!memory.getRegisters()) {
    enable(name + "_en", acts);
    unsigned bits = addressBits(memory);
    mlir::Value word =
        address ? arithmetic.resized(indexAt(address, cycle), bits) : wires.constant(0, bits);
    if (!subscriptsOf(op))
      wires.named(word, own + "_addr");
    choices[name + "_addr"].emplace_back(acts, word);
  }
  if (load)
    return defineResult(op, name + "_rdata");
  enable(name + "_we", acts);
  choices[name + "_wdata"].emplace_back(acts, at(llvm::cast<StoreOp>(op).getValue(), cycle));
}

void Datapath::buildToken(mlir::Operation *op) {
  int64_t cycle = startOf(op);
  std::string name = nameOf(fifoOf(op));
  Wires::Part part(wires, op->getLoc(), names.at(op) + "_part");
  mlir::Value acts = validAt(cycle);
  if (mlir::Value condition = conditionOf(op))
    acts = wires.named(wires.conjunction(acts, at(condition, cycle)), names.at(op) + "_en");
  if (llvm::isa<PopOp>(op)) {
    enable(name + "_pop", acts);
    return defineResult(op, name + "_head");
  }
  enable(name + "_push", acts);
  choices[name + "_wdata"].emplace_back(acts, at(llvm::cast<PushOp>(op).getValue(), cycle));
}

void Datapath::buildUnit(mlir::Operation *op, UnitOp unit) {
  int64_t cycle = startOf(op);
  std::string name = unit.getSymName().str();
  UnitShape shape = shapeOf(unit.getModule());
  Wires::Part part(wires, op->getLoc(), names.at(op) + "_part");
  mlir::Value acts = validAt(cycle);
  enable(name + "_valid", acts);
  for (auto [position, port] : llvm::enumerate(shape.operands)) {
    mlir::Value operand = at(op->getOperand(position), cycle);
    choices[name + "_" + port].emplace_back(
        acts, wires.resized(operand, operandBits(unit, position), false));
  }
  for (const UnitMode &mode : shape.modes)
    choices[name + "_" + mode.port].emplace_back(acts, wires.constant(mode.valueOf(op), mode.bits));
  defineResult(op, name + "_y");
}

/// Sign manipulation; null for other operations.
mlir::Value Datapath::onFloatBits(mlir::Operation *op, int64_t cycle) {
  if (!llvm::isa<arith::NegFOp, mlir::math::AbsFOp, mlir::math::CopySignOp, arith::BitcastOp>(op))
    return {};
  mlir::Value bits = at(op->getOperand(0), cycle);
  if (llvm::isa<arith::BitcastOp>(op))
    return bits;
  unsigned width = rtl::widthOf(bits);
  mlir::Value magnitude = rtl::ExtractOp::create(wires.builder, bits, 0, width - 1), sign;
  if (llvm::isa<mlir::math::AbsFOp>(op))
    sign = wires.zero();
  else if (llvm::isa<arith::NegFOp>(op))
    sign = wires.negation(rtl::ExtractOp::create(wires.builder, bits, width - 1, 1));
  else
    sign = rtl::ExtractOp::create(wires.builder, at(op->getOperand(1), cycle), width - 1, 1);
  return rtl::ConcatOp::create(wires.builder, mlir::ValueRange({sign, magnitude}));
}

mlir::Value Datapath::combinational(mlir::Operation *op) {
  int64_t cycle = startOf(op);
  mlir::Value result = op->getResult(0);
  if (mlir::Value bits = onFloatBits(op, cycle))
    return bits;
  bool isIndex = result.getType().isIndex();
  auto operand = [&](unsigned position) { return at(op->getOperand(position), cycle); };
  auto index = [&](unsigned position) { return indexAt(op->getOperand(position), cycle); };
  auto fit = [&](Index value) { return arithmetic.resized(value, ranges.widthOf(result)); };

  if (auto apply = llvm::dyn_cast<mlir::affine::AffineApplyOp>(op)) {
    mlir::AffineMap map = apply.getAffineMap();
    llvm::SmallVector<Index> inputsOf;
    llvm::SmallVector<mlir::AffineExpr> symbols;
    for (auto [position, value] : llvm::enumerate(op->getOperands()))
      inputsOf.push_back(indexAt(value, cycle));
    for (unsigned symbol = 0; symbol < map.getNumSymbols(); ++symbol)
      symbols.push_back(mlir::getAffineDimExpr(map.getNumDims() + symbol, op->getContext()));
    return fit(arithmetic.evaluate(map.getResult(0).replaceSymbols(symbols), inputsOf));
  }
  if (auto compare = llvm::dyn_cast<arith::CmpIOp>(op)) {
    if (compare.getLhs().getType().isIndex()) {
      Index a = index(0), b = index(1);
      return arithmetic.compare(compare.getPredicate(), a, b);
    }
    mlir::Value a = operand(0), b = operand(1);
    return arith::CmpIOp::create(wires.builder, compare.getPredicate(), a, b);
  }
  if (llvm::isa<arith::IndexCastOp, arith::IndexCastUIOp>(op)) {
    bool isSigned = llvm::isa<arith::IndexCastOp>(op);
    if (isIndex)
      return wires.resized(operand(0), ranges.widthOf(result), isSigned);
    return arithmetic.resized(index(0), bitsOf(result.getType()));
  }
  if (llvm::isa<arith::SelectOp>(op)) {
    mlir::Value condition = operand(0);
    if (isIndex) {
      Index a = index(1), b = index(2);
      return fit(arithmetic.choose(condition, a, b));
    }
    mlir::Value a = operand(1), b = operand(2);
    return wires.choose(condition, a, b);
  }
  bool isLargest = llvm::isa<arith::MaxSIOp, arith::MaxUIOp>(op);
  if (isLargest || llvm::isa<arith::MinSIOp, arith::MinUIOp>(op)) {
    bool isSigned = llvm::isa<arith::MaxSIOp, arith::MinSIOp>(op);
    auto predicate = isSigned ? (isLargest ? arith::CmpIPredicate::sgt : arith::CmpIPredicate::slt)
                              : (isLargest ? arith::CmpIPredicate::ugt : arith::CmpIPredicate::ult);
    if (isIndex) {
      Index a = index(0), b = index(1);
      return fit(arithmetic.choose(arithmetic.compare(predicate, a, b), a, b));
    }
    mlir::Value a = operand(0), b = operand(1);
    return wires.choose(arith::CmpIOp::create(wires.builder, predicate, a, b), a, b);
  }
  if (std::optional<ConstantProduct> product = constantProduct(op))
    return isIndex ? fit(arithmetic.multiply(indexAt(product->operand, cycle), product->factor))
                   : arithmetic.multiplyBits(at(product->operand, cycle), product->factor);
  bool isShift = llvm::isa<arith::ShLIOp, arith::ShRSIOp, arith::ShRUIOp>(op);
  if (isIndex && (isShift || llvm::isa<arith::AddIOp, arith::SubIOp>(op))) {
    Index a = index(0), b = index(1);
    if (isShift)
      return fit(arithmetic.shift(op, a, b, ranges.of(result)));
    return fit(arithmetic.add(a, llvm::isa<arith::SubIOp>(op) ? arithmetic.multiply(b, -1) : b));
  }
  // Everything else on integers means the same inside an rtl.module. Of an index, the bits of the
  // result come from the same bits of the operands: sums, products, conjunctions.
  unsigned width = isIndex ? ranges.widthOf(result) : bitsOf(result.getType());
  mlir::OperationState state(wires.builder.getLoc(), op->getName());
  for (mlir::Value value : op->getOperands())
    state.operands.push_back(value.getType().isIndex()
                                 ? arithmetic.resized(indexAt(value, cycle), width)
                                 : at(value, cycle));
  state.types.push_back(wires.builder.getIntegerType(width));
  return wires.builder.create(state)->getResult(0);
}

void Datapath::buildOperation(mlir::Operation *op) {
  if (mlir::matchPattern(op, mlir::m_Constant()) || isExtension(op))
    return;
  if (llvm::isa<LoadOp, StoreOp>(op))
    return buildAccess(op);
  if (llvm::isa<PopOp, PushOp>(op))
    return buildToken(op);
  if (UnitOp unit = unitOf(op))
    return buildUnit(op, unit);
  if (mlir::Operation *equal = carried.lookup(op)) {
    Known same = known.at(equal->getResult(0)); // a copy: a new entry may move the others
    known[op->getResult(0)] = same;
    return;
  }
  Wires::Part part(wires, op->getLoc(), names.at(op) + "_part");
  mlir::Value result = wires.named(combinational(op), names.at(op));
  known[op->getResult(0)] = {result, startOf(op), names.at(op)};
}

void Datapath::collectOutputs() {
  for (const auto &[name, value] : enables)
    driven[name] = value;
  for (const auto &[name, all] : choices) {
    Wires::Part part(wires, name + "_mux");
    driven[name] = wires.oneHot(all);
  }
}

void Datapath::build() {
  nameOperations();
  carried = carriedAddresses(pipeline, ranges);
  mlir::Block &body = pipeline.getBody().front();
  for (mlir::Operation &op : body.without_terminator())
    buildOperation(&op);
  auto next = llvm::cast<YieldOp>(body.getTerminator()).getValues();
  if (mlir::Value condition = pipeline.getCondition())
    decision = at(condition, pipeline.getConditionCycle());
  // Driving one carried value may ask for another one for the first time.
  for (bool isAsked = true; isAsked;) {
    isAsked = false;
    for (auto [argument, value] : llvm::zip(pipeline.getCarriedArguments(), next))
      if (rtl::WireOp waiting = pending.lookup(argument); waiting && !waiting.getInput()) {
        int64_t cycle = readyCycle(value);
        mlir::Value made = at(value, cycle);
        if (hasBubbles) {
          mlir::Value isValid = validAt(cycle);
          made = wires.choose(isValid, made, carriedAt(argument, cycle));
        }
        waiting.drive(made);
        isAsked = true;
      }
  }
  collectOutputs();
}

} // namespace spindle::hls
