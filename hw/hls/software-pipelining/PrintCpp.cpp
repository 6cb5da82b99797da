#include "hw/hls/software-pipelining/PrintCpp.h"

#include "dialects/location/Location.h"

#include "dialects/hls/Hls.h"

#include "mlir/Dialect/Affine/IR/AffineOps.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/IR/IntegerSet.h"
#include "llvm/ADT/SmallString.h"
#include "llvm/ADT/StringSwitch.h"

#include "fmt/format.h"

using namespace mlir;
using namespace mlir::affine;

namespace spindle::hls {

std::string sourcePlace(mlir::Operation *op) {
  return isa<FileLineColLoc>(op->getLoc()) ? placeOf(op) : "";
}

namespace {

constexpr const char *prelude =
    "#include <cmath>\n#include <cstdint>\n\n"
    "namespace {\n"
    "int64_t floorDiv(int64_t a, int64_t b) { return a / b - (a % b < 0); }\n"
    "int64_t ceilDiv(int64_t a, int64_t b) { return a / b + (a % b > 0); }\n"
    "int64_t modulo(int64_t a, int64_t b) { return a - b * floorDiv(a, b); }\n"
    "template <typename T> T least(T a, T b) { return a < b ? a : b; }\n"
    "template <typename T> T greatest(T a, T b) { return a > b ? a : b; }\n"
    "template <typename T> T minimumFloat(T a, T b) {\n"
    "  return a != a || b != b ? a + b : a < b || (a == b && std::signbit(a)) ? a : b;\n}\n"
    "template <typename T> T maximumFloat(T a, T b) {\n"
    "  return a != a || b != b ? a + b : a > b || (a == b && !std::signbit(a)) ? a : b;\n}\n"
    "} // namespace\n\n";

/// Empty where C++ has no such type.
std::string cppType(Type type) {
  if (type.isF64())
    return "double";
  if (type.isF32())
    return "float";
  if (type.isIndex())
    return "int64_t";
  if (type.isInteger(1))
    return "bool";
  for (unsigned bits : {8, 16, 32, 64})
    if (type.isInteger(bits))
      return fmt::format("int{}_t", bits);
  return "";
}

std::string unsignedType(Type type) { return type.isInteger(1) ? "bool" : "u" + cppType(type); }

class Printer {
public:
  llvm::Expected<std::string> print(func::FuncOp function) {
    if (function.getNumResults() > 1)
      return inputError(sourcePlace(function),
                        fmt::format("C++ cannot return {} results, expected one at most",
                                    function.getNumResults()));
    std::string result = "void";
    if (function.getNumResults() == 1)
      result = cppType(function.getResultTypes()[0]);
    if (result.empty())
      return inputError(sourcePlace(function), "the type of the result has no counterpart in C++");
    text = prelude;
    text += fmt::format("extern \"C\" {} {}(", result, function.getName().str());
    for (BlockArgument argument : function.getArguments()) {
      std::string declared =
          declaration(argument.getType(), fmt::format("arg{}", argument.getArgNumber()));
      if (declared.empty())
        return inputError(sourcePlace(function),
                          fmt::format("the type of argument {} has no counterpart in C++",
                                      argument.getArgNumber()));
      names[argument] = fmt::format("arg{}", argument.getArgNumber());
      text += (argument.getArgNumber() ? ", " : "") + declared;
    }
    text += ") {\n";
    SPINDLE_RETURN_IF_ERROR(printBlock(function.front()));
    return text + "}\n";
  }

private:
  void line(const std::string &content) { text += std::string(indent, ' ') + content + "\n"; }

  static std::string declaration(Type type, const std::string &name) {
    auto array = dyn_cast<MemRefType>(type);
    std::string element = cppType(array ? array.getElementType() : type);
    if (element.empty() || (array && !array.hasStaticShape()))
      return "";
    std::string declared = element + " " + name;
    if (array && array.getRank() == 0)
      declared += "[1]";
    if (array)
      for (int64_t extent : array.getShape())
        declared += fmt::format("[{}]", extent);
    return declared;
  }

  std::string name(Value value) {
    auto [found, isNew] = names.try_emplace(value, "");
    if (isNew)
      found->second = fmt::format("v{}", count++);
    return found->second;
  }

  std::string expression(AffineExpr e, unsigned dimensions, ValueRange operands) {
    if (auto constant = dyn_cast<AffineConstantExpr>(e))
      return std::to_string(constant.getValue());
    if (auto dim = dyn_cast<AffineDimExpr>(e))
      return name(operands[dim.getPosition()]);
    if (auto symbol = dyn_cast<AffineSymbolExpr>(e))
      return name(operands[dimensions + symbol.getPosition()]);
    auto binary = cast<AffineBinaryOpExpr>(e);
    std::string a = expression(binary.getLHS(), dimensions, operands);
    std::string b = expression(binary.getRHS(), dimensions, operands);
    switch (e.getKind()) {
    case AffineExprKind::Add:
      return fmt::format("({} + {})", a, b);
    case AffineExprKind::Mul:
      return fmt::format("{} * {}", a, b);
    case AffineExprKind::FloorDiv:
      return fmt::format("floorDiv({}, {})", a, b);
    case AffineExprKind::CeilDiv:
      return fmt::format("ceilDiv({}, {})", a, b);
    default:
      return fmt::format("modulo({}, {})", a, b);
    }
  }

  std::string bound(AffineMap map, ValueRange operands, const char *pick) {
    std::string all;
    for (AffineExpr result : map.getResults()) {
      std::string one = expression(result, map.getNumDims(), operands);
      all = all.empty() ? one : fmt::format("{}<int64_t>({}, {})", pick, all, one);
    }
    return all;
  }

  std::string element(Value array, AffineMap map, ValueRange operands) {
    std::string place = name(array);
    for (AffineExpr result : map.getResults())
      place += "[" + expression(result, map.getNumDims(), operands) + "]";
    return map.getNumResults() == 0 ? place + "[0]" : place;
  }
  std::string element(Value array, ValueRange indices) {
    std::string place = name(array);
    for (Value index : indices)
      place += "[" + name(index) + "]";
    return indices.empty() ? place + "[0]" : place;
  }

  llvm::Error refuse(mlir::Operation *op, const std::string &what) {
    return inputError(sourcePlace(op), fmt::format("{} '{}' is not written in C++", what,
                                                   op->getName().getStringRef().str()));
  }

  llvm::Error define(mlir::Operation *op, const std::string &value) {
    std::string type = cppType(op->getResult(0).getType());
    if (type.empty())
      return refuse(op, "the type of");
    line(fmt::format("{} {} = {};", type, name(op->getResult(0)), value));
    return llvm::Error::success();
  }

  llvm::Error printBlock(Block &block) {
    indent += 2;
    for (mlir::Operation &op : block)
      SPINDLE_RETURN_IF_ERROR(printOperation(&op));
    indent -= 2;
    return llvm::Error::success();
  }

  /// New values of variables all at once: each may be computed from the others' old ones.
  void assign(ValueRange variables, ValueRange values) {
    std::vector<std::string> fresh;
    for (auto [target, value] : llvm::zip(variables, values)) {
      fresh.push_back(fmt::format("v{}", count++));
      line(fmt::format("{} {} = {};", cppType(value.getType()), fresh.back(), name(value)));
    }
    for (auto [target, value] : llvm::zip(variables, fresh))
      line(fmt::format("{} = {};", name(target), value));
  }

  llvm::Error printLoop(AffineForOp loop) {
    for (auto [result, argument, init] :
         llvm::zip(loop.getResults(), loop.getRegionIterArgs(), loop.getInits())) {
      line(fmt::format("{} {} = {};", cppType(result.getType()), name(result), name(init)));
      names[argument] = name(result);
    }
    std::string iv = name(loop.getInductionVar());
    line(fmt::format("for (int64_t {0} = {1}; {0} < {2}; {0} += {3}) {{", iv,
                     bound(loop.getLowerBoundMap(), loop.getLowerBoundOperands(), "greatest"),
                     bound(loop.getUpperBoundMap(), loop.getUpperBoundOperands(), "least"),
                     loop.getStepAsInt()));
    if (auto interval = loop->getAttrOfType<IntegerAttr>(HlsDialect::intervalName))
      line(fmt::format("#pragma HLS pipeline II={}", interval.getInt()));
    targets.push_back(SmallVector<Value>(loop.getResults()));
    SPINDLE_RETURN_IF_ERROR(printBlock(*loop.getBody()));
    targets.pop_back();
    line("}");
    return llvm::Error::success();
  }

  llvm::Error printIf(AffineIfOp op) {
    IntegerSet set = op.getIntegerSet();
    std::string condition;
    for (unsigned n = 0; n < set.getNumConstraints(); ++n)
      condition += fmt::format("{}{} {} 0", n ? " && " : "",
                               expression(set.getConstraint(n), set.getNumDims(), op.getOperands()),
                               set.isEq(n) ? "==" : ">=");
    return printBranches(op, condition);
  }

  /// Both branches of a condition, and what they yield.
  llvm::Error printBranches(Operation *op, const std::string &condition) {
    for (Value result : op->getResults())
      line(fmt::format("{} {};", cppType(result.getType()), name(result)));
    targets.push_back(SmallVector<Value>(op->getResults()));
    line("if (" + condition + ") {");
    SPINDLE_RETURN_IF_ERROR(printBlock(op->getRegion(0).front()));
    if (!op->getRegion(1).empty()) {
      line("} else {");
      SPINDLE_RETURN_IF_ERROR(printBlock(op->getRegion(1).front()));
    }
    line("}");
    targets.pop_back();
    return llvm::Error::success();
  }

  llvm::Error printConstant(arith::ConstantOp op) {
    Type type = op.getType();
    if (auto integer = dyn_cast<IntegerAttr>(op.getValue())) {
      if (type.isInteger(1))
        return define(op, integer.getValue().isZero() ? "false" : "true");
      return define(op, fmt::format("{}({}ll)", cppType(type), integer.getValue().getSExtValue()));
    }
    auto number = dyn_cast<FloatAttr>(op.getValue());
    if (!number || cppType(type).empty())
      return refuse(op, "the type of");
    if (!number.getValue().isFinite())
      return define(op, number.getValue().isNaN()        ? "NAN"
                        : number.getValue().isNegative() ? "-INFINITY"
                                                         : "INFINITY");
    return define(op, fmt::format("{:a}{}", number.getValueAsDouble(), type.isF32() ? "f" : ""));
  }

  llvm::Error printCompare(mlir::Operation *op, std::string predicate, bool isUnsigned) {
    std::string a = name(op->getOperand(0)), b = name(op->getOperand(1));
    if (isUnsigned) {
      std::string type = unsignedType(op->getOperand(0).getType());
      a = fmt::format("{}({})", type, a);
      b = fmt::format("{}({})", type, b);
    }
    return define(op, fmt::format("{} {} {}", a, predicate, b));
  }

  llvm::Error printCompareInteger(arith::CmpIOp op) {
    static const char *signs[] = {"==", "!=", "<", "<=", ">", ">=", "<", "<=", ">", ">="};
    auto predicate = unsigned(op.getPredicate());
    return printCompare(op, signs[predicate], predicate >= 6);
  }

  /// Ordered comparisons are those of C++; the unordered ones are negations of the opposite.
  llvm::Error printCompareFloat(arith::CmpFOp op) {
    std::string a = name(op.getLhs()), b = name(op.getRhs());
    using P = arith::CmpFPredicate;
    static const std::pair<P, const char *> forms[] = {{P::OEQ, "{0} == {1}"},
                                                       {P::OGT, "{0} > {1}"},
                                                       {P::OGE, "{0} >= {1}"},
                                                       {P::OLT, "{0} < {1}"},
                                                       {P::OLE, "{0} <= {1}"},
                                                       {P::ONE, "{0} < {1} || {0} > {1}"},
                                                       {P::UEQ, "!({0} < {1} || {0} > {1})"},
                                                       {P::UGT, "!({0} <= {1})"},
                                                       {P::UGE, "!({0} < {1})"},
                                                       {P::ULT, "!({0} >= {1})"},
                                                       {P::ULE, "!({0} > {1})"},
                                                       {P::UNE, "{0} != {1}"},
                                                       {P::ORD, "{0} == {0} && {1} == {1}"},
                                                       {P::UNO, "{0} != {0} || {1} != {1}"},
                                                       {P::AlwaysFalse, "false"},
                                                       {P::AlwaysTrue, "true"}};
    for (auto [predicate, form] : forms)
      if (predicate == op.getPredicate())
        return define(op, fmt::format(fmt::runtime(form), a, b));
    return refuse(op, "this predicate of");
  }

  /// `{0}`, `{1}`, `{2}` operands; `{t}` type of the result, `{u}` unsigned type of the first
  /// operand.
  static const char *formOf(StringRef name) {
    return llvm::StringSwitch<const char *>(name)
        .Cases({"arith.addf"}, "{0} + {1}")
        .Case("arith.subf", "{0} - {1}")
        .Case("arith.mulf", "{0} * {1}")
        .Case("arith.divf", "{0} / {1}")
        .Case("arith.negf", "-{0}")
        .Case("arith.maximumf", "maximumFloat({0}, {1})")
        .Case("arith.minimumf", "minimumFloat({0}, {1})")
        .Case("arith.maxnumf", "std::fmax({0}, {1})")
        .Case("arith.minnumf", "std::fmin({0}, {1})")
        .Case("arith.addi", "{t}({u}({0}) + {u}({1}))")
        .Case("arith.subi", "{t}({u}({0}) - {u}({1}))")
        .Case("arith.muli", "{t}(uint64_t({0}) * uint64_t({1}))")
        .Case("arith.divsi", "{t}({0} / {1})")
        .Case("arith.remsi", "{t}({0} % {1})")
        .Case("arith.divui", "{t}({u}({0}) / {u}({1}))")
        .Case("arith.remui", "{t}({u}({0}) % {u}({1}))")
        .Case("arith.andi", "{t}({0} & {1})")
        .Case("arith.ori", "{t}({0} | {1})")
        .Case("arith.xori", "{t}({0} ^ {1})")
        .Case("arith.shli", "{t}({u}({0}) << {1})")
        .Case("arith.shrui", "{t}({u}({0}) >> {1})")
        .Case("arith.shrsi", "{t}({0} >> {1})")
        .Case("arith.maxsi", "greatest({0}, {1})")
        .Case("arith.minsi", "least({0}, {1})")
        .Case("arith.maxui", "{t}(greatest({u}({0}), {u}({1})))")
        .Case("arith.minui", "{t}(least({u}({0}), {u}({1})))")
        .Case("arith.select", "{0} ? {1} : {2}")
        .Cases({"arith.extf", "arith.truncf", "arith.sitofp", "arith.fptosi", "arith.extsi",
                "arith.trunci", "arith.index_cast"},
               "{t}({0})")
        .Cases({"arith.extui", "arith.uitofp", "arith.index_castui"}, "{t}({u}({0}))")
        .Case("math.sqrt", "std::sqrt({0})")
        .Case("math.exp", "std::exp({0})")
        .Case("math.powf", "std::pow({0}, {1})")
        .Case("math.absf", "std::fabs({0})")
        .Default(nullptr);
  }

  llvm::Error printOperation(mlir::Operation *op) {
    if (auto loop = dyn_cast<AffineForOp>(op))
      return printLoop(loop);
    if (auto branch = dyn_cast<scf::IfOp>(op))
      return printBranches(branch, name(branch.getCondition()));
    if (auto branch = dyn_cast<AffineIfOp>(op))
      return printIf(branch);
    if (isa<AffineYieldOp, scf::YieldOp>(op)) {
      assign(targets.back(), op->getOperands());
      return llvm::Error::success();
    }
    if (isa<func::ReturnOp>(op)) {
      if (op->getNumOperands() == 1)
        line("return " + name(op->getOperand(0)) + ";");
      return llvm::Error::success();
    }
    if (auto load = dyn_cast<AffineLoadOp>(op))
      return define(op, element(load.getMemRef(), load.getAffineMap(), load.getMapOperands()));
    if (auto load = dyn_cast<memref::LoadOp>(op))
      return define(op, element(load.getMemRef(), load.getIndices()));
    if (auto store = dyn_cast<AffineStoreOp>(op)) {
      line(element(store.getMemRef(), store.getAffineMap(), store.getMapOperands()) + " = " +
           name(store.getValueToStore()) + ";");
      return llvm::Error::success();
    }
    if (auto store = dyn_cast<memref::StoreOp>(op)) {
      line(element(store.getMemRef(), store.getIndices()) + " = " + name(store.getValueToStore()) +
           ";");
      return llvm::Error::success();
    }
    if (isa<memref::AllocOp, memref::AllocaOp>(op)) {
      std::string declared = declaration(op->getResult(0).getType(), name(op->getResult(0)));
      if (declared.empty())
        return refuse(op, "the type of");
      line("static " + declared + ";");
      return llvm::Error::success();
    }
    if (isa<memref::DeallocOp>(op))
      return llvm::Error::success();
    if (auto constant = dyn_cast<arith::ConstantOp>(op))
      return printConstant(constant);
    if (auto apply = dyn_cast<AffineApplyOp>(op))
      return define(op, bound(apply.getAffineMap(), apply.getMapOperands(), ""));
    if (auto least = dyn_cast<AffineMinOp>(op))
      return define(op, bound(least.getMap(), least.getOperands(), "least"));
    if (auto greatest = dyn_cast<AffineMaxOp>(op))
      return define(op, bound(greatest.getMap(), greatest.getOperands(), "greatest"));
    if (auto compare = dyn_cast<arith::CmpIOp>(op))
      return printCompareInteger(compare);
    if (auto compare = dyn_cast<arith::CmpFOp>(op))
      return printCompareFloat(compare);
    const char *form = formOf(op->getName().getStringRef());
    if (!form)
      return refuse(op, "operation");
    std::vector<std::string> operands(3);
    for (unsigned n = 0; n < op->getNumOperands(); ++n)
      operands[n] = name(op->getOperand(n));
    Type first = op->getOperand(0).getType();
    return define(op, fmt::format(fmt::runtime(form), operands[0], operands[1], operands[2],
                                  fmt::arg("t", cppType(op->getResult(0).getType())),
                                  fmt::arg("u", isa<FloatType>(first) ? "" : unsignedType(first))));
  }

  std::string text;
  unsigned indent = 0, count = 0;
  llvm::DenseMap<Value, std::string> names;
  std::vector<SmallVector<Value>> targets; // of the yields
};
} // namespace

llvm::Expected<std::string> printCpp(func::FuncOp function) { return Printer().print(function); }

} // namespace spindle::hls
