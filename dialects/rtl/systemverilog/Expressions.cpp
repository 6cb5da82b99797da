// Every expression here has the width of its value, whatever stands around it: operands have the
// widths that IEEE 1800-2017, 11.6 gives the operation, and where the standard looks through an
// operation for signs or widths a concatenation or system function ends that.
#include "dialects/rtl/systemverilog/Expressions.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/IR/Matchers.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/TypeSwitch.h"
#include "llvm/Support/FormatVariadic.h"

using namespace mlir;

namespace spindle::rtl {

/// A multiplexer with longer text has a line for each of its values.
constexpr size_t longestLine = 80;

std::string range(unsigned width) {
  return width == 1 ? "" : llvm::formatv("[{0}:0] ", width - 1).str();
}

std::string Place::text(unsigned from, unsigned count) const {
  unsigned first = low + from;
  if (first == 0 && count == vectorWidth)
    return name;
  if (count == 1)
    return llvm::formatv("{0}[{1}]", name, first).str();
  return llvm::formatv("{0}[{1}:{2}]", name, first + count - 1, first).str();
}

std::string literal(const APInt &bits) {
  unsigned width = bits.getBitWidth();
  if (width == 1)
    return bits.isZero() ? "1'b0" : "1'b1";
  bool isSmall = bits.getActiveBits() <= 10;
  return std::to_string(width) + (isSmall ? "'d" : "'h") +
         llvm::toString(bits, isSmall ? 10 : 16, /*Signed=*/false, /*formatAsCLiteral=*/false,
                        /*UpperCase=*/false);
}

bool Expressions::needsPlace(OpOperand &operand) {
  Operation *user = operand.getOwner();
  if (isa<ExtractOp, arith::TruncIOp>(user))
    return operand.get().getType() != user->getResult(0).getType();
  if (isa<arith::ExtSIOp>(user))
    return widthOf(operand.get()) > 1;
  // Yosys loses the signedness of expressions at ports.
  if (isa<InstanceOp>(user))
    return !operand.get().getDefiningOp<arith::ConstantOp>();
  // A clock.
  return isa<RegOp, DelayOp, MemoryOp, MachineOp>(user) &&
         operand.get() == user->getOperand(isa<MemoryOp, MachineOp>(user) ? 0 : 1);
}

/// Exclusive or with ones.
static bool isComplement(Operation *op) {
  APInt bits;
  return isa<arith::XOrIOp>(op) && matchPattern(op->getOperand(1), m_ConstantInt(&bits)) &&
         bits.isAllOnes();
}

static const char *symbolOf(Operation *op) {
  return llvm::TypeSwitch<Operation *, const char *>(op)
      .Case<arith::AddIOp>([](auto) { return " + "; })
      .Case<arith::SubIOp>([](auto) { return " - "; })
      .Case<arith::MulIOp>([](auto) { return " * "; })
      .Case<arith::AndIOp>([](auto) { return " & "; })
      .Case<arith::OrIOp>([](auto) { return " | "; })
      .Case<arith::XOrIOp>([](auto) { return " ^ "; })
      .Default([](auto) { return nullptr; });
}

static const char *symbolOf(arith::CmpIPredicate predicate) {
  switch (predicate) {
  case arith::CmpIPredicate::eq:
    return " == ";
  case arith::CmpIPredicate::ne:
    return " != ";
  case arith::CmpIPredicate::slt:
  case arith::CmpIPredicate::ult:
    return " < ";
  case arith::CmpIPredicate::sle:
  case arith::CmpIPredicate::ule:
    return " <= ";
  case arith::CmpIPredicate::sgt:
  case arith::CmpIPredicate::ugt:
    return " > ";
  case arith::CmpIPredicate::sge:
  case arith::CmpIPredicate::uge:
    return " >= ";
  }
  llvm_unreachable("a predicate");
}

static bool isSigned(arith::CmpIPredicate predicate) {
  return predicate == arith::CmpIPredicate::slt || predicate == arith::CmpIPredicate::sle ||
         predicate == arith::CmpIPredicate::sgt || predicate == arith::CmpIPredicate::sge;
}

std::string Expressions::part(const Place &place, unsigned from, unsigned count) {
  if (isRecording) {
    llvm::BitVector &bits = used[place.name];
    bits.resize(std::max(bits.size(), place.vectorWidth));
    bits.set(place.low + from, place.low + from + count);
  }
  return place.text(from, count);
}

std::string Expressions::whole(Value value) {
  if (auto place = places.find(value); place != places.end())
    return part(place->second, 0, place->second.width);
  return definition(value);
}

/// Whether an expression needs no parentheses as an operand.
bool Expressions::isTerm(Value value) const {
  if (isDeclared(value))
    return true;
  Operation *op = value.getDefiningOp();
  if (isa<WireOp, DelayOp>(op))
    return isTerm(op->getOperand(0));
  if (auto extract = dyn_cast<ExtractOp>(op))
    return extract.getInput().getType() != extract.getType() || isTerm(extract.getInput());
  return isa<arith::ConstantOp, arith::ShRSIOp, arith::ExtUIOp, arith::ExtSIOp, arith::TruncIOp,
             ConcatOp, ReplicateOp>(op) ||
         isComplement(op);
}

std::string Expressions::operand(Value value) {
  return isTerm(value) ? whole(value) : "(" + whole(value) + ")";
}

std::string Expressions::stagesBefore(const Place &place) {
  return part({place.name, 0, place.low, place.vectorWidth}, 0, place.low);
}

size_t Expressions::lengthOf(Value value) {
  isRecording = false;
  size_t length = definition(value).size();
  isRecording = true;
  return length;
}

static std::string repeated(unsigned count, const std::string &text) {
  return "{" + std::to_string(count) + "{" + text + "}}";
}

/// Shifts by constants have amounts below the width.
std::string Expressions::shift(Operation *op) {
  Value x = op->getOperand(0), by = op->getOperand(1);
  unsigned width = widthOf(x);
  bool isArithmetic = isa<arith::ShRSIOp>(op);
  std::string amount;
  APInt bits;
  if (matchPattern(by, m_ConstantInt(&bits))) {
    uint64_t limited = bits.getLimitedValue(width);
    if (limited == width && !isArithmetic)
      return literal(APInt::getZero(width));
    amount = std::to_string(std::min<uint64_t>(limited, width - 1));
  } else {
    amount = operand(by);
  }
  if (isArithmetic)
    return "$unsigned($signed(" + whole(x) + ") >>> " + amount + ")";
  return operand(x) + (isa<arith::ShLIOp>(op) ? " << " : " >> ") + amount;
}

std::string Expressions::definition(Value value) {
  Operation *op = value.getDefiningOp();
  unsigned width = widthOf(value);
  auto joined = [&](auto &&values) {
    return "{" +
           llvm::join(llvm::map_range(values, [&](Value part) { return whole(part); }), ", ") + "}";
  };
  if (auto text = texts.find(value); text != texts.end())
    return text->second;
  APInt bits;
  if (matchPattern(value, m_ConstantInt(&bits)))
    return literal(bits);
  if (isComplement(op))
    return "~" + operand(op->getOperand(0));
  if (const char *symbol = symbolOf(op))
    return operand(op->getOperand(0)) + symbol + operand(op->getOperand(1));
  return llvm::TypeSwitch<Operation *, std::string>(op)
      .Case<WireOp, DelayOp>([&](auto) { return whole(op->getOperand(0)); })
      .Case<arith::ShLIOp, arith::ShRUIOp, arith::ShRSIOp>([&](auto) { return shift(op); })
      .Case([&](arith::CmpIOp compare) {
        const char *symbol = symbolOf(compare.getPredicate());
        if (!isSigned(compare.getPredicate()))
          return operand(compare.getLhs()) + symbol + operand(compare.getRhs());
        return "$signed(" + whole(compare.getLhs()) + ")" + symbol + "$signed(" +
               whole(compare.getRhs()) + ")";
      })
      .Case([&](arith::SelectOp select) {
        return operand(select.getCondition()) + " ? " + operand(select.getTrueValue()) + " : " +
               operand(select.getFalseValue());
      })
      .Case([&](arith::ExtUIOp extend) {
        return "{" + literal(APInt::getZero(width - widthOf(extend.getIn()))) + ", " +
               whole(extend.getIn()) + "}";
      })
      .Case([&](arith::ExtSIOp extend) {
        unsigned from = widthOf(extend.getIn());
        if (from == 1)
          return repeated(width, whole(extend.getIn()));
        const Place &place = placeOf(extend.getIn());
        return "{" + repeated(width - from, part(place, from - 1, 1)) + ", " +
               part(place, 0, from) + "}";
      })
      .Case([&](arith::TruncIOp truncate) { return part(placeOf(truncate.getIn()), 0, width); })
      .Case([&](ExtractOp extract) {
        if (widthOf(extract.getInput()) == width)
          return whole(extract.getInput());
        return part(placeOf(extract.getInput()), extract.getLow(), width);
      })
      .Case([&](ConcatOp concat) { return joined(concat.getInputs()); })
      .Case([&](ReplicateOp replicate) {
        return repeated(width / widthOf(replicate.getInput()), whole(replicate.getInput()));
      })
      .Case([&](OneHotOp choice) {
        if (choice.getValids().empty())
          return literal(APInt::getZero(width));
        SmallVector<std::string> terms;
        size_t length = 0;
        for (auto [valid, chosen] : llvm::zip(choice.getValids(), choice.getValues())) {
          std::string mask = width == 1 ? operand(valid) : repeated(width, whole(valid));
          terms.push_back("(" + mask + " & " + operand(chosen) + ")");
          length += terms.back().size();
        }
        return llvm::join(terms, length > longestLine ? "\n      | " : " | ");
      });
}

} // namespace spindle::rtl
