#include "hw/hls/lower/rtl/Wires.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/IR/Matchers.h"

namespace spindle::hls {

namespace arith = mlir::arith;

mlir::Value Wires::constant(int64_t value, unsigned bits) {
  mlir::IntegerType type = builder.getIntegerType(bits);
  return arith::ConstantOp::create(
      builder, mlir::IntegerAttr::get(type, llvm::APInt(bits, value, true, true)));
}

mlir::Value Wires::negation(mlir::Value wire) {
  return arith::XOrIOp::create(builder, wire, one());
}

mlir::Value Wires::conjunction(mlir::Value a, mlir::Value b) {
  if (!a || !b)
    return a ? a : b;
  return arith::AndIOp::create(builder, a, b);
}

mlir::Value Wires::disjunction(mlir::Value a, mlir::Value b) {
  if (!a || !b)
    return a ? a : b;
  return arith::OrIOp::create(builder, a, b);
}

mlir::Value Wires::choose(mlir::Value condition, mlir::Value whenHigh, mlir::Value whenLow) {
  return arith::SelectOp::create(builder, condition, whenHigh, whenLow);
}

mlir::Value Wires::equals(mlir::Value a, int64_t value) {
  return arith::CmpIOp::create(builder, arith::CmpIPredicate::eq, a,
                               constant(value, rtl::widthOf(a)));
}

/// What a value is called in its module; empty where nothing has named it.
static llvm::StringRef nameOf(mlir::Value value) {
  if (auto port = llvm::dyn_cast<mlir::BlockArgument>(value)) {
    auto module = llvm::cast<rtl::CircuitModuleOp>(port.getOwner()->getParentOp());
    return llvm::cast<mlir::StringAttr>(module.getInputNames()[port.getArgNumber()]).getValue();
  }
  if (auto name = value.getDefiningOp()->getAttrOfType<mlir::StringAttr>("name"))
    return name.getValue();
  return rtl::nameHint(value).name;
}

mlir::Value Wires::delayed(mlir::Value value, int64_t cycles, bool resets, llvm::StringRef name) {
  if (cycles == 0 || mlir::matchPattern(value, mlir::m_Constant()))
    return value;
  mlir::Value late = rtl::DelayOp::create(builder, value, cycles, clock, mlir::Value(),
                                          resets ? reset : mlir::Value());
  llvm::StringRef stem = name.empty() ? nameOf(value) : name;
  return stem.empty() ? late : named(late, (stem + "_d" + llvm::Twine(cycles)).str());
}

mlir::Value Wires::named(mlir::Value value, llvm::StringRef name) {
  mlir::Operation *op = value.getDefiningOp();
  bool isFree = op && op->getNumResults() == 1 && !op->hasAttr("name") &&
                !llvm::isa<rtl::InstanceOp, rtl::MemoryOp, rtl::MachineOp>(op) &&
                !rtl::nameHint(value).isValue;
  if (isFree && !mlir::matchPattern(op, mlir::m_Constant()))
    op->setLoc(rtl::withName(op->getLoc(), {name, true}));
  return value;
}

mlir::Value Wires::oneHot(llvm::ArrayRef<std::pair<mlir::Value, mlir::Value>> choices) {
  if (choices.size() == 1)
    return choices.front().second;
  llvm::SmallVector<mlir::Value> valids, values;
  for (auto [valid, value] : choices) {
    valids.push_back(valid);
    values.push_back(value);
  }
  return rtl::OneHotOp::create(builder, values.front().getType(), valids, values);
}

rtl::RegOp Wires::holding(unsigned bits, llvm::StringRef name, mlir::Value enable, bool resets) {
  return rtl::RegOp::createHolding(builder, builder.getLoc(), builder.getIntegerType(bits), clock,
                                   enable, resets ? reset : mlir::Value(), 0, name);
}

rtl::WireOp Wires::wire(unsigned bits, llvm::StringRef name) {
  return rtl::WireOp::create(builder, builder.getIntegerType(bits), name);
}

mlir::Value Wires::flag(mlir::Value set, mlir::Value clear, llvm::StringRef name) {
  rtl::RegOp held = holding(1, name, {}, true);
  mlir::Value stays = negation(clear);
  held.setNext(conjunction(stays, disjunction(held, set)));
  return held;
}

mlir::Value Wires::resized(mlir::Value value, unsigned bits, bool isSigned) {
  unsigned width = rtl::widthOf(value);
  mlir::Type type = builder.getIntegerType(bits);
  if (width == bits)
    return value;
  if (width > bits)
    return arith::TruncIOp::create(builder, type, value);
  return isSigned ? arith::ExtSIOp::create(builder, type, value).getResult()
                  : arith::ExtUIOp::create(builder, type, value).getResult();
}

void Wires::drive(rtl::CircuitModuleOp module, const std::map<std::string, mlir::Value> &outputs) {
  llvm::SmallVector<mlir::Value> driven;
  for (llvm::StringRef name : module.getOutputNames().getAsValueRange<mlir::StringAttr>())
    driven.push_back(outputs.at(name.str()));
  rtl::OutputOp::create(builder, driven);
}

} // namespace spindle::hls
